/** Searches without a field on a table that is too large to be read for each of them: what PostgreSQL does, and what it finds. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import {
  createCallerView,
  checkModel,
  compileQuery,
  type CompiledStatement,
  type DataQuery,
} from '@tessera/knowledge-model';
import pg from 'pg';
import { createTextSearchQuery } from '../tools/searchable-values.js';
import { openQueryClient } from '../testing/query-client.js';
import { type LoadClient, openLoadFixture } from '../testing/load-client.js';
import { readJsonAnswer, type Fixture } from '../testing/fixture.js';

const team = 'depot';
const parcelCount = 62_000;
const carrierCount = 400;

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'depot',
  source: { schema: 'p2p' },
  records: [
    {
      id: 'PARCEL',
      table: 'parcel',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'CITY', column: 'city' },
        { id: 'STREET', column: 'street' },
        { id: 'NOTE', column: 'note' },
        { id: 'STATUS', column: 'status' },
        { id: 'PIN', column: 'pin' },
        { id: 'CARRIER_ID', column: 'carrier_id', type: 'integer' },
        { id: 'WEIGHT', column: 'weight', type: 'float' },
      ],
      augmentedAttributes: [{ id: 'SIZE', expression: "case when WEIGHT > 99 then 'enormous' else 'ordinary' end" }],
    },
    {
      id: 'CARRIER',
      table: 'carrier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'NAME', column: 'name' },
      ],
    },
  ],
  relationships: [{ from: 'PARCEL', to: 'CARRIER', on: { CARRIER_ID: 'ID' }, cardinality: 'many-to-one' }],
  policies: [{ record: 'PARCEL', hide: ['PIN'], unless: { scope: 'depot:keep' } }],
};
const texts = ['no', 'city', 'street', 'note', 'status'];

const cities = ['Köln', 'Bonn', 'Haarlem', 'Straßburg', 'São Paulo', 'Ålesund', 'Łódź'];
const words = ['fragile', 'Übergröße', '50% paid', 'a_b', 'back\\slash', 'left at the gate', "o'clock", 'naïve'];
const parcelOf = (no: number): readonly unknown[] => [
  `PARCEL-${String(no * 7_919).padStart(9, '0')}`,
  `${cities[no % cities.length]} ${no % 90}`,
  `Street of the ${(no * 31) % 5_000} oaks ${no % 17}`,
  no % 5 === 0 ? '' : `${words[no % words.length]} ${(no * 17) % 977}`,
  no % 50 === 0 ? 'lost' : 'delivered',
  `PIN${no}SECRET`,
  no % carrierCount,
  no % 100,
];
const csvOf = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map((value) => (value === '' ? '' : `"${String(value)}"`)).join(',')}\n`).join('');

const string = 'string' as const;
const parcels = {
  id: 'parcel',
  columns: [
    ...['no', ...texts.slice(1), 'pin'].map((id) => ({ id, type: string })),
    { id: 'carrier_id', type: 'integer' as const },
    { id: 'weight', type: 'float' as const },
  ],
  primaryKey: ['no'],
};
const carriers = {
  id: 'carrier',
  columns: [
    { id: 'id', type: 'integer' as const },
    { id: 'name', type: string },
  ],
  primaryKey: ['id'],
};

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
  await loading.define(team, parcels);
  await loading.define(team, carriers);
  await fixture.publish(team, model);
  await readJsonAnswer(
    loading.load(team, 'parcel', csvOf(Array.from({ length: parcelCount }, (_, no) => parcelOf(no)))),
  );
  const names = Array.from({ length: carrierCount }, (_, id) => [id, `Carrier ${id === 123 ? 'Zugvogel' : id}`]);
  await readJsonAnswer(loading.load(team, 'carrier', csvOf(names)));
  for (const table of ['parcel', 'carrier']) await loading.indexes.ensureTable({ team, schema: 'p2p', table });
}, 120_000);
afterAll(() => end());

type Search = { readonly term: string; readonly precision: number };

const compiled = (search: Search, fields: readonly string[] = ['NO'], scopes: readonly string[] = []) => {
  const record = fields.some((name) => name.includes('.')) ? {} : { record: 'PARCEL' };
  return compiledQuery(
    {
      ...{ ...record, fields, search },
      ...{ kpis: [], filterIds: [], filterExpressions: [], distinct: false, page: 0, pageSize: 50 },
    },
    scopes,
  );
};

const compiledQuery = (question: DataQuery, scopes: readonly string[] = []) => {
  const checked = checkModel(model, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const query = compileQuery(createCallerView(checked, { scopes, attributes: {} }), question, {
    schema: `${team}.p2p`,
  });
  if (!query.ok) throw new Error(query.failure.detail);
  return query.value;
};
type Compiled = ReturnType<typeof compiled>;

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
};

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const literal = (value: unknown): string =>
  pg.escapeLiteral(Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join(',')}}` : String(value));

/** What ran, as it runs once the statement is prepared: planned for its values, or for any. */
const runOf = async (
  { settings }: Pick<Compiled, 'settings'>,
  { text, values }: CompiledStatement,
  mode: 'custom' | 'generic',
) => {
  await admin.query('begin');
  try {
    const all = { jit: 'off', plan_cache_mode: `force_${mode}_plan`, ...settings };
    for (const [name, value] of Object.entries(all))
      await admin.query('select set_config($1, $2, true)', [name, value]);
    await admin.query(`prepare asked as ${text}`);
    const { rows } = await admin.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `explain (analyze, timing off, format json) execute asked(${values.map(literal).join(', ')})`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('There is no plan.');
    return nodesOf(plan).filter((node) => node['Actual Loops'] > 0);
  } finally {
    await admin.query('rollback');
    await admin.query('deallocate all');
  }
};

const rowsLookedAt = (nodes: readonly PlanNode[], table = 'parcel'): number =>
  nodes
    .filter((node) => node['Relation Name'] === table)
    .map((node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      return (node['Actual Rows'] + removed) * node['Actual Loops'];
    })
    .reduce((sum, rows) => sum + rows, 0);

const waysInto = (nodes: readonly PlanNode[]): readonly string[] => [
  ...new Set(nodes.filter((node) => node['Relation Name'] === 'parcel').map((node) => node['Node Type'])),
];

const eachRun = async (query: Compiled, look: (nodes: readonly PlanNode[]) => void): Promise<void> => {
  for (const statement of [query.rows, query.count])
    for (const mode of ['custom', 'generic'] as const) look(await runOf(query, statement, mode));
};

/** Of the definition, by reading every row. */
const countByReading = async ({ term, precision }: Search): Promise<number> => {
  const pattern = `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const size = `case when weight > 99 then 'enormous' else 'ordinary' end`;
  const conditions = [...texts, size].map((text) =>
    precision === 100 ? `${text} ilike $1` : `word_similarity($1, ${text}) >= ${precision / 100 - 0.000001}::real`,
  );
  const { rows } = await admin.query<{ count: string }>(
    `select count(*) as count from "${team}.p2p".parcel where ${conditions.join(' or ')}`,
    [precision === 100 ? pattern : term],
  );
  return Number(rows[0]?.count);
};

const totalOf = async (query: Compiled): Promise<number> => {
  await admin.query('begin');
  try {
    for (const [name, value] of Object.entries(query.settings))
      await admin.query('select set_config($1, $2, true)', [name, value]);
    const { rows } = await admin.query<{ count: string }>(query.count.text, [...query.count.values]);
    return Number(rows[0]?.count);
  } finally {
    await admin.query('rollback');
  }
};

const indexed: readonly Search[] = [
  { term: 'Haarlem', precision: 80 },
  { term: 'PARCEL-000007919', precision: 100 },
  { term: 'nothing like it', precision: 80 },
  { term: 'zzzzzz', precision: 100 },
  { term: 'zzzzzz', precision: 1 },
  { term: 'delivered', precision: 80 },
  { term: 'delivered', precision: 100 },
  { term: 'PARCEL', precision: 30 },
  { term: 'Übergroße', precision: 30 },
  { term: 'STRASSBURG', precision: 50 },
  { term: 'straßburg', precision: 100 },
  { term: 'a', precision: 80 },
  { term: 'a', precision: 1 },
  { term: 'ka', precision: 30 },
  { term: '50% paid', precision: 100 },
  { term: 'a_b', precision: 100 },
  { term: 'k\\slash', precision: 100 },
  { term: '%', precision: 80 },
  { term: '_', precision: 1 },
];

describe('a search without a field', () => {
  it.each(indexed)('reads only rows found by the index for $term with a precision of $precision', async (search) => {
    const query = compiled(search);
    await eachRun(query, (nodes) => {
      expect(waysInto(nodes).filter((way) => way !== 'Bitmap Heap Scan' && way !== 'Tid Scan')).toEqual([]);
      const used = nodes.filter((node) => node['Node Type'] === 'Bitmap Index Scan').map((node) => node['Index Name']);
      expect(used.every((name) => name?.startsWith('parcel_no_city_street_note_status'))).toBe(true);
      expect(rowsLookedAt(nodes)).toBeLessThanOrEqual((texts.length + 1) * parcelCount);
    });
    expect(await totalOf(query)).toBe(await countByReading(search));
  });

  it.each(['nothing like it', 'Zugvogel', '%', '💥'])(
    'reads almost no rows for %s, which no row contains',
    async (term) => {
      await eachRun(compiled({ term, precision: 80 }), (nodes) => {
        expect(rowsLookedAt(nodes)).toBeLessThan(parcelCount / 100);
      });
    },
  );

  it.each(['a', 'öl', '%', '%_', 'zq'])('reads each row at most once for %s, which has no trigram', async (term) => {
    const search = { term, precision: 100 };
    const query = compiled(search);
    await eachRun(query, (nodes) => expect(rowsLookedAt(nodes)).toBeLessThanOrEqual(parcelCount));
    expect(await totalOf(query)).toBe(await countByReading(search));
  });

  it('scans all rows of a formula with few texts only when one of them is similar', async () => {
    const search = { term: 'enormous', precision: 80 };
    const query = compiled(search);
    expect(await totalOf(query)).toBe(await countByReading(search));
    await eachRun(query, (nodes) => expect(rowsLookedAt(nodes)).toBeLessThanOrEqual(2 * parcelCount));
    const other = compiled({ term: 'Haarlem', precision: 80 });
    await eachRun(other, (nodes) => expect(waysInto(nodes)).not.toContain('Seq Scan'));
  });

  it('finds rows by related records without reading others', async () => {
    const query = compiled({ term: 'Zugvogel', precision: 80 }, ['PARCEL.NO', 'CARRIER.NAME']);
    expect(await totalOf(query)).toBe(parcelCount / carrierCount);
    await eachRun(query, (nodes) => {
      expect(waysInto(nodes)).not.toContain('Seq Scan');
      expect(rowsLookedAt(nodes)).toBeLessThanOrEqual((3 * parcelCount) / carrierCount);
    });
  });

  it('neither finds nor reads a hidden column', async () => {
    const search = { term: 'PIN4711SECRET', precision: 100 };
    const hidden = compiled(search);
    expect(`${hidden.rows.text} ${hidden.count.text}`).not.toContain('pin');
    expect(await totalOf(hidden)).toBe(0);
    await eachRun(hidden, (nodes) => expect(rowsLookedAt(nodes)).toBe(0));
    expect(await totalOf(compiled(search, ['NO'], ['depot:keep']))).toBe(1);
  });

  it('serves the value search of tools', async () => {
    await eachRun(compiledQuery(createTextSearchQuery('PARCEL', ['CITY', 'NOTE'], 'Haarlem 4')), (nodes) => {
      expect(waysInto(nodes)).not.toContain('Seq Scan');
      expect(rowsLookedAt(nodes)).toBeLessThan(parcelCount / 2);
    });
  });

  it('still uses the index after many executions on one connection', async () => {
    const queryClient = openQueryClient(fixture, { QUERY_CONNECTIONS: '1' });
    for (const number of Array.from({ length: 12 }, (_, at) => at)) {
      const searchTerm = `Street of the ${number} oaks`;
      const found = await readJsonAnswer(
        queryClient.query({ team }, 'depot', 'PARCEL', {
          fields: ['NO', 'STREET'],
          searchTerm,
          searchPrecision: 100,
        }),
      );
      expect(found.total).toBe(await countByReading({ term: searchTerm, precision: 100 }));
      expect(found.total).toBeGreaterThan(0);
    }
  });
});
