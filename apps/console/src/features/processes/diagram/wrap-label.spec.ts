import { describe, expect, it } from '@jest/globals';
import { wrapLabel } from './wrap-label.js';

describe('a label', () => {
  it('stays on one line when it fits', () => {
    expect(wrapLabel('Check invoice', 136, 3)).toEqual(['Check invoice']);
  });

  it('breaks between words', () => {
    expect(wrapLabel('Verify invoices automatically', 136, 3)).toEqual(['Verify invoices', 'automatically']);
  });

  it('breaks inside of words that are longer than a line', () => {
    const lines = wrapLabel('Donaudampfschifffahrtsgesellschaft', 112, 3);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join('')).toBe('Donaudampfschifffahrtsgesellschaft');
  });

  it('ends with an ellipsis when it does not fit, also with 10,000 characters', () => {
    const lines = wrapLabel('word '.repeat(2_000), 136, 3);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/…$/);
    expect(wrapLabel('x'.repeat(10_000), 136, 1)).toEqual([expect.stringMatching(/^x{10,20}…$/)]);
  });

  it('counts what is wide as wide', () => {
    expect(wrapLabel('請求書を確認する担当者', 78, 3)[0]?.length).toBeLessThanOrEqual(6);
  });

  it('of nothing has no lines', () => {
    expect(wrapLabel('  ', 136, 3)).toEqual([]);
  });
});
