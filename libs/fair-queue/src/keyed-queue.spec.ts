import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyedQueue, QueueRefusal, type Release } from './keyed-queue.js';

const settled = (): Promise<void> => new Promise(setImmediate);

/** Records in which order requests are served. */
const recorder = (queue: KeyedQueue) => {
  const served: { readonly key: string; readonly release: Release }[] = [];
  const ask = (key: string): void =>
    void queue.acquire(key).then(
      (release) => served.push({ key, release }),
      () => undefined,
    );
  return { served, ask, keys: () => served.map(({ key }) => key) };
};

describe('KeyedQueue', () => {
  it('grants a request at once while units are free', async () => {
    const queue = new KeyedQueue({ limit: 2 });
    const release = await queue.acquire('a');
    await queue.acquire('b');
    expect([queue.held, queue.waiting, queue.heldBy('a')]).toEqual([2, 0, 1]);
    release();
    release();
    expect([queue.held, queue.heldBy('a')]).toEqual([1, 0]);
  });

  it('serves a waiting key before the second request of a busy one', async () => {
    const queue = new KeyedQueue({ limit: 2 });
    const { served, ask, keys } = recorder(queue);
    for (let count = 0; count < 6; count++) ask('busy');
    ask('quiet');
    await settled();
    expect(keys()).toEqual(['busy', 'busy']);
    served[0]?.release();
    await settled();
    expect(keys()).toEqual(['busy', 'busy', 'quiet']);
  });

  it('serves keys that hold the same number of units in turn', async () => {
    const queue = new KeyedQueue({ limit: 1 });
    const { served, ask, keys } = recorder(queue);
    for (const key of ['a', 'a', 'a', 'b', 'b', 'c']) ask(key);
    for (let index = 0; index < 6; index++) {
      await settled();
      served[index]?.release();
    }
    expect(keys()).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
    expect([queue.held, queue.waiting]).toEqual([0, 0]);
  });

  it('leaves units beyond the limit of a key to other keys', async () => {
    const queue = new KeyedQueue({ limit: 4, limitPerKey: 3 });
    const { ask, keys } = recorder(queue);
    for (let count = 0; count < 5; count++) ask('busy');
    ask('quiet');
    await settled();
    expect(keys()).toEqual(['busy', 'busy', 'busy', 'quiet']);
    expect(queue.waiting).toBe(2);
  });

  it('reserves some units for keys that hold none', async () => {
    const queue = new KeyedQueue({ limit: 4, reserve: 1 });
    const { served, ask, keys } = recorder(queue);
    for (const key of ['a', 'b', 'a', 'b', 'a']) ask(key);
    await settled();
    expect(keys()).toEqual(['a', 'b', 'a']);
    expect(queue.tryAcquire('a')).toBeUndefined();
    ask('c');
    await settled();
    expect(keys()).toEqual(['a', 'b', 'a', 'c']);
    served[1]?.release();
    await settled();
    expect(keys()).toEqual(['a', 'b', 'a', 'c', 'b']);
  });

  it('refuses a request at once when too many requests of its key wait, and no request of other keys', async () => {
    const queue = new KeyedQueue({ limit: 1, waitingPerKeyMax: 1 });
    const { ask } = recorder(queue);
    ask('busy');
    ask('busy');
    await expect(queue.acquire('busy')).rejects.toMatchObject({ reason: 'full' });
    ask('quiet');
    expect(queue.waiting).toBe(2);
  });

  it('ends a wait on its signal or timeout, and removes it from the queue', async () => {
    const queue = new KeyedQueue({ limit: 1 });
    const release = await queue.acquire('a');
    const leaving = new AbortController();
    const left = queue.acquire('b', { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ reason: 'aborted' });
    await expect(queue.acquire('b', { signal: leaving.signal })).rejects.toBeInstanceOf(QueueRefusal);
    await expect(queue.acquire('c', { timeoutMs: 5 })).rejects.toMatchObject({ reason: 'timeout' });
    release();
    expect([queue.held, queue.waiting]).toEqual([0, 0]);
    await queue.acquire('c');
  });

  it('does not let newly arriving keys starve a waiting one', async () => {
    const queue = new KeyedQueue({ limit: 1 });
    const { served, ask, keys } = recorder(queue);
    for (const key of ['first', 'first', 'waiting', 'waiting']) ask(key);
    for (let index = 0; index < 8; index++) {
      await settled();
      ask(`new-${index}`);
      served[index]?.release();
    }
    expect(keys().filter((key) => key === 'waiting')).toHaveLength(2);
    expect(keys().filter((key) => key === 'first')).toHaveLength(2);
  });

  it('treats an undefined key like any other key', async () => {
    const queue = new KeyedQueue({ limit: 1 });
    const { served, ask } = recorder(queue);
    ask('a');
    Reflect.apply(ask, undefined, []);
    ask('b');
    for (let index = 0; index < 3; index++) {
      await settled();
      served[index]?.release();
    }
    expect(served).toHaveLength(3);
  });

  it('acquires several units together or none', () => {
    const queue = new KeyedQueue({ limit: 10, limitPerKey: 6 });
    const release = queue.tryAcquire('a', 6);
    expect(queue.tryAcquire('a', 1)).toBeUndefined();
    expect(queue.tryAcquire('b', 5)).toBeUndefined();
    expect(queue.tryAcquire('b', 4)).toBeDefined();
    release?.();
    expect([queue.held, queue.heldBy('a'), queue.heldBy('b')]).toEqual([4, 0, 4]);
  });

  it('does not overtake waiting requests of the same key', async () => {
    const queue = new KeyedQueue({ limit: 1 });
    const { served, ask, keys } = recorder(queue);
    ask('a');
    ask('a');
    await settled();
    served[0]?.release();
    expect(queue.tryAcquire('a')).toBeUndefined();
    await settled();
    expect(keys()).toEqual(['a', 'a']);
  });

  it('never exceeds a limit, never leaves a usable unit idle and serves every request', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('ask' as const), key: fc.constantFrom('a', 'b', 'c') }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), key: fc.constantFrom('a', 'b', 'c') }) },
    );
    const limits = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async ([limit, limitPerKey], steps) => {
        const queue = new KeyedQueue({ limit, limitPerKey });
        const { served, ask } = recorder(queue);
        let asked = 0;
        let ended = 0;
        const endOne = (key: string): void => {
          const at = served.findIndex((entry) => entry.key === key);
          if (at < 0) return;
          ended++;
          served.splice(at, 1)[0]?.release();
        };
        for (const { kind, key } of steps) {
          if (kind === 'ask') {
            asked++;
            ask(key);
          } else endOne(key);
          await settled();
          expect(queue.held).toBeLessThanOrEqual(limit);
          expect(queue.held).toBe(served.length);
          expect(queue.waiting).toBe(asked - ended - served.length);
          const mayHave = ['a', 'b', 'c'].filter((each) => queue.heldBy(each) < Math.min(limit, limitPerKey));
          const waitsThoughFree = queue.held < limit && queue.waiting > 0 && mayHave.length === 3;
          expect(waitsThoughFree).toBe(false);
        }
        for (let count = 0; ended < asked && count < 1000; count++) {
          for (const key of ['a', 'b', 'c']) endOne(key);
          await settled();
        }
        expect([ended, queue.held, queue.waiting]).toEqual([asked, 0, 0]);
      }),
      { numRuns: 60 },
    );
  });
});
