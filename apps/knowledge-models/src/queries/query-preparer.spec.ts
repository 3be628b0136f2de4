import { describe, expect, it } from '@jest/globals';
import {
  createCallerView,
  checkModel,
  type CallerView,
  type CompiledQuery,
  type DataQuery,
} from '@tessera/knowledge-model';
import { CompiledQueries } from './query-preparer.js';

const checked = checkModel(
  {
    kind: 'KnowledgeModel',
    id: 'things',
    source: { schema: 's' },
    records: [
      {
        id: 'THING',
        table: 'thing',
        identifier: ['ID'],
        attributes: [
          { id: 'ID', column: 'id' },
          { id: 'SECRET', column: 'secret' },
        ],
      },
    ],
    policies: [{ record: 'THING', hide: ['SECRET'], unless: { scope: 'all' } }],
  },
  new Map(),
);
const viewOf = (scopes: readonly string[]): CallerView => {
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createCallerView(checked, { scopes, attributes: {} });
};
const query: DataQuery = {
  record: 'THING',
  fields: 'all',
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
  pageSize: 10,
};

const compile = (queries: CompiledQueries, view: CallerView, asked: DataQuery, schema = 'a'): CompiledQuery => {
  const compiled = queries.compile(view, asked, schema);
  if (!compiled.ok) throw new Error(compiled.failure.detail);
  return compiled.value;
};

it('QueryPreparer compiles a query once for each view and schema', () => {
  const queries = new CompiledQueries();
  const [all, some] = [viewOf(['all']), viewOf([])];
  const first = compile(queries, all, query);
  expect(compile(queries, all, { ...query })).toBe(first);
  expect(compile(queries, all, query, 'b')).not.toBe(first);
  expect(compile(queries, some, query).columns.map(({ id }) => id)).toEqual(['ID']);
  expect(compile(queries, all, { ...query, page: 1 })).not.toBe(first);
});

describe('queries that differ only in compared literals', () => {
  const view = viewOf(['all']);
  const filtered = (text: string): DataQuery => ({ ...query, filterExpressions: [text] });

  it('share one statement with different parameters', () => {
    const queries = new CompiledQueries();
    const first = compile(queries, view, filtered("ID eq 'a' and SECRET ne 'b'"));
    const other = compile(queries, view, filtered("ID eq 'c' and SECRET ne 'longer'"));
    expect(other.rows.text).toBe(first.rows.text);
    expect(other.columns).toBe(first.columns);
    expect([first.rows.values, other.rows.values]).toEqual([
      ['a', 'b', '10', '0'],
      ['c', 'longer', '10', '0'],
    ]);
    expect([first.count.values, other.count.values]).toEqual([
      ['a', 'b'],
      ['c', 'longer'],
    ]);
    expect(compile(queries, view, filtered("ID eq 'a' and SECRET ne 'b'"))).toBe(first);
  });

  it('report faults at their own positions', () => {
    const queries = new CompiledQueries();
    compile(queries, view, filtered("ID eq 'a'"));
    const faults = ['ID eq 5', "  NAME eq 'a'", "ID eq 'a' and"].map((text) => {
      const compiled = queries.compile(view, filtered(text), 'a');
      return compiled.ok ? [] : compiled.failure.faults?.map(({ path, position }) => [path, position]);
    });
    expect(faults).toEqual([[['filterExpr', 6]], [['filterExpr', 2]], [['filterExpr', 13]]]);
  });
});

it('QueryPreparer does not cache keyset pages', () => {
  const queries = new CompiledQueries();
  const view = viewOf(['all']);
  for (const [after, isKept] of [
    [undefined, true],
    [['7'], false],
  ] as const) {
    const page = { ...query, keyset: { skip: 0, ...(after && { after }) } };
    const compiled = compile(queries, view, page);
    expect(compile(queries, view, page) === compiled).toBe(isKept);
  }
});

it('QueryPreparer does not cache a query that would evict many others', () => {
  const queries = new CompiledQueries();
  const view = viewOf(['all']);
  for (const [characters, isKept] of [
    [1_000, true],
    [300_000, false],
  ] as const) {
    const long = { ...query, search: { term: 'x'.repeat(characters), precision: 100 } };
    const compiled = compile(queries, view, long);
    expect(compile(queries, view, long) === compiled).toBe(isKept);
  }
});
