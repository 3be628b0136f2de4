import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { canonicalJson } from '@tessera/contracts';
import { readEvidence, replayEvidence } from '@tessera/contracts/knowledge-models';
import { runInTenantTransaction } from '@tessera/persistence';
import { createTimeOrderedId } from '@tessera/service-kit';
import { companyModel, companyTables } from '../testing/company.js';
import { keep, openCompany, openEvidenceClient, unwrap, type EvidenceClient } from '../testing/evidence-client.js';
import { openFixture, readFailure, type Fixture, type Json } from '../testing/fixture.js';
import { createMeasurementTable, measurementFields, measurementModel } from '../testing/measurements.js';
import { openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';
import { purgeEvidence } from './evidence.repository.js';

const team = 'meridian';
const model = 'p2p.base-km';
const anybody = { team };
const prefer = 'evidence';
const financeOnly = { scope: 'finance:read' };

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

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** What stands between the brackets of the rows, as whoever has the answer can cut it out. */
const rowsIn = (text: string, before: string, after: string): string =>
  text.slice(text.indexOf(before) + before.length, text.lastIndexOf(after));

describe('Prefer: evidence', () => {
  beforeAll(() => openTeam(team));
  const kpi = { kpis: ['ORDER_VALUE'] };

  it('leaves an answer without it as it is, and writes nothing', async () => {
    const before = client.evidence.kept;
    const reply = await unwrap(client.query(anybody, model, undefined, kpi));
    expect(reply.headers).toBeUndefined();
    expect(client.evidence.kept).toBe(before);
  });

  it('keeps what was asked, of which data, and the digest of the rows as anybody can compute it', async () => {
    const asked = { fields: ['PO_ITEM.CITY'], ...kpi, filterExpr: ["PO_ITEM.CITY ne 'Rome'"], sort: '-ORDER_VALUE' };
    const { id, text, reply } = await keep(client.query(anybody, model, undefined, { ...asked, prefer }));
    expect(reply.headers).toEqual({
      evidence: `/intelligence/api/evidence/${id}`,
      'preference-applied': 'evidence',
    });
    const found = await read(anybody, id);
    expect(readEvidence.reply.parse(found)).toEqual(found);
    expect(found.statement).toMatchObject({
      ...{ id, team, askedBy: 'tester', requestId: 'request-1', kind: 'rows' },
      model: { id: model, version: 1 },
      question: {
        ...{ columns: ['PO_ITEM.CITY', 'ORDER_VALUE'], conditions: ["PO_ITEM.CITY ne 'Rome'"] },
        ...{ sort: ['-ORDER_VALUE'], page: 0, pageSize: 50 },
      },
      data: [{ table: 'po_item', version: '1' }],
      policies: ['rows of PO_ITEM', 'fields of PO_ITEM'],
    });
    const { salt = '', rows, rowsDigest } = found.result ?? {};
    expect(rowsDigest).toBe(sha256(rowsIn(text, '"content":[', ']}')));
    expect(rows).toBe(JSON.parse(text).content.length);
    expect(found.statement.resultDigest).toBe(sha256(canonicalJson({ salt, rows, rowsDigest })));
    expect(found.words).toBe(
      "Order value (EUR) by CITY, where CITY ne 'Rome', sorted by Order value (descending), rows 1 to 50",
    );
    expect(found.rows).toEqual([
      {
        record: 'PO_ITEM',
        href: expect.stringMatching(
          /\/p2p\.base-km\/records\/PO_ITEM\/query\?filterExpr=PO_ITEM\.CITY\+ne\+%27Rome%27$/,
        ),
      },
    ]);
  });

  it('keeps the KPIs of an answer of one row, digit for digit, and no value of any other', async () => {
    const one = await keep(client.query(anybody, model, undefined, { ...kpi, prefer }));
    const value = String(JSON.parse(one.text).content[0].ORDER_VALUE);
    expect((await read(anybody, one.id)).result?.figures).toEqual([{ id: 'ORDER_VALUE', value }]);
    const many = await keep(client.query(anybody, model, 'PO_ITEM', { fields: ['CITY', 'AMOUNT'], prefer }));
    const stored = await runInTenantTransaction(fixture.pools.light, team, async (connection) => {
      const { rows } = await connection.query('select to_json(e)::text as row from knowledge_models.evidence e');
      return rows.map(({ row }: { readonly row: string }) => row).join('\n');
    });
    for (const { CITY } of JSON.parse(many.text).content) expect(stored).not.toContain(`"${CITY}"`);
    expect((await read(anybody, many.id)).result).not.toHaveProperty('figures');
  });

  it('is the same of /data, of a page of CSV, of OData and of tools', async () => {
    const fields = ['ORDER_NO', 'ITEM_NO', 'CITY'];
    const sort = 'ORDER_NO,ITEM_NO';
    const data = await keep(client.data(anybody, model, 'PO_ITEM', { fields, sort, prefer }));
    const posted = { fields: fields.join(), sort };
    const csv = await keep(client.query(anybody, model, 'PO_ITEM', { fields, sort, $format: 'csv', page: 0, prefer }));
    const rowsDigest = sha256(rowsIn(data.text, '"data":[', ']}}'));
    const digestOf = async (id: string) => (await read(anybody, id)).result?.rowsDigest;
    expect(await digestOf(data.id)).toBe(rowsDigest);
    expect(await digestOf(csv.id)).toBe(rowsDigest);
    const postedReply = await keep(client.postQuery(anybody, model, 'PO_ITEM', posted, { prefer }));
    expect(await digestOf(postedReply.id)).toBe(rowsDigest);
    const entries = await keep(
      odata.page(anybody, model, 'PO_ITEM', { $select: fields.join(), prefer: 'odata.maxpagesize=3, evidence' }),
    );
    expect(entries.reply.headers).toMatchObject({ 'preference-applied': 'odata.maxpagesize=3, evidence' });
    expect((await read(anybody, entries.id)).statement).toMatchObject({ kind: 'entries', question: { pageSize: 3 } });
    expect(await replay(anybody, entries.id)).toMatchObject({ outcome: 'same', reasons: [] });
  });
});

describe('a replay', () => {
  const amountsTimes = (factor: number) =>
    companyTables.map((table) =>
      table.name === 'po_item' ? { ...table, then: [`update $table set net_amount = net_amount * ${factor}`] } : table,
    );

  it('is the same, byte for byte, while nothing has changed', async () => {
    const { anybody: one } = await openTeam('unchanged');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    const replayed = await replay(one, id);
    expect(replayEvidence.reply.parse(replayed)).toEqual(replayed);
    expect(replayed).toMatchObject({ outcome: 'same', reasons: [] });
    expect(replayed.now).toEqual({ ...replayed.before, salt: undefined });
  });

  it('after a load says which table changed, with both figures', async () => {
    const { anybody: one } = await openTeam('loaded');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    await fixture.load('loaded', ...amountsTimes(2));
    const replayed = await replay(one, id);
    const [before, now] = [replayed.before, replayed.now].map((result) => Number(result?.figures?.[0]?.value));
    expect(replayed).toMatchObject({
      outcome: 'changed',
      reasons: [{ kind: 'data', table: 'po_item', before: '1', now: '2' }],
    });
    expect(now).toBe(2 * (before ?? 0));
  });

  it('after a publication says what the model says otherwise, but nothing that the reader does not see', async () => {
    const { anybody: one } = await openTeam('published');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    const [orderValue, ...kpis] = companyModel.kpis ?? [];
    if (!orderValue) throw new Error('The model has no KPI.');
    const accounts = kpis.map((kpi) => (kpi.id === 'ACCOUNTS' ? { ...kpi, name: 'Number of accounts' } : kpi));
    await fixture.publish('published', {
      ...companyModel,
      kpis: [{ ...orderValue, expression: 'sum(PO_ITEM.AMOUNT) * 3' }, ...accounts],
    });
    const replayed = await replay(one, id);
    expect(replayed).toMatchObject({
      outcome: 'changed',
      reasons: [{ kind: 'model', before: 1, now: 2, changes: [{ change: 'changed', breaks: expect.any(Boolean) }] }],
      before: { figures: [{ id: 'ORDER_VALUE' }] },
    });
    expect(JSON.stringify(replayed.reasons)).toContain('kpis.ORDER_VALUE');
    expect(JSON.stringify(replayed.reasons)).not.toContain('ACCOUNTS');
    expect((await read(one, id)).statement.model.version).toBe(1);
  });

  it.each([
    ['rows', { policies: [{ record: 'PO_ITEM', rows: "COMPANY_CODE eq '1000'", unless: financeOnly }] }],
    ['rows by a formula', { policies: [{ record: 'PO_ITEM', rows: "SIZE eq 'large'", unless: financeOnly }] }],
    ['another field', { policies: [{ record: 'PO_ITEM', hide: ['CITY'], unless: financeOnly }] }],
  ])('tells no figure of before when the version of now hides %s', async (hidden, restricted) => {
    const name = `restricted-${hidden.replaceAll(' ', '-')}`;
    const { anybody: one, financial: asker } = await openTeam(name, { ...companyModel, policies: [] });
    const { id } = await keep(client.query(asker, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    expect((await read(one, id)).result?.figures).toHaveLength(1);
    await fixture.publish(name, { ...companyModel, ...restricted });
    expect(await read(one, id)).not.toHaveProperty('result');
    const replayed = await replay(one, id);
    expect(Object.keys(replayed)).toEqual(['reasons']);
    expect(replayed.reasons.map(({ kind }) => kind)).toEqual(['model', 'rights']);
    expect((await read(asker, id)).result?.figures).toHaveLength(1);
  });

  it.each([
    ['a field behind the KPI', { kpis: ['ORDER_VALUE'] }, ['AMOUNT'], {}],
    ['a field of a condition', { kpis: ['ORDER_VALUE'], filterExpr: ["PO_ITEM.CITY eq 'Bonn'"] }, ['CITY'], {}],
    [
      'what a filter reads now',
      { kpis: ['ORDER_VALUE'], filters: ['LARGE'] },
      ['CITY'],
      { LARGE: "PO_ITEM.CITY eq 'Bonn'" },
    ],
  ])('finds nothing when the version of now hides %s', async (hidden, question, hide, changed) => {
    const name = `hides-${hidden.replaceAll(' ', '-').toLowerCase()}`;
    const { anybody: one, financial: asker } = await openTeam(name, { ...companyModel, policies: [] });
    const { id } = await keep(client.query(asker, model, undefined, { ...question, prefer }));
    const visible = await keep(client.query(asker, model, undefined, { kpis: ['ACCOUNTS'], prefer }));
    const expressions = new Map<string, string>(Object.entries(changed));
    await fixture.publish(name, {
      ...companyModel,
      filters: (companyModel.filters ?? []).map((filter) => ({
        ...filter,
        expression: expressions.get(filter.id) ?? filter.expression,
      })),
      policies: [{ record: 'PO_ITEM', hide, unless: financeOnly }],
    });
    expect(await readFailure(evidence.read(one, id))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    expect(await readFailure(evidence.replay(one, id))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    expect((await read(asker, id)).statement.id).toBe(id);
    expect(JSON.stringify(await replay(one, visible.id))).not.toContain(hide[0]);
  });

  it('of a question that cannot be asked any more says why', async () => {
    const { anybody: one } = await openTeam('gone');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['LARGE_RATE'], prefer }));
    const kpis = (companyModel.kpis ?? []).filter((kpi) => kpi.id !== 'LARGE_RATE');
    await fixture.publish('gone', { ...companyModel, kpis });
    const replayed = await replay(one, id);
    expect(replayed).toMatchObject({
      outcome: 'changed',
      reasons: [{ kind: 'model', before: 1, now: 2 }],
      failure: { code: 'KM_KPI_NOTFOUND' },
    });
    expect(replayed).not.toHaveProperty('now');
  });

  it('of a question that cannot be asked any more says nothing of what it compares with to who sees other rows', async () => {
    const { anybody: one, financial: asker } = await openTeam('retyped');
    const question = { kpis: ['ORDER_VALUE'], filterExpr: ["PO_ITEM.CITY eq 'Kiel'"], prefer };
    const { id } = await keep(client.query(asker, model, undefined, question));
    const records = (companyModel.records ?? []).map((record) => ({
      ...record,
      attributes: (record.attributes ?? []).map((field) =>
        field.id === 'CITY' ? { ...field, type: 'integer' as const } : field,
      ),
    }));
    await fixture.publish('retyped', { ...companyModel, records });
    expect((await replay(asker, id)).failure?.detail).toContain('Kiel');
    const replayed = await replay(one, id);
    expect(Object.keys(replayed)).toEqual(['reasons']);
    expect(replayed.reasons.map(({ kind }) => kind)).toEqual(['model', 'rights']);
  });

  it('asks what get-insights answered, too', async () => {
    const { anybody: one } = await openTeam('driven');
    const asked = { kpi: 'ORDER_VALUE', field_ids: ['PO_ITEM.CITY'] };
    const { id, text } = await keep(client.insights(one, model, asked, prefer));
    const found = await read(one, id);
    expect(found.result?.rowsDigest).toBe(sha256(rowsIn(text, '"insights":[', ']}')));
    const told: Json = JSON.parse(text);
    expect(found.result?.figures).toEqual([{ id: 'ORDER_VALUE', value: String(told.overall_value) }]);
    expect(found.statement.question.columns).toEqual(['ORDER_VALUE', 'PO_ITEM.CITY']);
    expect(await replay(one, id)).toMatchObject({ outcome: 'same' });
    await fixture.load('driven', ...amountsTimes(3));
    expect(await replay(one, id)).toMatchObject({ outcome: 'changed', reasons: [{ kind: 'data' }] });
  });

  it('asks what load-data answered in the order of its columns', async () => {
    const { anybody: one } = await openTeam('columns');
    const { id, text } = await keep(client.load(one, model, { columns: ['ORDER_VALUE', 'PO_ITEM.CITY'] }, prefer));
    const found = await read(one, id);
    expect(found.statement.question.columns).toEqual(['ORDER_VALUE', 'PO_ITEM.CITY']);
    expect(found.result?.rowsDigest).toBe(sha256(rowsIn(text, '"data":[', '],"schema"')));
    expect(await replay(one, id)).toMatchObject({ outcome: 'same' });
  });
});

describe('records', () => {
  it('are read while others cannot be written', async () => {
    const { anybody: one } = await openTeam('unwritten');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    await read(one, id);
    const flush = jest.spyOn(client.evidenceLog, 'flush').mockRejectedValue(new Error('away'));
    try {
      expect((await read(one, id)).statement.id).toBe(id);
    } finally {
      flush.mockRestore();
    }
  });

  it.each([
    [
      'rows',
      (one: { readonly team: string }) => client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }),
    ],
    [
      'insights',
      (one: { readonly team: string }) =>
        client.insights(one, model, { kpi: 'ORDER_VALUE', field_ids: ['PO_ITEM.CITY'] }, prefer),
    ],
  ])('are none of %s that were read while a load was committed', async (kind, ask) => {
    const { anybody: one } = await openTeam(`meanwhile-${kind}`);
    const { refused } = client.evidence;
    const prepare = client.models.open.bind(client.models);
    const opened = jest.spyOn(client.models, 'open').mockImplementationOnce(async (...asked) => {
      const found = await prepare(...asked);
      await fixture.load(one.team, ...companyTables);
      return found;
    });
    try {
      expect((await unwrap(ask(one))).headers ?? {}).not.toHaveProperty('evidence');
    } finally {
      opened.mockRestore();
    }
    expect(client.evidence.refused).toBe(refused + 1);
    expect((await read(one, (await keep(ask(one))).id)).statement.data).toEqual([{ table: 'po_item', version: '2' }]);
  });

  it('are none of a question that is too large to be kept', async () => {
    const { anybody: one } = await openTeam('large');
    const { refused } = client.evidence;
    const ask = (count: number) => {
      const values = Array.from({ length: count }, (_, place) => `${place}`.padStart(900, 'x'));
      const applied_filters = { string_filters: [{ column_id: 'PO_ITEM.CITY', values }] };
      const asked = { kpi: 'ORDER_VALUE', field_ids: ['PO_ITEM.CITY'], applied_filters };
      return unwrap(client.insights(one, model, asked, prefer));
    };
    expect((await ask(30)).headers).toHaveProperty('evidence');
    expect(client.evidence.refused).toBe(refused);
    expect((await ask(40)).headers ?? {}).not.toHaveProperty('evidence');
    expect(client.evidence.refused).toBe(refused + 1);
  });

  it('that are not there are looked for ever less often', async () => {
    const { anybody: one } = await openTeam('missing');
    const transactions = jest.spyOn(fixture.pools.light, 'connect');
    try {
      expect(await readFailure(evidence.read(one, createTimeOrderedId()))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
      expect(transactions.mock.calls.length).toBeGreaterThan(0);
      expect(transactions.mock.calls.length).toBeLessThan(8);
    } finally {
      transactions.mockRestore();
    }
  });

  it('are those of every replica, and all there when one has stopped', async () => {
    const { anybody: one } = await openTeam('replicas');
    const first = openToolClient(fixture);
    const { id } = await keep(first.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    await first.evidenceLog.beforeApplicationShutdown();
    expect((await read(one, id)).statement.id).toBe(id);
  });

  it('of a stream are written when it has been read to its end, and not when it was left before', async () => {
    await fixture.publish('streams', measurementModel);
    await fixture.load('streams', createMeasurementTable(6_000));
    const asked = { fields: measurementFields, pageSize: 5_000, sort: 'ID', prefer };
    const uncached = openToolClient(fixture, { RESULT_CACHE_BYTES: '0' });
    const ask = () => uncached.query({ team: 'streams' }, 'measurements', 'MEASUREMENT', asked);
    const left = await unwrap(ask());
    if (left.body instanceof Uint8Array) throw new Error('The answer does not stream.');
    for await (const piece of left.body) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(uncached.evidence.kept).toBe(0);
    const { id, text } = await keep(ask());
    expect(uncached.evidence.kept).toBe(1);
    await uncached.evidenceLog.flush('streams');
    const { result } = await read({ team: 'streams' }, id);
    expect(result).toMatchObject({ rows: 5_000, rowsDigest: sha256(rowsIn(text, '"content":[', ']}')) });
    expect(await replay({ team: 'streams' }, id)).toMatchObject({ outcome: 'same' });
  });

  it('are not changed or deleted by the service, and go after their time', async () => {
    const { anybody: one } = await openTeam('kept');
    const { id } = await keep(client.query(one, model, undefined, { kpis: ['ORDER_VALUE'], prefer }));
    await read(one, id);
    const attempt = (statement: string) =>
      runInTenantTransaction(fixture.pools.light, 'kept', (connection) => connection.query(statement)).catch(
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
    expect(await attempt(`update knowledge_models.evidence set subject = 'bob'`)).toBe('42501');
    expect(await attempt(`delete from knowledge_models.evidence`)).toBe('42501');
    const oldId = `00000000-0000-7000-8000-${'1'.repeat(12)}`;
    await runInTenantTransaction(fixture.pools.light, 'kept', (connection) =>
      connection.query(
        `insert into knowledge_models.evidence select tenant, $1, subject, request_id, kind, model_id, model_version,
          model_digests, view_digest, question, data, policies, salt, row_count, rows_digest, figures
         from knowledge_models.evidence where evidence_id = $2`,
        [oldId, id],
      ),
    );
    expect(await purgeEvidence(fixture.pools.light, 1, 10)).toBe(1);
    expect(await readFailure(evidence.read(one, oldId))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    expect((await read(one, id)).statement.id).toBe(id);
  });
});
