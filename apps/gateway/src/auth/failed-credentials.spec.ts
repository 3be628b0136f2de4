import { describe, expect, it } from '@jest/globals';
import { createFixedClock } from '@tessera/testing';
import {
  FailedCredentials,
  FailedSignIns,
  maxFailuresPerMinute,
  maxFailedSignIns,
  clientNetworkOf,
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

describe('attempts to sign in', () => {
  const address = '198.51.100.7';
  const setUpSignIns = () => {
    const failed = new FailedSignIns(clock.nowMs);
    return { failed, begin: (account: string | undefined, from = address) => failed.begin(from, account) };
  };

  it('are limited per account, from any address', () => {
    const { begin } = setUpSignIns();
    expect(maxFailedSignIns).toEqual({ ofAccount: 10, ofAddress: 30 });
    for (let turn = 0; turn < 10; turn++) expect(begin('anna', `10.0.0.${turn}`)).toBeUndefined();
    expect(begin('anna', '10.0.0.99')).toBe(300);
    expect(begin('berta', '10.0.0.99')).toBeUndefined();
    clock.advance(300_000);
    expect(begin('anna')).toBeUndefined();
  });

  it('are limited per address, for any account, without using up the attempts of an account', () => {
    const { begin } = setUpSignIns();
    for (let turn = 0; turn < 30; turn++) expect(begin(`guess ${turn}`)).toBeUndefined();
    for (let turn = 0; turn < 20; turn++) expect(begin('anna')).toBe(300);
    expect(begin(undefined)).toBe(300);
    expect(begin('anna', '198.51.100.8')).toBeUndefined();
  });

  it('that succeed are not counted, and reset the attempts of the account', () => {
    const { begin, failed } = setUpSignIns();
    for (let turn = 0; turn < 100; turn++) {
      expect(begin('anna')).toBeUndefined();
      failed.succeeded(address, 'anna');
    }
    for (let turn = 0; turn < 9; turn++) begin('anna');
    begin('anna');
    failed.succeeded(address, 'anna');
    expect(begin('anna')).toBeUndefined();
  });

  it('that could not be checked are not counted, and reset nothing', () => {
    const { begin, failed } = setUpSignIns();
    for (let turn = 0; turn < 10; turn++) begin('anna');
    for (let turn = 0; turn < 5; turn++) {
      begin('berta');
      failed.notChecked(address, 'berta');
    }
    for (let turn = 0; turn < 10; turn++) expect(begin('berta')).toBeUndefined();
    expect(begin('anna')).toBe(300);
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
