import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tessera/testing';
import {
  audience,
  goodClaims,
  issuer,
  makeSigningKey,
  secret,
  signShared,
  signWith,
  startKeyServer,
  type KeyServer,
} from '../testing/token-issuer.js';
import { hostileTokens, oddTokens, signText } from '../testing/hostile-tokens.js';
import { KeySet } from './key-set.js';
import { JwtStrategy, type TokenRules } from './jwt.strategy.js';
import { strategyRunner } from './verification.js';

const verifierFor = (rules: TokenRules) => strategyRunner(new JwtStrategy(rules));

const rules = { issuer, audience, teamClaim: 'team', hourlyLimit: 6000, adminTeams: [] };
const shared = verifierFor({ ...rules, algorithms: ['HS256'], secret });
const nowSeconds = () => Math.floor(Date.now() / 1000);
const refused = {
  ok: false,
  failure: { code: 'ACCESS_UNAUTHORIZED', detail: 'The credential is not valid.' },
  reason: expect.stringMatching(/token|issuer/),
};

describe('a token with a shared secret', () => {
  it('yields its caller with the known scopes', async () => {
    expect(await shared(signShared())).toMatchObject({
      ok: true,
      value: {
        caller: { team: 'meridian', subject: 'user-1', scopes: ['content:read', 'content:write'] },
        credential: 'subject:user-1',
        hourlyLimit: 6000,
      },
    });
  });

  it('may carry its scopes as a list in scp', async () => {
    const { scope: _, ...claims } = goodClaims();
    expect(await shared(signShared({ ...claims, scp: ['content:read', 'tools:execute'] }))).toMatchObject({
      value: { caller: { scopes: ['content:read', 'tools:execute'] } },
    });
  });

  it('passes claims about its bearer to policies, but not claims about the token', async () => {
    const claims = { ...goodClaims(), scope: 'content:read finance:read content:all', jti: '7', azp: 'portal' };
    const told = { companyCodes: ['1000', 2000], region: 'EMEA', staff: true };
    const verified = await shared(signShared({ ...claims, ...told, address: { city: 'Bonn' }, mixed: [{}] }));
    expect(verified).toMatchObject({ ok: true });
    expect(verified.ok && verified.value.caller).toEqual({
      team: 'meridian',
      subject: 'user-1',
      scopes: ['content:read'],
      furtherScopes: ['content:all', 'finance:read'],
      attributes: told,
    });
  });

  it('is trusted until it expires, at most 60 seconds', async () => {
    const soon = nowSeconds() + 20;
    expect(await shared(signShared({ ...goodClaims(), exp: soon }))).toMatchObject({
      value: { validUntilMs: soon * 1000 },
    });
    const beforeMs = Date.now();
    const result = await shared(signShared({ ...goodClaims(), exp: nowSeconds() + 9000 }));
    const trustedFromMs = result.ok ? result.value.validUntilMs - 60_000 : 0;
    expect(trustedFromMs).toBeGreaterThanOrEqual(beforeMs);
    expect(trustedFromMs).toBeLessThanOrEqual(Date.now());
  });

  it('tolerates 30 seconds of clock difference and no more', async () => {
    expect((await shared(signShared({ ...goodClaims(), exp: nowSeconds() - 20 }))).ok).toBe(true);
    expect(await shared(signShared({ ...goodClaims(), exp: nowSeconds() - 40 }))).toMatchObject({
      ...refused,
      reason: 'the token does not fit: jwt expired',
    });
  });

  it.each(['iss', 'aud', 'exp', 'sub', 'team'])('is refused without %s', async (claim) => {
    const { [claim]: _, ...claims } = goodClaims();
    expect(await shared(signShared(claims))).toMatchObject(refused);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'else' }],
    ['a later start', { nbf: nowSeconds() + 300 }],
    ['a team that is no name', { team: "x' or 1=1" }],
    ['a team that is no text', { team: ['meridian'] }],
    ['a control character in its subject', { sub: 'user\u0000' }],
    ['a subject that is one of an API key', { sub: 'key:3CCmXA' }],
    ['half of a character in its subject', { sub: 'user\ud800' }],
  ])('is refused with %s', async (_, claims) => {
    expect(await shared(signShared({ ...goodClaims(), ...claims }))).toMatchObject(refused);
  });

  it('is refused when it was signed with another secret, altered, or not signed', async () => {
    expect(await shared(signShared(goodClaims(), 'another secret of at least 32 letters'))).toMatchObject(refused);
    const [head = '', , signature = ''] = signShared().split('.');
    const claims = Buffer.from(JSON.stringify({ ...goodClaims(), team: 'northgate' })).toString('base64url');
    expect(await shared(`${head}.${claims}.${signature}`)).toMatchObject(refused);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await shared(`${none}.${claims}.`)).toMatchObject(refused);
    expect(await shared(`${none}.${claims}.x`)).toMatchObject(refused);
  });

  it.each(['', 'a.b', 'a.b.c.d', 'a.b.c=', 'a b.c.d', `a.b.${'c'.repeat(8200)}`])(
    'is refused when it is not a token: %.20s',
    async (token) => {
      expect(await shared(token)).toMatchObject(refused);
    },
  );
});

describe('a token that no issuer would sign', () => {
  it.each(hostileTokens())('is refused: %s', async (_, token) => {
    expect(await shared(token)).toMatchObject(refused);
  });

  it.each(oddTokens())('grants no rights: %s', async (_, token) => {
    const verified = await shared(token);
    expect(verified).toMatchObject({ ok: true, value: { caller: { team: 'meridian', subject: 'user-1' } } });
    expect(verified.ok && verified.value.caller.scopes).not.toContain('admin');
  });

  it("is refused without an unhandled error when the issuer's key has to be fetched first", async () => {
    const slow = verifierFor({
      ...rules,
      algorithms: ['HS256'],
      secret: () => new Promise((resolve) => setImmediate(() => resolve(secret))),
    });
    for (const [, token] of hostileTokens()) expect(await slow(token)).toMatchObject(refused);
  });

  it('ends in a refusal or an error when a callback throws', async () => {
    const broken = () => Promise.reject(new TypeError('a bug'));
    const keyless = verifierFor({ ...rules, algorithms: ['HS256'], secret: broken });
    expect(await keyless(signShared())).toMatchObject({ ...refused, reason: 'the token does not fit: TypeError' });
    const strategy = new JwtStrategy({ ...rules, algorithms: ['HS256'], secret });
    Object.assign(strategy, { validate: () => JSON.parse('{') });
    await expect(strategyRunner(strategy)(signShared())).rejects.toThrow('JSON');
    Object.assign(strategy, { validate: broken });
    await expect(strategyRunner(strategy)(signShared())).rejects.toThrow('a bug');
  });

  it('leaves its reason in the log only, and never its content', async () => {
    for (const [, token] of hostileTokens()) {
      const verified = await shared(token);
      if (!verified.ok) expect(verified.reason).not.toMatch(/user-1|meridian|xxx|eyJ/);
    }
  });
});

describe('a token that administers', () => {
  const verifyIn = async (team: string, adminTeams: readonly string[]) => {
    const verified = await verifierFor({ ...rules, algorithms: ['HS256'], secret, adminTeams })(
      signShared({ ...goodClaims(), team, scope: 'admin content:read' }),
    );
    return verified.ok ? verified.value.caller.scopes.join(' ') : verified.reason;
  };
  const noOperators = expect.stringContaining('JWT_ADMIN_TEAMS');

  it.each([
    ['meridian', [], 'content:read'],
    ['meridian', ['northgate'], 'content:read'],
    ['meridian', ['meridian'], 'content:read admin'],
    ['meridian', ['*'], 'content:read admin'],
    ['operators', [], noOperators],
    ['operators', ['*'], noOperators],
    ['operators', ['*', 'operators'], 'content:read admin'],
  ])('in the team %s where the configuration names %j has %s', async (team, adminTeams, expected) => {
    expect(await verifyIn(team, adminTeams)).toEqual(expected);
  });
});

describe('the lifetime of a token', () => {
  const verify = (claims: Record<string, unknown>, lifetimeMaxSeconds?: number) =>
    verifierFor({ ...rules, algorithms: ['HS256'], secret, lifetimeMaxSeconds })(
      signText(JSON.stringify({ ...goodClaims(), ...claims })),
    );

  it('may be given in fractions of a second and by a clock that is 20 seconds ahead', async () => {
    const now = nowSeconds();
    expect((await verify({ iat: now + 20, nbf: now + 20.5, exp: now + 90.25 })).ok).toBe(true);
    expect(await verify({ iat: now + 40 })).toMatchObject(refused);
    expect(await verify({ iat: now, exp: now - 5 })).toMatchObject(refused);
  });

  it('is limited when the configuration says so', async () => {
    const now = nowSeconds();
    const year = { iat: now - 10, exp: now + 31_536_000 };
    expect((await verify(year)).ok).toBe(true);
    expect(await verify(year, 3_600)).toMatchObject({ ...refused, reason: expect.stringContaining('lives longer') });
    expect((await verify({ iat: now - 10, exp: now + 3_000 }, 3_600)).ok).toBe(true);
    expect(await verify({}, 3_600)).toMatchObject({ ...refused, reason: expect.stringContaining('(iat)') });
  });
});

describe('a token signed with a key of the issuer', () => {
  const clock = fixedClock();
  let server: KeyServer;
  let verify: ReturnType<typeof verifierFor>;
  beforeAll(async () => {
    server = await startKeyServer();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    clock.advance(3_600_000);
    const keySet = new KeySet({ url: server.url, clock: clock.nowMs });
    const secretOf: TokenRules['secret'] = (keyId) => keySet.keyFor(keyId);
    verify = verifierFor({ ...rules, algorithms: ['RS256', 'PS256', 'ES256'], secret: secretOf });
  });
  afterEach(() => server.fail(false));

  it.each(['RS256', 'PS256', 'ES256'] as const)(
    'is accepted with %s, and the keys are fetched once',
    async (algorithm) => {
      const key = makeSigningKey('first', algorithm);
      server.publish(key);
      const before = server.fetches();
      for (let turn = 0; turn < 5; turn++) expect((await verify(signWith(key))).ok).toBe(true);
      expect(server.fetches() - before).toBe(1);
    },
  );

  it('is never verified with a public key as shared secret', async () => {
    const key = makeSigningKey('first');
    server.publish(key);
    expect(await verify(signShared(goodClaims(), secret))).toMatchObject(refused);
  });

  it('is accepted after a rotation, since an unknown key id causes a fetch', async () => {
    const [old, fresh] = [makeSigningKey('old'), makeSigningKey('fresh')];
    server.publish(old);
    expect((await verify(signWith(old))).ok).toBe(true);
    server.publish(old, fresh);
    clock.advance(6_000);
    expect((await verify(signWith(fresh))).ok).toBe(true);
    expect((await verify(signWith(old))).ok).toBe(true);
  });

  it('with a made-up key id does not cause a fetch each time', async () => {
    server.publish(makeSigningKey('known'));
    const before = server.fetches();
    for (let turn = 0; turn < 20; turn++)
      expect(await verify(signWith(makeSigningKeyOnce(`unknown-${turn}`)))).toMatchObject(refused);
    expect(server.fetches() - before).toBe(1);
  });

  it('is accepted with a cached key while the issuer is away, and answered with 503 without one', async () => {
    const key = makeSigningKey('first');
    server.publish(key);
    expect((await verify(signWith(key))).ok).toBe(true);
    server.fail(true);
    clock.advance(700_000);
    expect((await verify(signWith(key))).ok).toBe(true);
    const fresh = new KeySet({ url: server.url });
    const verifyFresh = verifierFor({ ...rules, algorithms: ['RS256'], secret: (keyId) => fresh.keyFor(keyId) });
    expect(await verifyFresh(signWith(key))).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 },
    });
  });
});

/** Key pairs are slow to make; these differ by name only. */
const pair = makeSigningKey('shared');
const makeSigningKeyOnce = (kid: string) => ({ ...pair, kid });
