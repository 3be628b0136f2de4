import { describe, expect, it } from '@jest/globals';
import { assertAllSynonymsUsed, readSynonyms } from './find-synonyms.js';

const table = `
SUPPLIER_NO | vendor, Kreditor
INVOICE.SUPPLIER_NO | biller, Vendor
`;

describe('synonyms', () => {
  it('begin with the name in the other language, and contain each word once, ignoring case', () => {
    const words = readSynonyms(table);
    expect(words.of(['SUPPLIER_NO', 'INVOICE.SUPPLIER_NO'], 'Supplier', 'Lieferant')).toEqual({
      synonyms: ['Lieferant', 'vendor', 'Kreditor', 'biller'],
    });
    expect(words.of(['SUPPLIER_NO'], 'Vendor', 'Kreditor')).toEqual({ synonyms: ['Kreditor'] });
    expect(words.of(['STATUS'], 'Status', 'Status')).toEqual({});
  });

  it('of unknown ids make the generation fail', () => {
    const words = readSynonyms(table);
    words.of(['SUPPLIER_NO'], 'Supplier', undefined);
    expect(() => assertAllSynonymsUsed(words)).toThrow(
      'There are synonyms for INVOICE.SUPPLIER_NO, and no such thing.',
    );
    words.of(['INVOICE.SUPPLIER_NO'], 'Supplier', undefined);
    expect(() => assertAllSynonymsUsed(words)).not.toThrow();
  });
});
