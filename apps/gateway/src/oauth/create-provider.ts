/** One oidc-provider with every setting of it that asks for a choice. Loaded at the start: it holds the event loop for 0.3 s. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { findMember, oauthSecretMatches } from '@tessera/persistence/gateway';
import type { JWK } from 'jose';
import {
  errors,
  interactionPolicy,
  Provider,
  type ClientMetadata,
  type Configuration,
  type FindAccount,
  type Interaction,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider';
import type { DataSource } from 'typeorm';
import { clientNetworkOf } from '../auth/failed-credentials.js';
import type { GatewayConfiguration } from '../configuration.js';
import { pageHeaders, printHtmlPage } from '../http/html-page.js';
import { isMcpEndpointUrl, resourceScopes } from '../mcp/protected-resource.js';
import { accountIdOf, holderOf } from './account-id.js';
import { documentBytesMax, type ClientDocuments } from './client-documents.js';
import { clientAuthentications, readClientMetadata } from './client-metadata.js';
import type { Grants } from './grants.js';
import { faultPage } from './oauth-fault.js';
import { currentProviderRequest } from './provider-context.js';
import { recordExchanges, unusedCookie, type ProviderExchange } from './provider-exchange.js';
import { storageOf } from './provider-storage.js';
import { codeFlowPaths, openIdScopes, serverPaths } from './server-metadata.js';
import { signingAlgorithm, tokenLifetimeSeconds } from './signing-keys.js';

const daySeconds = 86_400;
const lifeSeconds = { consent: 1_800, code: 60, refreshToken: 30 * daySeconds, grant: 180 * daySeconds };
/** Longer lists of scopes make tokens that nobody takes. */
const scopeLengthMax = 2_000;

export type ProviderOptions = {
  readonly issuer: string;
  readonly key: JWK;
  readonly cookieSecrets: readonly string[];
  readonly pool: Pool;
  readonly source: DataSource;
  readonly grants: Grants;
  readonly documents: ClientDocuments;
  readonly configuration: GatewayConfiguration;
  /** Whether the address of a request may make this server fetch one more document. */
  readonly mayFetch: (exchange: ProviderExchange) => boolean;
};

export type IssuerProvider = {
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
  /** What waits for the person; undefined when the browser has asked for nothing here, or too long ago. */
  readonly findInteraction: (request: IncomingMessage, response: ServerResponse) => Promise<Interaction | undefined>;
};

export const createProvider = (options: ProviderOptions): IssuerProvider => {
  const provider = new Provider(options.issuer, configurationOf(options));
  settle(provider, options.issuer);
  return {
    ...{ provider, handle: provider.callback() },
    findInteraction: (request, response) =>
      provider.interactionDetails(request, response).catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return undefined;
        throw error;
      }),
  };
};

const configurationOf = (options: ProviderOptions): Configuration => {
  const { issuer, key, cookieSecrets, pool, source, grants, documents, configuration, mayFetch } = options;
  return {
    ...fixedConfiguration,
    adapter: storageOf({ pool, source, grants }),
    clients: staticClientsOf(configuration),
    jwks: { keys: [key] },
    cookies: { ...cookies, keys: [...cookieSecrets] },
    fetch: (url) =>
      documents.fetch(url instanceof Request ? url.url : url.toString(), sourceOf(currentProviderRequest())),
    findAccount: findAccountIn(source),
    features: {
      ...disabledFeatures,
      registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: () => randomUUID() },
      clientIdMetadataDocument: {
        enabled: configuration.OAUTH_DOCUMENTS,
        ack: 'draft-02',
        allowFetch: async () => {
          const exchange = currentProviderRequest();
          return exchange !== undefined && mayFetch(exchange);
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => {
          if (oneOf) throw new errors.InvalidTarget('a token is for one resource');
          return issuer;
        },
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx, resource) => resourceServerOf(ctx, resource, issuer),
      },
    },
  };
};

const sourceOf = (exchange: ProviderExchange | undefined): string =>
  exchange ? clientNetworkOf(exchange.edge.ip) : '';

/** Nobody, when the member is disabled or gone. */
const findAccountIn =
  (source: DataSource): FindAccount =>
  async (_ctx, accountId) => {
    const { team, memberId } = holderOf(accountId);
    const member = await runInTenantEntityTransaction(source, team, (manager) => findMember(manager, team, memberId));
    if (!member || member.disabledAt) return undefined;
    const claims = { sub: accountIdOf({ team, memberId }), name: member.displayName };
    return { accountId, claims: async () => claims };
  };

/** Of the operator. They keep no secret. */
const staticClientsOf = ({ OAUTH_CLIENTS }: GatewayConfiguration): ClientMetadata[] =>
  Object.entries(OAUTH_CLIENTS).map(([clientId, { name, redirects }]) => {
    const { redirect_uris, grant_types, ...metadata } = readClientMetadata(
      { client_name: name, redirect_uris: redirects, grant_types: ['authorization_code', 'refresh_token'] },
      { otherwise: 'none', isListed: true },
    );
    return {
      ...metadata,
      client_id: clientId,
      redirect_uris: [...redirect_uris],
      grant_types: [...grant_types],
      response_types: ['code'],
    };
  });

/** One MCP server, or everything. Which scopes it has is not asked here: consent gives no more than the person has. */
const resourceServerOf = ({ oidc }: KoaContextWithOIDC, resource: string, issuer: string): ResourceServer => {
  const { params = {}, entities } = oidc;
  const isWhole = resource === issuer || resource === `${issuer}/`;
  if (Array.isArray(params['resource'])) throw new errors.InvalidTarget('a token is for one resource');
  if (!isWhole && !isMcpEndpointUrl(resource, issuer))
    throw new errors.InvalidTarget('the resource is not the address of an MCP server of this installation');
  const asked = typeof params['scope'] === 'string' ? params['scope'] : '';
  if (asked.length > scopeLengthMax) throw new errors.InvalidScope('too many scopes', '');
  const named = `${asked} ${entities.Grant?.getResourceScope(resource) ?? ''}`.split(' ');
  return {
    scope: [...new Set(named)].filter((scope) => scope !== '' && !openIdScopes.includes(scope)).join(' '),
    audience: isWhole ? issuer : resource,
    accessTokenTTL: tokenLifetimeSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: signingAlgorithm } },
  };
};

const cookies = {
  names: { session: unusedCookie, interaction: 'tessera-consent', resume: 'tessera-consented' },
  long: { httpOnly: true, sameSite: 'lax', signed: true },
  short: { httpOnly: true, sameSite: 'lax', signed: true },
} as const;

const disabledFeatures: Configuration['features'] = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  // It is answered by `CodeFlow`, for the access tokens that are issued here.
  userinfo: { enabled: false },
};

const { Check, Prompt } = interactionPolicy;
/** Every request is for a person to allow, whatever was allowed before. */
const policy = interactionPolicy.base();
policy.clear();
for (const name of ['login', 'select_account', 'consent'])
  policy.add(
    new Prompt(
      { name, requestable: true },
      new Check(`${name}_missing`, 'somebody has to be asked', (ctx) => ctx.oidc.result?.[name] === undefined),
    ),
  );

const fixedConfiguration: Configuration = {
  routes: {
    authorization: codeFlowPaths.authorization,
    registration: codeFlowPaths.registration,
    token: serverPaths.token,
  },
  scopes: [...openIdScopes],
  claims: { openid: ['sub'], profile: ['name'] },
  responseTypes: ['code'],
  clientAuthMethods: [...clientAuthentications],
  clientDefaults: {
    grant_types: ['authorization_code'],
    response_types: ['code'],
    id_token_signed_response_alg: signingAlgorithm,
    token_endpoint_auth_method: 'client_secret_basic',
  },
  enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  // Answers for pages of other origins are those of the whole edge.
  clientBasedCORS: () => true,
  fetchResponseBodyLimits: { 'client_id metadata document': documentBytesMax },
  expiresWithSession: async () => false,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  ttl: {
    AccessToken: tokenLifetimeSeconds,
    AuthorizationCode: lifeSeconds.code,
    Grant: lifeSeconds.grant,
    IdToken: tokenLifetimeSeconds,
    Interaction: lifeSeconds.consent,
    RefreshToken: lifeSeconds.refreshToken,
    Session: lifeSeconds.consent,
  },
  interactions: {
    policy,
    url: (_ctx, interaction) => `${codeFlowPaths.consent}/${interaction.uid}`,
  },
  loadExistingGrant: async (ctx) => {
    const grantId = ctx.oidc.result?.consent?.grantId;
    return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
  },
  formats: {
    customizers: {
      jwt: (_ctx, token, { payload }) => {
        if (!('accountId' in token)) throw new Error('Access tokens of clients alone are issued elsewhere.');
        const { team } = holderOf(token.accountId);
        Object.assign(payload, { jti: randomUUID(), team, grant_id: token.grantId });
      },
    },
  },
  renderError: (ctx, out, error) => {
    if (ctx.oidc?.route !== 'authorization' && ctx.oidc?.route !== 'resume') {
      ctx.body = out;
      return;
    }
    ctx.set(pageHeaders);
    ctx.body = printHtmlPage(faultPage(shownFault(out.error_description ?? '', error), out.error));
  },
};

/** The reason is for whoever wrote the document of the client; others read what it is about. */
const shownFault = (description: string, { cause }: Error): string =>
  cause instanceof Error ? `The document about the application cannot be taken: ${cause.message}.` : `${description}.`;

/** Addresses are those of the issuer, whatever the request says of itself; secrets are compared by their digests. */
const settle = (provider: Provider, issuer: string): void => {
  const { host, protocol } = new URL(issuer);
  Object.defineProperties(provider.request, {
    host: { value: host },
    protocol: { value: protocol.slice(0, -1) },
  });
  Object.defineProperty(provider.Client.prototype, 'compareClientSecret', {
    value(this: { readonly clientSecret?: string }, secret: string) {
      return this.clientSecret !== undefined && oauthSecretMatches(secret, this.clientSecret);
    },
  });
  recordExchanges(provider);
  provider.use((ctx, next) => {
    if (ctx.path === codeFlowPaths.authorization) ctx.query = settledQuery(ctx.query);
    return next();
  });
};

/** Who asks for no scopes asks for those of an MCP server. The page that the mode form_post answers with would have a script. */
const settledQuery = (query: ParsedUrlQuery): ParsedUrlQuery => ({
  ...query,
  ...(!query['scope'] && { scope: resourceScopes.join(' ') }),
  ...(query['response_mode'] && query['response_mode'] !== 'query' && { response_mode: 'unsupported' }),
});
