import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { DatabaseBusyError, RequestAbandonedError } from '@tessera/persistence';
import { HeavyStatementLimiter } from './heavy-statements.js';

const never = new AbortController().signal;
const settled = (): Promise<void> => new Promise(setImmediate);

/** Two heavy statements of a team run at once, five of all. */
const open = () => {
  const heavy = new HeavyStatementLimiter({ connections: 10 });
  const estimated: string[] = [];
  const ask = (team: string, text: string, cost: number, signal = never) =>
    heavy.acquire(
      {
        team,
        digest: text,
        estimate: async () => {
          estimated.push(text);
          return cost;
        },
      },
      signal,
    );
  return { ask, estimated, heavy };
};

it('HeavyStatementLimiter estimates no cost while a team has few statements running', async () => {
  const { ask, estimated } = open();
  const ends = [await ask('busy', 'a', 1e9), await ask('busy', 'b', 1e9)];
  for (const end of ends) end();
  await ask('busy', 'c', 1e9);
  expect(estimated).toEqual([]);
});

it('HeavyStatementLimiter queues further heavy statements of the team, but neither light ones nor those of other teams', async () => {
  const { ask, estimated } = open();
  const [first] = [await ask('busy', 'a', 1e9), await ask('busy', 'b', 1e9)];
  let isServed = false;
  const waiting = ask('busy', 'c', 1e9).then((end) => {
    isServed = true;
    return end;
  });
  await ask('busy', 'light', 10);
  await ask('quiet', 'c', 1e9);
  expect([isServed, estimated]).toEqual([false, ['c', 'light']]);
  first?.();
  (await waiting)();
  expect(isServed).toBe(true);
});

it('HeavyStatementLimiter treats a statement as heavy by its time in PostgreSQL, without its time in the queue', async () => {
  const { ask, estimated, heavy } = open();
  const [first] = [await ask('busy', 'a', 1e9), await ask('busy', 'b', 1e9)];
  heavy.recordDuration('slow', 251);
  heavy.recordDuration('quick', 250);
  let isServed = false;
  const waiting = ask('busy', 'slow', 10).then(() => (isServed = true));
  const end = await ask('busy', 'quick', 10);
  await sleep(300);
  end();
  await ask('busy', 'quick', 10);
  expect([isServed, estimated]).toEqual([false, ['quick', 'quick']]);
  first?.();
  await waiting;
});

it('HeavyStatementLimiter gives parallel workers to a statement that runs alone', async () => {
  const { ask, heavy } = open();
  expect(heavy.settings()).toEqual({});
  const end = await ask('busy', 'a', 10);
  expect(heavy.settings()).toEqual({});
  await ask('quiet', 'b', 10);
  expect(heavy.settings()).toMatchObject({ max_parallel_workers: '0' });
  end();
  expect(heavy.settings()).toEqual({});
});

it('HeavyStatementLimiter lets a team copy a few answers at once, whatever else runs, until they end', async () => {
  const { ask, heavy } = open();
  await ask('busy', 'a', 1e9);
  await ask('busy', 'b', 1e9);
  const [end] = [await heavy.acquireCopy('busy', never), await heavy.acquireCopy('busy', never)];
  let isServed = false;
  const waiting = heavy.acquireCopy('busy', never).then(() => (isServed = true));
  await heavy.acquireCopy('quiet', never);
  expect(isServed).toBe(false);
  end?.();
  await waiting;
  await expect(heavy.acquireCopy('busy', AbortSignal.abort())).rejects.toBeInstanceOf(RequestAbandonedError);
});

it('HeavyStatementLimiter stops waiting when the caller leaves, and fails when the estimate fails', async () => {
  const { ask } = open();
  await ask('busy', 'a', 1e9);
  await ask('busy', 'b', 1e9);
  const leaving = new AbortController();
  const left = ask('busy', 'c', 1e9, leaving.signal);
  await settled();
  leaving.abort();
  await expect(left).rejects.toBeInstanceOf(RequestAbandonedError);
  const heavy = new HeavyStatementLimiter({ connections: 1 });
  const refused = { team: 'a', digest: 'd', estimate: () => Promise.reject(new DatabaseBusyError(true)) };
  await heavy.acquire(refused, never);
  await expect(heavy.acquire(refused, never)).rejects.toBeInstanceOf(DatabaseBusyError);
});
