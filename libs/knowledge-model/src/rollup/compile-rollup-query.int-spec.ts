import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition, RollupDefinition } from '@tessera/contracts/knowledge-models';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { checkModel } from '../check-model.js';
import { compileQuery } from '../compile-query.js';
import { createCallerView } from '../query/caller-view.js';
import type { DataQuery, QueryCaller } from '../query/data-query.js';
import { salesModel, salesTablesSql } from '../testing/columnar/sales.js';
import { readTextRows } from '../testing/queries/answers.js';
import { makeRollups } from '../testing/rollup/make-rollups.js';
import { compileRollupQuery } from './compile-rollup-query.js';

const schema = 'sales';
const everything: QueryCaller = { scopes: ['all'], attributes: {} };

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query(
    `set timezone = 'Asia/Kathmandu'; create schema ${schema}; ${salesTablesSql(schema, '0001-01-01')}`,
  );
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const byPlantAndDay: RollupDefinition = {
  id: 'BY_PLANT',
  fields: ['SALE.PLANT', 'SALE.DAY', 'SALE.SEEN:month', 'SALE.OPEN', 'SALE.SIZE', 'SELLER.NAME', 'SELLER.KNOWN'],
  kpis: ['K'],
};

type Question = Partial<DataQuery>;

const queryOf = (question: Question): DataQuery => ({
  ...{ fields: [], kpis: ['K'], filterIds: [], filterExpressions: [], distinct: false, page: 0, pageSize: 1_000 },
  ...question,
});

type Asked = {
  readonly kpi: string;
  readonly rollup?: RollupDefinition;
  readonly caller?: QueryCaller;
  readonly policies?: KnowledgeModelDefinition['policies'];
  readonly relationships?: KnowledgeModelDefinition['relationships'];
};

const viewOf = ({ kpi, rollup = byPlantAndDay, caller = everything, ...changed }: Asked) => {
  const definition: KnowledgeModelDefinition = {
    ...salesModel,
    ...changed,
    kpis: [
      { id: 'K', expression: kpi },
      { id: 'OTHER', expression: 'sum(SALE.HUGE)' },
    ],
    rollups: [rollup],
  };
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createCallerView(checked, caller);
};

/** What both ways answer, each as the texts that PostgreSQL sends; or why the rollup does not answer. */
const answersOf = async (asked: Asked, question: Question) => {
  const view = viewOf(asked);
  const plain = compileQuery(view, queryOf(question), { schema });
  if (!plain.ok) throw new Error(plain.failure.detail);
  await client.query('begin');
  try {
    const find = await makeRollups(client, view.rollups, schema);
    const answers: { expected: unknown; found: unknown }[] = [];
    for (const statement of ['rows', 'count'] as const) {
      const compiled = compileRollupQuery(view, queryOf(question), { schema, statement, find });
      if (!compiled.isPossible) {
        if (statement === 'rows') return compiled.unfit.map(({ reason }) => reason);
        continue;
      }
      expect(compiled.statement.text).not.toContain('"sale"');
      const expected = await readTextRows(client, plain.value[statement]);
      if (statement === 'rows') expect(expected.length).toBeGreaterThan(0);
      answers.push({ expected, found: await readTextRows(client, compiled.statement) });
    }
    return answers;
  } finally {
    await client.query('rollback');
  }
};

const byPlant: Question = { fields: ['SALE.PLANT'] };
const exactKeys: RollupDefinition = { id: 'EXACT', fields: ['SALE.PLANT'], kpis: ['K'] };
const byDay: RollupDefinition = { id: 'BY_DAY', fields: ['SALE.DAY', 'SALE.SEEN:day', 'SALE.AT:month'], kpis: ['K'] };

describe('answers from a rollup have the same bytes', () => {
  it.each<[title: string, kpi: string, question?: Question, rollup?: RollupDefinition]>([
    ['a sum of all', 'sum(SALE.AMOUNT)'],
    ['nothing', 'sum(SALE.AMOUNT)', { filterExpressions: ["SALE.PLANT eq 'nowhere'"] }],
    ['a count of nothing', 'count(SALE.*)', { filterExpressions: ["SALE.PLANT eq 'nowhere'"] }],
    ['null apart from the empty text', 'count(SALE.*)', byPlant],
    ['groups in descending order', 'count(SALE.*)', { ...byPlant, sort: '-SALE.PLANT' }],
    ['counts of values', 'count(SALE.AMOUNT)', byPlant],
    ['averages of decimals', 'avg(SALE.AMOUNT)', byPlant],
    ['averages of integers', 'avg(SALE.QTY)', byPlant],
    ['averages of decimals that show different digits', 'avg(SALE.MIXED)', byPlant],
    ['a ratio of sums', 'sum(SALE.AMOUNT) / sum(SALE.QTY)', byPlant],
    ['a division by nothing', 'sum(SALE.AMOUNT) / sum(SALE.ZERO)', byPlant],
    ['a division of rows, which is rounded', 'sum(SALE.AMOUNT / SALE.QTY)', byPlant],
    ['sums of decimals that show different digits', 'sum(SALE.MIXED)', { fields: ['SALE.OPEN'] }],
    ['sums with a value that is no number', 'sum(SALE.BROKEN)', byPlant],
    ['sums of more than 38 digits', 'sum(SALE.HUGE * SALE.HUGE)', byPlant],
    ['a part of the rows', 'sum(SALE.AMOUNT) filter (where SALE.QTY > 3)', byPlant],
    ['a part that keys tell', 'avg(SALE.AMOUNT) filter (where SALE.OPEN)', byPlant],
    ['the largest decimal', 'max(SALE.AMOUNT)', byPlant],
    ['the first moment', 'min(SALE.AT)', byPlant],
    ['the first text by code points', 'min(SALE.OTHER_PLANT)', { fields: ['SALE.OPEN'] }],
    ['different keys', 'count(distinct SALE.PLANT)', { fields: ['SALE.OPEN'] }],
    ['the last of the keys', 'max(SALE.DAY)', byPlant],
    ['different values of the groups themselves', 'count(distinct SALE.SELLER)', byPlant, exactKeys],
    ['different values of nothing', 'count(distinct SALE.SELLER)', {}, { ...exactKeys, fields: [] }],
    ['months of days', 'sum(SALE.AMOUNT)', { fields: ['SALE.DAY:month'] }, byDay],
    ['weeks of days', 'sum(SALE.AMOUNT)', { fields: ['SALE.DAY:week'] }, byDay],
    ['months of instants', 'sum(SALE.AMOUNT)', { fields: ['SALE.SEEN:month'] }, byDay],
    ['months by a formula', 'sum(SALE.AMOUNT)', { fields: ['SALE.MONTH'] }, byDay],
    ['quarters of months', 'sum(SALE.AMOUNT)', { fields: ['SALE.AT:quarter'] }, byDay],
    ['years of months', 'sum(SALE.AMOUNT)', { fields: ['SALE.AT:year'] }, byDay],
    ['groups by a formula', 'sum(SALE.AMOUNT)', { fields: ['SALE.SIZE'], sort: '-SALE.SIZE' }],
    ['a formula in a condition', 'count(SALE.*)', { ...byPlant, filterExpressions: ["SALE.SIZE ne 'large'"] }],
    ['conditions on groups', 'sum(SALE.AMOUNT)', { ...byPlant, filterExpressions: ['K lt 0.5'] }],
    ['a page in the order of a KPI', 'sum(SALE.AMOUNT)', { ...byPlant, sort: '-K', page: 1, pageSize: 3 }],
    ['a field of a related row', 'sum(SALE.AMOUNT)', { fields: ['SELLER.NAME'] }],
    ['a formula of a related row', 'sum(SALE.AMOUNT)', { fields: ['SELLER.KNOWN'] }],
    ['products with a related value', 'sum(SALE.AMOUNT * SELLER.SHARE)', { fields: ['SELLER.NAME'] }],
    ['a related row in a condition', 'count(SALE.*)', { ...byPlant, filterExpressions: ["SELLER.NAME ne 'Ada'"] }],
    ['a span of time', 'count(SALE.*)', { ...byPlant, filterExpressions: ['SALE.DAY ge 0002-02-01'] }],
    ['a year', 'count(SALE.*)', { ...byPlant, filterExpressions: ['year(SALE.DAY) ge 2 and month(SALE.DAY) le 6'] }],
    ['texts of a list', 'count(SALE.*)', { ...byPlant, filterExpressions: ["SALE.PLANT not in ('Berlin', '')"] }],
    ['texts with wildcards', 'count(SALE.*)', { ...byPlant, filterExpressions: ["contains(SALE.PLANT, '_')"] }],
    [
      'a search in keys',
      'count(SALE.*)',
      { ...byPlant, filterExpressions: ["startswith(SALE.PLANT, 'B') or SALE.OPEN eq null"] },
    ],
  ])('%s', async (_title, kpi, question = {}, rollup = byPlantAndDay) => {
    const answers = await answersOf({ kpi, rollup }, question);
    expect(answers).not.toEqual([]);
    for (const answer of answers) {
      if (typeof answer === 'string') throw new Error(answer);
      expect(answer.found).toEqual(answer.expected);
    }
  });

  it('with the rows that a policy of a key lets a caller see, and no others', async () => {
    const rollup = { id: 'BY_PLANT', fields: ['SALE.PLANT', 'SALE.OPEN'], kpis: ['K'] };
    const caller = { scopes: [], attributes: { plants: ['Berlin', ''] } };
    const [rows] = await answersOf({ kpi: 'sum(SALE.AMOUNT)', rollup, caller }, byPlant);
    if (!rows || typeof rows === 'string') throw new Error(rows);
    expect(rows.found).toEqual(rows.expected);
    expect(rows.found).toHaveLength(2);
    const [all] = await answersOf({ kpi: 'sum(SALE.AMOUNT)', rollup }, byPlant);
    if (!all || typeof all === 'string') throw new Error(all);
    expect(all.found).not.toEqual(rows.found);
  });
});

describe('under policies that read a related row, and one of that row, a rollup', () => {
  const seller = { record: 'SELLER', rows: "NAME ne 'Secret' or NAME eq null" };
  const sale = (rows: string) => [{ record: 'SALE', rows }, seller];
  const caller = { scopes: [], attributes: { names: ['Ada', '', 'Secret'] } };

  it.each<[string, string]>([
    ['is used where they name its fields', 'SELLER.NAME in caller.names'],
    ['is used where they name formulas of them', "SELLER.KNOWN ne 'unknown' and SELLER.NAME ne null"],
  ])('%s', async (_title, rows) => {
    const asked = { kpi: 'sum(SALE.AMOUNT)', caller, policies: sale(rows) };
    const question = { fields: ['SELLER.NAME', 'SALE.PLANT'] };
    const answers = await answersOf(asked, question);
    for (const answer of answers) {
      if (typeof answer === 'string') throw new Error(answer);
      expect(answer.found).toEqual(answer.expected);
    }
    expect(JSON.stringify(answers)).toContain('Ada');
    expect(JSON.stringify(answers)).not.toContain('Secret');
  });

  it.each<[string, string]>([
    ['is not used where they name another field', 'SELLER.SHARE gt 0.1'],
    ['is not used where a condition holds without the row, whose key it does not have', "SELLER.NAME ne 'Ada'"],
  ])('%s', async (_title, rows) => {
    const asked = { kpi: 'sum(SALE.AMOUNT)', caller, policies: sale(rows) };
    expect(await answersOf(asked, byPlant)).toEqual(['conditions']);
  });
});

it('a rollup is not used under a policy by a field of several rows', async () => {
  const rollup: RollupDefinition = { id: 'BY_PLANT', fields: ['SALE.PLANT'], kpis: ['K'] };
  const policies = [{ record: 'SALE', rows: "SELLER.NAME ne 'Ada'" }];
  const relationships = [{ from: 'SALE', to: 'SELLER', on: { PLANT: 'NAME' }, cardinality: 'many-to-one' as const }];
  const caller = { scopes: [], attributes: {} };
  const asked = { kpi: 'sum(SALE.AMOUNT)', rollup, caller, policies, relationships };
  expect(await answersOf(asked, byPlant)).toEqual(['conditions']);
});

describe('a rollup is not used', () => {
  const someone = { scopes: [], attributes: { plants: ['Berlin'] } };
  const byOpen: RollupDefinition = { id: 'BY_OPEN', fields: ['SALE.OPEN'], kpis: ['K'] };
  it.each<
    [title: string, reason: string, kpi: string, question: Question, rollup?: RollupDefinition, caller?: QueryCaller]
  >([
    ['for another group', 'keys', 'sum(SALE.AMOUNT)', { fields: ['SALE.QTY'] }],
    ['for a shorter period', 'keys', 'sum(SALE.AMOUNT)', { fields: ['SALE.SEEN:week'] }],
    ['for weeks of months', 'keys', 'sum(SALE.AMOUNT)', { fields: ['SALE.AT:week'] }, byDay],
    ['with a condition on another field', 'conditions', 'sum(SALE.AMOUNT)', { filterExpressions: ['SALE.QTY gt 3'] }],
    ['with a policy on another field', 'conditions', 'sum(SALE.AMOUNT)', { fields: ['SALE.OPEN'] }, byOpen, someone],
    [
      'with a policy on a related row',
      'joins',
      'sum(SALE.AMOUNT)',
      { fields: ['SELLER.NAME'] },
      byPlantAndDay,
      someone,
    ],
    ['for another KPI', 'aggregates', 'sum(SALE.AMOUNT)', { ...byPlant, kpis: ['OTHER'] }],
    ['for KPIs of another record', 'joins', 'count(SELLER.*)', { kpis: ['OTHER'] }, { ...byOpen, fields: [] }],
    ['for different values of several groups', 'aggregates', 'count(distinct SALE.SELLER)', byPlant],
    ['for the largest of decimals that show different digits', 'aggregates', 'max(SALE.MIXED)', byPlant],
    [
      'for the last of texts in an unknown order',
      'conditions',
      'count(SALE.*)',
      { filterExpressions: ["SALE.SIZE gt 'a'"] },
    ],
    [
      'for rows that related ones multiply',
      'joins',
      'count(SELLER.*)',
      byPlant,
      { ...byOpen, fields: ['SELLER.NAME'] },
    ],
    [
      'for a search',
      'conditions',
      'count(SALE.*)',
      { ...byPlant, search: { term: 'Berlin', precision: 80, fields: ['SALE.PLANT'] } },
    ],
  ])('%s', async (_title, reason, kpi, question, rollup = byPlantAndDay, caller = everything) => {
    expect(await answersOf({ kpi, rollup, caller }, question)).toEqual([reason]);
  });

  it('when a key is an integer in the model alone', async () => {
    const definition = { ...salesModel, kpis: [{ id: 'K', expression: 'count(SALE.*)' }] };
    const [sale, ...others] = definition.records ?? [];
    const attributes = sale?.attributes?.map((field) =>
      field.id === 'MIXED' ? { ...field, type: 'integer' as const } : field,
    );
    const rollups = [{ id: 'BY_MIXED', fields: ['SALE.MIXED'], kpis: ['K'] }];
    const changed = { ...definition, records: [{ id: 'SALE', ...sale, attributes }, ...others], rollups };
    const checked = checkModel(changed, new Map());
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    await client.query('begin');
    const find = await makeRollups(client, checked.rollups, schema);
    await client.query('rollback');
    const compiled = compileRollupQuery(createCallerView(checked, everything), queryOf({ fields: ['SALE.MIXED'] }), {
      ...{ schema, find },
      statement: 'rows',
    });
    expect(compiled).toEqual({ isPossible: false, unfit: [{ rollup: 'BY_MIXED', reason: 'failed' }] });
  });

  it('when it has no fields and the question groups by one that reads no row, of which a table without rows has no group', async () => {
    const [sale, ...others] = salesModel.records ?? [];
    const everywhere = { id: 'EVERYWHERE', type: 'string' as const, expression: "'all'" };
    const definition: KnowledgeModelDefinition = {
      ...salesModel,
      records: [{ id: 'SALE', ...sale, augmentedAttributes: [everywhere] }, ...others],
      kpis: [{ id: 'K', expression: 'count(SALE.*)' }],
      rollups: [{ id: 'ALL', fields: [], kpis: ['K'] }],
    };
    const checked = checkModel(definition, new Map());
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    await client.query('begin');
    const find = await makeRollups(client, checked.rollups, schema);
    await client.query('rollback');
    const compiled = compileRollupQuery(
      createCallerView(checked, everything),
      queryOf({ fields: ['SALE.EVERYWHERE'] }),
      { ...{ schema, find }, statement: 'rows' },
    );
    expect(compiled).toEqual({ isPossible: false, unfit: [{ rollup: 'ALL', reason: 'keys' }] });
  });

  it('when a row has several of what it is said to have one', async () => {
    await client.query(`begin; insert into ${schema}.seller values (1, 'Twin', 0.5)`);
    try {
      const { rollups } = viewOf({ kpi: 'sum(SALE.AMOUNT)' });
      const view = viewOf({ kpi: 'sum(SALE.AMOUNT)' });
      const find = await makeRollups(client, rollups, schema);
      expect(compileRollupQuery(view, queryOf(byPlant), { schema, statement: 'rows', find })).toEqual({
        isPossible: false,
        unfit: [{ rollup: 'BY_PLANT', reason: 'multiplied' }],
      });
    } finally {
      await client.query('rollback');
    }
  });
});
