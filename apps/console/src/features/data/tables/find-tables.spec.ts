import { describe, expect, it } from '@jest/globals';
import { findTables, fullNameOf, sortTables, subjectOf, type ListedTable } from './find-tables.js';

const table = (id: string, rest: Partial<ListedTable> = {}): ListedTable => ({
  ...{ schema: 'p2p', id, name: id, dataVersion: 1, rows: 1, bytes: 0, kept: [] },
  columns: [{ id: 'no', type: 'string', nullable: true }],
  ...rest,
});
const tables = [
  table('supplier', { name: 'Lieferanten', rows: 24, loadedAt: '2026-02-01T00:00:00Z' }),
  table('item', { rows: 700, loadedAt: '2026-01-01T00:00:00Z' }),
  table('event', { rows: 0, columns: [{ id: 'occurred_at', type: 'timestamp', nullable: false }] }),
];
const idsOf = (found: readonly ListedTable[]) => found.map(({ id }) => id);

describe('tables are found', () => {
  it.each([
    ['', ['supplier', 'item', 'event']],
    ['ITEM', ['item']],
    ['lieferant', ['supplier']],
    ['p2p.', ['supplier', 'item', 'event']],
    [' occurred ', ['event']],
    ['nothing', []],
  ])('by %j', (text, expected) => {
    expect(idsOf(findTables(tables, text))).toEqual(expected);
  });
});

it('tables are sorted by name, rows and when they were loaded', () => {
  expect(idsOf(sortTables(tables, 'table', 'ascending'))).toEqual(['event', 'item', 'supplier']);
  expect(idsOf(sortTables(tables, 'rows', 'descending'))).toEqual(['item', 'supplier', 'event']);
  expect(idsOf(sortTables(tables, 'loaded', 'ascending'))).toEqual(['event', 'item', 'supplier']);
});

it('a table has a name in addresses', () => {
  expect(fullNameOf(table('item'))).toBe('p2p.item');
});

it('members are called by their id', () => {
  expect([subjectOf('member:robert.novak'), subjectOf('key:abc')]).toEqual(['robert.novak', 'key:abc']);
});
