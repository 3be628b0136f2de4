import { describe, expect, it } from '@jest/globals';
import { columnsOfMatch, faultsOfMatch, matchColumns, type TableColumn } from './match-columns.js';

const column = (id: string, nullable = true): TableColumn => ({ id, nullable, type: 'string' });
const columns = [column('order_no', false), column('amount'), column('note')];
const match = (header: readonly string[] | undefined, width = header?.length ?? 0) =>
  matchColumns({ header, rows: [], width }, columns);

describe('columns of a file', () => {
  it.each<[string, readonly string[], readonly (string | undefined)[]]>([
    ['by their names, in any order', ['note', 'order_no'], ['note', 'order_no']],
    ['by what their titles would be as names', ['Order No.', 'AMOUNT'], ['order_no', 'amount']],
    ['once each, the right name first', ['Amount', 'amount', 'amount'], [undefined, 'amount', undefined]],
    ['not at all when nothing fits', ['x', '', '名'], [undefined, undefined, undefined]],
  ])('find columns of the table %s', (_, header, expected) => {
    expect(match(header)).toEqual(expected);
  });

  it('without a header go to those of the table in order', () => {
    expect(match(undefined, 2)).toEqual(['order_no', 'amount']);
    expect(match(undefined, 4)).toEqual(['order_no', 'amount', 'note', undefined]);
  });
});

describe('a match', () => {
  it('has no faults when every value has its column, and every needed column a value', () => {
    expect(faultsOfMatch(['note', 'order_no'], ['order_no'])).toEqual([]);
    expect(columnsOfMatch(['note', 'order_no'])).toEqual(['note', 'order_no']);
  });

  it('says what is left over, taken twice, and missing', () => {
    expect(faultsOfMatch(['amount', undefined, 'amount'], ['order_no'])).toEqual([
      { kind: 'unmatched', at: 1 },
      { kind: 'twice', at: 2, column: 'amount' },
      { kind: 'missing', columns: ['order_no'] },
    ]);
  });
});
