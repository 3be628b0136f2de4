/**
 * Calls operations of other services, as a client of Nest's microservices. One inbox, one table of pending calls, one sweep of deadlines: a request costs no
 * timer and no error object. Every call ends: by its answer, at its deadline, or at once when nobody can answer.
 * A service that works says so now and then; one that fell silent is taken for dead, and what is safe to repeat is sent
 * again: reads, calls that announced no effect, writes under an Idempotency-Key.
 * Never sends another write twice, nor a call that has announced its effect.
 */
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import {
  hasMoreValuesThan,
  operationSubjectOf,
  type ByteReply,
  type CallFrame,
  type Operation,
  type RequestOf,
} from '@tessera/contracts';
import { runInSlices } from '@tessera/fair-queue';
import { fail, type Failure, type Result } from '@tessera/failures';
import { IncomingReply } from './incoming-reply.js';
import { stringifyJsonSliced } from './parse-json-sliced.js';
import type { NatsLink } from './nats-link.js';
import { silentObserver, type OperationObserver } from './operation-observer.js';
import {
  maxHeaderBytes,
  idempotencyKeyHeldRetryDelayMs,
  maxIdempotencyKeyHeldRetryDelayMs,
  resendAfterMs,
  maxSendAttempts,
  silenceTimeoutMs,
  stallTimeoutMs,
  sweepIntervalMs,
} from './stream-limits.js';
import type { OwnSubscription } from './subscriptions.js';
import { createCallAttributes, startOperationSpan, type OperationSpan } from './tracing.js';
import {
  cancelSubjectOf,
  cancelMessage,
  decodeFailure,
  decodeReplyHeaders,
  decodeReplyStatus,
  encodeFrame,
  encodeText,
  headerNames,
  proceedMessage,
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
  /** How often it was sent because its service fell silent, the first time counted. */
  sends: number;
  /** A write under an Idempotency-Key: its service does it at most once, however often it is sent. */
  readonly isKeyed: boolean;
  /** Sent again then: the attempt of a replica that died may still hold the key. */
  sendsAtMs: number | undefined;
  pauseMs: number;
  /** Its handler has announced an effect, and was told that it may begin. */
  hasEffect: boolean;
};

const unavailableFailure = (detail: string) => fail('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 1 });

/** What has more values is written in slices. */
const valuesAtOnce = 5_000;

const disconnectedDetail = 'The connection to the services is lost.';
const unheardDetail =
  'The platform may not receive its own answers at the moment; the log names the missing permission.';
const unsentDetail = 'The platform may not send this call at the moment; the log names the missing permission.';

export type ClientOptions = { readonly link: NatsLink; readonly observer?: OperationObserver };

/** What `send` takes beside the operation, which is its pattern. */
export type OperationMessage = { readonly request: RequestOf<Operation>; readonly frame: CallFrame };

export class OperationClient extends ClientProxy {
  readonly #link: NatsLink;
  readonly #observer: OperationObserver;
  readonly #pending = new Map<string, PendingCall>();
  readonly #inbox: string;
  readonly #answers: OwnSubscription;
  #lastId = 0;
  #sweep: NodeJS.Timeout | undefined;
  #sweptAtMs = 0;
  #closing = false;

  constructor({ link, observer = silentObserver }: ClientOptions) {
    super();
    this.#link = link;
    this.#observer = observer;
    this.#inbox = `${link.inboxPrefix}.r.`;
    this.#answers = link.subscribe(`${this.#inbox}*`, (message) => this.#receive(message), {
      lost: () => this.#onUnheard(),
    });
    link.listen({
      connected: () => this._status$.next('connected'),
      lost: () => this.#onDisconnected(),
      refused: (subject) => this.#onRefused(subject),
    });
  }

  /** The answer as its owner rendered it, or the failure. Never rejects; `signal` tells that the caller has left. */
  call<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    frame: CallFrame,
    signal?: AbortSignal,
  ): Promise<Result<ByteReply>> {
    const isKeyed = operation.effect === 'write' && request['idempotencyKey'] !== undefined;
    const send = (text: string) => this.#sendText({ operation, text, isKeyed }, frame, signal);
    if (!hasMoreValuesThan(request, valuesAtOnce)) return send(JSON.stringify(request));
    return runInSlices(stringifyJsonSliced(request), frame.caller.team).then(send);
  }

  #sendText(
    { operation, text, isKeyed }: Pick<PendingCall, 'operation' | 'isKeyed'> & { readonly text: string },
    frame: CallFrame,
    signal: AbortSignal | undefined,
  ): Promise<Result<ByteReply>> {
    const connection = this.#link.connection;
    if (connection === undefined || this.#closing)
      return this.#refuse(operation, unavailableFailure(disconnectedDetail));
    if (!this.#answers.isHeard) return this.#refuse(operation, unavailableFailure(unheardDetail));
    if (signal?.aborted) return this.#refuse(operation, unavailableFailure('The caller has left.'));
    const payload = encodeText(text);
    if (payload.length + maxHeaderBytes > (connection.info?.max_payload ?? Number.POSITIVE_INFINITY))
      return this.#refuse(operation, fail('GENERAL_BODY_TOOLARGE', 'The request is larger than a service accepts.'));
    return new Promise((resolve) => this.#send(connection, { operation, payload, isKeyed, resolve }, frame, signal));
  }

  /** The link connects by itself; calls before that are refused. */
  override async connect(): Promise<void> {}

  /** Waits for the answers that are under way, at most `waitMs`; new calls are refused from now on. */
  override async close(waitMs = 2000): Promise<void> {
    this.#closing = true;
    const untilMs = Date.now() + waitMs;
    while (this.#pending.size > 0 && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 10));
    this.#endAll('The process is stopping.');
  }

  override unwrap<T>(): T {
    throw new Error('The connection belongs to messaging.');
  }

  /** Behind `send(operation, { request, frame })`: one reply, or its `Failure` as the error. Who unsubscribes has left. */
  protected override publish(
    { pattern, data }: ReadPacket<OperationMessage>,
    callback: (packet: WritePacket) => void,
  ): () => void {
    if (!isOperation(pattern)) throw new TypeError('The pattern of a message is its operation.');
    const leaving = new AbortController();
    let isAnswered = false;
    void this.call(pattern, data.request, data.frame, leaving.signal).then((result) => {
      isAnswered = true;
      callback(result.ok ? { response: result.value, isDisposed: true } : { err: result.failure });
    });
    // A reply in chunks is read on when the observable is complete.
    return () => (isAnswered ? undefined : leaving.abort());
  }

  /** Behind `emit`: facts are events in an outbox, which are not lost while NATS is away. */
  protected override dispatchEvent(): Promise<never> {
    return Promise.reject(new Error('Events leave by the outbox (writeEvents), not by the client of operations.'));
  }

  #send(
    connection: NatsConnection,
    asked: Pick<PendingCall, 'operation' | 'payload' | 'isKeyed' | 'resolve'>,
    frame: CallFrame,
    signal: AbortSignal | undefined,
  ): void {
    const { operation } = asked;
    const nowMs = Date.now();
    const deadlineMs = Math.min(frame.deadlineMs, nowMs + operation.timeoutMs);
    const span = startOperationSpan(operation.name, 'client', frame.traceparent, createCallAttributes(operation.name));
    const leave = () => this.#link.guard('a call could not be cancelled', () => this.#onCallerLeft(call));
    const call: PendingCall = {
      ...asked,
      id: this.#nextId(),
      subject: operationSubjectOf(operation),
      headers: encodeFrame(frame, deadlineMs, span.traceparent),
      deadlineMs,
      startedAt: performance.now(),
      span,
      detach: () => signal?.removeEventListener('abort', leave),
      stream: undefined,
      heardAtMs: nowMs,
      sends: 1,
      sendsAtMs: undefined,
      pauseMs: idempotencyKeyHeldRetryDelayMs,
      hasEffect: false,
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#sweep ??= setInterval(
      () => this.#link.guard('a sweep of late calls failed', () => this.#endOverdue()),
      sweepIntervalMs,
    );
    this.#publish(connection, call);
  }

  #nextId(): string {
    return (++this.#lastId).toString(36);
  }

  #publish(connection: NatsConnection, call: PendingCall): void {
    this.#pending.set(call.id, call);
    try {
      connection.publish(call.subject, call.payload, { reply: this.#inbox + call.id, headers: call.headers });
    } catch {
      // It was closed at this moment.
      this.#end(call, disconnectedDetail);
    }
  }

  #onDisconnected(): void {
    this._status$.next('disconnected');
    this.#endAll(disconnectedDetail);
  }

  /** Nobody works for answers that cannot be heard. */
  #onUnheard(): void {
    for (const call of this.#pending.values()) this.#cancel(call);
    this.#endAll(unheardDetail);
  }

  #receive(message: Msg): void {
    const call = this.#pending.get(message.subject.slice(this.#inbox.length));
    const headers = message.headers;
    if (call === undefined) {
      const control = headers?.get(headerNames.stream) || headers?.get(headerNames.effect);
      if (control) this.#link.connection?.publish(control, cancelMessage);
      return;
    }
    call.heardAtMs = Date.now();
    if (headers?.has(headerNames.working)) return this.#onWorking(call, headers.get(headerNames.effect));
    if (call.stream !== undefined) return this.#continueStream(call, call.stream, headers, message.data);
    if (headers === undefined) return;
    if (headers.code === 503)
      return this.#settle(call, unavailableFailure('The service that owns this operation is not running.'));
    if (headers.has(headerNames.failure)) return this.#onFailure(call, decodeFailure(message.data));
    const control = headers.get(headerNames.stream);
    if (control === '') return this.#settle(call, { ok: true, value: replyOf(headers, message.data) });
    this.#beginStream(call, control, headers, message.data);
  }

  #onFailure(call: PendingCall, failure: Failure): void {
    const holdsItself = call.isKeyed && call.sends > 1 && failure.code === 'GENERAL_IDEMPOTENCY_RUNNING';
    if (!holdsItself) return this.#settle(call, { ok: false, failure });
    call.sendsAtMs = call.heardAtMs + call.pauseMs;
    call.pauseMs = Math.min(call.pauseMs * 2, maxIdempotencyKeyHeldRetryDelayMs);
  }

  /** It is worked on. An effect may begin, since the call is still ours and will not be sent again. */
  #onWorking(call: PendingCall, effect: string): void {
    if (effect === '') return;
    call.hasEffect = true;
    this.#link.connection?.publish(effect, proceedMessage);
  }

  #beginStream(call: PendingCall, control: string, headers: MsgHdrs, first: Uint8Array): void {
    const stream = new IncomingReply({
      consumed: (bytes) => this.#link.connection?.publish(control, String(bytes)),
      cancel: () => {
        this.#link.connection?.publish(control, cancelMessage);
        this.#forget(call);
      },
    });
    call.stream = stream;
    stream.push(first);
    this.#answer(call, { ok: true, value: replyOf(headers, stream) });
  }

  #continueStream(call: PendingCall, stream: IncomingReply, headers: MsgHdrs | undefined, chunk: Uint8Array): void {
    if (headers?.has(headerNames.failure)) return this.#end(call, decodeFailure(chunk).detail);
    stream.push(chunk);
    const sent = headers?.get(headerNames.end);
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

  #onCallerLeft(call: PendingCall): void {
    if (call.stream !== undefined) return call.stream.abandon('The caller has left.');
    this.#cancel(call);
    this.#settle(call, unavailableFailure('The caller has left.'));
  }

  #cancel(call: PendingCall): void {
    this.#link.connection?.publish(cancelSubjectOf(call.operation.owner), this.#inbox + call.id);
  }

  #end(call: PendingCall, detail: string): void {
    if (call.stream === undefined) return this.#settle(call, unavailableFailure(detail));
    call.stream.break(detail);
    this.#forget(call);
  }

  #endAll(detail: string): void {
    for (const call of this.#pending.values()) this.#end(call, detail);
  }

  #endOverdue(): void {
    const nowMs = Date.now();
    // After a pause of our own the answers are still in the socket: nobody was silent.
    const paused = nowMs - this.#sweptAtMs > resendAfterMs / 3;
    this.#sweptAtMs = nowMs;
    for (const call of this.#pending.values()) {
      if (paused) call.heardAtMs = nowMs;
      this.#endOrSendAgain(call, nowMs);
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #endOrSendAgain(call: PendingCall, nowMs: number): void {
    const { sendsAtMs } = call;
    // While it waits to be sent nobody works on it.
    if (sendsAtMs !== undefined) call.heardAtMs = nowMs;
    const silentMs = nowMs - call.heardAtMs;
    const isDue = sendsAtMs === undefined ? silentMs > resendAfterMs && mayBeSentAgain(call) : nowMs >= sendsAtMs;
    if (silentMs > silenceTimeoutMs) this.#end(call, 'The service stopped while it worked on the call.');
    else if (nowMs >= call.deadlineMs) this.#endAtDeadline(call, nowMs);
    else if (isDue) this.#sendAgain(call, nowMs);
  }

  #endAtDeadline(call: PendingCall, nowMs: number): void {
    if (call.stream === undefined) this.#end(call, 'The answer is late: it did not come before the deadline.');
    else if (nowMs - call.stream.movedAtMs > stallTimeoutMs * 1.5) call.stream.abandon('The answer stopped moving.');
  }

  /** To another replica, as another call: what the one before still answers is nobody's. */
  #sendAgain(call: PendingCall, nowMs: number): void {
    const connection = this.#link.connection;
    if (connection === undefined) return;
    if (call.sendsAtMs === undefined) {
      this.#cancel(call);
      call.sends += 1;
    }
    this.#pending.delete(call.id);
    call.id = this.#nextId();
    call.sendsAtMs = undefined;
    call.heardAtMs = nowMs;
    this.#publish(connection, call);
  }

  #onRefused(subject: string): void {
    for (const call of this.#pending.values()) if (call.subject === subject) this.#end(call, unsentDetail);
  }

  #refuse(operation: Operation, result: Extract<Result<ByteReply>, { ok: false }>): Promise<Result<ByteReply>> {
    this.#observer.called(operation.name, result.failure.code, 0);
    return Promise.resolve(result);
  }
}

const isOperation = (pattern: unknown): pattern is Operation =>
  typeof pattern === 'object' && pattern !== null && 'owner' in pattern && 'timeoutMs' in pattern;

const mayBeSentAgain = ({ operation, isKeyed, hasEffect, stream, sends }: PendingCall): boolean =>
  stream === undefined && sends < maxSendAttempts && (isKeyed || (operation.effect !== 'write' && !hasEffect));

const replyOf = (headers: MsgHdrs, body: ByteReply['body']): ByteReply => {
  const contentType = headers.get(headerNames.contentType);
  const further = headers.get(headerNames.replyHeaders);
  const status = decodeReplyStatus(headers.get(headerNames.status));
  return {
    contentType,
    ...(status !== undefined && { status }),
    ...(further !== '' && { headers: decodeReplyHeaders(further) }),
    body,
  };
};
