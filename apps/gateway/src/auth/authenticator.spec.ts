import { describe, expect, it } from '@jest/globals';
import { createFixedClock } from '@tessera/testing';
import { Authenticator, type SessionSelector } from './authenticator.js';
import { refuseCredential, type VerificationResult } from './verification.js';

const setUp = (lifeMs = 60_000) => {
  const clock = createFixedClock();
  let asked = 0;
  let answer: (text: string) => Promise<VerificationResult> = async (text) => ({
    ok: true,
    value: {
      caller: { team: 'meridian', subject: text, scopes: [] },
      credential: `key:${text}`,
      hourlyLimit: 1,
      keyId: text,
      validUntilMs: clock.nowMs() + lifeMs,
    },
  });
  const verify = (text: string) => {
    asked++;
    return answer(text);
  };
  const authenticator = new Authenticator({
    ...{ verifyKey: verify, verifyToken: verify, verifySession: verify },
    clock: clock.nowMs,
  });
  return {
    clock,
    authenticator,
    asked: () => asked,
    answerWith: (next: typeof answer) => (answer = next),
    ask: (text: string) => authenticator.authenticate({ kind: 'key', text }),
  };
};

describe('a verified credential', () => {
  it('is answered synchronously from the cache', async () => {
    const { ask, asked } = setUp();
    const first = await ask('k');
    expect(ask('k')).toBe(first);
    expect(asked()).toBe(1);
  });

  it('is verified again when its cache entry has expired', async () => {
    const { ask, asked, clock } = setUp(1000);
    await ask('k');
    clock.advance(999);
    await ask('k');
    expect(asked()).toBe(1);
    clock.advance(1);
    await ask('k');
    expect(asked()).toBe(2);
  });

  it('is verified once for concurrent requests', async () => {
    const { ask, asked } = setUp();
    await Promise.all([ask('k'), ask('k'), ask('k'), ask('other')]);
    expect(asked()).toBe(2);
  });

  it('is forgotten at once when its key is revoked', async () => {
    const { ask, asked, authenticator } = setUp();
    await Promise.all([ask('k'), ask('other')]);
    authenticator.revoke('k');
    expect(await ask('k')).toMatchObject({ failure: { code: 'ACCESS_UNAUTHORIZED' } });
    expect((await ask('other')).ok).toBe(true);
    expect(asked()).toBe(3);
  });

  it('is not cached again by a verification that was running when its key was revoked', async () => {
    const { ask, authenticator } = setUp();
    const asking = ask('k');
    authenticator.revoke('k');
    expect(await asking).toMatchObject({ failure: { code: 'ACCESS_UNAUTHORIZED' } });
  });
});

describe('a session', () => {
  const setUpSessions = () => {
    const { authenticator, asked, answerWith, clock } = setUp();
    answerWith(async (text) => {
      const [team = '', memberId = '', sessionId = ''] = text.split(' ');
      const caller = { team, subject: `member:${memberId}`, scopes: [] };
      const session = { sessionId, memberId, startedAtMs: clock.nowMs(), endsAtMs: clock.nowMs() + 9_000 };
      const value = {
        caller,
        credential: caller.subject,
        hourlyLimit: 1,
        session,
        validUntilMs: clock.nowMs() + 5_000,
      };
      return { ok: true, value };
    });
    const ask = (text: string) => authenticator.authenticate({ kind: 'session', text });
    return { authenticator, asked, ask, askByKey: (text: string) => authenticator.authenticate({ kind: 'key', text }) };
  };
  const known = ['meridian anna 1', 'meridian anna 2', 'meridian berta 3', 'northgate anna 4'];

  it.each<readonly [SessionSelector, number]>([
    [{ sessionId: '1' }, 1],
    [{ team: 'meridian', memberId: 'anna' }, 2],
    [{ team: 'meridian' }, 3],
    [{ team: 'northgate', memberId: 'berta' }, 0],
  ])('is looked up again after a change of %j, and no other', async (changed, lookedUp) => {
    const { ask, asked, authenticator } = setUpSessions();
    for (const text of [...known, ...known]) await ask(text);
    expect(asked()).toBe(known.length);
    authenticator.forgetSessions(changed);
    for (const text of known) await ask(text);
    expect(asked()).toBe(known.length + lookedUp);
  });

  it('is neither cached nor shared when sessions changed during its verification', async () => {
    const { ask, asked, authenticator } = setUpSessions();
    const before = ask('meridian anna 1');
    authenticator.forgetSessions({ team: 'meridian', memberId: 'anna' });
    const after = ask('meridian anna 1');
    await Promise.all([before, after]);
    expect(asked()).toBe(2);
    await ask('meridian anna 1');
    expect(asked()).toBe(2);
  });

  it('that is cached is not found by a key with the same text', async () => {
    const { ask, askByKey, asked } = setUpSessions();
    await ask('meridian anna 1');
    await askByKey('meridian anna 1');
    expect(asked()).toBe(2);
  });
});

describe('a token of a grant', () => {
  const setUpGrants = () => {
    const { authenticator, asked, answerWith, ask, clock } = setUp();
    answerWith(async (text) => {
      const [team = '', memberId = '', grantId = ''] = text.split(' ');
      const caller = { team, subject: `member:${memberId}`, scopes: [] };
      const grant = { grantId, memberId, clientId: 'c', openIdScopes: [] };
      const validUntilMs = clock.nowMs() + 5_000;
      return { ok: true, value: { caller, credential: caller.subject, hourlyLimit: 1, grant, validUntilMs } };
    });
    return { authenticator, asked, ask };
  };
  const known = ['meridian anna 1', 'meridian berta 2', 'northgate anna 3'];

  it.each<readonly [SessionSelector, number]>([
    [{ team: 'meridian', memberId: 'anna' }, 1],
    [{ team: 'meridian' }, 2],
    [{ sessionId: '1' }, 0],
  ])('is looked up again after a change of %j, as a session of its member', async (changed, lookedUp) => {
    const { ask, asked, authenticator } = setUpGrants();
    for (const text of known) await ask(text);
    authenticator.forgetSessions(changed);
    for (const text of known) await ask(text);
    expect(asked()).toBe(known.length + lookedUp);
  });

  it('is refused at once when the grant has ended, also when its look-up was under way', async () => {
    const { ask, authenticator } = setUpGrants();
    await ask('meridian anna 1');
    const underWay = ask('meridian berta 2');
    for (const grantId of ['1', '2']) authenticator.revoke(grantId);
    for (const answer of [underWay, ask('meridian anna 1'), ask('meridian berta 2')])
      expect(await answer).toMatchObject({ ok: false });
    expect(await ask('northgate anna 3')).toMatchObject({ ok: true });
  });
});

describe('a refused credential', () => {
  it('is not cached', async () => {
    const { ask, answerWith, asked } = setUp();
    answerWith(async () => refuseCredential('no'));
    await ask('k');
    await ask('k');
    expect(asked()).toBe(2);
  });

  it('does not stay pending when the verification throws', async () => {
    const { ask, answerWith } = setUp();
    answerWith(() => Promise.reject(new Error('a bug')));
    await expect(ask('k')).rejects.toThrow('a bug');
    answerWith(async () => refuseCredential('no'));
    expect((await ask('k')).ok).toBe(false);
  });
});
