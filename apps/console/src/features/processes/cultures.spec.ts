import { describe, expect, it } from '@jest/globals';
import { chooseCulture, cultureName, cultureTag } from './cultures.js';

const demo = { cultures: [1033, 1031, 3082], defaultCulture: 1033 };

describe('the language of content', () => {
  it('is that of the address, of the page, or of the storage', () => {
    expect(chooseCulture(demo, 'de')).toBe('1031');
    expect(chooseCulture(demo, 'de', '3082')).toBe('3082');
    expect(chooseCulture(demo, 'de', '1036')).toBe('1031');
    expect(chooseCulture({ cultures: [1036, 1040], defaultCulture: 1040 }, 'es')).toBe('1040');
  });

  it('has its name in the language of the page', () => {
    const cultures = ['1033', '1031', '3082'];
    expect(cultures.map((culture) => cultureName(culture, cultures, 'de'))).toEqual([
      'Englisch',
      'Deutsch',
      'Spanisch',
    ]);
    expect(cultureName('3079', ['1031', '3079'], 'en')).toBe('Austrian German');
    expect(cultureName('4711', ['4711'], 'en')).toBe('4711');
    expect([cultureTag('1031'), cultureTag('4711')]).toEqual(['de-DE', undefined]);
  });
});
