import { describe, expect, it } from '@jest/globals';
import { definedName, nameOf, spelledOut, textInCulture } from './names.js';

describe('a name', () => {
  it('is the one in the language that is asked for', () => {
    const attributes = { name: { 1031: 'Bestellen', 1033: 'Order' } };
    expect(nameOf({ attributes }, '1031')).toEqual({ text: 'Bestellen', culture: '1031', isGap: false });
  });

  it('of another language is told from one of this language', () => {
    expect(textInCulture({ 1031: 'Bestellen', 1033: 'Order' }, '3082')).toEqual({
      ...{ text: 'Order', culture: '1033', isGap: true },
    });
    expect(textInCulture({ 1031: 'Bestellen', 1033: ' ' }, '3082')).toMatchObject({ culture: '1031', isGap: true });
  });

  it('without a language holds in all', () => {
    expect(textInCulture({ 127: 'ERP' }, '3082')).toEqual({ text: 'ERP', isGap: false });
    expect(textInCulture({ 127: 42 }, '3082').text).toBe('42');
  });

  it('that nobody has given is empty', () => {
    expect(nameOf({ attributes: {} }, '1033')).toEqual({ text: '', isGap: true });
    expect(textInCulture({ 1033: null }, '1033').text).toBe('');
  });
});

describe('what a definition names', () => {
  it.each([
    ['casesPerYear', 'Cases per year'],
    ['KPI', 'KPI'],
    ['relatedERPSystem', 'Related ERPSystem'],
    ['release-notes_old', 'Release notes old'],
  ])('%s is spelled out as %s', (name, text) => {
    expect(spelledOut(name)).toBe(text);
  });

  it('has the name that was given to it', () => {
    expect(definedName('measuredBy', { 1033: 'Measured by', 1031: 'Gemessen an' }, '1031')).toBe('Gemessen an');
    expect(definedName('measuredBy', {}, '1031')).toBe('Measured by');
  });
});
