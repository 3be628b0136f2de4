import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tessera/testing';
import { Authenticator } from './authenticator.js';
import { refuseCredential, type Verification } from './verification.js';

const setUp = (lifeMs = 60_000) => {
  const clock = fixedClock();
  let asked = 0;
  let answer: (text: string) => Promise<Verification> = async (text) => ({
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
  const authenticator = new Authenticator({ verifyKey: verify, clock: clock.nowMs });
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

describe('a refused credential', () => {
  it('is not cached', async () => {
    const { ask, answerWith, asked } = setUp();
    answerWith(async () => refuseCredential('no'));
    await ask('k');
    await ask('k');
    expect(asked()).toBe(2);
  });

  it('is returned for a token when none are configured', async () => {
    const { authenticator } = setUp();
    const result = await authenticator.authenticate({ kind: 'token', text: 'a.b.c' });
    expect(result).toMatchObject({ failure: { code: 'ACCESS_UNAUTHORIZED' } });
  });

  it('does not stay pending when the verification throws', async () => {
    const { ask, answerWith } = setUp();
    answerWith(() => Promise.reject(new Error('a bug')));
    await expect(ask('k')).rejects.toThrow('a bug');
    answerWith(async () => refuseCredential('no'));
    expect((await ask('k')).ok).toBe(false);
  });
});
