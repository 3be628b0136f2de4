/**
 * One request to a foreign system and its answer, over a connection of its own to addresses that were checked.
 * Refuses: redirects (they are answers), names (nothing is resolved here), proxies, compressed and large answers, and to
 * tell an address: what went wrong is said in words.
 */
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Target } from './find-target.js';

export type OutgoingRequest = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type ForeignAnswer = {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
};
/** `why` continues "The foreign system ...". */
export type Exchanged = ForeignAnswer | { readonly kind: 'failed'; readonly why: string };

/** Never rejects. `signal` ends it, whatever it waits for. */
export type Exchange = (target: Target, request: OutgoingRequest, signal: AbortSignal) => Promise<Exchanged>;

const bodySizeMax = 1024 * 1024;
const headersSizeMax = 16 * 1024;

const failed = (why: string): Exchanged => ({ kind: 'failed', why });

/** Connections are not used again: an answer could be lost with one that its host has given up meanwhile. */
const plainAgent = new PlainAgent({ keepAlive: false });
const secureAgent = new SecureAgent({ keepAlive: false });

/** Answers what was resolved before, so that what is connected to is what was checked. */
const lookupIn =
  ({ addresses }: Target): LookupFunction =>
  (_, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

const connectionOf = (target: Target, { method, path, headers }: OutgoingRequest, signal: AbortSignal) => ({
  ...{ method, path, signal, maxHeaderSize: headersSizeMax, port: target.port, setHost: false },
  // An address is connected to as it is, without a look-up.
  host: isIP(target.hostName) > 0 ? target.addresses[0]?.address : target.hostName,
  lookup: lookupIn(target),
  headers: { ...headers, host: target.host, 'accept-encoding': 'identity' },
});

export const exchange: Exchange = (target, request, signal) =>
  new Promise((resolve) => {
    let reached: 'nothing' | 'host' | 'peer' = 'nothing';
    let isAnswered = false;
    const onAnswer = (answer: IncomingMessage): void => {
      [reached, isAnswered] = ['peer', true];
      readAnswer(answer).then(resolve, () => resolve(failed(signal.aborted ? tooSlow : 'broke its answer off')));
    };
    const connection = connectionOf(target, request, signal);
    const sent = target.isTls
      ? secureRequest({ ...connection, ...servernameOf(target), agent: secureAgent }, onAnswer)
      : plainRequest({ ...connection, agent: plainAgent }, onAnswer);
    sent.once('socket', (socket) => {
      socket.once('connect', () => (reached = target.isTls ? 'host' : 'peer'));
      socket.once('secureConnect', () => (reached = 'peer'));
    });
    const onEnd = (): void => resolve(failed(signal.aborted ? tooSlow : words[reached]));
    sent.on('error', onEnd);
    // An answer that switches to another protocol is no answer, and no error either.
    sent.once('close', () => isAnswered || onEnd());
    sent.end(request.body);
  });

const tooSlow = 'did not answer in time';
const words = {
  nothing: 'could not be reached',
  host: 'could not be reached over TLS',
  peer: 'broke the connection off, or does not speak HTTP',
} as const;

/** A name for the certificate; an address has none, it is compared itself. */
const servernameOf = ({ hostName }: Target) => ({ servername: isIP(hostName) > 0 ? '' : hostName });

const readAnswer = async (answer: IncomingMessage): Promise<Exchanged> => {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    answer.destroy();
    return failed('answered in an encoding that was not asked for');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the connection.
  const pieces: AsyncIterable<Buffer> = answer;
  for await (const chunk of pieces) {
    size += chunk.length;
    if (size > bodySizeMax) return failed('answered more than 1 MiB');
    chunks.push(chunk);
  }
  const contentType = answer.headers['content-type'] ?? '';
  return { kind: 'answer', status: answer.statusCode ?? 0, contentType, body: Buffer.concat(chunks) };
};
