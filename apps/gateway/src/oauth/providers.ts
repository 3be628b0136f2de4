/**
 * The code flow by oidc-provider, one for each public address, since it knows its issuer from the start. Made anew when signing keys are
 * rotated. Every setting of it that asks for a choice is made here.
 */
import { randomUUID } from 'node:crypto';
import type { ParsedUrlQuery } from 'node:querystring';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { findMember, oauthSecretMatches } from '@tessera/persistence/gateway';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import { exportJWK, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import {
  errors,
  interactionPolicy,
  Provider,
  type ClientMetadata,
  type Configuration,
  type FindAccount,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider';
import { DataSource } from 'typeorm';
import { SourceWindows, clientNetworkOf } from '../auth/failed-credentials.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { pageHeaders, printHtmlPage } from '../http/html-page.js';
import { isMcpEndpointUrl, resourceScopes } from '../mcp/protected-resource.js';
import { accountIdOf, holderOf } from './account-id.js';
import { ClientDocuments, documentBytesMax } from './client-documents.js';
import { clientAuthentications, readClientMetadata } from './client-metadata.js';
import { Grants } from './grants.js';
import { faultPage } from './oauth-fault.js';
import { currentProviderRequest, recordExchanges, unusedCookie } from './provider-exchange.js';
import { storageOf } from './provider-storage.js';
import { SigningKeys, signingAlgorithm, tokenLifetimeSeconds } from './signing-keys.js';

export const codeFlowPaths = {
  authorization: '/oauth2/authorize',
  consent: '/oauth2/consent',
  registration: '/oauth2/register',
} as const;
export const tokenPath = '/oauth2/token';

const daySeconds = 86_400;
const lifeSeconds = { consent: 1_800, code: 60, refreshToken: 30 * daySeconds, grant: 180 * daySeconds };
/** Longer lists of scopes make tokens that nobody takes. */
const scopeLengthMax = 2_000;
const providersMax = 20;
/** Documents of clients that one address makes this server fetch. */
const documentFetches = { most: 30, windowMs: 300_000 };

export const openIdScopes: readonly string[] = ['openid', 'profile', 'offline_access'];

export type IssuerProvider = {
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
  /** By which forms of the consent page are signed; the first is the one to use. */
  readonly formSecrets: readonly string[];
};

@Injectable()
export class OAuthProviders {
  readonly #known = new LRUCache<string, IssuerProvider>({ max: providersMax });
  readonly #documents: ClientDocuments;
  readonly #fetches = new SourceWindows({ ...documentFetches, clock: Date.now });

  constructor(
    private readonly signingKeys: SigningKeys,
    private readonly grants: Grants,
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(logToken) log: Log,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {
    this.#documents = new ClientDocuments({
      hosts: configuration.OAUTH_DOCUMENT_HOSTS,
      onRefused: (host, why) => log.info({ host }, `the document of a client was not fetched from a host that ${why}`),
    });
  }

  /** Rejects with the error of the database. */
  async for(issuer: string): Promise<IssuerProvider> {
    const [{ keyId, privateKey }, cookieSecrets, formSecrets] = await Promise.all([
      this.signingKeys.signing(),
      this.signingKeys.secrets('cookies'),
      this.signingKeys.secrets('forms'),
    ]);
    const name = [issuer, ...cookieSecrets].join(' ');
    const known = this.#known.get(name);
    if (known) return known;
    const key = { ...(await exportJWK(privateKey)), kid: keyId, alg: signingAlgorithm, use: 'sig' };
    const provider = new Provider(issuer, this.#configurationOf(issuer, key, cookieSecrets));
    settle(provider, issuer);
    const made = { provider, handle: provider.callback(), formSecrets };
    this.#known.set(name, made);
    return made;
  }

  #configurationOf(issuer: string, key: JWK, cookieSecrets: readonly string[]): Configuration {
    const { pool, source, grants } = this;
    return {
      ...fixedConfiguration,
      adapter: storageOf({ pool, source, grants }),
      clients: staticClientsOf(this.configuration),
      jwks: { keys: [key] },
      cookies: { ...cookies, keys: [...cookieSecrets] },
      fetch: (url) => this.#documents.fetch(url instanceof Request ? url.url : url.toString()),
      findAccount: this.#findAccount,
      features: {
        ...disabledFeatures,
        registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: () => randomUUID() },
        clientIdMetadataDocument: {
          enabled: this.configuration.OAUTH_DOCUMENTS,
          ack: 'draft-02',
          allowFetch: async () => this.#mayFetch(),
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
  }

  #mayFetch(): boolean {
    const exchange = currentProviderRequest();
    return (
      exchange !== undefined && this.#fetches.count(clientNetworkOf(exchange.edge.ip)).retryAfterSeconds === undefined
    );
  }

  /** Nobody, when the member is disabled or gone. */
  readonly #findAccount: FindAccount = async (_ctx, accountId) => {
    const { team, memberId } = holderOf(accountId);
    const member = await runInTenantEntityTransaction(this.source, team, (manager) =>
      findMember(manager, team, memberId),
    );
    if (!member || member.disabledAt) return undefined;
    const claims = { sub: accountIdOf({ team, memberId }), name: member.displayName };
    return { accountId, claims: async () => claims };
  };
}

/** Of the operator. They keep no secret. */
const staticClientsOf = ({ OAUTH_CLIENTS }: GatewayConfiguration): ClientMetadata[] =>
  Object.entries(OAUTH_CLIENTS).map(([clientId, { name, redirects }]) => {
    const { redirect_uris, grant_types, ...metadata } = readClientMetadata(
      { client_name: name, redirect_uris: redirects, grant_types: ['authorization_code', 'refresh_token'] },
      'none',
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
    token: tokenPath,
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
