import { describe, expect, it } from '@jest/globals';
import { showChanges, valueAt } from './compare-values.js';

const before = {
  name: 'Sales',
  records: [{ id: 'ITEM', attributes: [{ id: 'AMOUNT', unit: 'EUR' }] }],
  relationships: [{ from: 'ITEM', to: 'ORDER', cardinality: 'many-to-one' }],
  policies: [{ record: 'ITEM', rows: 'X' }],
};

describe('the value at a path', () => {
  it.each([
    ['name', 'Sales'],
    ['records.ITEM.attributes.AMOUNT.unit', 'EUR'],
    ['records.ITEM.attributes.AMOUNT', { id: 'AMOUNT', unit: 'EUR' }],
    ['relationships.ITEM->ORDER.cardinality', 'many-to-one'],
    ['policies.ITEM.rows', 'X'],
    ['records.OTHER.id', undefined],
    ['name.length.x', undefined],
    ['nothing.there', undefined],
  ])('%s', (path, expected) => {
    expect(valueAt(before, path)).toEqual(expected);
  });
});

it('a change shows what was and what is', () => {
  const after = { ...before, name: 'Verkauf', records: [{ id: 'ITEM', attributes: [] }] };
  const changes = [
    { path: 'name', change: 'changed', breaks: false },
    { path: 'records.ITEM.attributes.AMOUNT', change: 'removed', breaks: true },
    { path: 'policies.ITEM', change: 'added', breaks: false },
  ] as const;
  expect(showChanges(changes, before, after)).toEqual([
    { ...changes[0], before: 'Sales', after: 'Verkauf' },
    { ...changes[1], before: '{"id":"AMOUNT","unit":"EUR"}', after: undefined },
    { ...changes[2], before: undefined, after: '{"record":"ITEM","rows":"X"}' },
  ]);
});
