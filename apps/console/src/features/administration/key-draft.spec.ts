import { describe, expect, it } from '@jest/globals';
import { emptyKey, faultsOfKey, newKeyOf, stateOfKey, type KeyDraft } from './key-draft.js';

const draft: KeyDraft = { ...emptyKey, name: ' Monthly report ', scopes: ['content:read'] };
const nowMs = Date.parse('2026-06-30T10:00:00Z');

describe('a key that is asked for', () => {
  it('says only what was chosen, and when it ends', () => {
    expect(newKeyOf(draft, 'meridian', nowMs)).toEqual({
      ...{ team: 'meridian', name: 'Monthly report', scopes: ['content:read'] },
      expiresAt: '2026-09-28T10:00:00.000Z',
    });
  });

  it('has further scopes, attributes and a limit where there are some, and no end when that was chosen', () => {
    const whole: KeyDraft = {
      ...{ ...draft, furtherScopes: ['finance:read'], hourlyLimit: ' 50 ', lifetime: 'never' },
      attributes: [{ name: 'companyCodes', texts: '1000', isList: false }],
    };
    expect(newKeyOf(whole, 'meridian', nowMs)).toEqual({
      ...{ team: 'meridian', name: 'Monthly report', scopes: ['content:read'] },
      ...{ furtherScopes: ['finance:read'], hourlyLimit: 50, attributes: { companyCodes: '1000' } },
    });
  });

  it('needs a name and a scope', () => {
    expect(faultsOfKey(emptyKey, 100)).toEqual({ name: 'required', scopes: 'scopeMissing', hourlyLimit: undefined });
    expect(faultsOfKey(draft, 100)).toEqual({ name: undefined, scopes: undefined, hourlyLimit: undefined });
  });

  it.each(['0', '101', '1.5', '-1', '1e2', 'many'])('cannot have the limit %s where 100 are granted', (hourlyLimit) => {
    expect(faultsOfKey({ ...draft, hourlyLimit }, 100).hourlyLimit).toBe('limitFault');
  });

  it.each(['', '1', ' 100 '])('can have the limit %j where 100 are granted', (hourlyLimit) => {
    expect(faultsOfKey({ ...draft, hourlyLimit }, 100).hourlyLimit).toBeUndefined();
  });
});

it('a key is valid until it is revoked or ends', () => {
  const [before, after] = ['2026-06-30T09:59:59Z', '2026-06-30T10:00:01Z'];
  expect(stateOfKey({}, nowMs)).toBe('live');
  expect(stateOfKey({ expiresAt: after }, nowMs)).toBe('live');
  expect(stateOfKey({ expiresAt: before }, nowMs)).toBe('expired');
  expect(stateOfKey({ expiresAt: before, revokedAt: before }, nowMs)).toBe('revoked');
});
