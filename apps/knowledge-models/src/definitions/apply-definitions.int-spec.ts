/** What applies do to the definitions of a team, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { runInTenantTransaction } from '@tessera/persistence';
import { Catalogs } from '../catalog/catalogs.js';
import { ExternalDatabases } from '../database/external-databases.js';
import {
  germanyModel,
  itemTable,
  openDefinitionClient,
  openSalesClient,
  openItemMessage,
  openSalesModel,
  salesModel,
  type DefinitionClient,
} from '../testing/definition-client.js';
import { openFixture, type Fixture } from '../testing/fixture.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture?.end());

const open = (team: string): DefinitionClient => openSalesClient(fixture, team);
const rowsOf = async (team: string, text: string): Promise<readonly unknown[]> =>
  (await runInTenantTransaction(fixture.pools.light, team, (client) => client.query(text))).rows;
/** What is told of the team, the oldest first. */
const events = async (team: string): Promise<readonly string[]> => {
  const rows = await rowsOf(
    team,
    `select payload::json->>'type' as type, payload::json->'data' as data from knowledge_models.outbox order by position`,
  );
  return rows.map((row) => JSON.stringify(row));
};
const withKpi = (expression: string): KnowledgeModelDefinition => ({
  ...salesModel,
  kpis: [{ id: 'VALUE', expression }],
});

describe('a publication', () => {
  it('takes models and tables in one request in any order, and other replicas see it at once', async () => {
    const { applied } = open('first');
    const catalogs = new Catalogs(fixture.pools);
    expect((await catalogs.of('first')).models.size).toBe(0);
    expect(await applied([germanyModel, itemTable, salesModel])).toEqual({
      definitions: [
        { kind: 'KnowledgeModel', id: 'germany', state: 'created', version: 1, changes: [] },
        { kind: 'Table', id: 'sales.item', state: 'created', changes: [] },
        { kind: 'KnowledgeModel', id: 'sales', state: 'created', version: 1, changes: [] },
      ],
      breaks: [],
    });
    const { models, tables } = await catalogs.of('first');
    expect([...models.keys()]).toEqual(['germany', 'sales']);
    expect(models.get('germany')?.checked.model.kpis.map(({ id }) => id)).toEqual(['VALUE', 'MEAN']);
    expect([...tables]).toEqual([['sales.item', { dataVersion: '0', rows: 0 }]]);
    expect(await events('first')).toEqual([
      '{"type":"knowledge.model.published","data":{"modelId":"germany","version":1}}',
      '{"type":"knowledge.model.published","data":{"modelId":"sales","version":1}}',
    ]);
  });

  it('writes no version, event or revision when nothing has changed', async () => {
    const { applied } = open('again');
    await applied([salesModel, germanyModel, itemTable]);
    const catalogs = new Catalogs(fixture.pools);
    const before = await catalogs.of('again');
    const { kind, ...others } = salesModel;
    const { definitions } = await applied([{ ...others, kind, extends: null }, germanyModel, itemTable]);
    expect(definitions.map(({ state, version }) => [state, version])).toEqual([
      ['unchanged', 1],
      ['unchanged', 1],
      ['unchanged', undefined],
    ]);
    expect(await catalogs.of('again')).toBe(before);
    expect(await events('again')).toHaveLength(2);
  });

  it('numbers versions without gaps and keeps earlier ones unchanged', async () => {
    const { applied } = open('numbered');
    const expressions = ['sum(ITEM.AMOUNT)', 'max(ITEM.AMOUNT)', 'max(ITEM.AMOUNT)', 'min(ITEM.AMOUNT)'];
    const versions: unknown[] = [];
    for (const expression of expressions) {
      const { definitions } = await applied([withKpi(expression)]);
      versions.push(definitions[0]?.version);
    }
    expect(versions).toEqual([1, 2, 2, 3]);
    const stored = `select version, definition->'kpis'->0->>'expression' as expression, published_by
      from knowledge_models.model_version order by version`;
    expect(await rowsOf('numbered', stored)).toEqual([
      { version: 1, expression: 'sum(ITEM.AMOUNT)', published_by: 'admin' },
      { version: 2, expression: 'max(ITEM.AMOUNT)', published_by: 'admin' },
      { version: 3, expression: 'min(ITEM.AMOUNT)', published_by: 'admin' },
    ]);
  });

  it('lists its changes, those of a table that break among them', async () => {
    const { applied } = open('changing');
    await applied([salesModel, itemTable]);
    const records = [{ id: 'ITEM', table: 'item', identifier: ['NO'], attributes: [{ id: 'NO', column: 'no' }] }];
    const other: TableDefinition = {
      ...itemTable,
      columns: [{ id: 'no', type: 'string', description: 'Its number.' }],
    };
    const { definitions } = await applied([{ ...salesModel, records, kpis: [] }, other]);
    expect(definitions.map(({ state, changes }) => [state, changes])).toEqual([
      [
        'changed',
        [
          { path: 'records.ITEM.attributes.AMOUNT', change: 'removed', breaks: true },
          { path: 'kpis.VALUE', change: 'removed', breaks: true },
        ],
      ],
      [
        'changed',
        [
          { path: 'columns.amount', change: 'removed', breaks: true },
          { path: 'columns.no.description', change: 'added', breaks: false },
        ],
      ],
    ]);
  });
});

describe('definitions with faults', () => {
  it('are rejected with all faults at once, each with its path and a suggestion, and nothing is stored', async () => {
    const { refused, exported } = open('faulty');
    const badTable: TableDefinition = { ...itemTable, primaryKey: ['nr'] };
    const failure = await refused([
      itemTable,
      withKpi('sum(ITEM.AMONT) + 1'),
      { ...germanyModel, id: 'other', extends: 'salse' },
      badTable,
      { ...germanyModel, kpis: [{ id: 'MEAN', expression: 'VALUE +' }] },
    ]);
    expect([failure?.code, failure?.detail]).toEqual([
      'GENERAL_CONSTRAINT_VIOLATION',
      'The definitions have 4 faults; nothing was changed.',
    ]);
    expect(failure?.faults).toEqual([
      expect.objectContaining({
        in: 'body',
        path: 'definitions.1.kpis.0.expression',
        position: 4,
        suggestion: 'AMOUNT',
      }),
      expect.objectContaining({ path: 'definitions.2.extends', rule: 'unknown', suggestion: 'sales' }),
      {
        in: 'body',
        path: 'definitions.3.id',
        message: 'sales.item is given twice',
        rule: 'twice',
      },
      expect.objectContaining({ path: 'definitions.4.kpis.0.expression', position: 7 }),
    ]);
    expect(await exported()).toEqual({ models: [], tables: [] });
    const table = await refused([badTable]);
    expect(table?.faults).toEqual([expect.objectContaining({ path: 'definitions.0.primaryKey.0', suggestion: 'no' })]);
  });

  it('are rejected when they extend each other in a circle', async () => {
    const failure = await open('circle').refused([
      { ...germanyModel, extends: 'france' },
      { ...germanyModel, id: 'france', extends: 'germany' },
    ]);
    expect(failure?.faults?.map(({ path, rule }) => [path, rule])).toEqual([
      ['definitions.0.extends', 'circle'],
      ['definitions.1.extends', 'circle'],
    ]);
  });

  it('are rejected when they read an external database that the team may not read', async () => {
    const external = { ...salesModel, source: { schema: 'sales', database: 'ledger' } };
    const databases = new ExternalDatabases(
      { ledgers: { url: fixture.database.adminUrl, teams: ['external'], freshnessSeconds: 1, connectionsMax: 1 } },
      { statementTimeoutMs: 1_000, onIdleError: () => undefined },
    );
    expect((await openDefinitionClient(fixture, 'external', databases).refused([external]))?.faults).toEqual([
      expect.objectContaining({ path: 'definitions.0.source.database', rule: 'unknown', suggestion: 'ledgers' }),
    ]);
  });

  it('may not break a child model, unless the request changes the child as well', async () => {
    const { applied, refused } = open('breaking');
    await applied([salesModel, germanyModel, { ...germanyModel, id: 'bavaria', extends: 'germany', kpis: [] }]);
    const without = { ...salesModel, kpis: [] };
    const failure = await refused([without]);
    expect(failure?.code).toBe('GENERAL_CONFLICT');
    expect(failure?.detail).toContain('2 published models would not fit any more: bavaria, germany.');
    expect(failure?.faults?.map(({ path }) => path)).toEqual(['bavaria', 'germany']);
    const checked = await applied([without], { mode: 'check' });
    expect(checked.breaks).toEqual([
      { id: 'bavaria', message: expect.stringMatching(/VALUE/) },
      { id: 'germany', message: expect.stringMatching(/^kpis\.0\.expression: .*VALUE/) },
    ]);
    const together = await applied([without, { ...germanyModel, kpis: [] }]);
    expect(together.definitions.map(({ version }) => version)).toEqual([2, 2]);
  });
});

describe('a model in which a record leads to one with a policy and has none of its own', () => {
  const policies = [...(openSalesModel.policies ?? [])];
  const closed = {
    ...openSalesModel,
    policies: [...policies, { record: 'ITEM', rows: 'ORDER.COUNTRY in caller.countries' }],
  };

  it.each(['publish', 'draft', 'check'] as const)('is refused, as its own fault, by %s', async (mode) => {
    const failure = await open(`open-${mode}`).refused([germanyModel, openSalesModel], { mode });
    expect(failure?.code).toBe('MODEL_POLICY_MISSING');
    expect(failure?.detail).toContain(openItemMessage);
    expect(failure?.faults).toEqual([
      {
        ...{ in: 'body', path: 'definitions.1.records.0', rule: 'MODEL_POLICY_MISSING' },
        message: expect.stringContaining(`${openItemMessage}: who may not see a row of ORDER`),
      },
    ]);
  });

  it('is taken with a policy that reads the other record, or says that everybody sees its rows', async () => {
    const { applied } = open('closed');
    expect((await applied([closed])).definitions[0]?.version).toBe(1);
    const everybody = { ...openSalesModel, policies: [...policies, { record: 'ITEM', rows: 'all' }] };
    expect((await applied([everybody])).definitions[0]?.version).toBe(2);
  });

  it('goes on as it is when it was published before; a check of others says so', async () => {
    const team = 'open-before';
    await fixture.publish(team, openSalesModel);
    expect((await new Catalogs(fixture.pools).of(team)).models.get('sales')?.checked.openRecords).toHaveLength(1);
    const { applied, refused } = open(team);
    const checked = await applied([itemTable], { mode: 'check' });
    expect(checked.openModels).toEqual([
      { id: 'sales', message: expect.stringContaining(`records.0: ${openItemMessage}`) },
    ]);
    expect(await applied([itemTable])).not.toHaveProperty('openModels');
    expect((await refused([germanyModel]))?.code).toBe('MODEL_POLICY_MISSING');
    await applied([closed]);
    expect(await applied([itemTable], { mode: 'check' })).not.toHaveProperty('openModels');
  });

  it('is not made of a published child by a change of its base', async () => {
    const { applied, refused } = open('opened-by-base');
    await applied([{ ...openSalesModel, policies: [] }, germanyModel]);
    const failure = await refused([{ ...openSalesModel, policies: [...policies, { record: 'ITEM', rows: 'all' }] }]);
    expect(failure).toBeUndefined();
    const child = { ...germanyModel, policies: [{ record: 'ORDER', rows: "COUNTRY eq 'DE'" }] };
    await applied([
      { ...openSalesModel, policies: [] },
      { ...child, policies: [...child.policies, { record: 'ITEM', rows: 'all' }] },
    ]);
    const led = await refused([
      {
        ...openSalesModel,
        records: [
          ...(openSalesModel.records ?? []),
          { id: 'LOT', table: 'lot', identifier: ['NO'], attributes: [{ id: 'NO', column: 'no' }] },
        ],
        relationships: [
          ...(openSalesModel.relationships ?? []),
          { from: 'LOT', to: 'ORDER', on: { NO: 'NO' }, cardinality: 'many-to-one' },
        ],
        policies: [],
      },
    ]);
    expect(led).toMatchObject({
      code: 'GENERAL_CONFLICT',
      faults: [{ path: 'germany', message: expect.stringContaining('LOT leads to ORDER') }],
    });
  });
});

describe('a check without publication', () => {
  it('returns the planned changes and stores nothing', async () => {
    const { applied, exported } = open('checking');
    await applied([salesModel]);
    const { definitions } = await applied([{ ...salesModel, name: 'Other' }, germanyModel, itemTable], {
      mode: 'check',
    });
    expect(definitions.map(({ id, state, version }) => [id, state, version])).toEqual([
      ['sales', 'changed', 2],
      ['germany', 'created', 1],
      ['sales.item', 'created', undefined],
    ]);
    expect(await exported()).toMatchObject({
      models: [{ id: 'sales', version: 1, definition: salesModel }],
      tables: [],
    });
    expect(await events('checking')).toHaveLength(1);
  });
});

describe('a draft', () => {
  it('is stored and invisible to readers', async () => {
    const { applied, exported } = open('drafting');
    await applied([salesModel]);
    const catalogs = new Catalogs(fixture.pools);
    const before = await catalogs.of('drafting');
    const drafted = { ...salesModel, kpis: [] };
    const { definitions } = await applied([drafted, { ...germanyModel, kpis: [] }], { mode: 'draft' });
    expect(definitions).toEqual([
      {
        kind: 'KnowledgeModel',
        id: 'sales',
        state: 'changed',
        changes: [{ path: 'kpis.VALUE', change: 'removed', breaks: true }],
      },
      { kind: 'KnowledgeModel', id: 'germany', state: 'created', changes: [] },
    ]);
    expect(await catalogs.of('drafting')).toBe(before);
    expect((await catalogs.findDraft('drafting', 'germany'))?.checked).toMatchObject({ ok: true });
    const { models } = await exported();
    expect(models).toEqual([
      { id: 'germany', draft: { ...germanyModel, kpis: [] } },
      { id: 'sales', version: 1, publishedAt: expect.any(String), definition: salesModel, draft: drafted },
    ]);
    expect(await events('drafting')).toHaveLength(1);
  });

  it('is checked with other drafts, and is removed by its publication', async () => {
    const { applied, refused, exported } = open('redrafting');
    await applied([salesModel]);
    const drafted = { ...salesModel, kpis: [{ id: 'ITEMS', expression: 'count(ITEM.*)' }] };
    await applied([drafted], { mode: 'draft' });
    expect((await refused([germanyModel], { mode: 'draft' }))?.faults).toHaveLength(1);
    expect((await applied([drafted], { mode: 'draft' })).definitions[0]?.state).toBe('unchanged');
    expect((await applied([salesModel])).definitions[0]?.state).toBe('unchanged');
    expect((await exported()).models[0]?.draft).toEqual(drafted);
    expect((await applied([drafted])).definitions[0]?.version).toBe(2);
    expect((await exported()).models[0]).not.toHaveProperty('draft');
  });

  it('is not stored when it equals the published version', async () => {
    const { applied, exported } = open('undrafting');
    await applied([salesModel]);
    await applied([{ ...salesModel, name: 'Other' }], { mode: 'draft' });
    expect((await applied([salesModel], { mode: 'draft' })).definitions[0]?.state).toBe('changed');
    expect((await exported()).models[0]).not.toHaveProperty('draft');
    expect((await applied([salesModel], { mode: 'draft' })).definitions[0]?.state).toBe('unchanged');
  });
});

describe('an export', () => {
  it('changes nothing when it is applied again', async () => {
    const { applied, exported } = open('round');
    await applied([salesModel, itemTable, germanyModel]);
    await applied([{ ...germanyModel, kpis: [] }], { mode: 'draft' });
    const { models, tables } = await exported();
    const published = models.flatMap(({ definition }) => definition ?? []);
    const drafts = models.flatMap(({ draft }) => draft ?? []);
    expect(tables).toEqual([{ definition: itemTable, dataVersion: 0, rows: 0 }]);
    const all = await applied([...published, ...tables.map(({ definition }) => definition)]);
    expect(all.definitions.map(({ state }) => state)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const drafted = await applied(drafts, { mode: 'draft' });
    expect(drafted.definitions.map(({ state }) => state)).toEqual(['unchanged']);
    expect((await exported()).models).toEqual(models);
  });
});

describe('an apply that is repeated with its Idempotency-Key', () => {
  it('gets the same answer and publishes once; a different request with the key is rejected', async () => {
    const { apply, refused } = open('sent-again');
    const keyed = { idempotencyKey: randomUUID() };
    const [first, second] = [await apply([salesModel], keyed), await apply([salesModel], keyed)];
    if (!first.ok || !second.ok) throw new Error('refused');
    expect(second.value.body).toEqual(first.value.body);
    expect(second.value.headers).toEqual({ 'idempotency-replayed': 'true' });
    expect(await events('sent-again')).toHaveLength(1);
    expect((await refused([germanyModel], keyed))?.code).toBe('GENERAL_IDEMPOTENCY_MISMATCH');
  });
});
