import { describe, expect, it } from '@jest/globals';
import type { AdmissionRequest } from '@tessera/persistence';
import { Meter } from './rate-limiter.js';

const minuteMs = 60_000;
/** Half a minute of the window is left. */
const nowMs = Date.parse('2026-06-30T10:15:30Z');
const windowMs = Date.parse('2026-06-30T10:15:00Z');

const meterOf = (limit: number): Meter => new Meter({ team: 'a', subject: 'p2p', limit }, minuteMs);

/** As the store answers: `granted` of a window in which `used` are used. */
const grant = (meter: Meter, granted: number, used: number, clockAheadMs = 0): AdmissionRequest => {
  const asked = meter.request();
  meter.grant(asked, { team: 'a', subject: 'p2p', granted, used }, windowMs, clockAheadMs);
  return asked;
};

/** Who waits for an admission, and what they hear. */
const waiting = (meter: Meter, count: number): number[] => {
  const heard: number[] = [];
  for (let turn = 0; turn < count; turn++) meter.waiting.push((remaining) => void heard.push(remaining));
  return heard;
};

describe('a meter with a window of a minute', () => {
  it('admits nothing before it has asked the store', () => {
    const meter = meterOf(10);
    expect(meter.takeFromLease(nowMs)).toBeUndefined();
    expect(meter.request()).toMatchObject({ team: 'a', subject: 'p2p', limit: 10, wanted: 0, settled: 0 });
  });

  it('requests one admission per waiting request and answers them in order', () => {
    const meter = meterOf(10);
    const heard = waiting(meter, 3);
    expect(meter.request().wanted).toBe(3);
    grant(meter, 2, 2);
    meter.serveWaiting(3, nowMs);
    expect(heard).toEqual([9, 8, -1]);
    expect(meter.waiting).toEqual([]);
  });

  it('caches a refusal for a moment and then asks the store again', () => {
    const meter = meterOf(10);
    const heard = waiting(meter, 1);
    grant(meter, 0, 10);
    meter.serveWaiting(1, nowMs);
    expect(heard).toEqual([-1]);
    expect(meter.takeFromLease(nowMs + 99)).toBe(-1);
    expect(meter.takeFromLease(nowMs + 100)).toBeUndefined();
  });

  it('starts again with the next minute and reports when that is', () => {
    const meter = meterOf(10);
    grant(meter, 5, 5);
    expect(meter.windowText).toBe('2026-06-30T10:16:00Z');
    expect(meter.retryAfterSeconds(nowMs)).toBe(30);
    expect(meter.retryAfterSeconds(nowMs + 29_999)).toBe(1);
    expect(meter.takeFromLease(nowMs)).toBe(9);
    expect(meter.takeFromLease(windowMs + minuteMs)).toBeUndefined();
  });

  it('takes the end of its window from the clock of the store', () => {
    const meter = meterOf(10);
    grant(meter, 5, 5, 2_000);
    expect(meter.windowEndMs).toBe(windowMs + minuteMs - 2_000);
    expect(meter.takeFromLease(windowMs + minuteMs - 1_999)).toBeUndefined();
  });

  it('admits up to its limit without the store while the store is unavailable, and reports the count later', () => {
    const meter = meterOf(3);
    expect([1, 2, 3, 4].map(() => meter.takeOnCredit(nowMs))).toEqual([2, 1, 0, -1]);
    expect(meter.request()).toMatchObject({ settled: 3, settledWindowMs: windowMs });
    const asked = grant(meter, 0, 3);
    expect(asked.settled).toBe(3);
    expect(meter.request().settled).toBe(0);
    expect(meter.remaining).toBe(0);
  });

  it('admits without the store again in the next minute', () => {
    const meter = meterOf(1);
    expect(meter.takeOnCredit(nowMs)).toBe(0);
    expect(meter.takeOnCredit(nowMs)).toBe(-1);
    expect(meter.takeOnCredit(nowMs + minuteMs)).toBe(0);
  });
});

describe('the admissions leased to a busy subject', () => {
  const busy = (limit: number): Meter => {
    const meter = meterOf(limit);
    waiting(meter, 100);
    grant(meter, 100, 100);
    meter.serveWaiting(100, nowMs);
    meter.onTick(nowMs);
    return meter;
  };

  it('cover the demand of two ticks', () => {
    const meter = busy(1_000_000);
    expect(meter.demand).toBe(100);
    expect(meter.request().wanted).toBe(200);
  });

  it('are none near the limit, where every admission is requested on its own', () => {
    expect(busy(160).request().wanted).toBe(0);
  });

  it('are returned when they are no longer needed', () => {
    const meter = busy(1_000_000);
    grant(meter, 200, 300);
    let turns = 0;
    while (meter.request().settled > -200 && turns < 50) {
      meter.onTick(nowMs);
      turns++;
    }
    expect(meter.request()).toMatchObject({ wanted: 0, settled: -200 });
    expect(meter.idleTicks).toBe(turns);
  });

  it('expire with their window', () => {
    const meter = busy(1_000_000);
    grant(meter, 200, 300);
    expect(meter.onTick(windowMs + minuteMs)).toBe(false);
    expect(meter.request()).toMatchObject({ settled: 0 });
  });
});
