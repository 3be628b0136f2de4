/**
 * The keys of this installation that sign access tokens, or exported evidence, the same for all its replicas. Reads them again every
 * few seconds, since a rotation happens elsewhere, and at once for a key that another replica has already.
 */
import { createPrivateKey, createPublicKey, hkdfSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors } from '@tessera/persistence';
import type { StoredSigningKey } from '@tessera/persistence/gateway';

export const signingAlgorithm = 'ES256';
/** How long an access token lives. */
export const tokenLifetimeSeconds = 600;

type SigningKeysOptions = {
  /** The one that signs first. */
  readonly read: () => Promise<readonly StoredSigningKey[]>;
  /** As JSON Web Keys name it. */
  readonly algorithm?: string;
  /** Of a public key after another one signs. */
  readonly publishedAfterReplacementMs?: number;
  readonly clock?: () => number;
};

type Keys = {
  readonly signing: { readonly keyId: string; readonly privateKey: KeyObject };
  readonly publicKeys: ReadonlyMap<string, KeyObject>;
  readonly stored: readonly StoredSigningKey[];
  readonly readAtMs: number;
};

type PublicKeys = { readonly keys: readonly JsonWebKey[] };

const secretBytes = 32;
const readEveryMs = 15_000;
/** For a key that is not known. */
const readAgainAfterMs = 1_000;
/** A replica signs with it until it reads again, and clocks differ. */
const tokenKeysPublishedMs = tokenLifetimeSeconds * 1000 + readEveryMs + 60_000;

export class SigningKeys {
  readonly #options: SigningKeysOptions;
  readonly #clock: () => number;
  #keys: Keys | undefined;
  #reading: Promise<Keys> | undefined;

  constructor(options: SigningKeysOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  /** The one that signs now. Rejects with the error of the database. */
  async signing(): Promise<Keys['signing']> {
    return (await this.#current(readEveryMs)).signing;
  }

  /** In PEM, for the key id of a token; undefined when there is no such key, or none any more. */
  async publicKeyFor(keyId: string): Promise<string | undefined> {
    const known = (await this.#current(readEveryMs)).publicKeys.get(keyId);
    const key = known ?? (await this.#current(readAgainAfterMs)).publicKeys.get(keyId);
    return key?.export({ type: 'spki', format: 'pem' }).toString();
  }

  /**
   * For another purpose than signing tokens: a secret of each key, the one to use first. A new key has to wait until all replicas have
   * read it.
   */
  async secrets(purpose: string): Promise<readonly string[]> {
    const { stored } = await this.#current(readEveryMs);
    const [newest, previous, ...older] = stored;
    const isNew = previous?.replacedAt && this.#clock() - previous.replacedAt.getTime() < 2 * readEveryMs;
    const inOrder = newest && isNew ? [previous, newest, ...older] : stored;
    return inOrder.map(({ privateKey }) =>
      Buffer.from(hkdfSync('sha256', privateKey, '', `tessera ${purpose}`, secretBytes)).toString('base64url'),
    );
  }

  /** As a JSON Web Key Set. */
  async published(): Promise<PublicKeys> {
    const { publicKeys } = await this.#current(readEveryMs);
    return {
      keys: [...publicKeys].map(([kid, key]) => ({
        ...key.export({ format: 'jwk' }),
        ...{ kid, alg: this.#options.algorithm ?? signingAlgorithm, use: 'sig' },
      })),
    };
  }

  /** Not older than `ageMaxMs`. */
  async #current(ageMaxMs: number): Promise<Keys> {
    if (this.#keys && this.#clock() - this.#keys.readAtMs < ageMaxMs) return this.#keys;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<Keys> {
    const readAtMs = this.#clock();
    const stored = await this.#options.read();
    const [current] = stored;
    const { publishedAfterReplacementMs = tokenKeysPublishedMs } = this.#options;
    if (!current) throw new Error('There is no signing key.');
    const published = stored.filter(
      ({ replacedAt }) => !replacedAt || readAtMs - replacedAt.getTime() < publishedAfterReplacementMs,
    );
    this.#keys = {
      signing: { keyId: current.keyId, privateKey: privateKeyOf(current) },
      publicKeys: new Map(published.map((key) => [key.keyId, createPublicKey(privateKeyOf(key))])),
      ...{ stored, readAtMs },
    };
    return this.#keys;
  }
}

const privateKeyOf = ({ privateKey }: StoredSigningKey): KeyObject =>
  createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });

/** Those that sign exported evidence: public for good, since what they signed is checked later. */
export class EvidenceKeys extends SigningKeys {
  constructor(options: Pick<SigningKeysOptions, 'read' | 'clock'>) {
    super({ ...options, algorithm: 'EdDSA', publishedAfterReplacementMs: Number.POSITIVE_INFINITY });
  }

  /** As `signing`; a failure while the database is away. */
  findSigning(): Promise<Result<Keys['signing']>> {
    return mapDatabaseErrors(async () => succeed(await this.signing()));
  }

  /** As `published`; a failure while the database is away. */
  findPublished(): Promise<Result<PublicKeys>> {
    return mapDatabaseErrors(async () => succeed(await this.published()));
  }
}
