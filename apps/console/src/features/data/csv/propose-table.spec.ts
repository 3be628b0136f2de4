import { describe, expect, it } from '@jest/globals';
import type { CsvPreview } from './csv-preview.js';
import { nameFor, proposeColumns, typeFor } from './propose-columns.js';
import { definitionOfDraft, faultsOfDraft, proposeTable } from './propose-table.js';

const preview = (header: readonly string[] | undefined, ...rows: readonly (readonly string[])[]): CsvPreview => ({
  header,
  rows: rows.map((values, at) => ({ line: at + 2, values })),
  width: header?.length ?? rows[0]?.length ?? 0,
});

describe('the name for a column', () => {
  it.each([
    ['Order No.', 'order_no'],
    ['Größe (m²)', 'groesse_m2'],
    ['Año', 'ano'],
    ['2026 sum', '_2026_sum'],
    ['  net amount ', 'net_amount'],
    ['<b>"x"</b>', 'b_x_b'],
    ['x'.repeat(100), 'x'.repeat(63)],
    ['名前', undefined],
    ['', undefined],
  ])('%j is %j', (title, expected) => {
    expect(nameFor(title)).toBe(expected);
  });
});

describe('the type for a column of values', () => {
  it.each([
    [['1', '-22', ''], 'integer'],
    [['1', '2.5'], 'float'],
    [['1e5', '.5', '-3'], 'float'],
    [['00012', '12'], 'string'],
    [['01.5'], 'string'],
    [['12345678901234567890'], 'float'],
    [['true', 'false'], 'boolean'],
    [['2026-06-30'], 'date'],
    [['2026-13-30'], 'string'],
    [['2026-06-30T08:15:00', '2026-06-30 08:15'], 'datetime'],
    [['2026-06-30T08:15:00Z', '2026-06-30T08:15:00.5+02:00'], 'timestamp'],
    [['08:15', '23:59:59'], 'time'],
    [['1', 'x'], 'string'],
    [['1,5'], 'string'],
    [['', ' '], 'string'],
    [[], 'string'],
  ])('%j is %s', (values, expected) => {
    expect(typeFor(values)).toBe(expected);
  });
});

describe('a table for a file', () => {
  it('has its name, and a column for each of its columns', () => {
    const proposed = proposeTable(preview(['Order No', 'Amount'], ['1', '2.5'], ['2', '']), 'New orders.csv', ['p2p']);
    expect(proposed).toEqual({
      ...{ schema: 'p2p', id: 'new_orders' },
      columns: [
        { id: 'order_no', type: 'integer', isKey: false },
        { id: 'amount', type: 'float', isKey: false },
      ],
    });
    expect(faultsOfDraft(proposed, ['p2p.other'])).toEqual([]);
  });

  it('names columns apart, and those without a title by their place', () => {
    const ids = proposeColumns(preview(['a', 'A', '', '名', 'a'])).map(({ id }) => id);
    expect(ids).toEqual(['a', 'a_2', 'column_3', 'column_4', 'a_3']);
    expect(proposeColumns(preview(undefined, ['1', 'x'])).map(({ id }) => id)).toEqual(['column_1', 'column_2']);
    expect(proposeTable(preview([]), '名.csv', [])).toEqual({ schema: 'data', id: 'new_table', columns: [] });
  });

  it('is not made with names that the server refuses', () => {
    const columns = [
      { id: 'a', type: 'string', isKey: false },
      { id: 'a', type: 'string', isKey: false },
      { id: 'B', type: 'string', isKey: false },
    ] as const;
    expect(faultsOfDraft({ schema: 'P', id: '', columns }, [])).toEqual([
      { place: 'schema', fault: 'badName' },
      { place: 'id', fault: 'badName' },
      { place: 1, fault: 'nameTwice' },
      { place: 2, fault: 'badName' },
    ]);
    expect(faultsOfDraft({ schema: 'p', id: 'x', columns: [] }, ['p.x'])).toEqual([
      { place: 'id', fault: 'tableTaken' },
    ]);
  });

  it('is defined with its key, when it has one', () => {
    const columns = [
      { id: 'a', type: 'string', isKey: true },
      { id: 'b', type: 'date', isKey: false },
    ] as const;
    const plain = columns.map((column) => ({ ...column, isKey: false }));
    const defined = {
      kind: 'Table',
      schema: 'p',
      id: 'x',
      columns: [
        { id: 'a', type: 'string' },
        { id: 'b', type: 'date' },
      ],
    };
    expect(definitionOfDraft({ schema: 'p', id: 'x', columns })).toEqual({ ...defined, primaryKey: ['a'] });
    expect(definitionOfDraft({ schema: 'p', id: 'x', columns: plain })).toEqual(defined);
  });
});
