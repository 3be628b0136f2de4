import { describe, expect, it } from '@jest/globals';
import { createFixedClock } from '@tessera/testing';
import {
  FailedCredentials,
  FailedSignIns,
  maxFailuresPerMinute,
  clientNetworkOf,
  type SignInSource,
} from './failed-credentials.js';

const clock = createFixedClock();
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
    expect(maxFailuresPerMinute).toBe(60);
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

describe('failed attempts to sign in', () => {
  const network = '198.51.100.7';
  const setUpSignIns = () => {
    const failed = new FailedSignIns(clock.nowMs);
    const from = (account: string, more: Partial<SignInSource> = {}): SignInSource => ({
      ...{ account, network, isKnown: false },
      ...more,
    });
    const fail = (times: number, source: (turn: number) => SignInSource) => {
      for (let turn = 0; turn < times; turn++) {
        expect(failed.retryAfterSeconds(source(turn))).toBeUndefined();
        failed.begin(source(turn));
      }
    };
    return { failed, from, fail };
  };

  it('refuse the account in that network after 10, also where it is known', () => {
    const { failed, from, fail } = setUpSignIns();
    fail(10, () => from('anna', { isKnown: true }));
    expect(failed.retryAfterSeconds(from('anna', { isKnown: true }))).toBe(300);
    expect(failed.retryAfterSeconds(from('berta'))).toBeUndefined();
    expect(failed.retryAfterSeconds(from('anna', { network: '198.51.100.8' }))).toBeUndefined();
    clock.advance(300_000);
    expect(failed.retryAfterSeconds(from('anna', { isKnown: true }))).toBeUndefined();
  });

  it('from many networks refuse the account after 30, but not where it is known', () => {
    const { failed, from, fail } = setUpSignIns();
    fail(30, (turn) => from('anna', { network: `10.0.0.${turn}` }));
    expect(failed.retryAfterSeconds(from('anna'))).toBe(300);
    expect(failed.retryAfterSeconds(from('anna', { isKnown: true }))).toBeUndefined();
    expect(failed.retryAfterSeconds(from('berta', { network: '10.0.0.1' }))).toBeUndefined();
  });

  it('for many accounts refuse the network after 100, but not accounts that are known there', () => {
    const { failed, from, fail } = setUpSignIns();
    fail(100, (turn) => from(`guess ${turn}`));
    expect(failed.retryAfterSeconds(from('anna'))).toBe(300);
    expect(failed.retryAfterSeconds(from('anna', { isKnown: true }))).toBeUndefined();
    expect(failed.retryAfterSeconds(from('anna', { network: '198.51.100.8' }))).toBeUndefined();
    expect(failed.hasFailedLately(network)).toBe(true);
  });

  it('are forgotten for the account in that network when it signs in, and successes are not counted', () => {
    const { failed, from, fail } = setUpSignIns();
    fail(9, () => from('anna'));
    for (let turn = 0; turn < 150; turn++) {
      failed.begin(from('anna'));
      failed.succeeded(from('anna'));
    }
    fail(10, () => from('anna'));
    expect(failed.retryAfterSeconds(from('anna'))).toBe(300);
  });

  it('of others are not forgotten when an account signs in', () => {
    const { failed, from, fail } = setUpSignIns();
    fail(100, (turn) => from(`guess ${turn}`));
    failed.succeeded(from('own', { isKnown: true }));
    expect(failed.retryAfterSeconds(from('anna'))).toBe(300);
  });
});

describe('the network of a client address', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:2', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['::1', '127.0.0.1', false],
    ['not an address', 'not an address', true],
  ])('is the same for %s and %s: %s', (one, other, same) => {
    expect(clientNetworkOf(one) === clientNetworkOf(other)).toBe(same);
  });

  it('is shortened when a proxy sends a long address', () => {
    expect(clientNetworkOf('x'.repeat(10_000)).length).toBeLessThanOrEqual(64);
  });
});
