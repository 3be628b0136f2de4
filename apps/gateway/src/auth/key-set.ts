/**
 * The public keys of the token issuer (JWKS): all of them in memory, fetched again when a key id is not among them.
 * Never fetches more often than every few seconds, whatever key ids callers make up, and never forgets good keys because the
 * issuer is unavailable.
 */
import { text } from 'node:stream/consumers';
import { LoggableMessageError } from '@tessera/failures';
import { OutgoingError, sendRequest, createTrustedTarget } from '@tessera/outgoing-http';
import { JwksClient } from 'jwks-rsa';
import { z } from 'zod';

/** There are no keys and none can be had. */
export class KeySetUnavailable extends Error {
  override readonly name = 'KeySetUnavailable';
}

const refetchAtMostEveryMs = 5_000;
const refreshAfterMs = 600_000;
const fetchTimeoutMs = 3_000;

const bodySizeMax = 1024 * 1024;
const KeySetBody = z.object({ keys: z.unknown() });

/** In place of the fetching of jwks-rsa, which bounds neither the whole time nor the size. */
const fetchKeySet = async (address: string): Promise<z.output<typeof KeySetBody>> => {
  const url = new URL(address);
  const request = { method: 'GET', path: url.pathname + url.search, headers: {} };
  const signal = AbortSignal.timeout(fetchTimeoutMs);
  try {
    const answer = await sendRequest(createTrustedTarget(url), request, { signal, bodySizeMax });
    const body = await text(answer.body);
    if (answer.status !== 200) throw new LoggableMessageError(`the issuer answered with status ${answer.status}`);
    return KeySetBody.parse(JSON.parse(body));
  } catch (error) {
    if (signal.aborted) throw new LoggableMessageError('the issuer took too long');
    throw error instanceof OutgoingError
      ? new LoggableMessageError(`the issuer could not be read: ${error.fault}`)
      : error;
  }
};

type KeySetOptions = {
  readonly url: string;
  readonly clock?: () => number;
  readonly onError?: (reason: string) => void;
};

export class KeySet {
  readonly #client: JwksClient;
  readonly #clock: () => number;
  readonly #onError: (reason: string) => void;
  #keys = new Map<string, string>();
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor({ url, clock = Date.now, onError = () => {} }: KeySetOptions) {
    this.#client = new JwksClient({ jwksUri: url, fetcher: fetchKeySet, cache: false, rateLimit: false });
    this.#clock = clock;
    this.#onError = onError;
  }

  /** The key in PEM; undefined when the issuer has none with this id. Rejects with KeySetUnavailable. */
  async keyFor(keyId: string | undefined): Promise<string | undefined> {
    const known = this.#find(keyId);
    const isOld = this.#clock() - this.#fetchedAtMs > refreshAfterMs;
    if (known !== undefined) {
      if (isOld) void this.#fetch();
      return known;
    }
    await this.#fetch();
    if (this.#keys.size === 0) throw new KeySetUnavailable('The key set could not be fetched.');
    return this.#find(keyId);
  }

  /** A token without a key id fits a set of one key. */
  #find(keyId: string | undefined): string | undefined {
    if (keyId !== undefined) return this.#keys.get(keyId);
    return this.#keys.size === 1 ? this.#keys.values().next().value : undefined;
  }

  #fetch(): Promise<void> {
    if (this.#fetching) return this.#fetching;
    if (this.#clock() - this.#triedAtMs < refetchAtMostEveryMs) return Promise.resolve();
    this.#triedAtMs = this.#clock();
    this.#fetching = this.#load().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #load(): Promise<void> {
    try {
      const keys = await this.#client.getSigningKeys();
      this.#keys = new Map(keys.map((key) => [key.kid ?? '', key.getPublicKey()]));
      this.#fetchedAtMs = this.#clock();
    } catch (error) {
      this.#onError(error instanceof Error ? error.message : String(error));
    }
  }
}
