/** Clocks of specs: one that stands still, the system clock set forward, and a wait for a fresh hour. */
import { setTimeout as sleep } from 'node:timers/promises';

type FixedClock = {
  readonly now: () => Date;
  readonly nowMs: () => number;
  readonly advance: (ms: number) => void;
};

/** Stands still until the test moves it; starts at the demo's "today" by default. */
export const createFixedClock = (start = '2026-06-30T00:00:00Z'): FixedClock => {
  let instantMs = Date.parse(start);
  return {
    now: () => new Date(instantMs),
    nowMs: () => instantMs,
    advance: (ms) => {
      instantMs += ms;
    },
  };
};

const systemNow = Date.now;

/** Sets `Date.now` forward for code that takes no clock; returns the undo. Timers are not affected. */
export const advanceSystemClock = (byMs: number): (() => void) => {
  Date.now = () => systemNow() + byMs;
  return () => {
    Date.now = systemNow;
  };
};

const hourMs = 3_600_000;
const marginMs = 60_000;

/** Waits until at least a minute of the current clock hour is left; limits are counted by it. */
export const avoidHourBoundary = async (): Promise<void> => {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < marginMs) await sleep(leftMs + 100);
};
