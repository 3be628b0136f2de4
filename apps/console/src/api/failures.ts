/** Why a call failed, as data: read from the bodies of all groups of interfaces. */
import { isObject, parseJson, type JsonObject } from './json-values.js';

/** One fault of a request: where, what, and what would be right. */
export type CallFault = {
  readonly in: string;
  readonly path: string;
  readonly message: string;
  readonly rule?: string;
  readonly suggestion?: string;
  /** Zero-based, inside the text of the member. */
  readonly position?: number;
};

/** The server said no, in its own words. */
export type Refusal = {
  readonly kind: 'refused';
  readonly status: number;
  /** Of the catalogue of failures; empty when the body names none. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** What can be done about it. */
  readonly next?: string;
  readonly faults: readonly CallFault[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
};

/** `unreachable`: no answer came, or it broke off. `unreadable`: what came is nothing that the platform answers. */
export type CallFailure =
  | Refusal
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'unreadable'; readonly status: number; readonly requestId?: string };

/** What every failed call throws; an aborted one throws the reason of its signal. */
export class CallError extends Error {
  constructor(readonly failure: CallFailure) {
    super(failure.kind === 'refused' ? failure.detail : failure.kind);
    this.name = 'CallError';
  }
}

/** The refusal of an error, when it is one: `refusalOf(error)?.status === 412`. */
export const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof CallError && error.failure.kind === 'refused' ? error.failure : undefined;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const filled = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string };

export const failureOf = ({ status, headers, body }: Answer): CallFailure => {
  const requestId = headers.get('x-request-id') ?? undefined;
  const words = wordsOf(parseJson(body)?.value);
  if (words === undefined) return { kind: 'unreadable', status, requestId };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    ...{ kind: 'refused', status, requestId, ...words },
    ...(Number.isFinite(seconds) && { retryAfterSeconds: seconds }),
  };
};

/** The same of an event that ends a stream: its data is a Problem, with the seconds inside. */
export const failureOfEvent = (data: unknown, headers: Headers): CallFailure => {
  const requestId = headers.get('x-request-id') ?? undefined;
  const words = wordsOf(data);
  if (words === undefined || !isObject(data)) return { kind: 'unreadable', status: 200, requestId };
  const { status, retryAfter } = data;
  return {
    ...{ kind: 'refused', status: typeof status === 'number' ? status : 500, requestId, ...words },
    ...(typeof retryAfter === 'number' && { retryAfterSeconds: retryAfter }),
  };
};

type Words = Pick<Refusal, 'code' | 'title' | 'detail' | 'next' | 'faults'>;

const wordsOf = (body: unknown): Words | undefined => {
  if (Array.isArray(body)) return wordsOfList(body);
  if (!isObject(body)) return undefined;
  if (typeof body['detail'] === 'string') return wordsOfProblem(body);
  // Group A.
  if (typeof body['message'] === 'string' && isObject(body['data']))
    return { code: text(body['data']['error']), title: '', detail: body['message'], faults: [] };
  return undefined;
};

/** A Problem, or the errorDTO of knowledge models. */
const wordsOfProblem = (body: JsonObject): Words => {
  const faults = Array.isArray(body['faults']) ? body['faults'].filter(isObject).map(faultOf) : [];
  return {
    code: filled(body['code']) ?? text(body['errorCode']),
    title: text(body['title']),
    detail: text(body['detail']),
    next: filled(body['next']),
    faults,
  };
};

const faultOf = (fault: JsonObject): CallFault => ({
  in: text(fault['in']),
  path: text(fault['path']),
  message: text(fault['message']),
  rule: filled(fault['rule']),
  suggestion: filled(fault['suggestion']),
  ...(typeof fault['position'] === 'number' && { position: fault['position'] }),
});

/** Arguments of tools: `{error, attribute, errorCode, additionalInfo}` each. */
const wordsOfList = (list: readonly unknown[]): Words => {
  const faults = list.filter(isObject).map((fault) => ({
    ...{ in: 'body', path: text(fault['attribute']), message: text(fault['error']), rule: filled(fault['errorCode']) },
    ...(filled(fault['additionalInfo']) !== undefined && { suggestion: text(fault['additionalInfo']) }),
  }));
  return { code: faults[0]?.rule ?? '', title: '', detail: faults.map(({ message }) => message).join(' '), faults };
};
