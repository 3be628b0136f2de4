import { describe, expect, it } from '@jest/globals';
import { parseAliases, expandAliases } from './aliases.js';
import { toProcedureQuery } from './find-procedure.js';
import { extractSearchTerms, maxSearchTerms, replaceCountryNamesByCodes } from './search-terms.js';

describe('search terms', () => {
  it('are the meaningful words and pairs of adjacent words', () => {
    expect(extractSearchTerms('What is the maverick rate in plant 2010?')).toEqual(
      expect.arrayContaining(['maverick', 'rate', 'plant', '2010', 'maverick rate', 'plant 2010']),
    );
    expect(extractSearchTerms('What is the rate of it?')).toEqual(['rate']);
  });

  it('include country codes', () => {
    expect(extractSearchTerms('Ausgaben in Deutschland')).toEqual(expect.arrayContaining(['DE', 'Deutschland']));
    expect(extractSearchTerms('spend in Spain')).toContain('ES');
    expect(replaceCountryNamesByCodes('from Spain and Germany', (code) => code === 'ES')).toBe('from ES and Germany');
  });

  it('are limited to what one call accepts', () => {
    const many = Array.from({ length: 60 }, (_, index) => `Word${index}x`).join(' ');
    expect(extractSearchTerms(many)).toHaveLength(maxSearchTerms);
  });

  it('are empty for a question without words', () => {
    expect(extractSearchTerms('?')).toEqual([]);
  });
});

describe('aliases', () => {
  const aliases = parseAliases(
    'You answer questions.\n- Valencia = plant 2010\n"the old works" = plant 1010\nx <= 5\n',
  );

  it('are read from the instructions of the agent', () => {
    expect(expandAliases('Rate in Valencia, and in THE OLD WORKS', aliases)).toBe(
      'Rate in plant 2010, and in plant 1010',
    );
  });

  it('replace only whole words', () => {
    expect(expandAliases('Valencian', aliases)).toBe('Valencian');
  });
});

describe('the content search query for a procedure', () => {
  it.each([
    ['How do I create a purchase order?', 'create purchase order'],
    ['Wie läuft die Rechnungsprüfung?', 'Rechnungsprüfung'],
    ['Who is responsible for goods receipts?', 'goods receipts'],
  ])('reduces "%s" to "%s"', (question, query) => {
    expect(toProcedureQuery(question)).toBe(query);
  });
});
