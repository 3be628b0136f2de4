import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
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

it('watchEventLoop does not report idle waiting', async () => {
  await pause(250);
  // The thread stands still without working, as it does when other processes have the processor.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await pause(250);
  expect(holds.filter((seconds) => seconds > 0.15)).toEqual([]);
});
