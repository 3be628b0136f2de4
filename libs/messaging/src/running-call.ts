/**
 * One call that a service is answering: its frame, its abort signal (made only when somebody asks for it) and its stream.
 */
import type { CallFrame, Operation } from '@tessera/contracts';
import type { OutgoingReply } from './outgoing-reply.js';
import type { AnnouncingContext } from './serves.js';
import type { OperationSpan } from './tracing.js';

export class RunningCall implements AnnouncingContext {
  readonly caller: CallFrame['caller'];
  readonly requestId: string;
  readonly traceparent?: string;
  readonly deadlineMs: number;
  readonly publicUrl: string;
  readonly operation: Operation;
  readonly replySubject: string;
  readonly span: OperationSpan;
  readonly startedAt = performance.now();
  readonly announceEffect: () => Promise<void>;
  stream: OutgoingReply | undefined;
  /** When the caller last heard of this call. */
  lastReportedAtMs = Date.now();
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(
    operation: Operation,
    frame: CallFrame,
    replySubject: string,
    span: OperationSpan,
    announce: (call: RunningCall) => Promise<void>,
  ) {
    this.operation = operation;
    this.caller = frame.caller;
    this.requestId = frame.requestId;
    this.deadlineMs = frame.deadlineMs;
    this.publicUrl = frame.publicUrl;
    this.replySubject = replySubject;
    this.span = span;
    this.announceEffect = () => announce(this);
    if (span.traceparent !== undefined) this.traceparent = span.traceparent;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Nobody waits for the answer any more: the handler's signal aborts, the stream is closed. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort();
    this.stream?.cancel();
  }
}
