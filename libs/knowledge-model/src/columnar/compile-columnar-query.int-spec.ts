import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { checkModel } from '../check-model.js';
import { compileQuery } from '../compile-query.js';
import { type CallerView, createCallerView } from '../query/caller-view.js';
import type { DataQuery, QueryCaller } from '../query/data-query.js';
import type { EngineTables } from '../testing/columnar/copied-rows.js';
import { salesModelWith, salesTablesSql } from '../testing/columnar/sales.js';
import { testedEngine } from '../testing/columnar/tested-engine.js';
import { readTextRows } from '../testing/queries/answers.js';
import type { ColumnarTable } from './columnar-query.js';
import { compileColumnarQuery } from './compile-columnar-query.js';

const schema = 'sales';
const { dates } = testedEngine;
const everything: QueryCaller = { scopes: ['all'], attributes: {} };

let database: TestDatabase;
let client: pg.Client;
let engine: EngineTables;
const tables = new Map<string, ColumnarTable>();

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query(`set timezone = 'Asia/Kathmandu'; create schema ${schema}; ${salesTablesSql(schema, dates.from)}`);
  engine = await testedEngine.open();
  for (const table of ['sale', 'seller']) tables.set(table, await engine.copy(client, schema, table));
});
afterAll(async () => {
  engine?.close();
  await client?.end();
  await database?.drop();
});

type Policies = KnowledgeModelDefinition['policies'];

const viewOf = (kpi: string, caller: QueryCaller, policies?: Policies): CallerView => {
  const checked = checkModel({ ...salesModelWith(kpi), ...(policies && { policies }) }, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createCallerView(checked, caller);
};

type Question = Partial<DataQuery>;

const queryOf = (question: Question): DataQuery => ({
  ...{ fields: [], kpis: ['K'], filterIds: [], filterExpressions: [], distinct: false, page: 0, pageSize: 1_000 },
  ...question,
});

const find = (table: string): ColumnarTable | undefined => tables.get(table);

const obstacleOf = (kpi: string, question: Question = {}, caller = everything, policies?: Policies): string => {
  const view = viewOf(kpi, caller, policies);
  const compiled = compileColumnarQuery(view, queryOf(question), { schema, statement: 'rows', find });
  return compiled.isPossible ? 'none' : compiled.obstacle;
};

/** The rows of both ways, each as the text that PostgreSQL sends. */
const answersOf = async (
  kpi: string,
  question: Question,
  caller: QueryCaller,
  statement: 'rows' | 'count',
  policies?: Policies,
) => {
  const view = viewOf(kpi, caller, policies);
  const plain = compileQuery(view, queryOf(question), { schema });
  if (!plain.ok) throw new Error(plain.failure.detail);
  const compiled = compileColumnarQuery(view, queryOf(question), { schema, statement, find });
  if (!compiled.isPossible) throw new Error(compiled.obstacle);
  const { grains, compileOver } = compiled.question;
  const { signal } = new AbortController();
  const groups = [];
  for (const { query, groupsMax } of grains) groups.push(await engine.reader.ask(query, { groupsMax, signal }));
  const over = compileOver(groups);
  expect(over.text).not.toContain('"sale" as');
  return { expected: await readTextRows(client, plain.value[statement]), found: await readTextRows(client, over) };
};

const byPlant: Question = { fields: ['SALE.PLANT'] };

describe('groups that are computed by columns have the same bytes', () => {
  it.each<[title: string, kpi: string, question?: Question]>([
    ['a sum without groups', 'sum(SALE.AMOUNT)'],
    ['nothing', 'sum(SALE.AMOUNT)', { filterExpressions: ["SALE.PLANT eq 'nowhere'"] }],
    ['a count of nothing', 'count(SALE.*)', { filterExpressions: ["SALE.PLANT eq 'nowhere'"] }],
    ['null apart from the empty text, first', 'count(SALE.*)', byPlant],
    ['groups in descending order, null last', 'count(SALE.*)', { ...byPlant, sort: '-SALE.PLANT' }],
    ['columns whose names differ in case', 'count(SALE.*)', { fields: ['SALE.PLANT', 'SALE.OTHER_PLANT'] }],
    ['averages of decimals', 'avg(SALE.AMOUNT)', byPlant],
    ['averages of integers', 'avg(SALE.QTY)', byPlant],
    ['averages of decimals that show different digits', 'avg(SALE.MIXED)', byPlant],
    ['a ratio of sums', 'sum(SALE.AMOUNT) / sum(SALE.QTY)', byPlant],
    ['a division by nothing', 'sum(SALE.AMOUNT) / sum(SALE.ZERO)', byPlant],
    ['rounding of a ratio', 'round(sum(SALE.AMOUNT) / count(SALE.*), 3)', byPlant],
    ['sums of decimals that show different digits', 'sum(SALE.MIXED)', { fields: ['SALE.QTY'] }],
    ['sums of products of such', 'sum(SALE.MIXED * SALE.AMOUNT + SALE.QTY)', { fields: ['SALE.QTY'] }],
    ['a sum of a choice with less digits', 'sum(case when SALE.OPEN then SALE.AMOUNT else 0 end)', byPlant],
    [
      'a product with a choice of integers whose first has less digits',
      'sum((case when SALE.OPEN then 0 else SALE.QTY end) * SALE.AMOUNT)',
      byPlant,
    ],
    ['a sum of a decimal or nothing', 'sum(coalesce(SALE.AMOUNT, 0.5))', byPlant],
    ['sums of long products', 'sum(SALE.AMOUNT * SALE.QTY * 1000000.125)', byPlant],
    ['shares of rows', 'avg(case when SALE.OPEN then 1.0 else 0.0 end)', byPlant],
    ['a part of the rows', 'sum(SALE.AMOUNT) filter (where SALE.OPEN and SALE.QTY > 3)', byPlant],
    ['different values', 'count(distinct SALE.PLANT)', { fields: ['SALE.OPEN'] }],
    ['different decimals, however many digits they show', 'count(distinct SALE.MIXED)', byPlant],
    ['different days', 'count(distinct SALE.DAY)', byPlant],
    ['the first text by code points', 'min(SALE.PLANT)', { fields: ['SALE.OTHER_PLANT'] }],
    ['the last text by code points', 'max(SALE.PLANT)', { fields: ['SALE.OTHER_PLANT'], sort: '-K' }],
    ['the largest decimal', 'max(SALE.AMOUNT)', byPlant],
    ['the last day', 'max(SALE.DAY)', byPlant],
    ['the first moment, with microseconds', 'min(SALE.AT)', byPlant],
    ['the last instant', 'max(SALE.SEEN)', byPlant],
    ['months', 'sum(SALE.AMOUNT)', { fields: ['SALE.MONTH'] }],
    ['weeks with their years', 'sum(extract(isoyear from SALE.DAY) * 100 + extract(week from SALE.DAY))', byPlant],
    ['weeks of a date', 'sum(SALE.AMOUNT)', { fields: ['SALE.DAY:week'] }],
    ['quarters of a moment', 'sum(SALE.AMOUNT)', { fields: ['SALE.AT:quarter'] }],
    ['years of an instant', 'sum(SALE.AMOUNT)', { fields: ['SALE.SEEN:year'] }],
    ['groups by a formula', 'sum(SALE.AMOUNT)', { fields: ['SALE.SIZE'], sort: '-SALE.SIZE' }],
    ['conditions on groups', 'sum(SALE.AMOUNT)', { ...byPlant, filterExpressions: ['K lt 0.5'] }],
    ['a page in the order of a KPI', 'sum(SALE.AMOUNT)', { ...byPlant, sort: '-K', page: 1, pageSize: 3 }],
    ['a field of a related row', 'sum(SALE.AMOUNT)', { fields: ['SELLER.NAME'] }],
    ['a formula of a related row', 'sum(SALE.AMOUNT)', { fields: ['SELLER.KNOWN'] }],
    ['products with a related value', 'sum(SALE.AMOUNT * SELLER.SHARE)', { fields: ['SELLER.NAME'] }],
    ['KPIs of two records', 'sum(SALE.AMOUNT) / count(SELLER.*)'],
    [
      'a backslash in a condition',
      'count(SALE.*)',
      { ...byPlant, filterExpressions: [String.raw`contains(SALE.PLANT, '\')`] },
    ],
    ['wildcards in a condition', 'count(SALE.*)', { ...byPlant, filterExpressions: ["endswith(SALE.PLANT, '%')"] }],
    ['an underscore in a condition', 'count(SALE.*)', { ...byPlant, filterExpressions: ["contains(SALE.PLANT, '_')"] }],
    ['texts of a list', 'count(SALE.*)', { ...byPlant, filterExpressions: ["SALE.PLANT not in ('Berlin', '')"] }],
    ['texts from one on', 'count(SALE.*)', { ...byPlant, filterExpressions: ["SALE.PLANT ge 'b'"] }],
    ['decimals of a list', 'count(SALE.*)', { ...byPlant, filterExpressions: ['SALE.MIXED in (1.50, 0, 10.125)'] }],
    ...['eq', 'ne', 'gt', 'ge', 'lt', 'le'].map((operator): [string, string, Question] => [
      `a moment between two microseconds: ${operator}`,
      'count(SALE.*)',
      { ...byPlant, filterExpressions: [`SALE.AT ${operator} 2023-12-28T23:59:58.9999995 or SALE.PLANT eq 'Berlin'`] },
    ]),
    ...['gt 0.1234', 'ge 0.1234', 'lt 0.1234', 'le 0.1234', 'eq 0.1234', 'ne 0.1234', 'gt -0.0001'].map(
      (condition): [string, string, Question] => [
        `more digits than a decimal has: ${condition}`,
        'count(SALE.*)',
        { ...byPlant, filterExpressions: [`SALE.AMOUNT ${condition} or SALE.PLANT eq 'Berlin'`] },
      ],
    ),
    [
      'a condition that null does not meet',
      'count(SALE.*)',
      { ...byPlant, filterExpressions: ["not (SALE.PLANT eq 'x')"] },
    ],
    [
      'a span of time',
      'count(SALE.*)',
      { ...byPlant, filterExpressions: ['SALE.SEEN ge 2024-02-01 and SALE.AT lt 2024-03-01T12:30'] },
    ],
    [
      'a year',
      'count(SALE.*)',
      { ...byPlant, filterExpressions: ['year(SALE.SEEN) eq 2024 and month(SALE.DAY) le 6'] },
    ],
    ['a date before all', 'count(SALE.*)', { ...byPlant, filterExpressions: [`SALE.DAY gt ${dates.from}`] }],
    ['a related row in a condition', 'count(SALE.*)', { ...byPlant, filterExpressions: ["SELLER.NAME ne 'Ada'"] }],
  ])('%s', async (_title, kpi, question = {}) => {
    for (const statement of ['rows', 'count'] as const) {
      if (statement === 'count' && !question.fields) continue;
      const { expected, found } = await answersOf(kpi, question, everything, statement);
      expect(found).toEqual(expected);
      if (statement === 'rows') expect(expected.length).toBeGreaterThan(0);
    }
  });

  it('with the rows that policies let a caller see, and no others', async () => {
    const caller = { scopes: [], attributes: { plants: ['Berlin', ''] } };
    const question = { fields: ['SALE.PLANT', 'SELLER.NAME'] };
    const { expected, found } = await answersOf('sum(SALE.AMOUNT)', question, caller, 'rows');
    expect(found).toEqual(expected);
    expect(new Set(found.map(([plant]) => plant))).toEqual(new Set(['Berlin', '']));
    expect(found.flat()).not.toContain('Secret');
  });
});

describe('under policies that read a related row, and one of that row', () => {
  const seller = { record: 'SELLER', rows: "NAME ne 'Secret'" };
  const caller = { scopes: [], attributes: { names: ['Ada', '', 'Secret'] } };

  it.each(['SELLER.NAME in caller.names', "SELLER.NAME ne 'Ada'", "SELLER.KNOWN eq 'unknown' or QTY gt 3"])(
    'rows that %s have the same figures by column',
    async (rows) => {
      const policies = [{ record: 'SALE', rows }, seller];
      const question = { fields: ['SELLER.NAME', 'SALE.PLANT'] };
      for (const statement of ['rows', 'count'] as const) {
        const { expected, found } = await answersOf('sum(SALE.AMOUNT)', question, caller, statement, policies);
        expect(found).toEqual(expected);
        expect(found.flat()).not.toContain('Secret');
      }
    },
  );

  const compiledUnder = (changed: Partial<KnowledgeModelDefinition>, question: Question) => {
    const checked = checkModel({ ...salesModelWith('sum(SALE.AMOUNT)'), ...changed }, new Map());
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    const view = createCallerView(checked, caller);
    return compileColumnarQuery(view, queryOf(question), { schema, statement: 'rows', find });
  };

  it('PostgreSQL answers what joins a record whose policy reads a third', () => {
    const [sale, ...others] = salesModelWith('sum(SALE.AMOUNT)').records ?? [];
    const boss = { ...others[0], id: 'BOSS' };
    const changed: Partial<KnowledgeModelDefinition> = {
      records: [...(sale ? [sale] : []), ...others, boss],
      relationships: [
        ...(salesModelWith('').relationships ?? []),
        { from: 'SELLER', to: 'BOSS', on: { ID: 'ID' }, cardinality: 'one-to-one' },
      ],
      policies: [
        { record: 'SALE', rows: 'all' },
        { record: 'SELLER', rows: "BOSS.NAME ne 'Secret'" },
      ],
    };
    expect(compiledUnder(changed, { fields: ['SELLER.NAME'] })).toEqual({
      isPossible: false,
      obstacle: 'related-rows',
    });
  });

  it('PostgreSQL answers where a row leads to several of the record that they read', () => {
    const policies = [{ record: 'SALE', rows: "SELLER.NAME ne 'Secret'" }];
    const leadingBy = (on: Readonly<Record<string, string>>) =>
      compiledUnder(
        { policies, relationships: [{ from: 'SALE', to: 'SELLER', on, cardinality: 'many-to-one' }] },
        byPlant,
      );
    expect(leadingBy({ SELLER: 'ID' })).toMatchObject({ isPossible: true });
    expect(leadingBy({ PLANT: 'NAME' })).toEqual({ isPossible: false, obstacle: 'related-rows' });
  });
});

describe('PostgreSQL alone answers', () => {
  it.each<[title: string, obstacle: string, kpi: string, question?: Question]>([
    ['a division of rows', 'expression', 'sum(SALE.AMOUNT / SALE.QTY)'],
    ['a division by zero', 'expression', 'sum(SALE.AMOUNT / 0)'],
    ['a remainder', 'expression', 'sum(SALE.QTY % 3)'],
    ['rounding of rows', 'expression', 'sum(round(SALE.AMOUNT, 1))'],
    ['a decimal made an integer', 'expression', 'sum(cast(SALE.AMOUNT as integer))'],
    ['upper case', 'expression', 'count(distinct upper(SALE.PLANT))'],
    ['lower case', 'expression', 'count(SALE.*) filter (where lower(SALE.PLANT) = SALE.PLANT)'],
    ['trimmed texts', 'expression', 'count(distinct trim(SALE.PLANT))'],
    ['parts of texts', 'expression', 'min(substring(SALE.PLANT, -1, 3))'],
    ['joined texts', 'expression', "max(SALE.PLANT || '-')"],
    ['texts of dates', 'expression', 'min(cast(SALE.DAY as string))'],
    ['numbers of texts', 'expression', 'sum(cast(SALE.PLANT as integer))'],
    ['seconds', 'expression', 'sum(extract(second from SALE.AT))'],
    ['days added to a date', 'expression', 'max(SALE.DAY + 1)'],
    ['the larger of two', 'expression', 'sum(greatest(SALE.MIXED, 0.5))'],
    ['wildcards of one character', 'expression', "count(SALE.*) filter (where SALE.PLANT like 'B_rlin')"],
    ['the largest of decimals that show different digits', 'expression', 'max(SALE.MIXED)'],
    ['groups by such decimals', 'expression', 'count(SALE.*)', { fields: ['SALE.MIXED'] }],
    ['the last of texts that no column orders', 'expression', "max(case when SALE.OPEN then 'a' else 'B' end)"],
    ['decimals with NaN', 'column', 'sum(SALE.BROKEN)'],
    ['more than 38 digits', 'digits', 'sum(SALE.HUGE * SALE.HUGE)'],
    ['numbers with an exponent', 'values', 'count(SALE.*)', { filterExpressions: ['SALE.AMOUNT gt 1e2'] }],
    [
      'a search',
      'related-rows',
      'count(SALE.*)',
      { search: { term: 'Berlin', precision: 100, fields: ['SALE.PLANT'] }, ...byPlant },
    ],
    ['rows that related ones multiply', 'related-rows', 'count(SELLER.*)', byPlant],
    [
      'rows that have related ones',
      'related-rows',
      'count(SELLER.*)',
      { filterExpressions: ["SALE.PLANT eq 'Berlin'"] },
    ],
    ['rows', 'rows', 'count(SALE.*)', { ...byPlant, kpis: [] }],
  ])('%s', (_title, obstacle, kpi, question = {}) => {
    expect(obstacleOf(kpi, question)).toBe(obstacle);
  });

  it('what reads a table that is not stored', () => {
    const view = viewOf('sum(SALE.AMOUNT)', everything);
    const query = queryOf({ fields: ['SELLER.NAME'] });
    const options = {
      schema,
      statement: 'rows' as const,
      find: (table: string) => (table === 'sale' ? find(table) : undefined),
    };
    expect(compileColumnarQuery(view, query, options)).toEqual({ isPossible: false, obstacle: 'no-table' });
  });

  it('more groups than are worth handing over', async () => {
    const compiled = compileColumnarQuery(viewOf('count(SALE.*)', everything), queryOf({ fields: ['SALE.ID'] }), {
      ...{ schema, find },
      statement: 'rows',
    });
    if (!compiled.isPossible) throw new Error(compiled.obstacle);
    const [grain] = compiled.question.grains;
    expect(grain?.groupsMax).toBe(10_000);
    const { signal } = new AbortController();
    const asked = grain && engine.reader.ask(grain.query, { groupsMax: 599, signal });
    await expect(asked).rejects.toMatchObject({ reason: 'too-many-groups' });
  });
});
