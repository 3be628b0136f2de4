import { describe, expect, it } from '@jest/globals';
import { CallError } from '../../api/failures.js';
import {
  asksSamePerson,
  draftOfMember,
  emptyMember,
  faultOfPassword,
  faultsOfMember,
  isFaultless,
  propertiesOfMember,
  type Member,
} from './member-draft.js';

const member: Member = {
  ...{
    memberId: 'anna.weber',
    displayName: 'Anna Weber',
    roles: ['analyst', 'buyer'],
    furtherScopes: ['finance:read'],
  },
  attributes: { companyCodes: ['1000'] },
  identity: { issuer: 'https://login.example.com', subject: '5f2c' },
  createdAt: '2026-01-01T00:00:00Z',
  grants: { scopes: [], furtherScopes: [], attributes: {} },
};
const draft = draftOfMember(member);

describe('a member that is edited', () => {
  it('is sent whole, because what is sent replaces all that was', () => {
    expect(propertiesOfMember(draft)).toEqual({
      ...{ displayName: 'Anna Weber', roles: ['analyst', 'buyer'], furtherScopes: ['finance:read'] },
      attributes: { companyCodes: ['1000'] },
      identity: { issuer: 'https://login.example.com', subject: '5f2c' },
      disabled: false,
    });
  });

  it('stays disabled, and has no identity when both of its fields are empty', () => {
    const disabled = draftOfMember({ ...member, identity: undefined, disabledAt: '2026-02-01T00:00:00Z' });
    expect(propertiesOfMember(disabled)).toMatchObject({ disabled: true });
    expect(propertiesOfMember(disabled)).not.toHaveProperty('identity');
  });

  it('is said to be the same person when its administrator says so, and asked about it when it was refused for that', () => {
    expect(propertiesOfMember(draft)).not.toHaveProperty('samePerson');
    expect(propertiesOfMember({ ...draft, isSamePerson: true })).toMatchObject({ samePerson: true });
    const refusal = { kind: 'refused', status: 409, code: 'GENERAL_CONFLICT', title: '', detail: '' } as const;
    const fault = { in: 'body', path: 'samePerson', message: '' };
    expect(asksSamePerson(new CallError({ ...refusal, faults: [fault] }))).toBe(true);
    expect(asksSamePerson(new CallError({ ...refusal, faults: [] }))).toBe(false);
  });

  it('has no fault as it was read', () => {
    expect(isFaultless(faultsOfMember(draft))).toBe(true);
  });

  it.each([
    ['', 'required'],
    ['Anna', 'memberIdFault'],
    ['.anna', 'memberIdFault'],
    ['a'.repeat(129), 'memberIdFault'],
    ['<b>', 'memberIdFault'],
    ['anna@example.com', undefined],
  ])('with the id %j has the fault %s', (memberId, fault) => {
    expect(faultsOfMember({ ...draft, memberId }).memberId).toBe(fault);
  });

  it('needs a name, and both parts of an identity or none', () => {
    expect(faultsOfMember(emptyMember)).toMatchObject({
      displayName: 'required',
      issuer: undefined,
      subject: undefined,
    });
    expect(faultsOfMember({ ...draft, issuer: ' ' })).toMatchObject({ issuer: 'identityFault', subject: undefined });
    expect(faultsOfMember({ ...draft, subject: '' })).toMatchObject({ issuer: undefined, subject: 'identityFault' });
    expect(isFaultless(faultsOfMember({ ...draft, subject: '' }))).toBe(false);
  });
});

it.each([
  ['eleven char', 'passwordShort'],
  ['twelve chars', undefined],
  ['x'.repeat(257), 'passwordLong'],
])('the password %j has the fault %s', (password, fault) => {
  expect(faultOfPassword(password)).toBe(fault);
});
