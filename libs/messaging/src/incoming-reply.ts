/**
 * The reading end of a chunked reply: a queue that is bounded by the credits it grants. One reader. Never ends as complete when
 * bytes are missing: then the reader gets an error.
 */
import { creditStepBytes } from './stream-limits.js';

/** The reply broke off: what was read so far is not the whole. */
export class ReplyInterruptedError extends Error {
  override readonly name = 'ReplyInterrupted';
}

export type ReplyControl = {
  /** Tells the sender that `bytes` of the whole were consumed. */
  readonly consumed: (bytes: number) => void;
  /** Tells the sender that nobody reads any more. */
  readonly cancel: () => void;
};

export class IncomingReply implements AsyncIterableIterator<Uint8Array> {
  /** When bytes last came or went; past its deadline a reply that stands still is ended. */
  movedAtMs = Date.now();
  readonly #control: ReplyControl;
  #queue: Uint8Array[] = [];
  #receivedBytes = 0;
  #consumedBytes = 0;
  #grantedBytes = 0;
  #state: 'open' | 'whole' | 'broken' | 'left' = 'open';
  #breakReason = '';
  #waiting: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined;

  constructor(control: ReplyControl) {
    this.#control = control;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(chunk: Uint8Array): void {
    if (this.#state !== 'open' || chunk.length === 0) return;
    this.movedAtMs = Date.now();
    this.#receivedBytes += chunk.length;
    const waiting = this.#waiting;
    if (waiting === undefined) return void this.#queue.push(chunk);
    this.#waiting = undefined;
    this.#consume(chunk);
    waiting.resolve({ done: false, value: chunk });
  }

  /** The sender is done and says how many bytes it sent, or `failed`. */
  end(sent: string): void {
    if (sent === String(this.#receivedBytes)) this.#settle('whole');
    else
      this.break(
        sent === 'failed' ? 'The operation failed while its answer was on the way.' : 'Parts of the answer were lost.',
      );
  }

  /** Ends the reply with an error at the reader, after what has arrived was read. */
  break(reason: string): void {
    this.#breakReason = reason;
    this.#settle('broken');
  }

  /** Ends it with an error at the reader and tells the sender to stop. */
  abandon(reason: string): void {
    if (this.#state !== 'open') return;
    this.#queue = [];
    this.break(reason);
    this.#control.cancel();
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#queue.shift();
    if (chunk !== undefined) {
      this.#consume(chunk);
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#state === 'broken') return Promise.reject(new ReplyInterruptedError(this.#breakReason));
    if (this.#state !== 'open') return Promise.resolve({ done: true, value: undefined });
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** The reader leaves. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#state === 'open') this.#control.cancel();
    this.#queue = [];
    this.#settle('left');
    return Promise.resolve({ done: true, value: undefined });
  }

  #consume(chunk: Uint8Array): void {
    this.#consumedBytes += chunk.length;
    if (this.#state !== 'open' || this.#consumedBytes - this.#grantedBytes < creditStepBytes) return;
    this.#grantedBytes = this.#consumedBytes;
    this.movedAtMs = Date.now();
    this.#control.consumed(this.#consumedBytes);
  }

  #settle(state: 'whole' | 'broken' | 'left'): void {
    if (this.#state === 'left' || (this.#state !== 'open' && state !== 'left')) return;
    this.#state = state;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (state === 'broken') waiting?.reject(new ReplyInterruptedError(this.#breakReason));
    else waiting?.resolve({ done: true, value: undefined });
  }
}
