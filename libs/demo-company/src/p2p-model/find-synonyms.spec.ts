import { describe, expect, it } from '@jest/globals';
import { requireUsed, synonymsIn } from './find-synonyms.js';

const table = `
SUPPLIER_NO | vendor, Kreditor
INVOICE.SUPPLIER_NO | biller, Vendor
`;

describe('synonyms', () => {
  it('begin with the name in the other language, and have each word once whatever its case', () => {
    const words = synonymsIn(table);
    expect(words.of(['SUPPLIER_NO', 'INVOICE.SUPPLIER_NO'], 'Supplier', 'Lieferant')).toEqual({
      synonyms: ['Lieferant', 'vendor', 'Kreditor', 'biller'],
    });
    expect(words.of(['SUPPLIER_NO'], 'Vendor', 'Kreditor')).toEqual({ synonyms: ['Kreditor'] });
    expect(words.of(['STATUS'], 'Status', 'Status')).toEqual({});
  });

  it('of unknown things stop the generation', () => {
    const words = synonymsIn(table);
    words.of(['SUPPLIER_NO'], 'Supplier', undefined);
    expect(() => requireUsed(words)).toThrow('There are synonyms for INVOICE.SUPPLIER_NO, and no such thing.');
    words.of(['INVOICE.SUPPLIER_NO'], 'Supplier', undefined);
    expect(() => requireUsed(words)).not.toThrow();
  });
});
