import { expect, it } from '@jest/globals';
import { waitForEventLoopTurn } from './keyed-queue.js';

it('runs one piece of work per event loop iteration, and the work of a waiting key before further work of a busy key', async () => {
  const order: string[] = [];
  let iteration = 0;
  let isCounting = true;
  const count = (): void => {
    iteration++;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const work = async (key: string): Promise<void> => {
    await waitForEventLoopTurn(key);
    order.push(`${key} ${iteration}`);
  };
  await Promise.all([...Array.from({ length: 4 }, () => work('busy')), work('quiet')]);
  isCounting = false;
  expect(order.map((entry) => entry.split(' ')[0])).toEqual(['busy', 'quiet', 'busy', 'busy', 'busy']);
  const iterations = order.map((entry) => entry.split(' ')[1]);
  expect(new Set(iterations).size).toBe(order.length);
});
