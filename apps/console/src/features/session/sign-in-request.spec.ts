import { describe, expect, it } from '@jest/globals';
import { draftFor, emptyDraft, otherWaysAddress, signInOf } from './sign-in-request.js';

const typed = { ...emptyDraft, team: ' meridian ', user: 'vera.klein\n', password: ' secret ' };

describe('a sign-in', () => {
  it('takes spaces off names, and none off a password', () => {
    expect(signInOf(typed)).toEqual({
      input: { signIn: { team: 'meridian', user: 'vera.klein', password: ' secret ' } },
    });
  });

  it('by a key sends the key alone', () => {
    expect(signInOf({ ...typed, way: 'key', apiKey: 'tsk_a_b\n' })).toEqual({
      input: { signIn: { apiKey: 'tsk_a_b' } },
    });
  });

  it('says what is still to be filled in', () => {
    expect(signInOf(emptyDraft)).toEqual({ missing: ['team', 'user', 'password'] });
    expect(signInOf({ ...typed, user: ' ' })).toEqual({ missing: ['user'] });
    expect(signInOf({ ...typed, way: 'key' })).toEqual({ missing: ['apiKey'] });
  });

  it('again begins with the member whose session has ended, or with a key', () => {
    expect(draftFor('member:vera.klein', 'meridian')).toMatchObject({ team: 'meridian', user: 'vera.klein' });
    expect(draftFor('key:3kTq0aZ81xYb', 'meridian')).toEqual({ ...emptyDraft, way: 'key' });
  });
});

it('other ways to sign in lead back to where one is, with all that the address holds', () => {
  const address = new URL(
    otherWaysAddress({ pathname: '/console/figures/km', search: '?kpis=A,B&where=%26' }),
    'http://x',
  );
  expect([address.pathname, address.searchParams.get('next')]).toEqual([
    ...['/sign-in', '/console/figures/km?kpis=A,B&where=%26'],
  ]);
});
