/**
 * Sends one request to a foreign system and reads the answer as the value of a tool: JSON as it is, a text as a text, nothing
 * as an empty object. Never shows what the system said about a failure, nor an address; only what happened, or the status.
 */
import { buffer } from 'node:stream/consumers';
import {
  OutgoingError,
  type OutgoingFault,
  type OutgoingRequest,
  sendRequest,
  type Target,
} from '@tessera/outgoing-http';

type ForeignAnswer = {
  readonly kind: 'answer';
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
};
/** `why` continues "The foreign system ...". */
export type ExchangeResult = ForeignAnswer | { readonly kind: 'failed'; readonly why: string };

/** Never rejects. `signal` ends it, whatever it waits for. */
export type ExchangeFunction = (
  target: Target,
  request: OutgoingRequest,
  signal: AbortSignal,
) => Promise<ExchangeResult>;

const bodySizeMax = 1024 * 1024;

const reasonByFault: Readonly<Record<OutgoingFault, string>> = {
  unreachable: 'could not be reached',
  'unreachable-by-tls': 'could not be reached over TLS',
  'no-http': 'broke the connection off, or does not speak HTTP',
  'broken-off': 'broke its answer off',
  silent: 'did not answer in time',
  aborted: 'did not answer in time',
  'too-large': 'answered more than 1 MiB',
};

export const performExchange: ExchangeFunction = async (target, request, signal) => {
  try {
    const answer = await sendRequest(target, request, { signal, bodySizeMax });
    if (answer.isEncoded) {
      answer.discard();
      return { kind: 'failed', why: 'answered in an encoding that was not asked for' };
    }
    const body = await buffer(answer.body);
    return { kind: 'answer', status: answer.status, contentType: answer.headers['content-type'] ?? '', body };
  } catch (error) {
    if (error instanceof OutgoingError) return { kind: 'failed', why: reasonByFault[error.fault] };
    throw error;
  }
};

type AnswerBodyResult =
  | { readonly ok: true; readonly value: unknown }
  /** `why` continues "The foreign system ...". */
  | { readonly ok: false; readonly why: string };

/** Deeper values cannot be written again. */
const depthMax = 64;

export const parseAnswerBody = (answer: ExchangeResult): AnswerBodyResult => {
  if (answer.kind === 'failed') return { ok: false, why: answer.why };
  const { status, contentType, body } = answer;
  if (status >= 300 && status < 400)
    return { ok: false, why: `answered with a redirect (status ${status}), which is not followed` };
  if (status < 200 || status >= 300) return { ok: false, why: `answered with status ${status}` };
  if (body.length === 0) return { ok: true, value: {} };
  const text = textOf(body);
  if (text === undefined) return { ok: false, why: 'answered with neither JSON nor a text in UTF-8' };
  if (text.trim() === '') return { ok: true, value: {} };
  return isJsonContentType(contentType) ? jsonOf(text) : { ok: true, value: text };
};

/** Whether the failure is one of the system, and not one of what it was asked. */
export const isSystemFailure = (answer: ExchangeResult): boolean =>
  answer.kind === 'failed' || answer.status >= 500 || answer.status === 429;

export const isJsonContentType = (contentType: string): boolean =>
  /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

const textOf = (body: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
};

const jsonOf = (text: string): AnswerBodyResult => {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, depthMax)
      ? { ok: false, why: `answered JSON of more than ${depthMax} levels` }
      : { ok: true, value };
  } catch {
    return { ok: false, why: 'said that it answers JSON, and did not' };
  }
};

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1)));
