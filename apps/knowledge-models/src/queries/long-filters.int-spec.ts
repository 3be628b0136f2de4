/** Filters of bodies: 64 KiB and lists of 10,000 values, in every interface and engine, as one parameter, and without holding the event loop. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KnowledgeModelDefinition, loadData, readModelQuery } from '@tessera/contracts/knowledge-models';
import { checkModel, compileQuery, createCallerView, type DataQuery } from '@tessera/knowledge-model';
import { type ColumnarClient, openColumnarClient } from '../testing/columnar-client.js';
import { openFixture, readBodyText, readFailure, readJsonAnswer, type Fixture } from '../testing/fixture.js';
import { openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';
import { GroupEngines } from './group-engines.js';

const asker = { team: 'meridian' };
const definition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'parts',
  source: { schema: 'parts' },
  records: [
    {
      id: 'PART',
      table: 'part',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'CODE', column: 'code' },
        { id: 'MADE', column: 'made', type: 'timestamp' },
      ],
    },
  ],
  kpis: [{ id: 'PARTS', expression: 'count(PART.*)' }],
};
const table = {
  ...{ schema: 'parts', name: 'part', columns: 'id bigint primary key, code text, made timestamptz' },
  rows: `select g, 'C' || g, timestamptz '2026-01-01 00:00+00' + g * interval '1 minute' from generate_series(1, 20000) g`,
  then: ['analyze $table'],
};

let fixture: Fixture;
let tools: ToolClient;
let odata: ODataClient;
let engine: ColumnarClient;
let columnar: QueryClient;
const computedBy: string[] = [];
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(asker.team, definition);
  await fixture.load(asker.team, table);
  tools = openToolClient(fixture);
  odata = openODataClient(fixture, tools);
  engine = await openColumnarClient(fixture);
  await engine.files.ensure(asker.team);
  const onComputed = (by: string): void => void computedBy.push(by);
  columnar = openQueryClient(
    fixture,
    {},
    {
      engines: (costs) =>
        new GroupEngines(engine.reader, engine.files, costs, { isOn: true, rowsMin: 1, hasFallback: true, onComputed }),
    },
  );
});
afterAll(async () => {
  await engine?.end();
  await fixture?.end();
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => 2 * at + 1);
const ids = (count: number): string => `PART.ID in (${numbers(count).join(',')})`;
const longest = `PART.CODE in (${Array.from({ length: 9_000 }, (_, at) => `C${at + 1}`).join(',')})`;
/** Every other minute, as the rows have them. */
const moments = Array.from({ length: 3_500 }, (_, at) =>
  new Date(Date.UTC(2026, 0, 1, 0, 2 * at + 1)).toISOString().slice(0, 16),
);

const partsOf = async (client: QueryClient, filterExpr: readonly string[]) =>
  (await readJsonAnswer(client.postQuery(asker, 'parts', undefined, { kpis: ['PARTS'], filters: { filterExpr } })))
    .content[0].PARTS;

describe('a long list', () => {
  it.each([
    ['numbers', [ids(10_000)], 10_000],
    ['texts without quotes', [longest], 9_000],
    ['moments', [`PART.MADE in (${moments.join(',')})`], 3_500],
    ['two expressions', [ids(5_000), ids(1_000)], 1_000],
  ])('of %s counts the same in both engines', async (_title, filterExpr, count) => {
    expect(await partsOf(tools, filterExpr)).toBe(count);
    expect(await partsOf(columnar, filterExpr)).toBe(count);
  });

  it('is asked of the columnar engine too, where it is no list of moments', () => {
    expect(computedBy.filter((by) => by === 'duckdb')).toHaveLength(3);
  });

  it('holds in OData and in tools', async () => {
    const $filter = ids(10_000).replace('PART.', '');
    const counted = await odata.count(asker, 'parts', 'PART', { $filter });
    expect(counted.ok && (await readBodyText(counted.value))).toBe('10000');
    const filter = { column_id: 'PART.CODE', values: numbers(10_000).map((id) => `C${id}`), case_sensitive: true };
    const asked = { columns: ['PARTS'], applied_filters: { string_filters: [filter] } };
    const { data_frame_content } = await readJsonAnswer(tools.load(asker, 'parts', asked));
    expect(data_frame_content.data).toEqual([{ PARTS: 10_000 }]);
  });

  it('is refused beyond that, by its place', async () => {
    const refusalOf = async (filterExpr: readonly string[]) => {
      const failure = await readFailure(
        tools.postQuery(asker, 'parts', undefined, { kpis: ['PARTS'], filters: { filterExpr } }),
      );
      return [failure?.code, failure?.detail.slice(-70), failure?.faults?.[0]?.path];
    };
    expect(await refusalOf([`PART.ID in (${'1,'.repeat(10_000)}1)`])).toEqual([
      'KM_FILTER_SYNTAX',
      expect.stringContaining('A list has at most 10000 values.'),
      'projection.filters.filterExpr',
    ]);
    expect(await refusalOf([longest, `PART.CODE eq '${'x'.repeat(15_000)}'`])).toEqual([
      'KM_FILTER_SYNTAX',
      expect.stringContaining('at most 65536 are accepted.'),
      'projection.filters.filterExpr.1',
    ]);
    const long = { column_id: 'PART.CODE', values: Array.from({ length: 100 }, () => 'x'.repeat(656)) };
    const asked = { columns: ['PARTS'], applied_filters: { string_filters: [long] } };
    expect((await readFailure(tools.load(asker, 'parts', asked)))?.detail).toBe(
      'applied_filters.string_filters.0.values: expected at most 65536 characters together.',
    );
    expect(
      loadData.request.safeParse({
        km_id: 'parts',
        arguments: {
          ...asked,
          applied_filters: { string_filters: [{ ...long, values: Array.from({ length: 10_001 }, () => 'x') }] },
        },
      }).success,
    ).toBe(false);
  });
});

describe('in a URL', () => {
  const isAccepted = (...filterExpr: readonly string[]): boolean =>
    readModelQuery.request.safeParse({ km_id: 'parts', filterExpr }).success;

  it('filters have 4,000 characters together', () => {
    expect([isAccepted('x'.repeat(4_000)), isAccepted('x'.repeat(2_000), 'y'.repeat(2_000))]).toEqual([true, true]);
    expect([isAccepted('x'.repeat(4_001)), isAccepted('x'.repeat(2_000), 'y'.repeat(2_001))]).toEqual([false, false]);
  });
});

it('a long filter is compiled in less than 50 ms of the processor, as one parameter', () => {
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error('The model has faults.');
  const view = createCallerView(checked, { scopes: [], attributes: {} });
  const query = (text: string): DataQuery => ({
    ...{ fields: [], kpis: ['PARTS'], filterIds: [], filterExpressions: [text], distinct: false, page: 0, pageSize: 1 },
  });
  for (const text of [ids(10_000), longest, `PART.MADE in (${moments.join(',')})`]) {
    const times = Array.from({ length: 5 }, () => {
      const before = process.threadCpuUsage();
      const compiled = compileQuery(view, query(text), { schema: 'parts' });
      const { user, system } = process.threadCpuUsage(before);
      expect(compiled.ok && compiled.value.rows.values.length).toBeLessThan(10);
      return user + system;
    });
    expect(Math.min(...times)).toBeLessThan(50_000);
  }
});
