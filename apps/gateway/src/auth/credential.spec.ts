import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@tessera/persistence';
import type { IncomingHttpHeaders } from 'node:http';
import { readCredential } from './credential.guard.js';

const { key } = mintApiKey();
const token = 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln';
const read = (headers: IncomingHttpHeaders) => {
  const result = readCredential(headers, ['appkey', 'x-team-key']);
  return result.ok ? `${result.value.kind} ${result.value.text}` : result.failure.code;
};

describe('the credential of a request', () => {
  it.each([
    [{ appkey: key }, `key ${key}`],
    [{ 'x-team-key': key }, `key ${key}`],
    [{ authorization: `AppKey ${key}` }, `key ${key}`],
    [{ authorization: `appkey  ${key}` }, `key ${key}`],
    [{ authorization: `Bearer ${key}` }, `key ${key}`],
    [{ authorization: `bEaReR ${token}` }, `token ${token}`],
    // What stands in the place of a key is a key, if a wrong one.
    [{ appkey: token }, `key ${token}`],
  ])('is read from %j', (headers, expected) => {
    expect(read(headers)).toBe(expected);
  });

  it.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'Bearer' }],
    [{ authorization: key }],
    [{ authorization: 'Basic dXNlcjpwYXNz' }],
    [{ authorization: `Bearer ${token} ${token}` }],
    [{ cookie: `AppKey=${key}` }],
  ])('is missing in %j', (headers) => {
    expect(read(headers)).toBe('ACCESS_UNAUTHORIZED');
  });

  it('is refused when several are sent, even twice the same', () => {
    expect(read({ appkey: key, authorization: `Bearer ${key}` })).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(read({ appkey: key, 'x-team-key': key })).toBe('GENERAL_PARAMETER_ILLEGAL');
  });
});
