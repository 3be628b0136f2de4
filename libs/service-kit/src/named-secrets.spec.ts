import { describe, expect, it } from '@jest/globals';
import { fillSecrets, createSecretMask, secretNamesIn } from './named-secrets.js';

const secrets = new Map([['KEY', 'k-0123 456789']]);
const valueOf = (name: string) => secrets.get(name);

describe('secret placeholders in texts', () => {
  it('are found by name and replaced by their values', () => {
    expect(secretNamesIn('Bearer {secret:KEY}, {secret:}')).toEqual(['KEY', '']);
    expect(fillSecrets(['', 'a {secret:KEY} b'], valueOf)?.values).toEqual(['', 'a k-0123 456789 b']);
  });

  it('are not replaced when a value is missing', () => {
    expect(fillSecrets(['{secret:KEY}', '{secret:OTHER}'], valueOf)).toBeUndefined();
  });
});

describe('secrets in responses', () => {
  const mask = createSecretMask(['k-0123 456789', 'k-0123 4567890']);

  it('are masked in every encoding, the longest first', () => {
    const encoded = Buffer.from('key k-0123 456789!').toString('base64');
    expect(mask.text(`k-0123 456789, k-0123 4567890, k-0123%20456789, k-0123+456789.`)).toBe(
      '[secret], [secret], [secret], [secret].',
    );
    expect(mask.text(encoded)).toMatch(/^.{0,8}\[secret\].{0,4}$/);
    expect(mask.value({ 'k-0123 456789': ['k-0123 456789', 5, null] })).toEqual({ '[secret]': ['[secret]', 5, null] });
  });

  it('are detected when the end of a text may be the beginning of a secret', () => {
    expect(['', '!', '! k', '! k-0123', '! k-0123k-', 'kk-1'].map(mask.openEnd)).toEqual([0, 0, 1, 6, 2, 0]);
    expect(createSecretMask([]).openEnd('k-0123')).toBe(0);
  });
});
