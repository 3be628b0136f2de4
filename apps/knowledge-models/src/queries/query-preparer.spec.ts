import { expect, it } from '@jest/globals';
import { callerView, checkModel, type CallerView, type DataQuery } from '@tessera/knowledge-model';
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
  return callerView(checked, { scopes, attributes: {} });
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

it('compiles a query once for a view and a schema, and again for others', () => {
  const queries = new CompiledQueries();
  const [all, some] = [viewOf(['all']), viewOf([])];
  const first = queries.compile(all, query, 'a');
  expect(queries.compile(all, { ...query }, 'a')).toBe(first);
  expect(queries.compile(all, query, 'b')).not.toBe(first);
  const hidden = queries.compile(some, query, 'a');
  expect(hidden.ok && hidden.value.columns.map(({ id }) => id)).toEqual(['ID']);
  expect(queries.compile(all, { ...query, page: 1 }, 'a')).not.toBe(first);
});

it('does not cache pages of a keyset', () => {
  const queries = new CompiledQueries();
  const view = viewOf(['all']);
  for (const [after, isKept] of [
    [undefined, true],
    [['7'], false],
  ] as const) {
    const page = { ...query, keyset: { skip: 0, ...(after && { after }) } };
    const compiled = queries.compile(view, page, 'a');
    expect(compiled.ok).toBe(true);
    expect(queries.compile(view, page, 'a') === compiled).toBe(isKept);
  }
});

it('does not cache a query that would evict many others', () => {
  const queries = new CompiledQueries();
  const view = viewOf(['all']);
  for (const [characters, isKept] of [
    [1_000, true],
    [300_000, false],
  ] as const) {
    const long = { ...query, search: { term: 'x'.repeat(characters), precision: 100 } };
    const compiled = queries.compile(view, long, 'a');
    expect(compiled.ok).toBe(true);
    expect(queries.compile(view, long, 'a') === compiled).toBe(isKept);
  }
});
