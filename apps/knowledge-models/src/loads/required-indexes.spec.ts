import { describe, expect, it } from '@jest/globals';
import {
  requiredIndexName,
  determineRequiredIndexes,
  type RequiredIndex,
  type TableUsage,
} from './required-indexes.js';

const column = (id: string, nullable?: boolean) => ({
  id,
  type: 'string' as const,
  ...(nullable !== undefined && { nullable }),
});
const table = {
  kind: 'Table' as const,
  schema: 's',
  id: 't',
  columns: [column('a'), column('b'), column('c', false), column('d')],
  primaryKey: ['a', 'b'],
};
const unused: TableUsage = {
  identifiers: [],
  relationships: [],
  policies: [],
  searches: [],
  sorts: [],
  nullable: new Set(),
};

/** `unique a b`, `d? a (c)`, `trigram d`; a question mark where null comes first. */
const shown = ({ kind, isUnique, columns, include }: RequiredIndex): string =>
  [
    ...(isUnique ? ['unique'] : []),
    ...(kind === 'trigram' ? ['trigram'] : []),
    ...columns.map(({ id, isNullFirst }) => (isNullFirst ? `${id}?` : id)),
    ...(include.length > 0 ? [`(${include.join(' ')})`] : []),
  ].join(' ');
const indexes = (
  usage: Partial<TableUsage>,
  definition: Partial<Parameters<typeof determineRequiredIndexes>[0]> = {},
) => determineRequiredIndexes({ ...table, ...definition }, { ...unused, ...usage }).map(shown);

describe('the indexes that a table needs', () => {
  it('include its key and those of its definition, nulls first for nullable columns', () => {
    expect(indexes({})).toEqual(['unique a b']);
    expect(indexes({}, { primaryKey: undefined })).toEqual([]);
    const named = [
      { columns: ['c', 'd', 'a'], include: ['b'] },
      { columns: ['d'], kind: 'trigram' as const },
    ];
    expect(indexes({}, { indexes: named })).toEqual(['unique a b', 'c d? a (b)', 'trigram d']);
  });

  it('put nulls first for a column that a model declares nullable', () => {
    expect(indexes({ nullable: new Set(['c', 'a']) }, { indexes: [{ columns: ['c', 'a'] }] })).toEqual([
      'unique a b',
      'c? a?',
    ]);
  });

  it('include identifiers in their order, once', () => {
    expect(indexes({ identifiers: [['a', 'b'], ['a'], ['b', 'a'], ['c'], ['c']] })).toEqual(['unique a b', 'b a', 'c']);
  });

  it('include what policies of other records look rows up by, in this order', () => {
    expect(
      indexes({
        policies: [
          ['d', 'a', 'b'],
          ['a', 'b'],
          ['c', 'a', 'b'],
        ],
        relationships: [['d']],
      }),
    ).toEqual(['unique a b', 'd? a b', 'c a b']);
  });

  it('include both sides of relationships, in any order, once', () => {
    const relationships = [['b', 'a'], ['a'], ['c', 'd'], ['d', 'c'], ['b']];
    expect(indexes({ relationships })).toEqual(['unique a b', 'c d?', 'b']);
    expect(indexes({ relationships: [['d']] }, { indexes: [{ columns: ['d'], kind: 'trigram' }] })).toEqual([
      'unique a b',
      'trigram d',
      'd?',
    ]);
  });

  it('include sortable columns followed by the identifier', () => {
    expect(
      indexes({
        sorts: [
          ['d', 'a', 'b'],
          ['a', 'b'],
        ],
      }),
    ).toEqual(['unique a b', 'd? a b']);
  });

  it('include one trigram index of all searched columns that have none yet', () => {
    expect(indexes({ searches: ['d', 'a', 'd', 'x'] })).toEqual(['unique a b', 'trigram a d']);
    const named = [{ columns: ['c', 'a'], kind: 'trigram' as const }];
    expect(indexes({ searches: ['d', 'a', 'b'] }, { indexes: named })).toEqual([
      'unique a b',
      'trigram c a',
      'trigram b d',
    ]);
    const numbers = { columns: [column('a'), { id: 'b', type: 'integer' as const }], primaryKey: undefined };
    expect(indexes({ searches: ['a', 'b'] }, numbers)).toEqual(['trigram a']);
  });

  it('have at most as many columns as PostgreSQL allows', () => {
    const many = Array.from({ length: 70 }, (_, at) => column(`c${at}`));
    const found = determineRequiredIndexes(
      { ...table, columns: many, primaryKey: undefined },
      { ...unused, searches: many.map(({ id }) => id) },
    );
    expect(found.map(({ columns: { length } }) => length)).toEqual([32, 32, 6]);
  });

  it('leave out columns that the table does not have', () => {
    expect(indexes({ identifiers: [['x']], relationships: [['a', 'x']], sorts: [['x', 'a']] })).toEqual(['unique a b']);
  });
});

describe('the name of an index', () => {
  const [first, second] = determineRequiredIndexes({ ...table, indexes: [{ columns: ['c', 'd'] }] }, unused);

  it('names its columns and differs between indexes', () => {
    if (!first || !second) throw new Error('two indexes were expected');
    expect(requiredIndexName('t', first)).toMatch(/^t_a_b~[0-9a-f]{12}$/);
    expect(requiredIndexName('t', second)).toMatch(/^t_c_d~[0-9a-f]{12}$/);
    const others = [
      { ...first, isUnique: false },
      { ...first, include: ['c'] },
      { ...first, kind: 'trigram' as const },
    ];
    expect(new Set([first, ...others].map((index) => requiredIndexName('t', index))).size).toBe(4);
    expect(requiredIndexName('t'.repeat(63), first)).toHaveLength(49);
  });
});
