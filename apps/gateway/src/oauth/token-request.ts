/** What a client of the client credentials grant asks for -> what its token will say. Pure: no key, no clock, no database. */
import type { Caller } from '@tessera/contracts';
import { toCanonicalScope } from '../auth/token-caller.js';
import { getFormValue, findRepeatedName } from '../http/read-form.js';
import { isMcpEndpointUrl } from '../mcp/protected-resource.js';
import { OAuthFault } from './oauth-fault.js';

export type ClientCredentialsRequest = { readonly audience: string; readonly scopes: readonly string[] };

/** Throws an OAuthFault. */
export const readClientCredentialsRequest = (
  form: URLSearchParams,
  caller: Caller,
  publicUrl: string,
): ClientCredentialsRequest => {
  const repeated = findRepeatedName(form, ['resource']);
  if (repeated !== undefined) throw new OAuthFault('invalid_request', 'A parameter is there more than once.');
  const grantType = getFormValue(form, 'grant_type');
  if (grantType === undefined) throw new OAuthFault('invalid_request', 'The parameter grant_type is missing.');
  if (grantType !== 'client_credentials')
    throw new OAuthFault(
      'unsupported_grant_type',
      'The grants here are: authorization_code, refresh_token, client_credentials.',
    );
  return { scopes: scopesIn(form, caller), audience: audienceIn(form, publicUrl) };
};

/** All that the caller has, or the part that is asked for. */
const scopesIn = (form: URLSearchParams, { scopes, furtherScopes = [] }: Caller): readonly string[] => {
  const held = [...scopes, ...furtherScopes];
  const asked = getFormValue(form, 'scope')?.split(' ').filter(Boolean).map(toCanonicalScope);
  if (asked === undefined) return held;
  if (asked.length === 0 || asked.some((scope) => !held.includes(scope)))
    throw new OAuthFault('invalid_scope', 'The key does not have every scope that is asked for.');
  return held.filter((scope) => asked.includes(scope));
};

/** The public address stands for everything; one MCP server for itself. */
const audienceIn = (form: URLSearchParams, publicUrl: string): string => {
  const [resource = '', ...others] = form.getAll('resource');
  if (others.length > 0) throw new OAuthFault('invalid_target', 'A token is for one resource.');
  if (resource === '' || resource === publicUrl || resource === `${publicUrl}/`) return publicUrl;
  if (!isMcpEndpointUrl(resource, publicUrl))
    throw new OAuthFault('invalid_target', 'The resource is not the address of an MCP server of this installation.');
  return resource;
};
