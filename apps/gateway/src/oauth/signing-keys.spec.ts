import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredSigningKey } from '@tessera/persistence/gateway';
import { createFixedClock } from '@tessera/testing';
import { SigningKeys } from './signing-keys.js';

const keyOf = (keyId: string, replacedAt?: Date): StoredSigningKey => ({
  keyId,
  privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'der' }),
  ...(replacedAt && { replacedAt }),
});

let clock: ReturnType<typeof createFixedClock>;
let stored: readonly StoredSigningKey[];
let reads: number;
let keys: SigningKeys;
beforeEach(() => {
  clock = createFixedClock();
  stored = [keyOf('first')];
  reads = 0;
  keys = new SigningKeys({
    clock: clock.nowMs,
    read: async () => {
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
      return stored;
    },
  });
});
const idsPublished = async () => (await keys.published()).keys.map(({ kid }) => kid);

describe('signing keys', () => {
  it('are read once for concurrent callers, and again after a while', async () => {
    await Promise.all([keys.signing(), keys.published(), keys.publicKeyFor('first')]);
    expect(reads).toBe(1);
    clock.advance(14_999);
    await keys.signing();
    expect(reads).toBe(1);
    clock.advance(1);
    await keys.signing();
    expect(reads).toBe(2);
  });

  it('are published without their private parts', async () => {
    expect((await keys.published()).keys).toEqual([
      { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String), kid: 'first', alg: 'ES256', use: 'sig' },
    ]);
    expect(await keys.publicKeyFor('first')).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  });

  it('that another replica rotated verify at once and sign soon afterwards', async () => {
    await keys.signing();
    clock.advance(2_000);
    stored = [keyOf('second'), { ...keyOf('first'), replacedAt: clock.now() }];
    expect(await keys.publicKeyFor('second')).toBeDefined();
    expect((await keys.signing()).keyId).toBe('second');
    expect(await idsPublished()).toEqual(['second', 'first']);
  });

  it('have secrets for other purposes, which tell nothing of each other', async () => {
    const [cookies, ...none] = await keys.secrets('cookies');
    expect(none).toEqual([]);
    expect(cookies).toMatch(/^[\w-]{43}$/);
    expect(await keys.secrets('forms')).not.toContain(cookies);
  });

  it('have secrets that are used once all replicas have read them', async () => {
    const first = keyOf('first');
    stored = [first];
    const [before] = await keys.secrets('cookies');
    clock.advance(15_000);
    stored = [keyOf('second'), { ...first, replacedAt: clock.now() }];
    const [used, after, ...none] = await keys.secrets('cookies');
    expect([used, none]).toEqual([before, []]);
    clock.advance(30_000);
    expect(await keys.secrets('cookies')).toEqual([after, before]);
  });

  it('with an unknown id are looked up at most once a second', async () => {
    for (let turn = 0; turn < 5; turn++) expect(await keys.publicKeyFor('made-up')).toBeUndefined();
    expect(reads).toBe(1);
    clock.advance(1_000);
    expect(await keys.publicKeyFor('made-up')).toBeUndefined();
    expect(reads).toBe(2);
  });

  it('that were replaced are published until their tokens have expired, and verify nothing afterwards', async () => {
    stored = [keyOf('second'), keyOf('first', clock.now())];
    clock.advance(600_000 + 15_000);
    expect(await idsPublished()).toEqual(['second', 'first']);
    clock.advance(60_000);
    expect(await idsPublished()).toEqual(['second']);
    expect(await keys.publicKeyFor('first')).toBeUndefined();
  });

  it('are read again when the last read failed', async () => {
    const broken = stored;
    stored = [];
    await expect(keys.signing()).rejects.toThrow('There is no signing key.');
    stored = broken;
    expect((await keys.signing()).keyId).toBe('first');
  });
});
