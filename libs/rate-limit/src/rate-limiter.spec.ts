import { afterEach, describe, expect, it } from '@jest/globals';
import type { AdmissionRequest } from '@tessera/persistence';
import { createFixedClock } from '@tessera/testing';
import { RateLimiter } from './rate-limiter.js';

const hourMs = 3_600_000;

/** A store that counts as the statement does, and can be switched off. */
const openStore = (nowMs: () => number) => {
  const used = new Map<string, number>();
  const store = {
    used,
    statements: 0,
    isAway: false,
    take: async (requests: readonly AdmissionRequest[]) => {
      store.statements++;
      await Promise.resolve();
      if (store.isAway) throw new Error('away');
      const names = new Set(requests.map(({ team, subject }) => `${team} ${subject}`));
      if (names.size < requests.length) throw new Error('ON CONFLICT DO UPDATE cannot affect a row a second time');
      const windowMs = Math.floor(nowMs() / hourMs) * hourMs;
      const grants = requests.map(({ team, subject, limit, wanted, settled, settledWindowMs }) => {
        const name = `${subject} ${windowMs}`;
        const before = Math.max(0, (used.get(name) ?? 0) + (settledWindowMs === windowMs ? settled : 0));
        const granted = Math.min(wanted, Math.max(0, limit - before));
        used.set(name, before + granted);
        return { team, subject, granted, used: before + granted };
      });
      return { grants, windowMs, nowMs: nowMs() };
    },
  };
  return store;
};

const limiters: RateLimiter[] = [];
afterEach(() => Promise.all(limiters.splice(0).map((limiter) => limiter.stop())));

const setUp = (limit: number, gateways = 1) => {
  const clock = createFixedClock('2026-06-30T10:15:00Z');
  const store = openStore(clock.nowMs);
  const told: boolean[] = [];
  const made = Array.from(
    { length: gateways },
    () =>
      new RateLimiter({
        windows: { window: 'hour', take: store.take },
        clock: clock.nowMs,
        onLocal: (isLocal) => told.push(isLocal),
      }),
  );
  limiters.push(...made);
  const admit = async (gateway = 0): Promise<number> => {
    const limiter = made[gateway];
    if (!limiter) throw new Error('no such gateway');
    return limiter.admit(limiter.meterOf({ team: 'a', subject: 'k', limit }));
  };
  const tick = async (): Promise<void> => {
    clock.advance(100);
    made.forEach((limiter) => limiter.tick());
    await new Promise((resolve) => setImmediate(resolve));
  };
  const counted = (): number => [...store.used.values()].reduce((sum, each) => sum + each, 0);
  return { clock, store, told, admit, tick, counted, limiter: made[0] };
};

describe('a small limit', () => {
  it('admits requests one by one until none is left, and then refuses', async () => {
    const { admit } = setUp(5);
    const remaining: number[] = [];
    for (let turn = 0; turn < 7; turn++) remaining.push(await admit());
    expect(remaining).toEqual([4, 3, 2, 1, 0, -1, -1]);
  });

  it('is exact when two gateways admit concurrently', async () => {
    const { admit } = setUp(5, 2);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, turn) => admit(turn % 2)));
    expect(answers.filter((remaining) => remaining >= 0)).toHaveLength(5);
  });

  it('resets with the UTC hour', async () => {
    const { admit, clock, limiter } = setUp(1);
    expect(await admit()).toBe(0);
    expect(await admit()).toBe(-1);
    clock.advance(45 * 60_000);
    expect(await admit()).toBe(0);
    const meter = limiter?.meterOf({ team: 'a', subject: 'k', limit: 1 });
    expect(meter?.windowText).toBe('2026-06-30T12:00:00Z');
  });
});

describe('a large limit', () => {
  it('leases admissions to busy subjects, so that most need no SQL statement', async () => {
    const { admit, tick, store } = setUp(1_000_000);
    for (let turn = 0; turn < 20; turn++) {
      await Promise.all(Array.from({ length: 50 }, () => admit()));
      await tick();
    }
    expect(store.statements).toBeLessThan(80);
  });

  it('admits at once from a lease', async () => {
    const { admit, tick, limiter } = setUp(1_000_000);
    await Promise.all(Array.from({ length: 100 }, () => admit()));
    await tick();
    await tick();
    const meter = limiter?.meterOf({ team: 'a', subject: 'k', limit: 1_000_000 });
    expect(meter && limiter?.admit(meter)).toBeGreaterThan(0);
  });

  it('returns unused admissions when demand ends, so that the store has the exact count', async () => {
    const { admit, tick, counted } = setUp(1_000_000);
    for (let turn = 0; turn < 5; turn++) {
      await Promise.all(Array.from({ length: 200 }, () => admit()));
      await tick();
    }
    for (let turn = 0; turn < 15; turn++) await tick();
    expect(counted()).toBe(1000);
  });

  it('admits exactly the limit when three gateways admit concurrently', async () => {
    const { admit, tick } = setUp(2000, 3);
    let admitted = 0;
    for (let turn = 0; turn < 60; turn++) {
      const answers = await Promise.all(Array.from({ length: 90 }, (_, each) => admit(each % 3)));
      admitted += answers.filter((remaining) => remaining >= 0).length;
      if (turn % 3 === 0) await tick();
    }
    expect(admitted).toBe(2000);
  });

  it('discards a lease of the previous hour', async () => {
    const { admit, tick, clock, store } = setUp(100_000);
    await Promise.all(Array.from({ length: 500 }, () => admit()));
    await tick();
    clock.advance(hourMs);
    await admit();
    const windows = [...store.used.entries()].filter(([name]) => name.startsWith('k '));
    expect(windows).toHaveLength(2);
    expect(windows[1]?.[1]).toBe(1);
  });
});

describe('two meters of one subject with different limits', () => {
  it('share one count and query the store one after the other', async () => {
    const { limiter, store, told, tick } = setUp(0);
    const admit = async (limit: number) => limiter?.admit(limiter.meterOf({ team: 'a', subject: 'k', limit }));
    const inTurns = () => Promise.all(Array.from({ length: 100 }, (_, turn) => admit(turn % 2 === 0 ? 20 : 30)));
    const remaining = [...(await inTurns()), ...(await inTurns())];
    await tick();
    expect(remaining.filter((left) => left !== undefined && left >= 0)).toHaveLength(30);
    expect([...store.used.values()]).toEqual([30]);
    expect(told).toEqual([]);
  });
});

describe('an unavailable store', () => {
  it('makes the limiter count locally, is logged once, and receives the local count when it is available again', async () => {
    const { admit, tick, store, told, counted, limiter } = setUp(10);
    await admit();
    store.isAway = true;
    for (let turn = 0; turn < 4; turn++) expect(await admit()).toBe(8 - turn);
    expect(limiter?.isLocal).toBe(true);
    for (let turn = 0; turn < 20; turn++) await admit();
    store.isAway = false;
    for (let turn = 0; turn < 6; turn++) await tick();
    expect(limiter?.isLocal).toBe(false);
    expect(told).toEqual([true, false]);
    expect(counted()).toBe(10);
    expect(await admit()).toBe(-1);
  });

  it('does not cause a SQL statement per request', async () => {
    const { admit, store } = setUp(1000);
    store.isAway = true;
    for (let turn = 0; turn < 50; turn++) expect(await admit()).toBeGreaterThanOrEqual(0);
    expect(store.statements).toBe(1);
  });
});
