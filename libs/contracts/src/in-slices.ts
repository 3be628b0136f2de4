/**
 * Long work in slices: a generator that yields now and then runs until its slice is used up, and goes on when everything
 * else that waits for the event loop has had its turn. Of all long work of a process one slice runs per turn of the loop, in
 * fair order of the teams.
 */
import { eventLoopTurn } from '@tessera/fair-queue';

/** With what one step does between two yields it has to stay far below the 50 ms that nothing may hold the loop. */
const sliceMs = 8;

export type Sliced<T> = Generator<undefined, T>;

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
