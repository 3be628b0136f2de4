/**
 * The words on the wire: header names, subjects, and the text of callers, failures and stream ends.
 * Only this library writes these headers; a service trusts them because NATS permissions keep everybody else out.
 */
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import {
  readCallerAttributes,
  partitionScopes,
  type CallFrame,
  type Caller,
  type OwningService,
} from '@tessera/contracts';
import { parseFailureCode, type Failure, type Fault } from '@tessera/failures';
import { isTraceparent } from './tracing.js';

export const headerNames = {
  caller: 'Tessera-Caller',
  requestId: 'Tessera-Request-Id',
  deadline: 'Tessera-Deadline',
  publicUrl: 'Tessera-Public-Url',
  traceparent: 'traceparent',
  contentType: 'Content-Type',
  replyHeaders: 'Tessera-Headers',
  /** On an answer whose status is not 200. */
  status: 'Tessera-Status',
  failure: 'Tessera-Failure',
  /** On a message that is no answer yet: the service is alive and works on the call. */
  working: 'Tessera-Working',
  /** Beside it when an effect is about to begin: the subject that takes the word that the client knows. */
  effect: 'Tessera-Effect',
  /** On the first message of a chunked reply: the subject that takes credits and the cancel. */
  stream: 'Tessera-Stream',
  /** On the last message of a chunked reply: the number of bytes that were sent, or `failed`. */
  end: 'Tessera-End',
} as const;

export const inboxRoot = '_INBOX.';
/** A client that leaves before its answer began says so here, with its reply subject as payload. */
export const cancelSubjectOf = (owner: OwningService): string => `op.${owner}.cancel-call`;
/** Payload of a control message that cancels a call: nobody reads its reply, or knows of it. */
export const cancelMessage = 'x';
/** Payload of a control message: an effect that was announced may begin. Every other payload is a number of bytes consumed. */
export const proceedMessage = 'k';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const encodeText = (text: string): Uint8Array => encoder.encode(text);
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

const callerTexts = new WeakMap<Caller, string>();

const textOf = (caller: Caller): string => {
  const known = callerTexts.get(caller);
  if (known !== undefined) return known;
  const text = JSON.stringify(caller);
  callerTexts.set(caller, text);
  return text;
};

export const encodeFrame = (frame: CallFrame, deadlineMs: number, traceparent: string | undefined): MsgHdrs => {
  const made = headers();
  made.append(headerNames.caller, textOf(frame.caller));
  made.append(headerNames.requestId, frame.requestId);
  made.append(headerNames.deadline, String(deadlineMs));
  made.append(headerNames.publicUrl, frame.publicUrl);
  if (traceparent !== undefined) made.append(headerNames.traceparent, traceparent);
  return made;
};

/** The frame of a request, or undefined when a part is missing or does not fit: such a request has no identity. */
export const decodeFrame = (received: MsgHdrs | undefined): CallFrame | undefined => {
  if (received === undefined) return undefined;
  let caller: Caller | undefined;
  let requestId: string | undefined;
  let publicUrl: string | undefined;
  let traceparent: string | undefined;
  let deadlineMs = Number.NaN;
  for (const [name, [value = '']] of received) {
    if (name === headerNames.caller) caller = decodeCaller(value);
    else if (name === headerNames.requestId) requestId = value;
    else if (name === headerNames.deadline) deadlineMs = Number(value);
    else if (name === headerNames.publicUrl) publicUrl = value;
    else if (name === headerNames.traceparent && isTraceparent(value)) traceparent = value;
  }
  if (caller === undefined || !requestId || publicUrl === undefined || !Number.isFinite(deadlineMs)) return undefined;
  const frame = { caller, requestId, publicUrl, deadlineMs };
  return traceparent === undefined ? frame : { ...frame, traceparent };
};

const callersMax = 2000;
const callersByText = new Map<string, Caller>();

const decodeCaller = (text: string): Caller | undefined => {
  const known = callersByText.get(text);
  if (known !== undefined) return known;
  const caller = parseCaller(parseJson(text));
  if (caller === undefined) return undefined;
  if (callersByText.size >= callersMax) callersByText.delete(callersByText.keys().next().value ?? '');
  callersByText.set(text, caller);
  return caller;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const parseCaller = (value: unknown): Caller | undefined => {
  if (!isRecord(value)) return undefined;
  const { team, subject, scopes: granted, furtherScopes, attributes } = value;
  if (typeof team !== 'string' || team === '' || typeof subject !== 'string' || !Array.isArray(granted))
    return undefined;
  const read = isRecord(attributes) ? readCallerAttributes(attributes) : undefined;
  return Object.freeze({
    team,
    subject,
    ...partitionScopes([...arrayOrEmpty(granted), ...arrayOrEmpty(furtherScopes)]),
    ...(read && { attributes: read }),
  });
};

/** The value of a JSON text, or undefined when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A failure as it came over the wire; what does not fit the catalogue becomes an internal error. */
export const decodeFailure = (bytes: Uint8Array): Failure => {
  const value = parseJson(decodeText(bytes));
  const code = isRecord(value) && typeof value['code'] === 'string' ? parseFailureCode(value['code']) : undefined;
  if (!isRecord(value) || code === undefined || typeof value['detail'] !== 'string')
    return { code: 'ADMIN_FATAL_ERROR', detail: 'The operation failed.' };
  const { detail, faults, hasMoreFaults, retryAfterSeconds } = value;
  return {
    code,
    detail,
    ...(Array.isArray(faults) ? { faults: faults.filter(isFault) } : {}),
    ...(hasMoreFaults === true ? { hasMoreFaults } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  };
};

const isFault = (value: unknown): value is Fault =>
  isRecord(value) && [value['in'], value['path'], value['message']].every((member) => typeof member === 'string');

/** The status of a reply that is not 200: three digits of a last answer, anything else is none. */
export const decodeReplyStatus = (text: string): number | undefined =>
  /^[2-5]\d\d$/.test(text) ? Number(text) : undefined;

/** Header name -> value of a reply; empty when there are none. */
export const decodeReplyHeaders = (text: string): Readonly<Record<string, string>> => {
  const value = text === '' ? undefined : parseJson(text);
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
};
