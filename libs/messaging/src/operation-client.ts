/**
 * Calls operations of other services. One inbox, one table of pending calls, one sweep of deadlines: a request costs no
 * timer and no error object. Every call ends: by its answer, at its deadline, or at once when nobody can answer.
 * A service that works says so now and then; one that fell silent is dead, and what has had no effect is sent once more.
 * Refuses: requests without a frame, and sending twice what is a write or has announced an effect.
 */
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { subjectOf, type ByteReply, type CallFrame, type Operation, type RequestOf } from '@tessera/contracts';
import { fail, type Result } from '@tessera/failures';
import { IncomingReply } from './incoming-reply.js';
import type { NatsLink } from './nats-link.js';
import { silentObserver, type OperationObserver } from './operation-observer.js';
import { headerBytesMax, silenceMs, stallMs, sweepMs } from './stream-limits.js';
import { callAttributes, startOperationSpan, type OperationSpan } from './tracing.js';
import {
  cancelSubjectOf,
  cancelWord,
  decodeFailure,
  decodeReplyHeaders,
  decodeReplyStatus,
  encodeFrame,
  encodeText,
  header,
  knownWord,
} from './wire.js';

type PendingCall = {
  id: string;
  readonly operation: Operation;
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs;
  readonly deadlineMs: number;
  readonly startedAt: number;
  readonly span: OperationSpan;
  readonly resolve: (result: Result<ByteReply>) => void;
  readonly detach: () => void;
  stream: IncomingReply | undefined;
  /** When the service was last heard of. */
  heardAtMs: number;
  sentAgain: boolean;
  /** Its handler has announced an effect, and was told that it may begin. */
  hasEffect: boolean;
};

const unavailable = (detail: string) => fail('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 1 });

const disconnected = 'The connection to the services is lost.';

export type ClientOptions = { readonly link: NatsLink; readonly observer?: OperationObserver };

export class OperationClient {
  readonly #link: NatsLink;
  readonly #observer: OperationObserver;
  readonly #pending = new Map<string, PendingCall>();
  readonly #inbox: string;
  #lastId = 0;
  #sweep: NodeJS.Timeout | undefined;
  #sweptAtMs = 0;
  #closing = false;

  constructor({ link, observer = silentObserver }: ClientOptions) {
    this.#link = link;
    this.#observer = observer;
    this.#inbox = `${link.inboxPrefix}.r.`;
    link.listen({
      opened: (connection) => this.#subscribe(connection),
      lost: () => this.#endAll(disconnected),
      refused: (operation, subject) => this.#refused(operation, subject),
    });
  }

  /** The answer as its owner rendered it, or the failure. Never rejects; `signal` tells that the caller has left. */
  call<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    frame: CallFrame,
    signal?: AbortSignal,
  ): Promise<Result<ByteReply>> {
    const connection = this.#link.connection;
    if (connection === undefined || this.#closing) return this.#refuse(operation, unavailable(disconnected));
    if (signal?.aborted) return this.#refuse(operation, unavailable('The caller has left.'));
    const payload = encodeText(JSON.stringify(request));
    if (payload.length + headerBytesMax > (connection.info?.max_payload ?? Number.POSITIVE_INFINITY))
      return this.#refuse(operation, fail('GENERAL_BODY_TOOLARGE', 'The request is larger than a service accepts.'));
    return new Promise((resolve) => this.#send(connection, operation, payload, frame, signal, resolve));
  }

  /** Waits for the answers that are under way, at most `waitMs`; new calls are refused from now on. */
  async close(waitMs = 2000): Promise<void> {
    this.#closing = true;
    const untilMs = Date.now() + waitMs;
    while (this.#pending.size > 0 && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 10));
    this.#endAll('The process is stopping.');
  }

  #send(
    connection: NatsConnection,
    operation: Operation,
    payload: Uint8Array,
    frame: CallFrame,
    signal: AbortSignal | undefined,
    resolve: PendingCall['resolve'],
  ): void {
    const nowMs = Date.now();
    const deadlineMs = Math.min(frame.deadlineMs, nowMs + operation.timeoutMs);
    const span = startOperationSpan(operation.name, 'client', frame.traceparent, callAttributes(operation.name));
    const leave = () => this.#leave(call);
    const call: PendingCall = {
      id: this.#nextId(),
      operation,
      subject: subjectOf(operation),
      payload,
      headers: encodeFrame(frame, deadlineMs, span.traceparent),
      deadlineMs,
      startedAt: performance.now(),
      span,
      resolve,
      detach: () => signal?.removeEventListener('abort', leave),
      stream: undefined,
      heardAtMs: nowMs,
      sentAgain: false,
      hasEffect: false,
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#sweep ??= setInterval(() => this.#endLate(), sweepMs);
    this.#publish(connection, call);
  }

  #nextId(): string {
    return (++this.#lastId).toString(36);
  }

  #publish(connection: NatsConnection, call: PendingCall): void {
    this.#pending.set(call.id, call);
    connection.publish(call.subject, call.payload, { reply: this.#inbox + call.id, headers: call.headers });
  }

  #subscribe(connection: NatsConnection): void {
    connection.subscribe(`${this.#inbox}*`, {
      callback: (error, message) => {
        if (error === null) this.#receive(message);
      },
    });
  }

  #receive(message: Msg): void {
    const call = this.#pending.get(message.subject.slice(this.#inbox.length));
    const headers = message.headers;
    if (call === undefined) {
      const control = headers?.get(header.stream) || headers?.get(header.effect);
      if (control) this.#link.connection?.publish(control, cancelWord);
      return;
    }
    call.heardAtMs = Date.now();
    if (headers?.has(header.working)) return this.#heard(call, headers.get(header.effect));
    if (call.stream !== undefined) return this.#continue(call, call.stream, headers, message.data);
    if (headers === undefined) return;
    if (headers.code === 503)
      return this.#settle(call, unavailable('The service that owns this operation is not running.'));
    if (headers.has(header.failure)) return this.#settle(call, { ok: false, failure: decodeFailure(message.data) });
    const control = headers.get(header.stream);
    if (control === '') return this.#settle(call, { ok: true, value: replyOf(headers, message.data) });
    this.#begin(call, control, headers, message.data);
  }

  /** It is worked on. An effect may begin, since the call is still ours and will not be sent again. */
  #heard(call: PendingCall, effect: string): void {
    if (effect === '') return;
    call.hasEffect = true;
    this.#link.connection?.publish(effect, knownWord);
  }

  #begin(call: PendingCall, control: string, headers: MsgHdrs, first: Uint8Array): void {
    const stream = new IncomingReply({
      consumed: (bytes) => this.#link.connection?.publish(control, String(bytes)),
      cancel: () => {
        this.#link.connection?.publish(control, cancelWord);
        this.#forget(call);
      },
    });
    call.stream = stream;
    stream.push(first);
    this.#answer(call, { ok: true, value: replyOf(headers, stream) });
  }

  #continue(call: PendingCall, stream: IncomingReply, headers: MsgHdrs | undefined, chunk: Uint8Array): void {
    if (headers?.has(header.failure)) return this.#end(call, decodeFailure(chunk).detail);
    stream.push(chunk);
    const sent = headers?.get(header.end);
    if (!sent) return;
    stream.end(sent);
    this.#forget(call);
  }

  #answer(call: PendingCall, result: Result<ByteReply>): void {
    const outcome = result.ok ? 'ok' : result.failure.code;
    this.#observer.called(call.operation.name, outcome, performance.now() - call.startedAt);
    call.span.end(outcome, outcome === 'ADMIN_FATAL_ERROR' || outcome === 'SERVICE_UNAVAILABLE');
    call.resolve(result);
  }

  #settle(call: PendingCall, result: Result<ByteReply>): void {
    this.#forget(call);
    this.#answer(call, result);
  }

  #forget(call: PendingCall): void {
    call.detach();
    this.#pending.delete(call.id);
  }

  #leave(call: PendingCall): void {
    if (call.stream !== undefined) return call.stream.abandon('The caller has left.');
    this.#cancel(call);
    this.#settle(call, unavailable('The caller has left.'));
  }

  #cancel(call: PendingCall): void {
    this.#link.connection?.publish(cancelSubjectOf(call.operation.owner), this.#inbox + call.id);
  }

  #end(call: PendingCall, detail: string): void {
    if (call.stream === undefined) return this.#settle(call, unavailable(detail));
    call.stream.break(detail);
    this.#forget(call);
  }

  #endAll(detail: string): void {
    for (const call of this.#pending.values()) this.#end(call, detail);
  }

  #endLate(): void {
    const nowMs = Date.now();
    // After a pause of our own the answers are still in the socket: nobody was silent.
    const paused = nowMs - this.#sweptAtMs > silenceMs / 3;
    this.#sweptAtMs = nowMs;
    for (const call of this.#pending.values()) {
      if (paused) call.heardAtMs = nowMs;
      if (nowMs - call.heardAtMs > silenceMs) this.#silent(call, nowMs);
      else if (nowMs < call.deadlineMs) continue;
      else if (call.stream === undefined) this.#end(call, 'The answer is late: it did not come before the deadline.');
      else if (nowMs - call.stream.movedAtMs > stallMs * 1.5) call.stream.abandon('The answer stopped moving.');
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  /** The service that took the call is dead. What cannot have had an effect is sent once more, to another replica. */
  #silent(call: PendingCall, nowMs: number): void {
    const connection = this.#link.connection;
    const isHarmless = call.operation.effect !== 'write' && !call.hasEffect;
    const again = isHarmless && call.stream === undefined && !call.sentAgain;
    if (!again || connection === undefined) return this.#end(call, 'The service stopped while it worked on the call.');
    this.#cancel(call);
    this.#pending.delete(call.id);
    call.id = this.#nextId();
    call.sentAgain = true;
    call.heardAtMs = nowMs;
    this.#publish(connection, call);
  }

  #refused(operation: 'publish' | 'subscription', subject: string): void {
    if (operation === 'subscription') return;
    for (const call of this.#pending.values())
      if (call.subject === subject) this.#end(call, 'This service may not call that operation.');
  }

  #refuse(operation: Operation, result: Extract<Result<ByteReply>, { ok: false }>): Promise<Result<ByteReply>> {
    this.#observer.called(operation.name, result.failure.code, 0);
    return Promise.resolve(result);
  }
}

const replyOf = (headers: MsgHdrs, body: ByteReply['body']): ByteReply => {
  const contentType = headers.get(header.contentType);
  const further = headers.get(header.replyHeaders);
  const status = decodeReplyStatus(headers.get(header.status));
  return {
    contentType,
    ...(status !== undefined && { status }),
    ...(further !== '' && { headers: decodeReplyHeaders(further) }),
    body,
  };
};
