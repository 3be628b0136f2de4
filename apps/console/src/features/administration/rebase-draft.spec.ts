import { describe, expect, it } from '@jest/globals';
import { emptyMember } from './member-draft.js';
import { isSameValue, rebaseDraft } from './rebase-draft.js';

const began = { ...emptyMember, memberId: 'erika', displayName: 'Erika', roles: ['analyst', 'admin'] };

describe('a form about a member that somebody else has saved meanwhile', () => {
  const now = { ...began, roles: ['analyst'], attributes: [{ name: 'plant', texts: '1010', isList: false }] };

  it('is told from one that nobody has touched', () => {
    expect(isSameValue(began, { ...began, roles: [...began.roles] })).toBe(true);
    expect(isSameValue(began, now)).toBe(false);
  });

  it('keeps what was typed, and takes the rest as it is now: a role that was taken away does not come back', () => {
    expect(rebaseDraft({ ...began, displayName: 'Erika M.' }, began, now)).toEqual({ ...now, displayName: 'Erika M.' });
  });

  it('merges lists that both have changed, so that a right that was taken away stays away', () => {
    const typed = { ...began, roles: [...began.roles, 'viewer'] };
    expect(rebaseDraft(typed, began, now).roles).toEqual(['analyst', 'viewer']);
    expect(
      rebaseDraft({ ...began, roles: ['admin'] }, began, { ...began, roles: [...began.roles, 'author'] }).roles,
    ).toEqual(['admin', 'author']);
  });

  it('keeps what was typed where both have written another text', () => {
    const typed = { ...began, displayName: 'Erika M.' };
    expect(rebaseDraft(typed, began, { ...now, displayName: 'E.' }).displayName).toBe('Erika M.');
  });
});
