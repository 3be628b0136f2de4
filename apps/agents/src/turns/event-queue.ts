/**
 * A turn as server-sent events, in order; waiting events are sent together. Never delays a turn or grows for a slow reader, who
 * is cut off with an error.
 */
import { turnEvents } from '@tessera/contracts/agents';
import { fail, toProblemEvent, type Failure } from '@tessera/failures';

/** So much may wait for a reader. */
const waitingCharactersMax = 1_000_000;
/** What stands between them takes a silent stream for a dead one. */
const silentMsMax = 10_000;

export class EventQueue implements AsyncIterable<Uint8Array> {
  #waiting = '';
  #isClosed = false;
  #news: (() => void) | undefined;

  /** `formatFailure`: the event that a failure is in the protocol of the stream. */
  constructor(
    private readonly formatFailure: (failure: Failure) => string,
    private readonly silentMs = silentMsMax,
  ) {}

  /** Whole events. */
  push(text: string): void {
    if (this.#isClosed) return;
    this.#waiting += text;
    if (this.#waiting.length > waitingCharactersMax) this.fail(tooSlowReader);
    this.#news?.();
  }

  /** The last events. */
  end(text: string): void {
    this.push(text);
    this.#isClosed = true;
    this.#news?.();
  }

  /** As it would be the body of an answer, with the seconds that its header would tell. */
  fail(failure: Failure): void {
    if (this.#isClosed) return;
    this.#waiting += this.formatFailure(failure);
    this.#isClosed = true;
    this.#news?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const text = this.#waiting;
        this.#waiting = '';
        if (text !== '') yield Buffer.from(text);
        else if (this.#isClosed) return;
        else if (!(await this.#somethingNew())) yield stillWorkingEvent;
      }
    } finally {
      this.#isClosed = true;
      this.#waiting = '';
    }
  }

  /** False when nothing was for too long. */
  #somethingNew(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(resolve, false), this.silentMs);
      this.#news = () => {
        clearTimeout(timer);
        this.#settle(resolve, true);
      };
    });
  }

  #settle(resolve: (isNew: boolean) => void, isNew: boolean): void {
    this.#news = undefined;
    resolve(isNew);
  }
}

/** An event of a conversation. */
export const formatTurnEvent = (name: keyof typeof turnEvents, data: unknown): string =>
  `event: ${turnEvents[name]}\ndata: ${JSON.stringify(data)}\n\n`;

/** `instance`: the path that was asked. */
export const formatTurnFailure =
  (instance: string) =>
  (failure: Failure): string =>
    toProblemEvent(turnEvents.error, failure, instance);

const stillWorkingEvent = Buffer.from(': working\n\n');

const tooSlowReader = fail(
  'SERVICE_UNAVAILABLE',
  'The events came faster than they were read. The turn goes on; read the conversation to see its answer.',
  { retryAfterSeconds: 1 },
).failure;
