/**
 * One request to a target and its answer, within bounds of size and time.
 * Never follows redirects, uses a proxy, asks for compression, or looks a checked host up again.
 */
import { Agent as PlainAgent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { ResolvedAddress, Target } from './find-target.js';

export type OutgoingRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type SendOptions = {
  /** Ends the request and its answer, whatever they wait for. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time without a byte. */
  readonly silenceMs?: number;
  readonly bodySizeMax: number;
};

export type OutgoingResponse = Pick<IncomingMessage, 'headers'> & {
  readonly status: number;
  /** The body is compressed, though nobody asked for it. */
  readonly isEncoded: boolean;
  /** Throws an `OutgoingError`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** In place of reading the body. */
  readonly discard: () => void;
};

export type OutgoingFault =
  | 'unreachable'
  | 'unreachable-by-tls'
  | 'no-http'
  | 'broken-off'
  | 'silent'
  | 'aborted'
  | 'too-large';

export class OutgoingError extends Error {
  constructor(readonly fault: OutgoingFault) {
    super(fault);
  }
}

const headersSizeMax = 16 * 1024;

/** Less than the five seconds after which many servers close an idle connection. */
const agentOptions = { keepAlive: true, timeout: 4_000 };
const keptAgents = { plain: new PlainAgent(agentOptions), secure: new SecureAgent(agentOptions) };
/** Connections to checked addresses are used once: a request could be lost on one that its host has closed meanwhile. */
const singleAgents = { plain: new PlainAgent({ keepAlive: false }), secure: new SecureAgent({ keepAlive: false }) };

/** Rejects with an `OutgoingError`. */
export const sendRequest = (
  target: Target,
  request: OutgoingRequest,
  { signal, silenceMs, bodySizeMax }: SendOptions,
): Promise<OutgoingResponse> =>
  new Promise((resolve, reject) => {
    let fault: OutgoingFault = 'unreachable';
    const sent = openRequest(target, request);
    const watch = watchOver(sent, silenceMs, signal);
    sent.once('socket', (socket) => {
      if (sent.reusedSocket) fault = 'no-http';
      else if (target.isTls)
        socket.once('connect', () => (fault = 'unreachable-by-tls')).once('secureConnect', () => (fault = 'no-http'));
      else socket.once('connect', () => (fault = 'no-http'));
    });
    sent.once('response', (answer) => {
      watch.heard();
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        isEncoded: (answer.headers['content-encoding'] ?? 'identity') !== 'identity',
        body: piecesOf(answer, watch, bodySizeMax),
        discard: () => {
          sent.destroy();
          watch.end();
        },
      });
    });
    const onEnd = (): void => {
      watch.end();
      reject(new OutgoingError(watch.fault ?? fault));
    };
    // An answer that is none (another protocol, an upgrade) ends without an error.
    sent.on('error', onEnd).once('close', onEnd);
    sent.end(request.body);
  });

const openRequest = (target: Target, { method, path, headers }: OutgoingRequest): ClientRequest => {
  const { host, hostName, isTls, port, connectTo } = target;
  const isChecked = typeof connectTo !== 'string';
  const agents = isChecked ? singleAgents : keptAgents;
  const options = {
    ...{ method, path, port, maxHeaderSize: headersSizeMax, setHost: false },
    headers: { ...headers, host, 'accept-encoding': 'identity' },
    ...(isChecked
      ? // An address is connected to as it is, without a look-up.
        { host: isIP(hostName) > 0 ? connectTo[0]?.address : hostName, lookup: lookupIn(connectTo) }
      : { host: connectTo }),
  };
  return isTls
    ? // A certificate is for a name; an address is compared itself.
      secureRequest({ ...options, servername: isIP(hostName) > 0 ? '' : hostName, agent: agents.secure })
    : plainRequest({ ...options, agent: agents.plain });
};

/** Answers what was resolved before, so that what was checked is connected to. */
const lookupIn =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

type Watch = {
  /** Why the request was ended from here. */
  readonly fault: OutgoingFault | undefined;
  /** The time without a byte begins again. */
  readonly heard: () => void;
  readonly end: () => void;
};

const watchOver = (sent: ClientRequest, silenceMs: number | undefined, signal: AbortSignal | undefined): Watch => {
  let fault: OutgoingFault | undefined;
  const stop = (why: OutgoingFault): void => {
    fault ??= why;
    sent.destroy();
  };
  let isQuiet = false;
  // Bytes that came while this process was busy count: they are read before it is called silence.
  const onSilence = (): void => {
    isQuiet = true;
    setImmediate(() => isQuiet && stop('silent'));
  };
  const silence = silenceMs === undefined ? undefined : setTimeout(onSilence, silenceMs);
  const leave = (): void => stop('aborted');
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  return {
    get fault() {
      return fault;
    },
    heard: () => {
      isQuiet = false;
      silence?.refresh();
    },
    end: () => {
      isQuiet = false;
      clearTimeout(silence);
      signal?.removeEventListener('abort', leave);
    },
  };
};

async function* piecesOf(answer: IncomingMessage, watch: Watch, sizeMax: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    const pieces: AsyncIterable<Buffer> = answer;
    for await (const piece of pieces) {
      watch.heard();
      size += piece.length;
      if (size > sizeMax) throw new OutgoingError('too-large');
      yield piece;
    }
  } catch (error) {
    throw error instanceof OutgoingError ? error : new OutgoingError(watch.fault ?? 'broken-off');
  } finally {
    // Leaving the loop early has destroyed the connection.
    watch.end();
  }
}

export const raceWithAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    // What the work throws after that is nobody's, and must not be unhandled.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
