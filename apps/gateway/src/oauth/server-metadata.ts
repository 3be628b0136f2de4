/** What clients read of the authorization server (RFC 8414, OpenID Connect Discovery). Says only what there is. */
import { scopes } from '@tessera/contracts';
import type { GatewayConfiguration } from '../configuration.js';
import { clientAuthentications } from './client-metadata.js';
import { signingAlgorithm } from './signing-keys.js';

export const codeFlowPaths = {
  authorization: '/oauth2/authorize',
  consent: '/oauth2/consent',
  registration: '/oauth2/register',
} as const;

export const serverPaths = {
  metadata: ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'],
  jwks: '/oauth2/jwks',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  userinfo: '/oauth2/userinfo',
} as const;

export const openIdScopes: readonly string[] = ['openid', 'profile', 'offline_access'];

type Settings = Pick<GatewayConfiguration, 'OAUTH_DOCUMENTS' | 'OAUTH_REGISTRATION'>;

export const metadataOf = (issuer: string, { OAUTH_DOCUMENTS, OAUTH_REGISTRATION }: Settings) => ({
  issuer,
  authorization_endpoint: `${issuer}${codeFlowPaths.authorization}`,
  token_endpoint: `${issuer}${serverPaths.token}`,
  ...(OAUTH_REGISTRATION && { registration_endpoint: `${issuer}${codeFlowPaths.registration}` }),
  jwks_uri: `${issuer}${serverPaths.jwks}`,
  revocation_endpoint: `${issuer}${serverPaths.revocation}`,
  userinfo_endpoint: `${issuer}${serverPaths.userinfo}`,
  scopes_supported: [...openIdScopes, ...scopes],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientAuthentications,
  revocation_endpoint_auth_methods_supported: clientAuthentications,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [signingAlgorithm],
  claims_supported: ['sub', 'name', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: OAUTH_DOCUMENTS,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_parameter_supported: false,
});
