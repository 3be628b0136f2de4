/** Sends a message and follows its answer to the end. It waits by itself for the answer before it, and for nothing else. */
import type { StreamEvent } from '../../api/events.js';
import { CallError, refusalOf } from '../../api/failures.js';
import { waitSeconds, withEvent, withoutAnswer, type LiveTurn } from './live-turn.js';

type Watch = {
  readonly begun: LiveTurn;
  /** Sends the message and yields what comes. */
  readonly send: () => AsyncIterable<StreamEvent>;
  /** Rejects when nobody watches any more. */
  readonly pause: (afterMs: number) => Promise<void>;
  readonly report: (live: LiveTurn) => void;
};

/** Rejects only as `pause` does; how the turn ended is reported. */
export const watchTurn = async ({ begun, send, pause, report }: Watch): Promise<void> => {
  let live = begun;
  const tell = (next: LiveTurn): void => {
    live = next;
    report(live);
  };
  for (;;) {
    try {
      for await (const event of send()) tell(withEvent(live, event));
      return tell(withoutAnswer(live, new CallError({ kind: 'unreachable' })));
    } catch (error) {
      const seconds = waitSeconds(refusalOf(error));
      if (seconds === undefined) return tell(withoutAnswer(live, error));
      tell({ ...live, phase: 'waiting' });
      await pause(seconds * 1_000);
    }
  }
};

/** Resolves after so long; rejects with the reason of the signal. */
export const pauseFor = (afterMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('Nobody waits any more.'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, afterMs);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
