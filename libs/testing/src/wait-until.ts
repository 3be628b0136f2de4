import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 10;
/** Only ends what hangs, and stays under a minute: some things that specs wait for end by themselves after one. */
const timeoutMs = 45_000;

/** Resolves as soon as `condition` is true. A spec must not depend on how long that takes. */
export const waitUntil = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  // Not Date.now: a spec may advance the system clock.
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`not true within ${timeoutMs} ms: ${condition.toString()}`);
    await sleep(pollMs);
  }
};
