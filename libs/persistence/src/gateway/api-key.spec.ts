import { describe, expect, it } from '@jest/globals';
import { parseApiKeyId, apiKeyMatches, looksLikeApiKey, mintApiKey, parseApiKey } from './api-key.js';

describe('an API key', () => {
  it('consists of prefix, id, secret and checksum in base62', () => {
    const { key, keyId, digest } = mintApiKey();
    expect(key).toMatch(/^tsk_[0-9A-Za-z]{12}_[0-9A-Za-z]{40}_[0-9A-Za-z]{6}$/);
    expect(key.split('_')[1]).toBe(keyId);
    expect(digest).toHaveLength(32);
  });

  it('is unique', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => mintApiKey().key));
    expect(keys.size).toBe(1000);
  });

  it('contains its id when it is well formed', () => {
    const { key, keyId } = mintApiKey();
    expect(parseApiKeyId(key)).toBe(keyId);
  });

  it('is parsed into its id and digest', () => {
    const minted = mintApiKey();
    expect(parseApiKey(minted.key)).toEqual(minted);
    expect(parseApiKey(`${minted.key}x`)).toBeUndefined();
  });

  it('is rejected for every single mistyped character without a database', () => {
    const { key } = mintApiKey();
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(parseApiKeyId(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
    }
  });

  it('is rejected when characters are missing, added or swapped', () => {
    const { key } = mintApiKey();
    for (const wrong of ['', 'tsk_', key.slice(0, -1), `${key}x`, ` ${key}`, key.toUpperCase(), `${key}\n`])
      expect(parseApiKeyId(wrong)).toBeUndefined();
  });

  it('matches only its own digest', () => {
    const mine = mintApiKey();
    const other = mintApiKey();
    expect(apiKeyMatches(mine.key, mine.digest)).toBe(true);
    expect(apiKeyMatches(mine.key, other.digest)).toBe(false);
    expect(apiKeyMatches(mine.key, mine.digest.subarray(1))).toBe(false);
  });

  it('differs from a token by its prefix', () => {
    expect(looksLikeApiKey(mintApiKey().key)).toBe(true);
    expect(looksLikeApiKey('eyJhbGciOiJIUzI1NiJ9.e30.x')).toBe(false);
  });
});
