import { describe, expect, it } from '@jest/globals';
import { createDecipheriv, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { openToken, sealToken } from './skip-token.js';

const key = new Uint8Array(32).fill(1);
const binding = 'team/model/record/order';

describe('a token', () => {
  it('is opened to the values that it was sealed with', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string({ unit: 'grapheme' }))), fc.string(), (values, bound) => {
        expect(openToken(key, bound, sealToken(key, bound, values))).toEqual(values);
      }),
    );
  });

  it('is encrypted and differs each time', () => {
    const tokens = [1, 2].map(() => sealToken(key, binding, ['a value to hide']));
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('value');
    }
  });

  it('does not reveal the length of a value', () => {
    const lengths = ['', '7', 'a name that is somewhat longer', 'ж'.repeat(50)].map(
      (value) => sealToken(key, binding, ['2024-01-01', value]).length,
    );
    expect(new Set(lengths).size).toBe(1);
    expect(sealToken(key, binding, ['a'.repeat(1_000)]).length).toBeLessThan(2_000);
  });

  it('is sealed with a key derived from its binding, so that few tokens share one', () => {
    const bytes = Buffer.from(sealToken(key, binding, ['a']), 'base64url');
    const openedBy = (secret: Uint8Array): string => {
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(1, 13));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(13, -16), undefined, 'utf8') + decipher.final('utf8');
    };
    expect(JSON.parse(openedBy(createHmac('sha256', key).update(binding).digest()))).toEqual(['a']);
    expect(() => openedBy(key)).toThrow();
  });

  it('is rejected when changed, cut or extended', () => {
    const token = sealToken(key, binding, ['2024-01-01', null, "it's"]);
    for (let at = 0; at < token.length; at++) {
      const other = token.charAt(at) === 'A' ? 'B' : 'A';
      expect(openToken(key, binding, token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
      expect(openToken(key, binding, token.slice(0, at))).toBeUndefined();
    }
    for (const text of [`${token}A`, `${token}=`, `${token} `, ` ${token}`, token.replace(/^./, 'B'), token + token])
      expect(openToken(key, binding, text)).toBeUndefined();
  });

  it('is rejected with another key or another binding', () => {
    const token = sealToken(key, binding, ['a']);
    expect(openToken(new Uint8Array(32).fill(2), binding, token)).toBeUndefined();
    expect(openToken(key, `${binding}2`, token)).toBeUndefined();
    expect(openToken(key, '', token)).toBeUndefined();
  });

  it('is rejected when it holds something other than values', () => {
    for (const value of [{}, [1], 'a', [['a']], null]) {
      const token = sealToken(key, binding, JSON.parse(JSON.stringify(value)));
      expect(openToken(key, binding, token)).toBeUndefined();
    }
  });

  it('is rejected when it is an arbitrary text', () => {
    for (const text of ['', 'A', '0', "'", 'ä', 'AAAA', 'A'.repeat(40_000), 'A'.repeat(40_001), '\0', '%00'])
      expect(openToken(key, binding, text)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => void expect(openToken(key, binding, text)).toBeUndefined()));
  });
});
