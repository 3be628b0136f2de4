/** The one place that fetches. Every call is an operation of the contracts; cookies are the browser's own matter. */
import { buildRequest } from './build-request.js';
import { readEvents, type StreamEvent } from './events.js';
import { CallError, failureOf, failureOfEvent } from './failures.js';
import type { AnswerFor, InputFor, OperationName } from './operations.js';
import { sessionEnd } from './session-end.js';

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** When there is no session: `wait` (the rule) for the next sign-in and go on, or `fail`. */
  readonly withoutSession?: 'wait' | 'fail';
};

/** What the headers of an answer say. */
export type AnswerHead = {
  /** For `ifMatch` of the change that follows. */
  readonly etag: string | undefined;
  /** `X-Total-Count`: entries on all pages. */
  readonly totalCount: number | undefined;
  /** Whether `Link` names a next page. */
  readonly hasNext: boolean;
  readonly requestId: string | undefined;
  /** Of the record that `Evidence` names, when the input said `prefer: 'evidence'` and one is kept. */
  readonly evidenceId: string | undefined;
};

export type Answer<Value> = { readonly value: Value; readonly head: AnswerHead };

/** Calls an operation and answers its JSON. Throws `CallError`, or the reason of the signal. */
export const call = async <Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  options?: CallOptions,
): Promise<AnswerFor<Name>> => (await callWithHead(name, input, options)).value;

/** As `call`, with what the headers say. */
export const callWithHead = async <Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  options: CallOptions = {},
): Promise<Answer<AnswerFor<Name>>> => {
  const response = await send(name, input, options);
  const text = await bodyOf(response, options.signal);
  return { value: parseAnswer(response, text) as AnswerFor<Name>, head: headOf(response.headers) };
};

/** For answers that are no JSON: CSV, metadata, a document. */
export const callForText = async <Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  options: CallOptions = {},
): Promise<string> => bodyOf(await send(name, input, options), options.signal);

/**
 * Calls an operation that answers server-sent events (its input says `accept: 'text/event-stream'`) and yields them as they come; the data
 * of each is parsed. An event `error` and a connection that breaks throw `CallError`.
 */
export async function* stream<Name extends OperationName>(
  name: Name,
  input: InputFor<Name>,
  options: CallOptions = {},
): AsyncGenerator<StreamEvent> {
  const { body, headers, status } = await send(name, input, options);
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream'))
    throw new CallError({ kind: 'unreadable', status, requestId: headers.get('x-request-id') ?? undefined });
  for await (const { event, data } of whileReachable(readEvents(body), options.signal)) {
    if (event === 'error') throw new CallError(failureOfEvent(data, headers));
    yield { event, data };
  }
}

const send = async (name: OperationName, input: object, options: CallOptions): Promise<Response> => {
  const { path, ...init } = buildRequest(name, { ...input });
  for (;;) {
    const response = await reach(() => fetch(path, { ...init, signal: options.signal }), options.signal);
    if (response.ok) return response;
    if (response.status !== 401 || options.withoutSession === 'fail')
      throw new CallError(
        failureOf({
          ...{ status: response.status, headers: response.headers },
          body: await bodyOf(response, options.signal),
        }),
      );
    // It was refused before anything was done, so it can be sent again.
    await response.body?.cancel();
    await sessionEnd.signedInAgain(options.signal);
  }
};

/** What `fetch` and a body throw when the network does not do its part. */
const unreachable = (error: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted === true
    ? signal.reason
    : error instanceof TypeError
      ? new CallError({ kind: 'unreachable' })
      : error;

const reach = async <Value>(act: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> => {
  try {
    return await act();
  } catch (error) {
    throw unreachable(error, signal);
  }
};

async function* whileReachable<Value>(source: AsyncIterable<Value>, signal?: AbortSignal): AsyncGenerator<Value> {
  try {
    yield* source;
  } catch (error) {
    throw unreachable(error, signal);
  }
}

const bodyOf = (response: Response, signal: AbortSignal | undefined): Promise<string> =>
  reach(() => response.text(), signal);

const parseAnswer = ({ status, headers }: Response, text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new CallError({ kind: 'unreadable', status, requestId: headers.get('x-request-id') ?? undefined });
  }
};

const headOf = (headers: Headers): AnswerHead => {
  const total = headers.get('x-total-count');
  return {
    etag: headers.get('etag') ?? undefined,
    totalCount: total === null ? undefined : Number(total),
    hasNext: /;\s*rel="next"/.test(headers.get('link') ?? ''),
    requestId: headers.get('x-request-id') ?? undefined,
    evidenceId: headers.get('evidence')?.replace(/^.*\//, ''),
  };
};
