/**
 * Work that is long for an event loop takes turns: one slice of it runs in each iteration, in fair order of the teams, and
 * whatever else is ready has its turn between two slices.
 */
import { KeyedQueue } from './keyed-queue.js';

const turns = new KeyedQueue({ limit: 1 });

/** Resolves in an iteration of the event loop that no other such work has. */
export const eventLoopTurn = async (team: string): Promise<void> => {
  const release = await turns.acquire(team);
  setImmediate(release);
};

/** Work as a generator that yields now and then. What it does between two yields has to stay far below 50 ms. */
export type Sliced<T> = Generator<undefined, T>;

const sliceMs = 8;

/** `team`: for whom the work is done. */
export const runInSlices = async <T>(work: Sliced<T>, team: string): Promise<T> => {
  for (;;) {
    await eventLoopTurn(team);
    const until = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
  }
};

/** The same at once, for what is known to be short. */
export const runAtOnce = <T>(work: Sliced<T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};
