/** Evidence over the gateway of the launched product: a permalink of the demo opened by four people, replay after a load, an export. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { runTessera, runTesseraWithSettings } from './command-line.js';
import { recordAnswers } from './compatibility/record-answers.js';
import {
  createQueryClient,
  modelQueryRequest,
  saleQueryRequest,
  type QueryAnswer,
  type QueryClient,
} from './group-d.js';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { createTestKey, createTestModel, loadRows, salesRows } from './test-model.js';

let product: RunningProduct;
let folder: string;
/** Of the test model: everything, with SQL; one company. */
let all: QueryClient, restricted: QueryClient;
let allKey: string;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestModel(product);
  folder = mkdtempSync(join(tmpdir(), 'tessera-evidence-'));
  const furtherScopes = ['sales:all', 'finance:read', 'knowledge-models:explain'];
  allKey = await createTestKey(product, { furtherScopes });
  all = clientOf(allKey);
  restricted = clientOf(await createTestKey(product, { attributes: { companies: ['1000'] } }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clientOf = (key: string): QueryClient => createQueryClient(product.gateways[0] ?? '', key);
const personOf = (name: string): QueryClient => clientOf(product.environment[name] ?? '');
const prefer = { prefer: 'evidence' };

const good = async (answering: Promise<QueryAnswer>): Promise<QueryAnswer> => {
  const answer = await answering;
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
};
/** The permalink of an answer. */
const addressOf = ({ headers }: QueryAnswer): string => {
  expect(headers.get('preference-applied')).toContain('evidence');
  return headers.get('evidence') ?? '';
};
const replay = (ask: QueryClient, address: string) => ask({ path: `${address}/replay`, body: {} });

describe('a permalink of the demo', () => {
  it('is the same for who has the same rights, fewer rows for another, and nothing for another team', async () => {
    const question = { path: '/p2p.own-km/query', query: { kpis: 'OPEN_PO_VALUE' }, headers: prefer };
    const asker = personOf('DEMO_KEY');
    const address = addressOf(await good(asker(question)));
    const colleague = clientOf(
      await createTestKey(product, { team: 'meridian', furtherScopes: ['finance:read', 'purchasing:all'] }),
    );
    for (const person of [asker, colleague]) {
      const { document } = await good(person({ path: address }));
      expect(itemsOf(memberOf(document, 'result'), 'figures')).toHaveLength(1);
      expect(memberOf((await good(replay(person, address))).document, 'outcome')).toBe('same');
    }
    const buyer = personOf('READONLY_KEY');
    const { document, text } = await good(buyer({ path: address }));
    expect(memberOf(document, 'result')).toBeUndefined();
    const seen = (await good(replay(buyer, address))).document;
    expect(Object.keys(Object(seen))).toEqual(['reasons']);
    expect(itemsOf(seen, 'reasons').map((reason) => memberOf(reason, 'kind'))).toEqual(['rights']);
    const figure = textOf(
      itemsOf(memberOf((await good(asker({ path: address }))).document, 'result'), 'figures')[0],
      'value',
    );
    expect(text + JSON.stringify(seen)).not.toContain(figure);
    const stranger = personOf('NORTHGATE_KEY');
    expect((await stranger({ path: address })).status).toBe(404);
    expect((await replay(stranger, address)).status).toBe(404);
  });

  it('names the process that content says is measured by the KPI, in its released version', async () => {
    const asker = personOf('DEMO_KEY');
    const question = { path: '/p2p.base-km/query', query: { kpis: 'DUPLICATE_INVOICE_VALUE' }, headers: prefer };
    const { document } = await good(asker({ path: addressOf(await good(asker(question))) }));
    const [found, ...others] = itemsOf(document, 'documents');
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ figure: 'DUPLICATE_INVOICE_VALUE', version: '2.0', element: { name: 'Verify invoices' } },
    });
    const { pathname } = new URL(textOf(memberOf(found, 'element'), 'href'));
    const headers = { AppKey: product.environment['DEMO_KEY'] ?? '' };
    const report = await fetch(`${product.gateways[0]}${pathname}`, { headers });
    expect([report.status, await report.text()]).toEqual([200, expect.stringContaining('Verify invoices')]);
  });
});

describe('evidence of the test model', () => {
  it('tells the question, the plan, SQL for its scope, and the address of the rows behind it', async () => {
    const filterExpr = 'SALE.AMOUNT gt 1';
    const asked = { fields: 'SALE.SIZE', kpis: 'REVENUE', filterExpr, filters: 'LARGE', sort: '-REVENUE' };
    const address = addressOf(await good(all({ ...modelQueryRequest(asked), headers: prefer })));
    const { document } = await good(all({ path: address }));
    expect(memberOf(document, 'statement', 'question')).toMatchObject({
      ...{ columns: ['SALE.SIZE', 'REVENUE'], filters: ['LARGE'], conditions: [filterExpr], sort: ['-REVENUE'] },
    });
    expect(memberOf(document, 'sql', 'text')).toEqual(expect.stringContaining('select'));
    const [{ href } = { href: '' }] = itemsOf(document, 'rows').map((each) => ({ href: textOf(each, 'href') }));
    const { pathname, searchParams } = new URL(href);
    const rows = await good(all({ path: pathname, query: Object.fromEntries(searchParams) }));
    expect(itemsOf(rows.document, 'content').map((row) => memberOf(row, 'SIZE'))).toEqual(['large', 'large']);
    const other = (await good(restricted({ path: address }))).document;
    expect([memberOf(other, 'sql'), memberOf(other, 'result')]).toEqual([undefined, undefined]);
  });

  it('after a load says that the data changed, with both figures', async () => {
    const address = addressOf(await good(all({ ...modelQueryRequest({ kpis: 'REVENUE' }), headers: prefer })));
    expect(memberOf((await good(replay(all, address))).document, 'outcome')).toBe('same');
    await loadRows(product, 'sale', [...salesRows, '6,1,1000,1000,2026-03-03']);
    try {
      const { document } = await good(replay(all, address));
      expect(memberOf(document, 'outcome')).toBe('changed');
      expect(itemsOf(document, 'reasons')).toEqual([
        { kind: 'data', table: 'sale', before: expect.any(String), now: expect.any(String) },
      ]);
      const figures = ['before', 'now'].map((when) =>
        Number(textOf(itemsOf(memberOf(document, when), 'figures')[0], 'value')),
      );
      expect(figures).toEqual([500, 1500]);
    } finally {
      await loadRows(product, 'sale', salesRows);
    }
  });

  it('is kept of OData, and explained to everybody in their own view', async () => {
    const path = '/intelligence/api/odata/trial.sales-km.svc/SALE_entries';
    const entries = await good(
      all({ path, query: { $select: 'SALE_NO' }, headers: { prefer: 'evidence,maxpagesize=2' } }),
    );
    expect(memberOf((await good(all({ path: addressOf(entries) }))).document, 'statement', 'kind')).toBe('entries');
    const explain = { record: 'SALE', query: { projection: { fields: 'SALE_NO' } } };
    const { document, text } = await good(restricted({ path: '/trial.sales-km/explain', body: explain }));
    expect(memberOf(document, 'policies')).toEqual(['rows of SALE']);
    expect(text).not.toContain('COMPANY');
  });

  it('is exported with a signature that a file with the public keys checks, and refused when it was changed', async () => {
    const searched = { searchTerm: 'large', searchField: 'SIZE', searchPrecision: '100' };
    const answer = await good(
      all({ ...saleQueryRequest({ fields: 'SALE_NO,AMOUNT', pageSize: '3', ...searched }), headers: prefer }),
    );
    const { document } = await good(all({ path: addressOf(answer) }));
    expect(memberOf(document, 'statement', 'question', 'search')).toEqual({
      ...{ term: 'large', fields: ['SIZE'], precision: 100 },
    });
    const exported = await good(all({ path: `${addressOf(answer)}/export` }));
    const keys = await fetch(`${product.gateways[0]}/.well-known/tessera-evidence-keys`);
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [keyFile, rowsFile] = [write('keys.json', await keys.text()), write('answer.json', answer.text)];
    const verify = (text: string) =>
      runTessera(product, 'evidence', 'verify', write('evidence.json', text), '--keys', keyFile, '--rows', rowsFile);
    const valid = await verify(exported.text);
    expect([valid.code, valid.stdout]).toEqual([0, expect.stringContaining('valid')]);
    const printed = await runTesseraWithSettings(
      { GATEWAY_URL: product.gateways[0] ?? '', API_KEY: allKey },
      ...['evidence', 'export', addressOf(answer)],
    );
    expect(await verify(printed.stdout)).toEqual(valid);
    for (const [from, to, refusal] of [
      ['"askedBy":"', '"askedBy":"not ', 'was changed after it was signed'],
      ['"rows":2', '"rows":2.0', 'is not spelt as it was signed'],
      ['"result":', '"result":{},"result":', 'is not spelt as it was signed'],
      ['"keys":"http', '"keys":"https://example.com/', 'names an address of keys'],
    ] as const) {
      const forged = await verify(exported.text.replace(from, to));
      expect([forged.code, forged.stdout]).toEqual([1, expect.stringContaining(refusal)]);
    }
  });
});

describe('evidence of tools and agents', () => {
  const asset = `${mcpPrefix}/p2p-tools`;
  const figures = { columns: ['OPEN_PO_VALUE'] };
  const request = (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}, method = 'POST') =>
    fetch(`${product.gateways[0]}${path}`, {
      method,
      headers: {
        ...{ AppKey: product.environment['DEMO_KEY'] ?? '', 'Content-Type': 'application/json' },
        ...{ Accept: 'application/json', ...headers },
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const statementAt = async (address: string) =>
    memberOf((await good(personOf('DEMO_KEY')({ path: address }))).document, 'statement');

  it('is kept of a call over HTTP that asks for it', async () => {
    const plain = await request(`${asset}/tool-api/load-data`, figures);
    expect(plain.headers.get('evidence')).toBeNull();
    const answer = await request(`${asset}/tool-api/load-data`, figures, prefer);
    expect(await statementAt(answer.headers.get('evidence') ?? '')).toMatchObject({
      question: { columns: ['OPEN_PO_VALUE'] },
    });
  });

  it.each([
    ['by the header', prefer, {}],
    ['by a member of _meta', {}, { _meta: { 'tessera/evidence': true } }],
  ])('is kept of a call over MCP that asks for it %s, in _meta of the result', async (_, headers, more) => {
    const params = { name: 'load-data', arguments: figures, ...more };
    const answer = await request(asset, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    const address = textOf(parseJson(await answer.text()), 'result', '_meta', 'tessera/evidence');
    expect(await statementAt(address)).toMatchObject({ kind: 'rows' });
  });

  it('is kept of every turn, and stays when the conversation is deleted', async () => {
    const conversations = `${agentsPrefix}/p2p-analyst/conversations`;
    const turn = parseJson(await (await request(conversations, { message: 'What is the maverick rate?' })).text());
    const conversation = `${conversations}/${textOf(turn, 'conversationId')}`;
    const { document } = await good(personOf('DEMO_KEY')({ path: conversation }));
    const steps = itemsOf(itemsOf(document, 'turns')[0], 'steps');
    const [address] = steps.flatMap((step) => memberOf(step, 'evidence') ?? []);
    expect((await request(conversation, undefined, {}, 'DELETE')).status).toBeLessThan(300);
    expect(await statementAt(typeof address === 'string' ? address : '')).toMatchObject({
      askedBy: expect.stringContaining('key:'),
    });
  });
});

recordAnswers();
