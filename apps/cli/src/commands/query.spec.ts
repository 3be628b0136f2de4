import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { postModelQuery } from '@tessera/contracts/knowledge-models';
import { nonEmptyLines, runTessera, testKey, type RunOptions } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { largeInteger } from '../testing/fake-knowledge.js';

let gateway: FakeGateway;
beforeEach(async () => void (gateway = await startFakeGateway(testKey)));
afterEach(() => gateway.stop());

const run = (words: readonly string[], options: RunOptions = {}) =>
  runTessera(words, { gatewayUrl: gateway.url, ...options });

describe('query', () => {
  it('queries the model and prints a table with the columns of the answer', async () => {
    const { exitCode, out, err } = await run([
      ...['query', 'p2p.base-km', '--fields', 'PO_ITEM.B', '--kpis', 'A,B', '--filter', 'X', '--filter', 'Y,Z'],
      ...['--where', "PO_ITEM.B eq 'x, y'", '--where', 'A gt 1', '--sort', '-A', '--page', '2', '--page-size', '10'],
      ...['--distinct', '--search', 'x', '--search-fields', 'PO_ITEM.B', '--search-precision', '100'],
    ]);
    expect(nonEmptyLines(out)).toEqual(['B  A', 'x  1', `-  ${largeInteger}`]);
    expect([exitCode, err]).toEqual([0, 'rows 1 to 2 of 2\n']);
    expect(gateway.requests.at(-1)).toEqual({
      accept: '*/*',
      km_id: 'p2p.base-km',
      query: {
        projection: {
          fields: 'PO_ITEM.B',
          kpis: ['A', 'B'],
          filters: { kmFilterNames: ['X', 'Y', 'Z'], filterExpr: ["PO_ITEM.B eq 'x, y'", 'A gt 1'] },
          pagination: { pageNumber: 2, pageSize: 10 },
          sort: '-A',
          options: ['distinct'],
          search: { term: 'x', field: 'PO_ITEM.B', precision: 100 },
        },
      },
    });
  });

  it('queries a record, and prints the page as JSON', async () => {
    const { out, err } = await run(['query', 'p2p.base-km', '--record', 'PO_ITEM']);
    expect([out, err]).toEqual(['', 'no row of 0\n']);
    expect(gateway.requests.at(-1)).toMatchObject({ km_id: 'p2p.base-km', record_id: 'PO_ITEM' });
    const json = await run(['query', 'p2p.base-km', '--kpis', 'A', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      total: 2,
      content: [
        { A: 1, B: 'x' },
        { A: Number(largeInteger), B: null },
      ],
    });
    expect(json.out).toContain(`"A": ${largeInteger}\n`);
  });

  it('prefers API_KEY over ADMIN_KEY', async () => {
    expect((await run(['query', 'm', '--kpis', 'A'], { apiKey: testKey, adminKey: 'tsk_other' })).exitCode).toBe(0);
    const wrong = await run(['query', 'm', '--kpis', 'A'], { apiKey: 'tsk_abc_secret_sum' });
    expect(wrong).toMatchObject({ exitCode: 3, err: expect.stringContaining('API_KEY of the spec (key abc)') });
    expect(wrong.err).not.toContain('secret');
  });

  it('prints the reason why a query is rejected', async () => {
    const detail = 'Unknown field "PO_ITEM.X"; did you mean "PO_ITEM.B"?';
    gateway.script(postModelQuery, [{ status: 400, title: 'Field not found', detail }]);
    const { exitCode, err } = await run(['query', 'm', '--fields', 'PO_ITEM.X']);
    expect([exitCode, nonEmptyLines(err)[0]]).toEqual([3, `Field not found: ${detail}`]);
  });

  it('suggests an API key of the team when ADMIN_KEY finds no model', async () => {
    const notFound = { status: 404, title: 'Knowledge model not found', detail: 'There is no knowledge model m.' };
    gateway.script(postModelQuery, [notFound, notFound]);
    const hint = 'set API_KEY to a key of the team that has the model.';
    expect((await run(['query', 'm', '--kpis', 'A'])).err).toContain(hint);
    expect((await run(['query', 'm', '--kpis', 'A'], { apiKey: testKey })).err).not.toContain(hint);
  });

  it.each([
    [['--page', 'x'], '--page: '],
    [['--page-size', '0'], '--page-size: '],
    [['--search', 'x', '--search-precision', '101'], '--search-precision: '],
    [['--record', 'R', '--kpis', 'A'], '--kpis: KPIs are asked of the whole model, without --record.'],
  ])('rejects the invalid arguments %j', async (words, message) => {
    const { exitCode, err } = await run(['query', 'm', ...words]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`error: ${message}`)]);
    expect(gateway.calls).toEqual([]);
  });
});

describe('explain', () => {
  it('prints the SQL, the policies and the cost', async () => {
    const { exitCode, out } = await run(['explain', 'p2p.base-km', '--team', 'meridian', '--kpis', 'A']);
    expect(nonEmptyLines(out)).toEqual([
      ...['Rows of:', '  PO_ITEM', 'SQL with 1 parameter:', '  select "net_amount"', '  from "po_item"'],
      ...['Rows are visible where:', "  PO_ITEM: COMPANY_CODE eq '1000'", 'Hidden fields:', '  SUPPLIER.BANK_ACCOUNT'],
      ...['Estimate:', '  cost 12.5, rows 3, indexes po_item_key', 'Plan:', '  {', '    "root": "PO_ITEM"', '  }'],
    ]);
    expect(exitCode).toBe(0);
    const { explain } = Object(gateway.requests.at(-1));
    expect(explain).toMatchObject({ draft: false, query: { projection: { kpis: ['A'] } } });
    expect(explain).not.toHaveProperty('caller');
  });

  it('explains the draft for the given scopes and attributes, and prints JSON', async () => {
    const { out } = await run([
      ...['explain', 'm', '--team', 'meridian', '--record', 'PO_ITEM', '--draft', '--json'],
      ...['--scope', 'finance:read', '--attribute', 'companyCodes=1000', '--attribute', 'companyCodes=2000'],
    ]);
    expect(JSON.parse(out)).toMatchObject({ grain: ['PO_ITEM'] });
    expect(gateway.requests.at(-1)).toMatchObject({
      team: 'meridian',
      modelId: 'm',
      explain: {
        ...{ record: 'PO_ITEM', draft: true },
        caller: { scopes: ['finance:read'], attributes: { companyCodes: ['1000', '2000'] } },
      },
    });
  });
});
