/**
 * Serves operations from NATS with Nest's handlers: identity, scope, deadline and request are checked before the handler runs;
 * its value, bytes, stream or failure goes back. Never serves a request without identity, nor loses an answer while stopping.
 */
import { headers as newHeaders, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { canCall, type ByteReply, type Operation, type OwningService } from '@tessera/contracts';
import { waitForEventLoopTurn, KeyedQueue } from '@tessera/fair-queue';
import { fail, toLoggableReason, type Failure, type Result } from '@tessera/failures';
import { firstValueFrom, isObservable } from 'rxjs';
import { EffectAnnouncements, EffectRefusedError } from './announcements.js';
import { jsonContentType } from './read-reply.js';
import type { MessagingLog, NatsLink } from './nats-link.js';
import { silentObserver, type OperationObserver, type OperationOutcome } from './operation-observer.js';
import { type BytesUnderWay, toSingleChunk, OutgoingReply, type ReplyTransport } from './outgoing-reply.js';
import { runInRequestScope, createCallAttributes, startOperationSpan } from './tracing.js';
import { RunningCall } from './running-call.js';
import { internalFailure, findServedOperation } from './serves.js';
import {
  maxHeaderBytes,
  sweepIntervalMs,
  maxUnreadBytes,
  maxUnreadBytesPerTeam,
  maxWholeReplyBytes,
  heartbeatIntervalMs,
} from './stream-limits.js';
import type { OwnSubscription } from './subscriptions.js';
import { validateRequest } from './validate-request.js';
import {
  cancelSubjectOf,
  cancelMessage,
  decodeFrame,
  decodeText,
  encodeText,
  headerNames,
  inboxRoot,
  proceedMessage,
} from './wire.js';

export type ServerOptions = {
  readonly link: NatsLink;
  readonly service: OwningService;
  readonly log: MessagingLog;
  readonly observer?: OperationObserver;
  /** What an error of a handler or of a body is for the caller; undefined for a bug. */
  readonly failureOf?: (error: unknown) => Failure | undefined;
  /** How long `close` waits for running handlers and streams. */
  readonly drainMs?: number;
};

/** Its reader waits for each event. */
const eventStream = /^text\/event-stream\b/i;

export class NatsOperations extends Server implements CustomTransportStrategy {
  readonly #options: ServerOptions;
  readonly #link: NatsLink;
  readonly #observer: OperationObserver;
  readonly #running = new Map<string, RunningCall>();
  readonly #streams = new Map<string, RunningCall>();
  readonly #unanswered = new Set<string>();
  readonly #control: string;
  readonly #announcements: EffectAnnouncements;
  readonly #plainHeaders = new Map<string, MsgHdrs>();
  /** Units are bytes of answers that wait for their readers, keys are teams. */
  readonly #unread = new KeyedQueue({ limit: maxUnreadBytes, limitPerKey: maxUnreadBytesPerTeam });
  /** Bytes under way by team, for teams with answers in pieces. */
  readonly #underWay = new Map<string, BytesUnderWay & { answers: number }>();
  readonly #subscriptions: OwnSubscription[] = [];
  #controls: OwnSubscription | undefined;
  #lastControl = 0;
  #sweep: NodeJS.Timeout | undefined;
  #listening = false;

  constructor(options: ServerOptions) {
    super();
    this.#options = options;
    this.#link = options.link;
    this.#observer = options.observer ?? silentObserver;
    this.#control = `${options.link.inboxPrefix}.c.`;
    this.#announcements = new EffectAnnouncements(options.link, (id) => this.#control + id);
  }

  /** Calls that are being answered. */
  get runningCount(): number {
    return this.#running.size;
  }

  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler?: boolean,
    extras?: Record<string, unknown>,
  ): void {
    const subject = String(pattern);
    if (this.messageHandlers.has(subject)) throw new Error(`Two handlers serve ${subject}.`);
    if (findServedOperation(subject)?.owner !== this.#options.service)
      throw new Error(`${subject} is no operation of ${this.#options.service}; declare handlers with @Serves.`);
    super.addHandler(subject, callback, isEventHandler, extras);
  }

  listen(callback: () => void): void {
    this.#listening = true;
    this.#link.listen({ lost: () => this.#abandonStreams(), connected: () => this.#failUnanswered() });
    const { service } = this.#options;
    for (const [subject, handler] of this.messageHandlers) {
      const operation = findServedOperation(subject);
      if (operation === undefined) continue;
      const receive = (message: Msg): void => this.#receive(operation, handler, message);
      this.#subscriptions.push(this.#link.subscribe(subject, receive, { queue: service }));
    }
    this.#controls = this.#link.subscribe(`${this.#control}*`, (message) => this.#onControlMessage(message), {
      lost: () => this.#endStreams(),
    });
    this.#link.subscribe(cancelSubjectOf(service), (message) => this.#running.get(decodeText(message.data))?.abort());
    callback();
  }

  /** Takes no new calls, waits for the running ones (bounded), sends what is buffered. The link stays open. */
  async close(): Promise<void> {
    if (!this.#listening) return;
    this.#listening = false;
    const untilMs = Date.now() + (this.#options.drainMs ?? 3000);
    let drained = false;
    void Promise.allSettled(this.#subscriptions.map((each) => each.drain())).then(() => (drained = true));
    // Until NATS has confirmed it, calls may be on their way to us: after a pause of ours they are still in the socket.
    while (!drained && this.#link.connected && Date.now() < untilMs) await pause(5);
    while (this.#running.size > 0 && Date.now() < untilMs) await pause(5);
    if (this.#running.size > 0) this.#options.log.warn({ calls: this.#running.size }, 'stopping with calls unanswered');
    this.#running.forEach((call) => call.abort());
    clearInterval(this.#sweep);
    await Promise.race([this.#link.connection?.flush().catch(() => {}), pause(500)]);
  }

  override on(): never {
    throw new Error('Listen to the link, not to the strategy.');
  }

  override unwrap<T>(): T {
    throw new Error('The connection belongs to messaging.');
  }

  #nextControl(): string {
    return (++this.#lastControl).toString(36);
  }

  /** What was under way is gone; a stream cannot be resumed. */
  #abandonStreams(): void {
    this.#announcements.abandon();
    for (const call of this.#streams.values()) {
      this.#unanswered.add(call.replySubject);
      call.abort();
    }
  }

  /** Our connection was away, the caller's perhaps not: who waits in vain is told. */
  #failUnanswered(): void {
    const waiting = [...this.#unanswered];
    this.#unanswered.clear();
    for (const replySubject of waiting) this.#publishFailure(replySubject, answerLost);
  }

  #onControlMessage(message: Msg): void {
    const id = message.subject.slice(this.#control.length);
    const call = this.#streams.get(id);
    const word = decodeText(message.data);
    if (word === proceedMessage) return this.#announcements.confirm(id);
    if (word !== cancelMessage) return call?.stream?.consumed(Number(word));
    call?.abort();
    this.#announcements.refuse(id);
  }

  #receive(operation: Operation, handler: MessageHandler, message: Msg): void {
    const replySubject = message.reply ?? '';
    if (!replySubject.startsWith(inboxRoot))
      return this.#options.log.warn({ operation: operation.name }, 'a request without inbox');
    const frame = decodeFrame(message.headers);
    if (frame === undefined) {
      this.#options.log.warn({ operation: operation.name }, 'a request without identity was refused');
      return this.#publishFailure(replySubject, fail('ADMIN_ACCESS_ERROR', 'The request carries no identity.').failure);
    }
    if (frame.deadlineMs <= Date.now()) return this.#observer.served(operation.name, 'SERVICE_UNAVAILABLE', 0);
    const span = startOperationSpan(operation.name, 'server', frame.traceparent, createCallAttributes(operation.name));
    const call = new RunningCall(operation, frame, replySubject, span, this.#announce);
    this.#running.set(replySubject, call);
    this.#sweep ??= setInterval(
      () => this.#link.guard('a sweep of late calls failed', () => this.#endOverdue()),
      sweepIntervalMs,
    );
    runInRequestScope(
      { requestId: frame.requestId, team: frame.caller.team, traceparent: span.traceparent },
      () => void this.#run(call, handler, message.data).catch(this.#logBug),
    );
  }

  readonly #logBug = (error: unknown): void =>
    this.#options.log.error({ err: error }, 'an operation could not be ended');

  readonly #announce = (call: RunningCall): Promise<void> => {
    call.lastReportedAtMs = Date.now();
    if (!this.#controls?.isHeard) return Promise.reject(new EffectRefusedError(call.operation.name));
    return this.#announcements.announce(call, this.#nextControl());
  };

  async #run(call: RunningCall, handler: MessageHandler, payload: Uint8Array): Promise<void> {
    let outcome: OperationOutcome;
    try {
      outcome = await this.#respond(call, await this.#result(call, handler, payload));
    } catch (error) {
      outcome = this.#onFailure(call, error);
    }
    this.#running.delete(call.replySubject);
    this.#observer.served(call.operation.name, outcome, performance.now() - call.startedAt);
    call.span.end(outcome, outcome === 'ADMIN_FATAL_ERROR' || outcome === 'interrupted');
  }

  /** An answer that has begun can only be broken off: its reader gets less than was announced. */
  #onFailure({ operation, stream, aborted, replySubject }: RunningCall, error: unknown): OperationOutcome {
    const failure = this.#options.failureOf?.(error);
    if (failure === undefined)
      this.#options.log.error({ operation: operation.name, err: error }, 'an operation failed by a bug');
    else
      this.#options.log.warn(
        { operation: operation.name, code: failure.code, reason: toLoggableReason(error) },
        stream === undefined ? 'an answer could not be made' : 'an answer broke off',
      );
    const { code } = failure ?? internalFailure.failure;
    if (stream === undefined && !aborted)
      this.#link.guard('a caller could not be answered', () =>
        this.#publishFailure(replySubject, failure ?? internalFailure.failure),
      );
    return stream === undefined || failure === undefined ? code : 'interrupted';
  }

  async #result(call: RunningCall, handler: MessageHandler, payload: Uint8Array): Promise<Result<unknown>> {
    if (!canCall(call.caller, call.operation))
      return fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${call.operation.scope}.`);
    const request = await validateRequest(call.operation, payload, call.caller.team);
    if (!request.ok) return request;
    // A long request is checked in slices, and may have lost its caller meanwhile.
    if (call.aborted) return callNotBegun;
    const answer: unknown = await handler(request.value, call);
    const result = isObservable(answer) ? await firstValueFrom(answer) : answer;
    if (isResult(result)) return result;
    throw new Error(`The handler of ${call.operation.name} answered no Result.`);
  }

  async #respond(call: RunningCall, result: Result<unknown>): Promise<OperationOutcome> {
    if (!result.ok) {
      if (!call.aborted) this.#publishFailure(call.replySubject, result.failure);
      return result.failure.code;
    }
    const reply = isByteReply(result.value)
      ? result.value
      : { contentType: jsonContentType, body: encodeText(JSON.stringify(result.value)) };
    if (reply.body instanceof Uint8Array) {
      if (call.aborted) return 'cancelled';
      if (reply.body.length <= Math.min(maxWholeReplyBytes, this.#payloadMax())) {
        this.#publish(call.replySubject, reply.body, this.#headersOf(reply));
        return 'ok';
      }
      return this.#stream(call, reply, toSingleChunk(reply.body));
    }
    return this.#stream(call, reply, reply.body);
  }

  async #stream(call: RunningCall, reply: ByteReply, body: AsyncIterable<Uint8Array>): Promise<OperationOutcome> {
    const id = this.#nextControl();
    const pieces = eventStream.test(reply.contentType) ? 'at once' : 'gathered';
    const { team } = call.caller;
    const underWay = this.#underWay.get(team) ?? { bytes: 0, answers: 0 };
    this.#underWay.set(team, underWay);
    underWay.answers++;
    call.stream = new OutgoingReply(this.#wireOf(call, reply, id), body, {
      chunkBytesMax: this.#payloadMax(),
      pieces,
      underWay,
      keep: (bytes) => this.#unread.tryAcquire(team, bytes),
      pause: () => waitForEventLoopTurn(team),
    });
    this.#streams.set(id, call);
    if (call.aborted) call.stream.cancel();
    try {
      return (await call.stream.send()) === 'whole' ? 'ok' : 'cancelled';
    } catch (error) {
      if (!call.stream.hasBegun) call.stream = undefined;
      throw error;
    } finally {
      this.#streams.delete(id);
      if (--underWay.answers === 0) this.#underWay.delete(team);
    }
  }

  #wireOf(call: RunningCall, reply: ByteReply, id: string): ReplyTransport {
    const { replySubject } = call;
    return {
      whole: (body) => this.#publish(replySubject, body, this.#headersOf(reply)),
      begin: (chunk) => {
        if (!this.#controls?.isHeard) return this.#endStream(call, readerUnheard);
        const first = replyHeaders(reply);
        first.append(headerNames.stream, this.#control + id);
        this.#publish(replySubject, chunk, first);
      },
      chunk: (chunk) => this.#publish(replySubject, chunk),
      end: (sentBytes) => {
        const last = newHeaders();
        last.append(headerNames.end, sentBytes === undefined ? 'failed' : String(sentBytes));
        this.#publish(replySubject, new Uint8Array(0), last);
      },
    };
  }

  #headersOf(reply: ByteReply): MsgHdrs {
    if (reply.headers !== undefined || reply.status !== undefined) return replyHeaders(reply);
    const known = this.#plainHeaders.get(reply.contentType);
    if (known !== undefined) return known;
    const made = replyHeaders(reply);
    if (this.#plainHeaders.size < 100) this.#plainHeaders.set(reply.contentType, made);
    return made;
  }

  #publishFailure(replySubject: string, failure: Failure): void {
    const failed = newHeaders();
    failed.append(headerNames.failure, failure.code);
    this.#publish(replySubject, encodeText(JSON.stringify(failure)), failed);
  }

  #publish(subject: string, body: Uint8Array, headers?: MsgHdrs): void {
    const connection = this.#link.connection;
    if (connection !== undefined) connection.publish(subject, body, headers === undefined ? {} : { headers });
    else if (this.#unanswered.size < unansweredMax) this.#unanswered.add(subject);
  }

  #payloadMax(): number {
    return (this.#link.connection?.info?.max_payload ?? maxWholeReplyBytes) - maxHeaderBytes;
  }

  #endStream(call: RunningCall, failure: Failure): void {
    call.abort();
    this.#publishFailure(call.replySubject, failure);
  }

  /** Credits and acknowledgements are lost, though answers are not. */
  #endStreams(): void {
    this.#announcements.abandon();
    for (const call of this.#streams.values()) if (call.stream?.hasBegun) this.#endStream(call, readerUnheard);
  }

  #reportWorking(call: RunningCall, nowMs: number): void {
    if (call.aborted || nowMs - call.lastReportedAtMs < heartbeatIntervalMs) return;
    call.lastReportedAtMs = nowMs;
    this.#link.connection?.publish(call.replySubject, new Uint8Array(0), { headers: workingHeaders });
  }

  #endOverdue(): void {
    const nowMs = Date.now();
    for (const call of this.#running.values()) {
      if (call.stream === undefined && nowMs > call.deadlineMs) call.abort();
      else if (call.stream?.isStalled(call.deadlineMs, nowMs)) this.#endStream(call, readerStalled);
      else this.#reportWorking(call, nowMs);
      call.stream?.flushOlderThan(sweepIntervalMs, nowMs);
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

const workingHeaders = newHeaders();
workingHeaders.append(headerNames.working, '1');

const unansweredMax = 10_000;
const answerLost: Failure = {
  code: 'SERVICE_UNAVAILABLE',
  detail: 'The answer was lost with the connection of the service.',
  retryAfterSeconds: 1,
};

const callNotBegun: Result<never> = {
  ok: false,
  failure: { ...answerLost, detail: 'The call was not begun in time.' },
};

const readerStalled: Failure = { ...answerLost, detail: 'The answer was not read to its end in time.' };

const readerUnheard: Failure = {
  ...answerLost,
  detail: 'The platform may not hear the reader of this answer at the moment; the log names the missing permission.',
};

const replyHeaders = ({ status, contentType, headers }: ByteReply): MsgHdrs => {
  const made = newHeaders();
  if (status !== undefined && status !== 200) made.append(headerNames.status, String(status));
  made.append(headerNames.contentType, contentType);
  if (headers !== undefined) made.append(headerNames.replyHeaders, JSON.stringify(headers));
  return made;
};

const isResult = (value: unknown): value is Result<unknown> =>
  typeof value === 'object' && value !== null && 'ok' in value && ('value' in value || 'failure' in value);

const isByteReply = (value: unknown): value is ByteReply =>
  typeof value === 'object' &&
  value !== null &&
  'contentType' in value &&
  'body' in value &&
  (value.body instanceof Uint8Array ||
    (typeof value.body === 'object' && value.body !== null && Symbol.asyncIterator in value.body));

const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));
