import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainOwnQuery, explainQuery } from '@tessera/contracts/knowledge-models';
import pg from 'pg';
import { CallerModels } from '../catalog/caller-models.js';
import { adminContextOf } from '../testing/definition-client.js';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import { callerContextOf, openFixture, type Fixture, type TestCaller } from '../testing/fixture.js';
import { createExecution } from '../testing/query-client.js';
import { ExplainQueryHandler } from './explain-query.handler.js';
import { QueryPreparer } from './query-preparer.js';

const team = 'meridian';

let fixture: Fixture;
let handler: ExplainQueryHandler;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, companyModel);
  await fixture.publish('early', companyModel);
  const [items, ...others] = companyTables;
  await fixture.load(team, ...others);
  if (items)
    await fixture.load(team, {
      ...items,
      then: [
        `insert into $table (order_no, item_no, net_amount, company_code)
           select 'order ' || g, 1, g, '1000' from generate_series(1, 5000) g`,
        'create index by_amount on $table (net_amount)',
        'analyze $table',
      ],
    });
  const { external, engines, costs } = createExecution({ DATABASE_URL: fixture.database.adminUrl });
  const preparer = new QueryPreparer(new CallerModels(fixture.catalogs), fixture.pools, external);
  handler = new ExplainQueryHandler(fixture.catalogs, preparer, engines, costs);
});
afterAll(() => fixture.end());

const explain = (
  asked: Readonly<Record<string, unknown>>,
  by = adminContextOf(team),
  ofTeam = team,
  modelId = 'p2p.base-km',
) => handler.explain(explainQuery.request.parse({ team: ofTeam, modelId, explain: asked }), by);

const explained = async (...parameters: Parameters<typeof explain>) => {
  const result = await explain(...parameters);
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return result.value;
};

describe('the explanation of a query', () => {
  it('shows the plan, SQL, policies and cost, without any literal value', async () => {
    const projection = {
      fields: 'ORDER_NO, AMOUNT',
      filters: { kmFilterNames: ['GERMAN'], filterExpr: ["AMOUNT gt 4987.5 and CITY ne 'Bonn-Secret'"] },
      search: { term: 'needle', field: 'CITY', precision: 70 },
      sort: '-AMOUNT',
    };
    const caller = { scopes: [], attributes: { companyCodes: ['own-company'] } };
    const told = await explained({ query: { projection }, record: 'PO_ITEM', caller });
    expect(told.grain).toEqual(['PO_ITEM']);
    expect(told.plan).toMatchObject({
      kind: 'rows',
      root: { record: 'PO_ITEM' },
      columns: ['ORDER_NO', 'AMOUNT'],
      orderBy: ['AMOUNT desc', 'ORDER_NO desc', expect.stringMatching(/item_no desc|ITEM_NO desc/)],
    });
    expect(JSON.stringify(told.plan)).toMatch(/PO_ITEM\.AMOUNT gt \?/);
    expect(told.sql).toMatch(/^select /);
    expect(told.countSql).toMatch(/count\(/);
    expect(told.parameters).toBeGreaterThan(3);
    expect(told.rowPolicies.map(({ record }) => record)).toContain('PO_ITEM');
    expect(told.hiddenFields).toContain('PO_ITEM.BANK_ACCOUNT');
    expect(told.cost).toMatchObject({ total: expect.any(Number), rows: expect.any(Number) });
    // Policies are texts of the model, which who administers it has written.
    const { rowPolicies: _policies, ...without } = told;
    expect(JSON.stringify(without)).not.toMatch(/4987|Bonn-Secret|needle|own-company|'DE'/);
  });

  it('names the indexes that would be used', async () => {
    const projection = { fields: 'ORDER_NO', filters: { filterExpr: ['AMOUNT gt 4990'] } };
    const told = await explained({ query: { projection }, record: 'PO_ITEM', caller: { scopes: ['finance:read'] } });
    expect(told.cost?.indexes).toEqual(['by_amount']);
    expect(told.rowPolicies).toEqual([]);
    expect(told.hiddenFields).toEqual([]);
  });

  it('shows how KPIs are computed', async () => {
    const projection = {
      fields: 'PURCHASE_ORDER.COUNTRY',
      kpis: ['ORDER_VALUE'],
      filters: { kmFilterNames: ['HIGH'] },
    };
    const told = await explained({ query: { projection } });
    expect(told.plan).toMatchObject({
      kind: 'groups',
      by: ['PURCHASE_ORDER.COUNTRY'],
      kpis: ['ORDER_VALUE'],
      having: ['ORDER_VALUE gt ?'],
    });
    expect(told.grain).toEqual(['PO_ITEM']);
  });

  it('names who computes the groups, and why', async () => {
    const engineOf = async (projection: object, record?: string) =>
      (await explained({ query: { projection }, ...(record && { record }) })).engine;
    expect(await engineOf({ kpis: ['ORDER_VALUE'] })).toEqual({
      name: 'postgresql',
      reason: 'no-table',
      detail: 'A table that it reads is not stored by columns, or not yet.',
    });
    expect(await engineOf({ fields: 'CODE' }, 'CURRENCY')).toMatchObject({ name: 'postgresql', reason: 'rows' });
  });

  it('leaves out the cost while tables are missing or do not fit', async () => {
    const asked = { query: { projection: { fields: 'CODE' } }, record: 'CURRENCY' };
    const told = await explained(asked, adminContextOf('early'), 'early');
    expect([told.cost, told.sql.startsWith('select ')]).toEqual([undefined, true]);
    await fixture.load('early', { schema: 'p2p', name: 'currency', columns: 'other text', rows: [] });
    expect((await explained(asked, adminContextOf('early'), 'early')).cost).toBeUndefined();
  });

  it('explains the draft when it is requested', async () => {
    const asked = { query: { projection: { fields: 'CODE' } }, record: 'CURRENCY', draft: true };
    expect(await explain(asked)).toMatchObject({ ok: false, failure: { code: 'KM_MODEL_NOTFOUND' } });
    const admin = new pg.Client({ connectionString: fixture.database.adminUrl });
    await admin.connect();
    const draft = { ...companyModel, policies: [] };
    await admin.query(`update knowledge_models.model set draft = $2 where tenant = $1`, [team, JSON.stringify(draft)]);
    await admin.end();
    expect(
      (await explained({ ...asked, record: 'PO_ITEM', query: { projection: { fields: 'BANK_ACCOUNT' } } })).sql,
    ).toMatch(/bank_account/);
  });

  it('reports the faults of the query', async () => {
    const ask = (projection: object, record?: string) => explain({ query: { projection }, ...(record && { record }) });
    expect(await ask({ fields: 'AMONT' }, 'PO_ITEM')).toMatchObject({
      ok: false,
      failure: { code: 'KM_FIELD_NOTFOUND', faults: [{ in: 'body', path: 'query.projection.fields' }] },
    });
    expect(await ask({ fields: 'A' }, 'NOTHING')).toMatchObject({ ok: false, failure: { code: 'KM_RECORD_NOTFOUND' } });
  });

  it('is not found by callers who may not administer the team', async () => {
    const asked = { query: { projection: { fields: 'CODE' } }, record: 'CURRENCY' };
    for (const by of [adminContextOf('northgate'), adminContextOf(team, { scopes: ['knowledge-models:read'] })])
      expect(await explain(asked, by)).toMatchObject({ ok: false, failure: { code: 'GENERAL_NOTFOUND' } });
    expect((await explained(asked, adminContextOf('operators'))).grain).toEqual(['CURRENCY']);
  });
});

describe('the explanation of a query in the own view', () => {
  const explainOwn = (asked: Readonly<Record<string, unknown>>, caller: TestCaller = {}, ofTeam = team) =>
    handler.explainOwn(
      explainOwnQuery.request.parse({ km_id: 'p2p.base-km', explain: asked }),
      callerContextOf(ofTeam, caller),
    );
  const projection = { fields: 'PO_ITEM.CITY', kpis: ['ORDER_VALUE'], filters: { kmFilterNames: ['LARGE'] } };

  it('tells words, plan and what restricts the caller, but neither SQL nor the texts of policies', async () => {
    const told = await explainOwn({ query: { projection } });
    expect(told).toMatchObject({
      ok: true,
      value: {
        words: expect.stringContaining('Order value'),
        grain: ['PO_ITEM'],
        plan: { kind: 'groups', by: ['PO_ITEM.CITY'], kpis: ['ORDER_VALUE'] },
        policies: ['rows of PO_ITEM', 'fields of PO_ITEM'],
      },
    });
    expect(JSON.stringify(told)).not.toMatch(/select|COMPANY_CODE|1000/);
    expect(JSON.stringify(told)).not.toMatch(hiddenWordsPattern);
  });

  it('names no policy that does not hold for the caller', async () => {
    const told = await explainOwn({ query: { projection } }, financeCaller);
    expect(told).toMatchObject({ ok: true, value: { policies: [] } });
  });

  it('knows neither hidden fields nor models of other teams', async () => {
    const hidden = { query: { projection: { fields: 'BANK_ACCOUNT' } }, record: 'PO_ITEM' };
    expect(await explainOwn(hidden)).toMatchObject({
      ok: false,
      failure: { code: 'KM_FIELD_NOTFOUND', faults: [{ in: 'body', path: 'query.projection.fields' }] },
    });
    expect(await explainOwn(hidden, financeCaller)).toMatchObject({ ok: true, value: { words: expect.any(String) } });
    expect(await explainOwn({ query: { projection } }, {}, 'northgate')).toMatchObject({
      ok: false,
      failure: { code: 'KM_MODEL_NOTFOUND' },
    });
  });
});
