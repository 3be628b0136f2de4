/** Limits are counted by the hour of the clock: what must happen within one is not begun at its end. */
import { setTimeout as sleep } from 'node:timers/promises';

const hourMs = 3_600_000;
const marginMs = 60_000;

/** Resolves when at least a minute is left of the running hour. */
export const awayFromFullHour = async (): Promise<void> => {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < marginMs) await sleep(leftMs + 100);
};
