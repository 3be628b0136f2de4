import { describe, expect, it } from '@jest/globals';
import { mintApiKey } from '@tessera/persistence';
import type { StoredApiKey } from '@tessera/persistence/gateway';
import { createFixedClock } from '@tessera/testing';
import { KeyVerifier } from './key-verifier.js';

const clock = createFixedClock();

const stored = (more: Partial<StoredApiKey> = {}) => {
  const { key, keyId, digest } = mintApiKey();
  const row: StoredApiKey = {
    team: 'meridian',
    keyId,
    digest,
    name: 'spec',
    scopes: ['content:read'],
    furtherScopes: [],
    attributes: {},
    hourlyLimit: 7,
    createdAt: clock.now(),
    madeBy: 'operators',
    granted: { furtherScopes: [], attributes: {} },
    ...more,
  };
  return { key, row };
};

const strategyRunner = (rows: readonly StoredApiKey[]) => {
  const asked: (readonly string[])[] = [];
  const verifier = new KeyVerifier({
    clock: clock.nowMs,
    standardLimit: 6_000,
    find: async (keyIds) => {
      asked.push(keyIds);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return rows.filter(({ keyId }) => keyIds.includes(keyId));
    },
  });
  return { verifier, asked };
};

describe('a key', () => {
  it('passes its attributes and further scopes to policies', async () => {
    const attributes = { companyCodes: ['1000', '2000'], region: 'EMEA' };
    const { key, row } = stored({ furtherScopes: ['finance:read'], attributes });
    expect(await strategyRunner([row]).verifier.verify(key)).toMatchObject({
      value: { caller: { scopes: ['content:read'], furtherScopes: ['finance:read'], attributes } },
    });
  });

  it('that is known yields its caller with its scopes', async () => {
    const { key, row } = stored();
    const { verifier } = strategyRunner([row]);
    expect(await verifier.verify(key)).toEqual({
      ok: true,
      value: {
        caller: { team: 'meridian', subject: `key:${row.keyId}`, scopes: ['content:read'] },
        credential: `key:${row.keyId}`,
        hourlyLimit: 7,
        keyId: row.keyId,
        validUntilMs: clock.nowMs() + 60_000,
      },
    });
  });

  it('is not trusted beyond its expiry', async () => {
    const { key, row } = stored({ expiresAt: new Date(clock.nowMs() + 1000) });
    const result = await strategyRunner([row]).verifier.verify(key);
    expect(result).toMatchObject({ value: { validUntilMs: clock.nowMs() + 1000 } });
  });

  it.each([
    ['expired', { expiresAt: new Date('2020-01-01T00:00:00Z') }, 'expired'],
    ['revoked', { revokedAt: new Date('2020-01-01T00:00:00Z') }, 'revoked'],
    ['stored with another secret', { digest: new Uint8Array(32) }, 'no key is like'],
  ])('that is %s is refused', async (_, more, word) => {
    const { key, row } = stored(more);
    const result = await strategyRunner([row]).verifier.verify(key);
    const failure = { code: 'ACCESS_UNAUTHORIZED', detail: 'The credential is not valid.' };
    expect(result).toEqual({ ok: false, failure, reason: expect.stringContaining(word) });
  });

  it('that is mistyped never reaches the database', async () => {
    const { verifier, asked } = strategyRunner([]);
    expect(await verifier.verify(`${mintApiKey().key}x`)).toMatchObject({ failure: { code: 'ACCESS_UNAUTHORIZED' } });
    expect(asked).toEqual([]);
  });

  it('that does not exist is not looked up again for a while', async () => {
    const { verifier, asked } = strategyRunner([]);
    const { key } = mintApiKey();
    for (let turn = 0; turn < 5; turn++) expect((await verifier.verify(key)).ok).toBe(false);
    expect(asked).toHaveLength(1);
  });
});

describe('many keys at once', () => {
  it('are looked up in batches, one statement at a time', async () => {
    const known = Array.from({ length: 50 }, () => stored());
    const { verifier, asked } = strategyRunner(known.map(({ row }) => row));
    const results = await Promise.all(known.map(({ key }) => verifier.verify(key)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(asked.map(({ length }) => length)).toEqual([1, 49]);
  });

  it('are refused when too many wait', async () => {
    const { verifier } = strategyRunner([]);
    const results = await Promise.all(Array.from({ length: 5_200 }, () => verifier.verify(mintApiKey().key)));
    const codes = results.map((result) => (result.ok ? '' : result.failure.code));
    expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE').length).toBeGreaterThan(100);
    expect(codes.filter((code) => code === 'ACCESS_UNAUTHORIZED').length).toBeGreaterThanOrEqual(5_000);
  });

  it('fail as unavailable while the database is away, while a bug is rethrown', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    const { key } = mintApiKey();
    const verify = (error: Error) =>
      new KeyVerifier({ find: () => Promise.reject(error), standardLimit: 1 }).verify(key);
    const result = await verify(away);
    expect(result).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
    expect(JSON.stringify(result)).not.toContain('5432');
    await expect(verify(new TypeError('a bug'))).rejects.toThrow('a bug');
  });
});
