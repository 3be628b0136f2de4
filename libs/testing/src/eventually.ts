/**
 * Waiting for what must become so, on a machine of any speed.
 * Refuses: to say how fast it became so. The bound only ends what hangs; what a spec proves must not depend on it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 10;
/** Under a minute, since after one some things that a spec waits for end by themselves. */
const boundMs = 45_000;

/** Resolves as soon as `holds` answers true; a failure says what did not become so. */
export const eventually = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  // Not Date.now: a spec may let that jump.
  const untilMs = performance.now() + boundMs;
  while (!(await holds())) {
    if (performance.now() > untilMs) throw new Error(`it did not become so: ${holds.toString()}`);
    await sleep(pollMs);
  }
};
