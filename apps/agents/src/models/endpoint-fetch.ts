/**
 * How a provider reaches the one endpoint that it is for: where the operator says, over connections that stay open.
 * Refuses: other hosts, redirects, proxies, compressed and large answers, silence, and to read what a refusal says.
 */
import { Agent as PlainAgent, request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { type Outage, OutageError } from './outage.js';

export type Endpoint = {
  /** What requests are addressed to; nothing else is. */
  readonly url: URL;
  /** Where it is reached, when that is somewhere else. */
  readonly address?: URL | undefined;
  readonly silenceMs: number;
};

const bodySizeMax = 8 * 1024 * 1024;
const headersSizeMax = 16 * 1024;

/** Less than the five seconds after which many servers end a connection that nobody uses. */
const idleMs = 4_000;
const plainAgent = new PlainAgent({ keepAlive: true, timeout: idleMs });
const secureAgent = new SecureAgent({ keepAlive: true, timeout: idleMs });

/** One for each model. */
export const endpointFetch =
  (endpoint: Endpoint): typeof fetch =>
  async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isOwn = url.origin === endpoint.url.origin && url.username === '' && url.password === '';
    if (!isOwn || typeof body !== 'string') throw new OutageError({ kind: 'refused' });
    const given = [...new Headers(headers)].filter(([, value]) => value !== '');
    const outgoing = { ...Object.fromEntries(given), 'user-agent': 'tessera', 'accept-encoding': 'identity' };
    return exchange(endpoint, signal ?? undefined, (origin) => ({
      ...{ method, path: url.pathname + url.search, headers: { ...outgoing, host: url.host }, body },
      ...(origin.protocol === 'https:' && { servername: isIP(url.hostname) > 0 ? '' : url.hostname }),
    }));
  };

type Outgoing = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly servername?: string;
};

const exchange = (
  { url, address, silenceMs }: Endpoint,
  signal: AbortSignal | undefined,
  outgoingTo: (origin: URL) => Outgoing,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const origin = address ?? url;
    const { body, ...outgoing } = outgoingTo(origin);
    const options = {
      ...outgoing,
      host: origin.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: origin.port,
      maxHeaderSize: headersSizeMax,
      setHost: false,
    };
    const sent =
      origin.protocol === 'https:'
        ? secureRequest({ ...options, agent: secureAgent })
        : plainRequest({ ...options, agent: plainAgent });
    const watch = watchOver(sent, silenceMs, signal);
    const onEnd = (): void => {
      watch.end();
      reject(new OutageError(watch.outage ?? { kind: 'unreachable' }));
    };
    sent.once('response', (answer) => {
      watch.heard();
      const outage = outageOfHead(answer);
      if (outage === undefined) return resolve(new Response(ReadableStream.from(piecesOf(answer, watch))));
      sent.destroy();
      watch.end();
      reject(new OutageError(outage));
    });
    // An answer that is none (another protocol, an upgrade) ends without an error.
    sent.on('error', onEnd).once('close', onEnd);
    sent.end(body);
  });

type Watch = {
  readonly outage: Outage | undefined;
  /** The time without a byte begins again. */
  readonly heard: () => void;
  readonly end: () => void;
};

const watchOver = (sent: ClientRequest, silenceMs: number, signal: AbortSignal | undefined): Watch => {
  let outage: Outage | undefined;
  const stop = (kind: 'silent' | 'withdrawn'): void => {
    outage ??= { kind };
    sent.destroy();
  };
  let isQuiet = false;
  // Bytes that came while this process was busy count: they are read before it is called silence.
  const silence = setTimeout(() => {
    isQuiet = true;
    setImmediate(() => isQuiet && stop('silent'));
  }, silenceMs);
  const leave = (): void => stop('withdrawn');
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  return {
    get outage() {
      return outage;
    },
    heard: () => {
      isQuiet = false;
      silence.refresh();
    },
    end: () => {
      isQuiet = false;
      clearTimeout(silence);
      signal?.removeEventListener('abort', leave);
    },
  };
};

/** What the status says already; undefined when the body has to be read. */
const outageOfHead = ({ statusCode: status = 0, headers }: IncomingMessage): Outage | undefined => {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (status === 200) return encoding === 'identity' ? undefined : { kind: 'nonsense', status };
  if (status === 401 || status === 403) return { kind: 'refused-credential', status };
  if (status === 408 || status === 429) return { kind: 'busy', status, ...waitOf(headers['retry-after']) };
  if (status >= 500) return { kind: 'broken', status, ...waitOf(headers['retry-after']) };
  if (status >= 400) return { kind: 'refused', status };
  return status >= 300 ? { kind: 'redirected', status } : { kind: 'nonsense', status };
};

/** Seconds or a date. */
const waitOf = (retryAfter: string | undefined): Pick<Outage, 'waitMs'> => {
  if (retryAfter === undefined) return {};
  const waitMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return waitMs > 0 ? { waitMs } : {};
};

async function* piecesOf(answer: IncomingMessage, watch: Watch): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    const pieces: AsyncIterable<Buffer> = answer;
    for await (const piece of pieces) {
      watch.heard();
      size += piece.length;
      if (size > bodySizeMax) throw new OutageError({ kind: 'too-large' });
      yield piece;
    }
  } catch (error) {
    throw error instanceof OutageError ? error : new OutageError(watch.outage ?? { kind: 'broken-off' });
  } finally {
    // Leaving the loop early has destroyed the connection.
    watch.end();
  }
}
