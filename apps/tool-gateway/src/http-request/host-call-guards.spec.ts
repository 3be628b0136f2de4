import { describe, expect, it } from '@jest/globals';
import { advanceSystemClock } from '@tessera/testing';
import { HostCallGuards } from './host-call-guards.js';

const erp = { team: 'meridian', host: 'erp.example' };
const isBad = (outcome: string): boolean => outcome === 'bad';
const says = (outcome: string) => (): Promise<string> => Promise.resolve(outcome);

const afterFailures = async (count: number): Promise<HostCallGuards> => {
  const guards = new HostCallGuards({ callsPerHost: 2, consecutiveFailures: 3, halfOpenAfterMs: 10_000 });
  for (let made = 0; made < count; made++) await guards.run(erp, says('bad'), isBad);
  return guards;
};
const unavailable = (retryAfterSeconds: number) => ({
  ok: false,
  failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds },
});

describe('HostCallGuards', () => {
  it('stays closed while failures are not consecutive', async () => {
    const guards = await afterFailures(2);
    expect(await guards.run(erp, says('good'), isBad)).toEqual({ ok: true, value: 'good' });
    await guards.run(erp, says('bad'), isBad);
    await guards.run(erp, says('bad'), isBad);
    expect(await guards.run(erp, says('good'), isBad)).toEqual({ ok: true, value: 'good' });
  });

  it('opens after consecutive failures, only for this team and host, and reports until when', async () => {
    const guards = await afterFailures(3);
    let calls = 0;
    const counted = (): Promise<string> => Promise.resolve(`call ${++calls}`);
    const refused = await guards.run(erp, counted, isBad);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
    expect(refused.ok ? 0 : refused.failure.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(refused.ok ? 0 : refused.failure.retryAfterSeconds).toBeLessThanOrEqual(10);
    expect(calls).toBe(0);
    await guards.run({ ...erp, team: 'northgate' }, counted, isBad);
    await guards.run({ ...erp, host: 'crm.example' }, counted, isBad);
    expect(calls).toBe(2);
  });

  it('admits one call when it is half open, and closes when that call succeeds', async () => {
    const guards = await afterFailures(3);
    const setRight = advanceSystemClock(10_001);
    try {
      const trying = Promise.withResolvers<string>();
      const first = guards.run(erp, () => trying.promise, isBad);
      expect(await guards.run(erp, says('good'), isBad)).toMatchObject(unavailable(1));
      trying.resolve('good');
      expect(await first).toEqual({ ok: true, value: 'good' });
      expect(await guards.run(erp, says('fine'), isBad)).toEqual({ ok: true, value: 'fine' });
    } finally {
      setRight();
    }
  });

  it('opens again when the call in the half-open state fails', async () => {
    const guards = await afterFailures(3);
    const setRight = advanceSystemClock(10_001);
    try {
      expect(await guards.run(erp, says('bad'), isBad)).toEqual({ ok: true, value: 'bad' });
      expect(await guards.run(erp, says('good'), isBad)).toMatchObject({ ok: false });
    } finally {
      setRight();
    }
  });

  it('limits concurrent calls', async () => {
    const guards = await afterFailures(0);
    const slow = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const running = slow.map(({ promise }) => guards.run(erp, () => promise, isBad));
    expect(await guards.run(erp, says('good'), isBad)).toMatchObject(unavailable(1));
    for (const { resolve } of slow) resolve('good');
    await Promise.all(running);
    expect(await guards.run(erp, says('good'), isBad)).toMatchObject({ ok: true });
  });

  it('frees the slot of a call that throws', async () => {
    const guards = await afterFailures(0);
    for (let count = 0; count < 3; count++)
      await expect(guards.run(erp, () => Promise.reject(new Error('a bug')), isBad)).rejects.toThrow('a bug');
    expect(await guards.run(erp, says('good'), isBad)).toMatchObject({ ok: true });
  });
});
