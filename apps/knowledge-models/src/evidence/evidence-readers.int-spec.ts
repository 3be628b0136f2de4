/** Evidence tells a reader this much and no more: by reading, and by asking again. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readEvidence, replayEvidence } from '@tessera/contracts/knowledge-models';
import { createTimeOrderedId } from '@tessera/service-kit';
import { companyModel, companyTables } from '../testing/company.js';
import { keep, openCompany, openEvidenceClient, unwrap, type EvidenceClient } from '../testing/evidence-client.js';
import { openFixture, readFailure, type Fixture } from '../testing/fixture.js';
import { openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';

const model = 'p2p.base-km';
const prefer = 'evidence';

let fixture: Fixture;
let client: ToolClient;
let odata: ODataClient;
let evidence: EvidenceClient;

beforeAll(async () => {
  fixture = await openFixture();
  client = openToolClient(fixture);
  odata = openODataClient(fixture, client);
  evidence = openEvidenceClient(fixture, client);
});
afterAll(() => fixture.end());

const openTeam = (name: string, published = companyModel) => openCompany(fixture, name, published);
const read = (reader: Parameters<EvidenceClient['read']>[0], id: string) => unwrap(evidence.read(reader, id));
const replay = (reader: Parameters<EvidenceClient['read']>[0], id: string) => unwrap(evidence.replay(reader, id));

describe('a reader', () => {
  let literals: Awaited<ReturnType<typeof openTeam>>;
  beforeAll(async () => {
    literals = await openTeam('literals');
  });

  it('with the same rights reads the result, with others only that there was one', async () => {
    const { anybody: one, financial: other } = await openTeam('readers');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    const same = await read(one, id);
    const others = await read(other, id);
    expect(same.result?.figures).toHaveLength(1);
    expect(others).not.toHaveProperty('result');
    expect(others.statement).toEqual(same.statement);
  });

  it('with other rights is told of a replay what is not as it was, and nothing of its answer', async () => {
    const { anybody: one, financial: other } = await openTeam('replayed');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    await fixture.load('replayed', ...companyTables);
    const asked = jest.spyOn(client.runner, 'page');
    try {
      const replayed = await replay(other, id);
      expect(replayEvidence.reply.parse(replayed)).toEqual(replayed);
      expect(replayed).toEqual({
        reasons: [
          { kind: 'data', table: 'po_item', before: '1', now: '2' },
          { kind: 'rights', before: ['rows of PO_ITEM', 'fields of PO_ITEM'], now: [] },
        ],
      });
      expect(asked).not.toHaveBeenCalled();
    } finally {
      asked.mockRestore();
    }
  });

  it.each([
    ['the only row of a city that they see', "PO_ITEM.CITY eq 'Bonn'"],
    ['a row that they do not see', "PO_ITEM.COMPANY_CODE eq 'SILENT'"],
    ['no row at all', "PO_ITEM.CITY eq 'Nowhere'"],
    ['a number that no whole number is', 'PO_ITEM.QTY eq 1.5'],
    ['a whole number', 'PO_ITEM.QTY eq 4711'],
    ['nothing', 'PO_ITEM.QTY eq null'],
  ])('with other rights is told the same, whatever is compared with: %s', async (_what, condition) => {
    const { anybody: one, financial: other } = literals;
    const [field = '', operator = ''] = condition.split(' ');
    const filterExpr = [condition];
    const { id } = await keep(client.query(other, model, undefined, { kpis: ['ORDER_VALUE'], filterExpr, prefer }));
    const found = await read(one, id);
    expect(found.statement.question.conditions).toEqual([`${field} ${operator} …`]);
    expect(found.plan).toEqual({
      ...{ kind: 'groups', by: [], kpis: ['ORDER_VALUE'], orderBy: [] },
      grains: [{ root: { record: 'PO_ITEM', as: expect.any(String) }, aggregates: '1', countsRowsOnce: false }],
    });
    expect(await replay(one, id)).toEqual({
      reasons: [{ kind: 'rights', before: [], now: ['rows of PO_ITEM', 'fields of PO_ITEM'] }],
    });
  });

  it('with other rights is not told whether there was a page before', async () => {
    const { anybody: one, financial: other } = literals;
    const asked = { $select: 'CITY', prefer: 'odata.maxpagesize=2, evidence' };
    const first = await keep(odata.page(other, model, 'PO_ITEM', asked));
    const next = new URL(JSON.parse(first.text)['@odata.nextLink']).searchParams.get('$skiptoken') ?? '';
    const { id } = await keep(odata.page(other, model, 'PO_ITEM', { ...asked, $skiptoken: next }));
    expect((await read(other, id)).statement.question).toMatchObject({ continues: true });
    expect((await read(one, id)).statement.question).not.toHaveProperty('continues');
  });

  it('with other rights is not told what the question compares with or searches for', async () => {
    const { anybody: one, financial: other } = literals;
    const filterExpr = ["PO_ITEM.CITY eq 'Kiel' and PO_ITEM.AMOUNT gt 4711"];
    const search = { searchTerm: 'Zürich', searchField: 'CITY' };
    const applied_filters = { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['Kiel'] }] };
    const driven = { kpi: 'ORDER_VALUE', field_ids: ['PO_ITEM.CITY'], applied_filters };
    const ids = [
      (await keep(client.query(other, model, undefined, { kpis: ['ORDER_VALUE'], filterExpr, prefer }))).id,
      (await keep(client.query(other, model, 'PO_ITEM', { fields: ['CITY'], ...search, prefer }))).id,
      (await keep(client.insights(other, model, driven, prefer))).id,
    ];
    const told = await Promise.all(ids.map((id) => read({ ...one, scopes: ['knowledge-models:explain'] }, id)));
    expect(JSON.stringify(told)).not.toMatch(/Kiel|4711|Zürich/);
    for (const found of told) {
      expect(readEvidence.reply.parse(found)).toEqual(found);
      expect([found.rows, found.sql]).toEqual([[], undefined]);
    }
    expect(told.map(({ statement: { question } }) => question.conditions)).toEqual([
      ['PO_ITEM.CITY eq … and PO_ITEM.AMOUNT gt …'],
      [],
      ['PO_ITEM.CITY in (…), in any case'],
    ]);
    expect(told[0]?.words).toContain('where CITY eq … and');
    const whole = JSON.stringify(await Promise.all(ids.map((id) => read(other, id))));
    for (const value of ['Kiel', '4711', 'Zürich']) expect(whole).toContain(value);
  });

  it('who may not see what the question names finds nothing', async () => {
    const { anybody: one, financial: asker } = await openTeam('hidden');
    const ofKpi = await keep(client.query(asker, model, undefined, { kpis: ['ACCOUNTS'], prefer }));
    const filterExpr = ["PO_ITEM.BANK_ACCOUNT eq 'DE1'"];
    const ofFilter = await keep(client.query(asker, model, undefined, { kpis: ['ORDER_VALUE'], filterExpr, prefer }));
    for (const { id } of [ofKpi, ofFilter]) {
      expect((await read(asker, id)).statement.id).toBe(id);
      expect(await readFailure(evidence.read(one, id))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
      expect(await readFailure(evidence.replay(one, id))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    }
  });

  it('of another team finds nothing, as nobody finds an id that is none', async () => {
    const { anybody: one } = await openTeam('own');
    const { anybody: neighbour } = await openTeam('neighbour');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    expect(await readFailure(evidence.read(neighbour, id))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    for (const unknown of ['x', createTimeOrderedId(), '00000000-0000-0000-0000-000000000000'])
      expect(await readFailure(evidence.read(one, unknown))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
  });

  it('gets SQL with its own parameters by the scope for it alone', async () => {
    const { anybody: one } = await openTeam('explained');
    const filterExpr = ["PO_ITEM.CITY eq 'Kiel'"];
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], filterExpr, prefer }));
    expect(await read(one, id)).not.toHaveProperty('sql');
    const { sql } = await read({ ...one, scopes: ['knowledge-models:explain'] }, id);
    expect(sql?.text).toContain('sum(');
    expect(sql?.parameters).toContain('Kiel');
  });

  it('is told the plan without what policies say', async () => {
    const { anybody: one } = await openTeam('planned');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    const { plan } = await read(one, id);
    expect(plan).toMatchObject({ kind: 'groups', kpis: ['ORDER_VALUE'] });
    expect(JSON.stringify(plan)).not.toContain('COMPANY_CODE');
  });
});
