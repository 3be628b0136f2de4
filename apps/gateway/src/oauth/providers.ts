/**
 * The code flow by oidc-provider, one for each public address, since it knows its issuer from the start. Made anew when signing keys are
 * rotated.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from '@tessera/persistence';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import { exportJWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { SourceWindows, clientNetworkOf } from '../auth/failed-credentials.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { ClientDocuments } from './client-documents.js';
import { createProvider, type IssuerProvider } from './create-provider.js';
import { Grants } from './grants.js';
import { SigningKeys, signingAlgorithm } from './signing-keys.js';

const providersMax = 20;
/** Documents of clients that one address makes this server fetch. */
const documentFetches = { most: 30, windowMs: 300_000 };

export type SigningIssuer = IssuerProvider & {
  /** By which forms of the consent page are signed; the first is the one to use. */
  readonly formSecrets: readonly string[];
};

@Injectable()
export class OAuthProviders {
  readonly #known = new LRUCache<string, SigningIssuer>({ max: providersMax });
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
  async for(issuer: string): Promise<SigningIssuer> {
    const [{ keyId, privateKey }, cookieSecrets, formSecrets] = await Promise.all([
      this.signingKeys.signing(),
      this.signingKeys.secrets('cookies'),
      this.signingKeys.secrets('forms'),
    ]);
    const name = [issuer, ...cookieSecrets].join(' ');
    const known = this.#known.get(name);
    if (known) return known;
    const key = { ...(await exportJWK(privateKey)), kid: keyId, alg: signingAlgorithm, use: 'sig' };
    const { pool, source, grants, configuration } = this;
    const provider = createProvider({
      ...{ issuer, key, cookieSecrets, pool, source, grants, configuration },
      documents: this.#documents,
      mayFetch: ({ edge }) => this.#fetches.count(clientNetworkOf(edge.ip)).retryAfterSeconds === undefined,
    });
    const made = { ...provider, formSecrets };
    this.#known.set(name, made);
    return made;
  }
}
