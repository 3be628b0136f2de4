import { describe, expect, it } from '@jest/globals';
import { nameIn, readEntries } from './content-entries.js';

it('reads what elements are called, and leaves out what is none', () => {
  const element = {
    ...{ id: 'e1', facetName: 'processes', state: 'inReview', type: 'process' },
    attributes: { name: { '1033': 'Verify', '1031': ' ', '3082': 7 } },
  };
  expect(readEntries([element, { id: '' }, 'x', null, { id: 'e2' }])).toEqual([
    { id: 'e1', facetName: 'processes', state: 'inReview', names: { '1033': 'Verify' } },
    { id: 'e2', facetName: '', state: '', names: {} },
  ]);
  expect(readEntries(undefined)).toEqual([]);
});

describe('a name', () => {
  const names = { '1033': 'Verify invoices', '1031': 'Rechnungen prüfen' };

  it('is that of the language of the page', () => {
    expect(nameIn(names, 'de', 1033)).toEqual({ text: 'Rechnungen prüfen', isGap: false });
    expect(nameIn({ '3079': 'Jänner' }, 'de', 1033)).toEqual({ text: 'Jänner', isGap: false });
    expect(nameIn({ '127': 'SAP' }, 'es', 1033)).toEqual({ text: 'SAP', isGap: false });
  });

  it('is a gap where the language has none: then that of the storage, then any', () => {
    expect(nameIn(names, 'es', 1033)).toEqual({ text: 'Verify invoices', isGap: true });
    expect(nameIn({ '1036': 'Vérifier' }, 'en', 1031)).toEqual({ text: 'Vérifier', isGap: true });
    expect(nameIn({}, 'en', 1033)).toEqual({ text: '', isGap: true });
  });
});
