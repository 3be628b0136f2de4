import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { watchEventLoop } from './metrics.js';

let holds: number[] = [];
let stop: () => void;
beforeEach(() => {
  holds = [];
  stop = watchEventLoop((seconds) => holds.push(seconds));
});
afterEach(() => stop());

const work = (forMs: number): void => {
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const untilMs = cpuMs() + forMs;
  while (cpuMs() < untilMs);
};

it('watchEventLoop reports each block of the event loop', async () => {
  await pause(250);
  for (const ms of [300, 200]) {
    work(ms);
    await pause(250);
  }
  const long = holds.filter((seconds) => seconds > 0.15);
  expect(long).toHaveLength(2);
  expect(Math.min(...long)).toBeLessThan(0.29);
});

/** The thread stands still without working, as it does when other processes have the processor. */
const standStill = (forMs: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);

it('watchEventLoop does not report idle waiting', async () => {
  await pause(250);
  standStill(300);
  await pause(250);
  expect(holds.filter((seconds) => seconds > 0.15)).toEqual([]);
});

it('watchEventLoop does not report work in slices between which others run, however late it gets a turn', async () => {
  for (let slice = 0; slice < 60; slice++) {
    work(8);
    if (slice % 20 === 10) standStill(200);
    await nextTurn();
  }
  await pause(50);
  expect(holds.filter((seconds) => seconds > 0.1)).toEqual([]);
});
