/**
 * Clients that are known by the address of a document about them (OAuth Client ID Metadata Documents). The document comes from whoever
 * asks: it is fetched by https from public addresses alone, never by a redirect, and is small and quick or none.
 */
import { text } from 'node:stream/consumers';
import { LoggableMessageError } from '@tessera/failures';
import {
  findTarget,
  limitLookupsPerTeam,
  OutgoingError,
  sendRequest,
  type ResolveHostName,
  type Target,
} from '@tessera/outgoing-http';
import { LRUCache } from 'lru-cache';
import { readClientMetadata } from './client-metadata.js';
import { OAuthFault } from './oauth-fault.js';

export const documentBytesMax = 64 * 1024;
const fetchMs = 2_500;
const lookupMs = 1_000;
/** For so long the same document is not asked for again. */
const faults = { max: 1_000, ttlMs: 30_000 };

type ClientDocumentsOptions = {
  /** Hosts that the operator vouches for: where they are. */
  readonly hosts: Readonly<Record<string, { readonly address: string }>>;
  /** For the log alone. */
  readonly onRefused: (host: string, why: string) => void;
  readonly resolve?: ResolveHostName;
};

export class ClientDocuments {
  readonly #options: ClientDocumentsOptions;
  readonly #resolve: ResolveHostName;
  readonly #faults = new LRUCache<string, string>({ max: faults.max, ttl: faults.ttlMs });

  constructor(options: ClientDocumentsOptions) {
    this.#options = options;
    this.#resolve = options.resolve ?? limitLookupsPerTeam();
  }

  /** With what is taken of it; `source`: the network that makes this server fetch it. Rejects with a PlainError. */
  async fetch(address: string, source: string): Promise<Response> {
    const known = this.#faults.get(address);
    if (known !== undefined) throw new LoggableMessageError(known);
    try {
      return await this.#read(new URL(address), source);
    } catch (error) {
      const fault = faultText(error);
      this.#faults.set(address, fault);
      throw new LoggableMessageError(fault);
    }
  }

  async #read(url: URL, source: string): Promise<Response> {
    const signal = AbortSignal.timeout(fetchMs);
    const request = { method: 'GET', path: url.pathname + url.search, headers: { accept: 'application/json' } };
    const target = await this.#target(url, source);
    const { status, headers, isEncoded, body, discard } = await sendRequest(target, request, {
      signal,
      bodySizeMax: documentBytesMax,
    });
    if (status !== 200 || isEncoded) {
      discard();
      if (status >= 300 && status < 400)
        throw new LoggableMessageError('its address leads elsewhere, and no redirect is followed');
      throw new LoggableMessageError(isEncoded ? 'it is compressed' : `its host answered with status ${status}`);
    }
    const given: unknown = JSON.parse(await text(body));
    const clientId: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'client_id') : undefined;
    const taken = { ...readClientMetadata(given, { otherwise: 'none' }), client_id: clientId };
    const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      ['cache-control', 'expires'].includes(name) ? [[name, String(value)]] : [],
    );
    return new Response(JSON.stringify(taken), { headers: kept });
  }

  async #target(url: URL, source: string): Promise<Target> {
    const { hosts, onRefused } = this.#options;
    const listed = Object.hasOwn(hosts, url.hostname) ? hosts[url.hostname] : undefined;
    // Whoever names slow name servers waits for them alone.
    const lookUp = { team: source, resolve: this.#resolve, lookupMs, onRefused };
    const target = await findTarget(url, listed && new URL(listed.address), lookUp);
    if (!target) throw new LoggableMessageError('its host is none of the public Internet that is reached by https');
    return target;
  }
}

const outgoingFaults: Readonly<Partial<Record<OutgoingError['fault'], string>>> = {
  'too-large': `it is larger than ${documentBytesMax / 1024} KB`,
  aborted: 'its host took too long',
};

const faultText = (error: unknown): string => {
  if (error instanceof LoggableMessageError) return error.message;
  if (error instanceof OAuthFault) return error.description;
  if (error instanceof OutgoingError) return outgoingFaults[error.fault] ?? 'its host could not be read';
  if (error instanceof SyntaxError) return 'it is no JSON';
  throw error;
};
