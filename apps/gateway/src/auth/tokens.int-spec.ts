import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createFixedClock } from '@tessera/testing';
import {
  testAudience,
  createValidClaims,
  testIssuer,
  createSigningKey,
  sharedSecret,
  signWithSharedSecret,
  signWithKey,
  startKeySetServer,
  type KeySetServer,
} from '../testing/token-issuer.js';
import { createHostileTokens, createTokensWithOddClaims, signTokenText } from '../testing/hostile-tokens.js';
import { KeySet } from './key-set.js';
import { JwtStrategy, createIssuerTokenRules, type TokenRules } from './jwt.strategy.js';
import { createStrategyRunner } from './verification.js';

const strategyFor = (given: Parameters<typeof createIssuerTokenRules>[0]) =>
  new JwtStrategy(createIssuerTokenRules(given));
const verifierFor = (given: Parameters<typeof createIssuerTokenRules>[0]) => createStrategyRunner(strategyFor(given));

const rules = { issuer: testIssuer, audience: testAudience, teamClaim: 'team', hourlyLimit: 6000, adminTeams: [] };
const shared = verifierFor({ ...rules, algorithms: ['HS256'], secret: sharedSecret });
const resource = 'https://tessera.example/studio-copilot/api/v1/mcp-servers/mcp/p2p';
const nowSeconds = () => Math.floor(Date.now() / 1000);
const refused = {
  ok: false,
  failure: { code: 'ACCESS_UNAUTHORIZED', detail: 'The credential is not valid.' },
  reason: expect.stringMatching(/token|issuer/),
};

describe('a token with a shared secret', () => {
  it('yields its caller with the known scopes', async () => {
    expect(await shared(signWithSharedSecret())).toMatchObject({
      ok: true,
      value: {
        caller: { team: 'meridian', subject: 'user-1', scopes: ['content:read', 'content:write'] },
        credential: 'subject:user-1',
        hourlyLimit: 6000,
      },
    });
  });

  it('may carry its scopes as a list in scp', async () => {
    const { scope: _, ...claims } = createValidClaims();
    expect(await shared(signWithSharedSecret({ ...claims, scp: ['content:read', 'tools:execute'] }))).toMatchObject({
      value: { caller: { scopes: ['content:read', 'tools:execute'] } },
    });
  });

  it('may name the scope of tools by its alias on other platforms', async () => {
    const { scope: _, ...claims } = createValidClaims();
    expect(await shared(signWithSharedSecret({ ...claims, scope: 'mcp-asset.tools:execute' }))).toMatchObject({
      value: { caller: { scopes: ['tools:execute'] } },
    });
  });

  it.each<[string, unknown, readonly string[] | undefined]>([
    ['for everything', [testAudience, 'else'], undefined],
    ['for everything and one MCP server', [resource, testAudience], undefined],
    ['for one MCP server', resource, [resource]],
    ['for one MCP server and a stranger', ['https://else.example', resource], [resource]],
  ])('%s has the resources of its audience', async (_, aud, resources) => {
    const verified = await shared(signWithSharedSecret({ ...createValidClaims(), aud }));
    expect(verified).toMatchObject({ ok: true });
    expect(verified.ok && verified.value.resources).toEqual(resources);
  });

  it('passes claims about its bearer to policies, but not claims about the token', async () => {
    const claims = { ...createValidClaims(), scope: 'content:read finance:read content:all', jti: '7', azp: 'portal' };
    const told = { companyCodes: ['1000', 2000], region: 'EMEA', staff: true };
    const verified = await shared(signWithSharedSecret({ ...claims, ...told, address: { city: 'Bonn' }, mixed: [{}] }));
    expect(verified).toMatchObject({ ok: true });
    expect(verified.ok && verified.value.caller).toEqual({
      team: 'meridian',
      subject: 'user-1',
      scopes: ['content:read'],
      furtherScopes: ['content:all', 'finance:read'],
      attributes: told,
    });
  });

  it('is trusted without a new verification until it expires, at most 60 seconds', async () => {
    const soon = nowSeconds() + 20;
    expect(await shared(signWithSharedSecret({ ...createValidClaims(), exp: soon }))).toMatchObject({
      value: { validUntilMs: soon * 1000 },
    });
    const beforeMs = Date.now();
    const result = await shared(signWithSharedSecret({ ...createValidClaims(), exp: nowSeconds() + 9000 }));
    const trustedFromMs = result.ok ? result.value.validUntilMs - 60_000 : 0;
    expect(trustedFromMs).toBeGreaterThanOrEqual(beforeMs);
    expect(trustedFromMs).toBeLessThanOrEqual(Date.now());
  });

  it('tolerates 30 seconds of clock difference and no more', async () => {
    expect((await shared(signWithSharedSecret({ ...createValidClaims(), exp: nowSeconds() - 20 }))).ok).toBe(true);
    expect(await shared(signWithSharedSecret({ ...createValidClaims(), exp: nowSeconds() - 40 }))).toMatchObject({
      ...refused,
      reason: 'the token does not fit: jwt expired',
    });
  });

  it.each(['iss', 'aud', 'exp', 'sub', 'team'])('is refused without %s', async (claim) => {
    const { [claim]: _, ...claims } = createValidClaims();
    expect(await shared(signWithSharedSecret(claims))).toMatchObject(refused);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'else' }],
    ['audiences that are no texts', { aud: [7, { resource }] }],
    ['no audience in a list', { aud: [] }],
    ['an address that only begins like one of an MCP server', { aud: `${resource}/more` }],
    ['an address that is no endpoint', { aud: 'https://tessera.example/studio-copilot' }],
    ['a later start', { nbf: nowSeconds() + 300 }],
    ['a team that is no name', { team: "x' or 1=1" }],
    ['a team that is no text', { team: ['meridian'] }],
    ['a control character in its subject', { sub: 'user\u0000' }],
    ['a subject that is one of an API key', { sub: 'key:3CCmXA' }],
    ['a subject that is one of a member', { sub: 'member:anna' }],
    ['half of a character in its subject', { sub: 'user\ud800' }],
  ])('is refused with %s', async (_, claims) => {
    expect(await shared(signWithSharedSecret({ ...createValidClaims(), ...claims }))).toMatchObject(refused);
  });

  it('is refused when it was signed with another secret, altered, or not signed', async () => {
    expect(
      await shared(signWithSharedSecret(createValidClaims(), 'another secret of at least 32 letters')),
    ).toMatchObject(refused);
    const [head = '', , signature = ''] = signWithSharedSecret().split('.');
    const claims = Buffer.from(JSON.stringify({ ...createValidClaims(), team: 'northgate' })).toString('base64url');
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
  it.each(createHostileTokens())('is refused: %s', async (_, token) => {
    expect(await shared(token)).toMatchObject(refused);
  });

  it.each(createTokensWithOddClaims())('grants no rights: %s', async (_, token) => {
    const verified = await shared(token);
    expect(verified).toMatchObject({ ok: true, value: { caller: { team: 'meridian', subject: 'user-1' } } });
    expect(verified.ok && verified.value.caller.scopes).not.toContain('admin');
  });

  it("is refused without an unhandled error when the issuer's key has to be fetched first", async () => {
    const slow = verifierFor({
      ...rules,
      algorithms: ['HS256'],
      secret: () => new Promise((resolve) => setImmediate(() => resolve(sharedSecret))),
    });
    for (const [, token] of createHostileTokens()) expect(await slow(token)).toMatchObject(refused);
  });

  it('ends in a refusal or an error when a callback throws', async () => {
    const broken = () => Promise.reject(new TypeError('a bug'));
    const keyless = verifierFor({ ...rules, algorithms: ['HS256'], secret: broken });
    expect(await keyless(signWithSharedSecret())).toMatchObject({
      ...refused,
      reason: 'the token does not fit: TypeError',
    });
    const strategy = strategyFor({ ...rules, algorithms: ['HS256'], secret: sharedSecret });
    Object.assign(strategy, { validate: () => JSON.parse('{') });
    await expect(createStrategyRunner(strategy)(signWithSharedSecret())).rejects.toThrow('JSON');
    Object.assign(strategy, { validate: broken });
    await expect(createStrategyRunner(strategy)(signWithSharedSecret())).rejects.toThrow('a bug');
  });

  it('leaves its reason in the log only, and never its content', async () => {
    for (const [, token] of createHostileTokens()) {
      const verified = await shared(token);
      if (!verified.ok) expect(verified.reason).not.toMatch(/user-1|meridian|xxx|eyJ/);
    }
  });
});

describe('a token that requests the admin scope', () => {
  const verifyIn = async (team: string, adminTeams: readonly string[]) => {
    const verified = await verifierFor({ ...rules, algorithms: ['HS256'], secret: sharedSecret, adminTeams })(
      signWithSharedSecret({ ...createValidClaims(), team, scope: 'admin content:read' }),
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
  ])('in the team %s with the configured admin teams %j has %s', async (team, adminTeams, expected) => {
    expect(await verifyIn(team, adminTeams)).toEqual(expected);
  });
});

describe('the lifetime of a token', () => {
  const verify = (claims: Record<string, unknown>, lifetimeMaxSeconds?: number) =>
    verifierFor({ ...rules, algorithms: ['HS256'], secret: sharedSecret, lifetimeMaxSeconds })(
      signTokenText(JSON.stringify({ ...createValidClaims(), ...claims })),
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
  const clock = createFixedClock();
  let server: KeySetServer;
  let verify: ReturnType<typeof verifierFor>;
  beforeAll(async () => {
    server = await startKeySetServer();
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
      const key = createSigningKey('first', algorithm);
      server.publish(key);
      const before = server.fetches();
      for (let turn = 0; turn < 5; turn++) expect((await verify(signWithKey(key))).ok).toBe(true);
      expect(server.fetches() - before).toBe(1);
    },
  );

  it('is never verified with a public key as shared secret', async () => {
    const key = createSigningKey('first');
    server.publish(key);
    expect(await verify(signWithSharedSecret(createValidClaims(), sharedSecret))).toMatchObject(refused);
  });

  it('is accepted after a rotation, since an unknown key id causes a fetch', async () => {
    const [old, fresh] = [createSigningKey('old'), createSigningKey('fresh')];
    server.publish(old);
    expect((await verify(signWithKey(old))).ok).toBe(true);
    server.publish(old, fresh);
    clock.advance(6_000);
    expect((await verify(signWithKey(fresh))).ok).toBe(true);
    expect((await verify(signWithKey(old))).ok).toBe(true);
  });

  it('with a made-up key id does not cause a fetch each time', async () => {
    server.publish(createSigningKey('known'));
    const before = server.fetches();
    for (let turn = 0; turn < 20; turn++)
      expect(await verify(signWithKey(makeSigningKeyOnce(`unknown-${turn}`)))).toMatchObject(refused);
    expect(server.fetches() - before).toBe(1);
  });

  it('is accepted with a cached key while the issuer is away, and answered with 503 without one', async () => {
    const key = createSigningKey('first');
    server.publish(key);
    expect((await verify(signWithKey(key))).ok).toBe(true);
    server.fail(true);
    clock.advance(700_000);
    expect((await verify(signWithKey(key))).ok).toBe(true);
    const fresh = new KeySet({ url: server.url });
    const verifyFresh = verifierFor({ ...rules, algorithms: ['RS256'], secret: (keyId) => fresh.keyFor(keyId) });
    expect(await verifyFresh(signWithKey(key))).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 },
    });
  });
});

/** Key pairs are slow to make; these differ by name only. */
const pair = createSigningKey('shared');
const makeSigningKeyOnce = (kid: string) => ({ ...pair, kid });
