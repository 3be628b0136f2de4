import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainQuery, type KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import {
  type ColumnarReader,
  ColumnarRefusal,
  type ColumnarRefusalReason,
  type DataQuery,
} from '@tessera/knowledge-model';
import { type ColumnarClient, openColumnarClient } from '../testing/columnar-client.js';
import {
  callerContextOf,
  openFixture,
  readFailure,
  readJsonAnswer,
  type Fixture,
  type TestTable,
} from '../testing/fixture.js';
import { adminContextOf } from '../testing/definition-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { GroupEngines } from './group-engines.js';
import { ExplainQueryHandler } from './explain-query.handler.js';
import type { EstimatedStatement } from './query-preparer.js';
import { StatementCosts } from './statement-costs.js';

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'sales',
  source: { schema: 'trade' },
  records: [
    {
      id: 'SALE',
      table: 'sale',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'PLANT', column: 'plant', type: 'string' },
        { id: 'AMOUNT', column: 'amount', type: 'float', exact: true },
        { id: 'MADE', column: 'made', type: 'timestamp' },
        { id: 'SELLER', column: 'seller', type: 'integer' },
      ],
    },
    {
      id: 'SELLER',
      table: 'seller',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'COUNTRY', column: 'country', type: 'string' },
      ],
    },
  ],
  relationships: [{ from: 'SALE', to: 'SELLER', on: { SELLER: 'ID' }, cardinality: 'many-to-one' }],
  kpis: [
    { id: 'REVENUE', expression: 'sum(SALE.AMOUNT)', exact: true },
    { id: 'AVERAGE', expression: 'avg(SALE.AMOUNT)', exact: true },
    { id: 'SELLERS', expression: 'count(distinct SALE.SELLER)' },
    { id: 'SHARE', expression: 'sum(SALE.AMOUNT / 3)' },
  ],
  policies: [{ record: 'SALE', rows: 'PLANT in caller.plants', unless: { scope: 'all' } }],
};

const saleColumns = `id bigint not null, plant text collate pg_c_utf8, amount numeric, made timestamptz, seller bigint`;
const sales = (count: number, factor = 1): TestTable => ({
  schema: 'trade',
  name: 'sale',
  columns: saleColumns,
  rows: `select i, (array['Berlin', 'Rome', null, ''])[1 + i % 4], ((i % 700) * ${factor})::numeric / 8, timestamptz '2026-01-01Z' + i * interval '1 hour',
    i % 40 from generate_series(1, ${count}) i`,
  then: ['create index by_id on $table (id)', 'analyze $table'],
});
const sellers: TestTable = {
  schema: 'trade',
  name: 'seller',
  columns: 'id bigint not null, country text collate pg_c_utf8',
  rows: `select i, (array['DE', 'IT', null])[1 + i % 3] from generate_series(0, 30) i`,
  then: ['analyze $table'],
};

const team = 'meridian';
const all = { team, scopes: ['all'] };
const questions: readonly Readonly<Record<string, unknown>>[] = [
  { kpis: ['REVENUE', 'AVERAGE', 'SELLERS'] },
  { fields: ['SALE.PLANT'], kpis: ['REVENUE', 'AVERAGE', 'SELLERS'], sort: '-REVENUE' },
  { fields: ['SALE.MADE:month', 'SELLER.COUNTRY'], kpis: ['REVENUE'], pageSize: 7, page: 1 },
  { fields: ['SELLER.COUNTRY'], kpis: ['AVERAGE'], filterExpr: ['REVENUE gt 1000', "SALE.PLANT ne 'Rome'"] },
];

let fixture: Fixture;
let engine: ColumnarClient;
let plain: QueryClient;
let columnar: QueryClient;
const computed: string[] = [];

const enginesWith =
  (reader: ColumnarReader, hasFallback = true) =>
  (costs: StatementCosts): GroupEngines =>
    new GroupEngines(reader, engine.files, costs, {
      isOn: true,
      rowsMin: 1_000,
      hasFallback,
      onComputed: (by, reason) => computed.push(`${by} ${reason}`),
    });

/** Nothing is kept, so that each question is computed. */
const withoutCache = { RESULT_CACHE_BYTES: '0' };

beforeAll(async () => {
  fixture = await openFixture();
  for (const owner of [team, 'northgate']) await fixture.publish(owner, model);
  await fixture.load(team, sales(5_000), sellers);
  await fixture.load('northgate', sales(5_000, 3), sellers);
  engine = await openColumnarClient(fixture);
  await engine.files.ensure(team);
  await engine.files.ensure('northgate');
  plain = openQueryClient(fixture, withoutCache);
  columnar = openQueryClient(fixture, withoutCache, { engines: enginesWith(engine.reader) });
});
afterAll(async () => {
  await engine?.end();
  await fixture?.end();
});

const ask = (client: QueryClient, by: Parameters<QueryClient['query']>[0], question: (typeof questions)[number]) =>
  readJsonAnswer(client.query(by, model.id, undefined, question));

/** The rows of a question for the revenue. */
const prepareRows = async (question: Partial<DataQuery>) => {
  const query = { fields: [], kpis: ['REVENUE'], filterIds: [], filterExpressions: [], distinct: false };
  const prepared = await plain.models.prepare(callerContextOf(team, all).caller, model.id, ({ compile }) =>
    compile({ ...query, page: 0, pageSize: 50, ...question }),
  );
  if (!prepared.ok) throw new Error(prepared.failure.detail);
  const { grouped, ...statement } = prepared.value.prepareStatement(prepared.value.compiled.rows);
  if (!grouped) throw new Error('It has groups.');
  return { ...statement, grouped };
};

/** By whom the statements of the work were computed. */
const computedDuring = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  computed.length = 0;
  await work();
  return [...new Set(computed)];
};

describe('KPIs of a large table', () => {
  it.each(questions)('are computed by columns, with the answer that PostgreSQL gives: %j', async (question) => {
    const expected = await ask(plain, all, question);
    const by = await computedDuring(async () => expect(await ask(columnar, all, question)).toEqual(expected));
    expect(by).toEqual(['duckdb many-rows']);
    expect(expected.content.length).toBeGreaterThan(0);
  });

  it('are of the rows that policies let the caller see', async () => {
    const caller = { team, attributes: { plants: ['Rome'] } };
    for (const question of questions)
      expect(await ask(columnar, caller, question)).toEqual(await ask(plain, caller, question));
    const plants = await ask(columnar, caller, { fields: ['SALE.PLANT'], kpis: ['REVENUE'] });
    expect(plants.content).toHaveLength(1);
  });

  it('are of the own team, whatever tables of another are called', async () => {
    const [question = {}] = questions;
    const other = { ...all, team: 'northgate' };
    const [own, others] = [await ask(columnar, all, question), await ask(columnar, other, question)];
    expect(others).toEqual(await ask(plain, other, question));
    expect(own).not.toEqual(others);
  });

  it('are computed by PostgreSQL where an index finds few rows', async () => {
    const question = { kpis: ['REVENUE'], filterExpr: ['SALE.ID eq 7'] };
    const by = await computedDuring(async () =>
      expect(await ask(columnar, all, question)).toEqual(await ask(plain, all, question)),
    );
    expect(by).toEqual(['postgresql few-rows']);
  });

  it('are computed by PostgreSQL where engines would compute them differently', async () => {
    const question = { fields: ['SALE.PLANT'], kpis: ['SHARE'] };
    const by = await computedDuring(async () =>
      expect(await ask(columnar, all, question)).toEqual(await ask(plain, all, question)),
    );
    expect(by).toEqual(['postgresql expression']);
  });

  it('are those of another load from its first moment on', async () => {
    const [question = {}] = questions;
    const before = await ask(columnar, all, question);
    await fixture.load(team, sales(6_000, 5));
    const after = await ask(columnar, all, question);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await ask(plain, all, question));
    await engine.files.ensure(team);
    const by = await computedDuring(async () => expect(await ask(columnar, all, question)).toEqual(after));
    expect(by).toEqual(['duckdb many-rows']);
  });
});

describe('the choice of who computes', () => {
  const never = new AbortController().signal;
  const untouchable = (): never => {
    throw new Error('It was looked at.');
  };

  /** Planning it once more fails. */
  const statementOf = async (...filterExpressions: readonly string[]): Promise<EstimatedStatement> => {
    const { grouped, ...statement } = await prepareRows({ filterExpressions });
    return { ...statement, grouped: Object.defineProperty({ ...grouped }, 'query', { get: untouchable }) };
  };
  const choose = async (statement: EstimatedStatement, options: object, costs = new StatementCosts()) => {
    const usual = { isOn: true, rowsMin: 1_000, hasFallback: true, onComputed: () => undefined };
    const { reason } = await new GroupEngines(engine.reader, engine.files, costs, { ...usual, ...options }).choose(
      statement,
      never,
    );
    return reason;
  };

  it('is told by explain, with its reason', async () => {
    const { models, execution } = columnar;
    const handler = new ExplainQueryHandler(fixture.catalogs, models, execution.engines, execution.costs);
    const engineFor = async (filterExpr: readonly string[], kpi = 'REVENUE') => {
      const query = { projection: { kpis: [kpi], filters: { filterExpr } } };
      const caller = { scopes: ['all'] };
      const explained = await handler.explain(
        explainQuery.request.parse({ team, modelId: model.id, explain: { query, caller } }),
        adminContextOf(team),
      );
      return explained.ok ? explained.value.engine : explained.failure;
    };
    expect(await engineFor([])).toEqual({
      name: 'duckdb',
      reason: 'many-rows',
      detail: 'It reads many rows, and all that is computed over them is exact by columns.',
    });
    expect(await engineFor(['SALE.ID eq 7'])).toMatchObject({ name: 'postgresql', reason: 'few-rows' });
    expect(await engineFor([], 'SHARE')).toMatchObject({ name: 'postgresql', reason: 'expression' });
  });

  it('looks at neither the files nor the engine when they are switched off', async () => {
    const options = { isOn: false, rowsMin: 1_000, hasFallback: true, onComputed: () => undefined };
    const nobody = { engine: 'none', ask: untouchable };
    const off = new GroupEngines(nobody, { find: untouchable }, new StatementCosts(), options);
    const statement = await statementOf();
    expect(await off.choose(statement, never)).toMatchObject({ engine: 'postgresql', reason: 'off' });
    expect(await off.replace(statement, never)).toBeUndefined();
  });

  it('plans a question once where no table is large, or none is stored by columns', async () => {
    const statement = await statementOf();
    expect(await choose(statement, { rowsMin: 100_000 })).toBe('few-rows');
    const elsewhere = { ...statement, source: { ...statement.source, generationOf: () => undefined } };
    expect(await choose(elsewhere, {})).toBe('no-table');
    await expect(choose(statement, {})).rejects.toThrow('It was looked at.');
  });

  it('plans a question once where PostgreSQL is known to read few rows', async () => {
    const costs = new StatementCosts();
    const statement = await statementOf('SALE.ID eq 8');
    await costs.of(statement, never);
    expect(await choose(statement, {}, costs)).toBe('few-rows');
    expect(await choose(await statementOf('SALE.ID eq 9'), {}, costs)).toBe('few-rows');
  });
});

it('many groups are read in one turn of the event loop and written in another', async () => {
  const answered = 1_001;
  let turns = 0;
  const many: ColumnarReader = {
    engine: 'duckdb',
    ask: (query) => {
      turns = 0;
      setImmediate(() => (turns += 1));
      const columns = [...query.keys, ...query.aggregates].map(() =>
        Array.from({ length: answered }, (_, at) => `${at}`),
      );
      return Promise.resolve({ rows: answered, columns });
    },
  };
  const client = openQueryClient(fixture, withoutCache, { engines: enginesWith(many) });
  const statement = await prepareRows({ fields: ['SALE.SELLER'] });
  expect(await client.execution.engines.replace(statement, new AbortController().signal)).toBeDefined();
  expect(turns).toBe(1);
  const { total } = await ask(client, all, { fields: ['SALE.SELLER'], kpis: ['REVENUE'] });
  expect(total).toBe(answered);
});

describe('an engine that does not answer', () => {
  const refusing = (reason: ColumnarRefusalReason): ColumnarReader => ({
    engine: 'duckdb',
    ask: () => Promise.reject(new ColumnarRefusal(reason)),
  });
  const [question = {}] = questions;

  it.each(['timeout', 'engine-ended', 'too-many-groups'] as const)('leaves it to PostgreSQL: %s', async (reason) => {
    const client = openQueryClient(fixture, withoutCache, { engines: enginesWith(refusing(reason)) });
    const by = await computedDuring(async () =>
      expect(await ask(client, all, question)).toEqual(await ask(plain, all, question)),
    );
    expect(by).toEqual([`postgresql ${reason}`]);
  });

  it('is a failure where PostgreSQL may not answer in its place', async () => {
    const client = openQueryClient(fixture, withoutCache, { engines: enginesWith(refusing('timeout'), false) });
    expect(await readFailure(client.query(all, model.id, undefined, question))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('is no failure there when it says what a healthy one says as well', async () => {
    const client = openQueryClient(fixture, withoutCache, {
      engines: enginesWith(refusing('too-many-groups'), false),
    });
    expect(await ask(client, all, question)).toEqual(await ask(plain, all, question));
  });
});
