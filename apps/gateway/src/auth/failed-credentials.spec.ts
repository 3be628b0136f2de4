import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tessera/testing';
import { FailedCredentials, failuresMax, sourceOf } from './failed-credentials.js';

const clock = fixedClock();
const setUp = () => {
  const failed = new FailedCredentials(clock.nowMs);
  return (address: string, times = 1) => {
    for (let turn = 1; turn < times; turn++) failed.count(address);
    return failed.count(address).retryAfterSeconds;
  };
};

describe('wrong credentials of one address', () => {
  it('are allowed 60 times a minute, then the address has to wait', () => {
    const fail = setUp();
    expect(failuresMax).toBe(60);
    expect(fail('198.51.100.7', 60)).toBeUndefined();
    clock.advance(20_000);
    expect(fail('198.51.100.7')).toBe(40);
    clock.advance(39_999);
    expect(fail('198.51.100.7')).toBe(1);
    clock.advance(1);
    expect(fail('198.51.100.7')).toBeUndefined();
  });

  it('are counted for that address only', () => {
    const fail = setUp();
    expect(fail('198.51.100.7', 61)).toBe(60);
    expect(fail('198.51.100.8')).toBeUndefined();
  });

  it('are forgotten, the oldest first, when too many addresses fail', () => {
    const fail = setUp();
    fail('198.51.100.7', 61);
    for (let index = 0; index < 10_000; index++) fail(`10.0.${index >> 8}.${index & 255}`);
    expect(fail('198.51.100.7')).toBeUndefined();
  });
});

describe('a source', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:2', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['::1', '127.0.0.1', false],
    ['not an address', 'not an address', true],
  ])('of %s and %s is the same: %s', (one, other, same) => {
    expect(sourceOf(one) === sourceOf(other)).toBe(same);
  });

  it('is shortened when a proxy sends a long one', () => {
    expect(sourceOf('x'.repeat(10_000)).length).toBeLessThanOrEqual(64);
  });
});
