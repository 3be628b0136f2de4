import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type BackOff, type RunningProcess, superviseProcess } from './supervision.js';

const hourMs = 3_600_000;
const quick: BackOff = { firstMs: 20, largestMs: 80, calmAfterMs: hourMs };

/** A process of the imagination that the test ends. */
const controlled = () => {
  const starts: number[] = [];
  let die: (how: string) => void = () => undefined;
  let stops = 0;
  const start = (): Promise<RunningProcess> => {
    starts.push(Date.now());
    const ended = new Promise<string>((resolve) => {
      die = resolve;
    });
    const stop = async (): Promise<void> => {
      stops++;
      die('signal SIGTERM');
      await ended;
    };
    return Promise.resolve({ pid: starts.length, ended, stop });
  };
  return { start, starts, die: (how: string) => die(how), stops: () => stops };
};

const untilStarts = async (starts: readonly number[], count: number): Promise<void> => {
  while (starts.length < count) await sleep(2);
};

describe('superviseProcess', () => {
  it('restarts a process each time it dies, doubling the wait up to a limit', async () => {
    const process = controlled();
    const messages: string[] = [];
    const supervised = await superviseProcess({
      name: 'thing',
      start: process.start,
      say: (line) => messages.push(line),
      backOff: quick,
    });
    for (let death = 1; death <= 4; death++) {
      process.die('exit code 1');
      await untilStarts(process.starts, death + 1);
      await sleep(1);
    }
    await supervised.stop();
    expect(messages.filter((line) => line.startsWith('starting'))).toEqual(
      ['0.0', '0.0', '0.1', '0.1'].map((text) => `starting thing again in ${text} s`),
    );
    const waits = process.starts.slice(1).map((at, index) => at - (process.starts[index] ?? 0));
    expect(waits.map((wait, index) => wait >= Math.min(20 * 2 ** index, 80) - 2)).toEqual([true, true, true, true]);
    expect(messages[0]).toBe('thing (process 1) has died: exit code 1');
    expect(messages[2]).toBe('thing is back (process 2)');
  });

  it('resets the wait after a stable time', async () => {
    const process = controlled();
    const messages: string[] = [];
    const backOff: BackOff = { firstMs: 100, largestMs: 10_000, calmAfterMs: 50 };
    const supervised = await superviseProcess({
      name: 'thing',
      start: process.start,
      say: (line) => messages.push(line),
      backOff,
    });
    process.die('exit code 1');
    await untilStarts(process.starts, 2);
    await sleep(60);
    process.die('exit code 1');
    await untilStarts(process.starts, 3);
    await supervised.stop();
    expect(messages.filter((line) => line.startsWith('starting')).map((line) => line.slice(-5))).toEqual([
      '0.1 s',
      '0.1 s',
    ]);
  });

  it('retries a failed restart and reports why it failed', async () => {
    const process = controlled();
    const messages: string[] = [];
    let refusals = 2;
    const start = (): Promise<RunningProcess> =>
      process.starts.length > 0 && refusals-- > 0 ? Promise.reject(new Error('the port is taken')) : process.start();
    const supervised = await superviseProcess({
      name: 'thing',
      start,
      say: (line) => messages.push(line),
      backOff: quick,
    });
    process.die('signal SIGKILL');
    await untilStarts(process.starts, 2);
    await sleep(1);
    await supervised.stop();
    expect(messages.filter((line) => line === 'thing did not start: the port is taken').length).toBe(2);
    expect(messages.at(-1)).toBe('thing is back (process 2)');
  });

  it('starts nothing after a stop, even when stopped while waiting', async () => {
    const process = controlled();
    const messages: string[] = [];
    const supervised = await superviseProcess({
      name: 'thing',
      start: process.start,
      say: (line) => messages.push(line),
      backOff: { ...quick, firstMs: hourMs, largestMs: hourMs },
    });
    process.die('exit code 1');
    while (!messages.includes('starting thing again in 3600.0 s')) await sleep(1);
    // Over long before the wait would be.
    await supervised.stop();
    expect(process.starts.length).toBe(1);
  });

  it('rejects when the first start fails', async () => {
    const start = (): Promise<RunningProcess> => Promise.reject(new Error('no such program'));
    await expect(superviseProcess({ name: 'thing', start, say: () => undefined })).rejects.toThrow('no such program');
  });
});
