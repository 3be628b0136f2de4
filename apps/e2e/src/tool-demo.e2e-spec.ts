import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { recordAnswers } from './compatibility/record-answers.js';
import { memberOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { createToolEndpoints, type ToolEndpoints } from './tool-endpoints.js';

let product: RunningProduct;
let endpoints: ToolEndpoints;
beforeAll(async () => {
  product = await getSharedProduct();
  endpoints = createToolEndpoints(product.gateways[0] ?? '', product.environment['DEMO_KEY'] ?? '', 'p2p-tools');
});

const identity = { name: 'spec', version: '1' };
const addressOf = (query: string): URL => new URL(`${product.gateways[0]}${mcpPrefix}/p2p-tools${query}`);
const requestInit = () => ({ headers: { AppKey: product.environment['DEMO_KEY'] ?? '' } });

type AnyClient = {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

const connect = async (options: ConstructorParameters<typeof Client>[1], query = ''): Promise<AnyClient> => {
  const client = new Client(identity, options);
  await client.connect(new StreamableHTTPClientTransport(addressOf(query), { requestInit: requestInit() }));
  return client;
};
const connectOlder = async (query = ''): Promise<AnyClient> => {
  const client = new OlderClient(identity);
  await client.connect(new OlderTransport(addressOf(query), { requestInit: requestInit() }));
  return client;
};

const invoiceNo = '5100000001';
/** The arguments for each demo tool, and what its answer must contain. */
const calls: Readonly<Record<string, readonly [args: Record<string, unknown>, holds: object]>> = {
  'search-data': [{ search_terms: ['Lieferant'] }, { search_result: expect.stringContaining('SUPPLIER.') }],
  'load-data': [
    { columns: ['MAVERICK_RATE'] },
    { total: 1, data_frame_content: { data: [{ MAVERICK_RATE: expect.closeTo(39 / 930, 10) }] } },
  ],
  'get-knowledge-model': [{}, { id: 'p2p.base-km' }],
  'get-insights': [
    { kpi: 'LOST_DISCOUNT', field_ids: ['SUPPLIER.SUPPLIER_NO'], limit: 3 },
    { overall_value: 7498.63, contribution_is: 'part of the sum' },
  ],
  'find-content': [{ query: 'invoice' }, { elements: expect.any(Array) }],
  'block-invoice': [
    { invoiceNo, reason: 'Paid before' },
    { invoiceNo, status: 'blocked', reason: 'Paid before' },
  ],
  'invoice-status': [{ invoiceNo }, { invoiceNo, status: 'blocked', reason: 'Paid before' }],
};

describe("the demo's tools", () => {
  it.each([
    ['the client as it is', () => connect({}, '?draft=true')],
    ['the client when it negotiates', () => connect({ versionNegotiation: { mode: 'auto' } }, '?draft=true')],
    ['the client of the first generation', () => connectOlder('?draft=true')],
  ])('are listed and called by %s', async (_, open) => {
    const client = await open();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(calls));
    for (const [name, [args, holds]] of Object.entries(calls))
      expect({ name, answer: await client.callTool({ name, arguments: args }) }).toMatchObject({
        name,
        answer: { structuredContent: holds },
      });
    await client.close();
  });

  it('omit the tool of the draft when published', async () => {
    const client = await connect({});
    expect((await client.listTools()).tools).toHaveLength(Object.keys(calls).length - 1);
    await expect(client.callTool({ name: 'invoice-status', arguments: { invoiceNo } })).rejects.toThrow(/no tool/);
    await client.close();
  });

  it('return the same figure as a query', async () => {
    const args = { columns: ['PURCHASE_ORDER.PLANT', 'OPEN_PO_VALUE'], order_by: 'PURCHASE_ORDER.PLANT' };
    const { document } = await endpoints.http('load_data', args);
    const query = 'fields=PURCHASE_ORDER.PLANT&kpis=OPEN_PO_VALUE&sort=PURCHASE_ORDER.PLANT';
    const path = `/intelligence/api/knowledge-models/p2p.base-km/query?${query}`;
    const response = await fetch(`${product.gateways[0]}${path}`, requestInit());
    expect(memberOf(document, 'data_frame_content', 'data')).toEqual(memberOf(await response.json(), 'content'));
  });
});

describe('search-data', () => {
  it.each([
    ['maverik', 'MAVERICK_RATE'],
    ['lost discont', 'LOST_DISCOUNT'],
    ['Skontoverlust', 'LOST_DISCOUNT'],
    ['Skonto Verlust', 'LOST_DISCOUNT'],
    ['Durchlaufzeit', 'CYCLE_TIME_DAYS'],
    ['open order value', 'OPEN_PO_VALUE'],
    ['Werk', 'PURCHASE_ORDER.PLANT'],
    ['Kreditor', 'SUPPLIER.'],
    ['Liferant', 'SUPPLIER.'],
    ['blocked invoices', 'BLOCKED_INVOICES'],
  ])('finds the right record for "%s"', async (term, id) => {
    const { document } = await endpoints.http('search-data', { search_terms: [term] });
    const hits = memberOf(parseJson(textOf(document, 'search_result')), term);
    const ids = Array.isArray(hits) ? hits.map((hit) => textOf(hit, 'id')) : [];
    expect(ids.slice(0, 5).some((found) => (id.endsWith('.') ? found.startsWith(id) : found === id)) || ids).toBe(true);
  });
});

recordAnswers();
