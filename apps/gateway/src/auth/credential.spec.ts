import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@tessera/persistence';
import type { IncomingHttpHeaders } from 'node:http';
import { readCredential } from './credential.guard.js';

const { key } = mintApiKey();
const token = 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln';
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
const read = (headers: IncomingHttpHeaders, takesBasic = false) => {
  const result = readCredential(headers, { keyHeaders: ['appkey', 'x-team-key'], takesBasic });
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
    [{ authorization: key }, `key ${key}`],
    [{ authorization: ` ${key} ` }, `key ${key}`],
    // What stands in the place of a key is a key, if a wrong one.
    [{ appkey: token }, `key ${token}`],
  ])('is read from %j', (headers, expected) => {
    expect(read(headers)).toBe(expected);
  });

  it.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'Bearer' }],
    [{ authorization: token }],
    [{ authorization: `${key},${key}` }],
    [{ authorization: `${key} ${key}` }],
    [{ authorization: basic(`me:${key}`) }],
    [{ authorization: `Bearer ${token} ${token}` }],
    [{ cookie: `AppKey=${key}` }],
  ])('is missing in %j', (headers) => {
    expect(read(headers)).toBe('ACCESS_UNAUTHORIZED');
  });

  it.each([
    [`me:${key}`, `key ${key}`],
    [`:${key}`, `key ${key}`],
    [`meridian\\Zoë:${key}`, `key ${key}`],
    // A password may hold colons; no key does, and none is found for this one.
    [`me:${key}:x`, `key ${key}:x`],
    [`me:${token}`, `key ${token}`],
  ])('is the password of Basic authentication where that is accepted: %j', (pair, expected) => {
    expect(read({ authorization: basic(pair) }, true)).toBe(expected);
    expect(read({ authorization: basic(pair).replace('Basic', 'bAsIc') }, true)).toBe(expected);
  });

  it.each([['Basic'], ['Basic ===='], [basic(key)], [basic('me:')], [basic('')]])(
    'is missing in %j, and the message names Basic',
    (authorization) => {
      const result = readCredential({ authorization }, { keyHeaders: ['appkey'], takesBasic: true });
      expect(result).toMatchObject({ ok: false, failure: { code: 'ACCESS_UNAUTHORIZED' } });
      expect(JSON.stringify(result)).toContain('Basic is taken here with the key as its password');
    },
  );

  it('is the session cookie when nothing else is sent', () => {
    const withSessions = (headers: IncomingHttpHeaders, ...sessions: readonly string[]) => {
      const result = readCredential(headers, { keyHeaders: ['appkey'], takesBasic: false, sessions });
      return result.ok ? `${result.value.kind} ${result.value.text}` : result.failure.code;
    };
    expect(withSessions({}, 'secret')).toBe('session secret');
    expect(withSessions({})).toBe('ACCESS_UNAUTHORIZED');
    expect(withSessions({}, 'secret', 'secret')).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(withSessions({ appkey: key }, 'secret')).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(withSessions({ authorization: `Bearer ${token}` }, 'secret')).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(withSessions({ authorization: 'nonsense' }, 'secret')).toBe('ACCESS_UNAUTHORIZED');
  });

  it('is refused when several are sent, even twice the same', () => {
    expect(read({ appkey: key, authorization: `Bearer ${key}` })).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(read({ appkey: key, 'x-team-key': key })).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(read({ appkey: key, authorization: key })).toBe('GENERAL_PARAMETER_ILLEGAL');
    expect(read({ appkey: key, authorization: basic(`me:${key}`) }, true)).toBe('GENERAL_PARAMETER_ILLEGAL');
  });
});
