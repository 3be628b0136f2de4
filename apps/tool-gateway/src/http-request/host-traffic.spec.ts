import { describe, expect, it } from '@jest/globals';
import { advanceSystemClock } from '@tessera/testing';
import { HostTraffic } from './host-traffic.js';

const erp = { team: 'meridian', host: 'erp.example' };
const isBad = (outcome: string): boolean => outcome === 'bad';
const says = (outcome: string) => (): Promise<string> => Promise.resolve(outcome);

const afterFailures = async (count: number): Promise<HostTraffic> => {
  const traffic = new HostTraffic({ callsPerHost: 2, failuresInARow: 3, restMs: 10_000 });
  for (let made = 0; made < count; made++) await traffic.run(erp, says('bad'), isBad);
  return traffic;
};
const unavailable = (retryAfterSeconds: number) => ({
  ok: false,
  failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds },
});

describe('the traffic of a host', () => {
  it('goes on as long as failures are not in a row', async () => {
    const traffic = await afterFailures(2);
    expect(await traffic.run(erp, says('good'), isBad)).toEqual({ ok: true, value: 'good' });
    await traffic.run(erp, says('bad'), isBad);
    await traffic.run(erp, says('bad'), isBad);
    expect(await traffic.run(erp, says('good'), isBad)).toEqual({ ok: true, value: 'good' });
  });

  it('rests after failures in a row, for this team and host alone, and says until when', async () => {
    const traffic = await afterFailures(3);
    let calls = 0;
    const counted = (): Promise<string> => Promise.resolve(`call ${++calls}`);
    const refused = await traffic.run(erp, counted, isBad);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
    expect(refused.ok ? 0 : refused.failure.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(refused.ok ? 0 : refused.failure.retryAfterSeconds).toBeLessThanOrEqual(10);
    expect(calls).toBe(0);
    await traffic.run({ ...erp, team: 'northgate' }, counted, isBad);
    await traffic.run({ ...erp, host: 'crm.example' }, counted, isBad);
    expect(calls).toBe(2);
  });

  it('lets one call try after the rest, and opens for all when that is good', async () => {
    const traffic = await afterFailures(3);
    const setRight = advanceSystemClock(10_001);
    try {
      const trying = Promise.withResolvers<string>();
      const first = traffic.run(erp, () => trying.promise, isBad);
      expect(await traffic.run(erp, says('good'), isBad)).toMatchObject(unavailable(1));
      trying.resolve('good');
      expect(await first).toEqual({ ok: true, value: 'good' });
      expect(await traffic.run(erp, says('fine'), isBad)).toEqual({ ok: true, value: 'fine' });
    } finally {
      setRight();
    }
  });

  it('rests again when the call that tries is bad', async () => {
    const traffic = await afterFailures(3);
    const setRight = advanceSystemClock(10_001);
    try {
      expect(await traffic.run(erp, says('bad'), isBad)).toEqual({ ok: true, value: 'bad' });
      expect(await traffic.run(erp, says('good'), isBad)).toMatchObject({ ok: false });
    } finally {
      setRight();
    }
  });

  it('takes only so many calls at once, and the next when one has ended', async () => {
    const traffic = await afterFailures(0);
    const slow = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const running = slow.map(({ promise }) => traffic.run(erp, () => promise, isBad));
    expect(await traffic.run(erp, says('good'), isBad)).toMatchObject(unavailable(1));
    for (const { resolve } of slow) resolve('good');
    await Promise.all(running);
    expect(await traffic.run(erp, says('good'), isBad)).toMatchObject({ ok: true });
  });

  it('forgets a call that broke', async () => {
    const traffic = await afterFailures(0);
    for (let count = 0; count < 3; count++)
      await expect(traffic.run(erp, () => Promise.reject(new Error('a bug')), isBad)).rejects.toThrow('a bug');
    expect(await traffic.run(erp, says('good'), isBad)).toMatchObject({ ok: true });
  });
});
