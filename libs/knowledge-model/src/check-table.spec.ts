import { describe, expect, it } from '@jest/globals';
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import { checkTable } from './check-table.js';
import { parseTable } from './parse-definitions.js';

const table = {
  kind: 'Table',
  schema: 'p2p',
  id: 'po_item',
  columns: [
    { id: 'order_no', type: 'string' },
    { id: 'item_no', type: 'integer' },
    { id: 'amount', type: 'float', nullable: true },
  ],
  primaryKey: ['order_no', 'item_no'],
  source: { file: 'data/po_item.csv', delimiter: ';', header: false, null: 'NULL' },
};

const faultsOf = (members: object, before?: TableDefinition): readonly string[] => {
  const parsed = parseTable({ ...table, ...members });
  const faults = parsed.ok ? checkTable(parsed.value, before) : parsed.faults;
  return faults.map(({ path, message }) => `${path}: ${message}`);
};

describe('the definition of a table', () => {
  it('has no fault when it is valid', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ source: { file: 'items.txt', format: 'jsonl' } })).toEqual([]);
  });

  it('must have a key of existing columns, each once and not nullable', () => {
    expect(faultsOf({ primaryKey: ['order_no', 'amount', 'itm_no', 'order_no'] })).toEqual([
      'primaryKey.1: "amount" is part of the key, so it cannot be nullable',
      'primaryKey.2: unknown column "itm_no"; did you mean "item_no"?',
      'primaryKey.3: "order_no" is named twice',
    ]);
  });

  it('must have each column once, with a known type and a plain name', () => {
    const columns = [...table.columns, { id: 'amount', type: 'date' }];
    expect(faultsOf({ columns })).toEqual(['columns.3.id: "amount" is defined twice']);
    expect(faultsOf({ columns: [{ id: 'a', type: 'text' }] })).toEqual([
      expect.stringMatching(/^columns\.0\.type: expected one of string, /),
    ]);
    for (const id of ['Order', 'a"b', 'a b', 'a;', '', 'x'.repeat(64)])
      expect(faultsOf({ columns: [{ id, type: 'string' }], primaryKey: undefined })).toHaveLength(1);
    expect(faultsOf({ columns: [...table.columns, { id: 'xmin', type: 'integer' }] })).toEqual([
      'columns.3.id: "xmin" is a column of PostgreSQL\'s own; choose another name',
    ]);
  });

  it('may say the former name of a column, which only one column had and none has any more', () => {
    const [first, second, amount] = table.columns;
    const before = { ...table, kind: 'Table' as const, columns: [first, second, amount] } as TableDefinition;
    const withColumns = (...more: object[]) => faultsOf({ columns: [first, second, ...more] }, before);
    const net = { id: 'net', type: 'float', formerly: 'amount' };
    expect(withColumns(net)).toEqual([]);
    expect(faultsOf({ columns: [first, second, net] })).toEqual([]);
    // Applied before.
    expect(faultsOf({ columns: [first, second, net] }, { ...before, columns: [first, second, net] } as never)).toEqual(
      [],
    );
    expect(withColumns(net, amount ?? {})).toEqual([
      'columns.2.formerly: "amount" is a column still, so it has no other name',
    ]);
    expect(withColumns(net, { id: 'gross', type: 'float', formerly: 'amount' })).toEqual([
      'columns.3.formerly: "amount" is the former name of another column already',
    ]);
    expect(withColumns({ ...net, formerly: 'amuont' })).toEqual([
      'columns.2.formerly: unknown column "amuont"; did you mean "amount"?',
    ]);
    expect(withColumns({ ...net, type: 'integer' })).toEqual([
      'columns.2.formerly: "amount" is of type float; a column keeps its type with another name',
    ]);
    expect(withColumns({ id: 'a', type: 'float', formerly: 'b' }, { id: 'b', type: 'float', formerly: 'a' })).toEqual([
      'columns.2.formerly: "b" is a column still, so it has no other name',
      'columns.3.formerly: "a" is a column still, so it has no other name',
    ]);
    expect(withColumns({ id: 'a', type: 'float', formerly: 'a' })).toHaveLength(1);
    expect(faultsOf({ columns: [first, { ...second, formerly: 'amount' }] }, before)).toEqual([
      'columns.1.formerly: the table has a column "item_no" already, beside "amount"',
    ]);
  });

  it('must have indexes of existing columns, each once, and trigram indexes on texts only', () => {
    const indexes = [
      { columns: ['order_no', 'amount'], include: ['item_no'] },
      { columns: ['order_no'], kind: 'trigram' },
    ];
    expect(faultsOf({ indexes })).toEqual([]);
    const wrong = [
      { columns: ['order_n', 'amount', 'amount'], include: ['amount', 'itm_no'] },
      { columns: ['amount'], kind: 'trigram' },
      { columns: ['order_no'], include: ['amount'], kind: 'trigram' },
      { columns: ['order_no'], kind: 'trigram' },
    ];
    expect(faultsOf({ indexes: wrong })).toEqual([
      'indexes.0.columns.0: unknown column "order_n"; did you mean "order_no"?',
      'indexes.0.columns.2: "amount" is named twice',
      'indexes.0.include.0: "amount" is named twice',
      'indexes.0.include.1: unknown column "itm_no"; did you mean "item_no"?',
      'indexes.1.columns.0: "amount" is of type float; a trigram index is of columns of type string',
      'indexes.2.include: a trigram index includes no columns',
      'indexes.3: the index is defined twice',
    ]);
    expect(faultsOf({ indexes: [{ columns: ['amount'], kind: 'hash' }] })).toHaveLength(1);
  });

  it('must name a source file in its own folder, with a known format', () => {
    expect(faultsOf({ source: { file: 'items.txt' } })).toEqual([
      'source.file: the ending does not tell the format; expected .csv, .jsonl or a format',
    ]);
    for (const file of ['/etc/passwd', '../other.csv', 'a/../../b.csv', 'c:\\x.csv', 'http://x/y.csv', ''])
      expect(faultsOf({ source: { file } }).length).toBeGreaterThan(0);
    for (const delimiter of ['', ';;', '"', '\n', '\\'])
      expect(faultsOf({ source: { file: 'a.csv', delimiter } })).toHaveLength(1);
  });
});
