import { describe, expect, it } from '@jest/globals';
import type { ResultColumn } from '../query/data-query.js';
import { selectBestHits } from './scored-hit.js';
import { indexValues, searchValues } from './search-values.js';

const column: ResultColumn = {
  id: 'SUPPLIER.CITY',
  name: 'City',
  type: 'string',
  aggregation: false,
  filterable: true,
  sortable: true,
  exact: false,
};
const cities = ['Rotterdam', 'Amsterdam', 'Köln', 'Düsseldorf', 'Sankt Augustin', 'New York', 'Å', '100% pure', ''];
const index = indexValues(cities);
const found = (term: string) => selectBestHits(searchValues(index, { column, recordName: 'Supplier' }, term));
const valuesFound = (term: string) => found(term).map(({ display_name }) => display_name);

describe('searchValues', () => {
  it('returns a value with its field', () => {
    expect(found('Rotterdam')[0]).toEqual({
      id: 'SUPPLIER.CITY',
      display_name: 'Rotterdam',
      record_display_name: 'Supplier',
      column_type: 'STRING',
      entity_type: 'Value',
    });
  });

  it.each([
    ['rotterdam', 'Rotterdam'],
    ['Roterdam', 'Rotterdam'],
    ['rotterdma', 'Rotterdam'],
    ['Koeln', 'Köln'],
    ['koln', 'Köln'],
    ['Duesseldorf', 'Düsseldorf'],
    ['dusseldrof', 'Düsseldorf'],
    ['Augustin, Sankt', 'Sankt Augustin'],
    ['newyork', 'New York'],
    ['York', 'New York'],
    ['amst', 'Amsterdam'],
    ['pure', '100% pure'],
  ])('for %p returns as the first hit %p', (term, value) => {
    expect(valuesFound(term)[0]).toBe(value);
  });

  it.each(['', ' ', '%', '🦄', 'Paris', "' or 1=1 --"])('finds nothing for %p', (term) => {
    expect(valuesFound(term)).toEqual([]);
  });

  it('returns the best of many matching values', () => {
    const many = indexValues([...Array.from({ length: 500 }, (_, number) => `Supplier ${number}`), 'Supplier']);
    const told = selectBestHits(searchValues(many, { column, recordName: '' }, 'supplier'));
    expect(told).toHaveLength(5);
    expect(told[0]?.display_name).toBe('Supplier');
  });
});
