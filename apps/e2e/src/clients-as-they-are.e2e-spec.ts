/** Requests as clients of other interfaces send them to the demo: each has the right answer, or is told what would be right. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { memberOf, parseJson } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';

let product: RunningProduct;
beforeAll(async () => void (product = await getSharedProduct()));

type Sent = { readonly method?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

const send = async (path: string, { method, body, headers }: Sent = {}) => {
  const response = await fetch(`${product.gateways[0]}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      AppKey: product.environment['DEMO_KEY'] ?? '',
      ...(body !== undefined && { 'Content-Type': 'application/json', Accept: 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, allow: response.headers.get('allow'), body: text === '' ? '' : parseJson(text) };
};

const model = '/intelligence/api/knowledge-models/p2p.base-km';
const odata = '/intelligence/api/odata/p2p.base-km.svc';
const mcp = '/studio-copilot/api/v1/mcp-servers/mcp/p2p-tools';
const agent = '/intelligence/api/ai/agents/p2p-analyst';
const content = '/meridian/p2p/_api/rest';

const question = { fields: 'PURCHASE_ORDER.PLANT', kpis: ['MAVERICK_RATE'], sort: 'PURCHASE_ORDER.PLANT' };
const asked = (projection: object) => send(`${model}/query`, { body: { projection } });
const rpc = (message: object, path = mcp) => send(path, { body: { jsonrpc: '2.0', id: 1, ...message } });
const figures = { columns: ['PURCHASE_ORDER.PLANT', 'MAVERICK_RATE'], order_by: 'PURCHASE_ORDER.PLANT' };

describe('a name that nobody knows', () => {
  it.each([
    ['timezone', 'Europe/Berlin', undefined],
    ['having', 'MAVERICK_RATE gt 0', 'filterExpr'],
    ['groupBy', 'PURCHASE_ORDER.PLANT', 'fields'],
    ['order', 'PURCHASE_ORDER.PLANT', 'sort'],
    ['distinct', 'true', 'options'],
    ['take', '5', 'pageSize'],
    ['dateRange', '2024', 'filterExpr'],
    ['currency', 'USD', undefined],
    ['locale', 'de', undefined],
  ])('is refused in a question of knowledge models: %s', async (name, value, suggestion) => {
    const inQuery = await send(`${model}/query?kpis=MAVERICK_RATE&${name}=${encodeURIComponent(value)}`);
    const fault = { in: 'query', path: name, ...(suggestion !== undefined && { suggestion }) };
    expect(inQuery).toMatchObject({ status: 400, body: { errorCode: 'GENERAL_PARAMETER_ILLEGAL', faults: [fault] } });
    const inBody = await asked({ ...question, [name]: value });
    const path = `projection.${name}`;
    expect(inBody).toMatchObject({
      status: 400,
      body: { errorCode: 'GENERAL_CONSTRAINT_VIOLATION', faults: [{ in: 'body', path, values: expect.anything() }] },
    });
  });

  it.each([
    ['content', `${content}/facets?timezone=UTC`, {}, ['errorCode']],
    ['OData', `${odata}/PURCHASE_ORDER_entries?$top=1&sap-client=100`, {}, ['errorCode']],
    ['an MCP server', `${mcp}?timezone=UTC`, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }, ['errorCode']],
    ['an agent', `${agent}/conversations`, { body: { message: 'Hello', timezone: 'UTC' } }, ['errorCode']],
    [
      'a completion',
      `${agent}/v1/chat/completions`,
      { body: { model: 'x', messages: [{ role: 'user', content: 'x' }], metadta: {} } },
      ['error', 'errorCode'],
    ],
    ['who calls', '/me?timezone=UTC', {}, ['errorCode']],
  ])('is refused by %s', async (_, path, sent, code) => {
    const answer = await send(path, sent);
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty(code, expect.stringMatching(/^GENERAL_/));
    expect(memberOf(answer.body, ...code.slice(0, -1), 'faults', 0, 'rule')).toBe('additionalProperties');
  });

  it('is ignored when a page or a proxy adds it', async () => {
    const plain = await send(`${model}/query?kpis=MAVERICK_RATE`);
    expect(plain.status).toBe(200);
    expect(await send(`${model}/query?kpis=MAVERICK_RATE&_=17&utm_source=mail`)).toEqual(plain);
    expect(await asked({ kpis: 'MAVERICK_RATE', _trace: { a: 1 }, utm_campaign: 'x' })).toEqual(plain);
  });
});

describe('null and the two ways to write a list', () => {
  it('mean the same in a question', async () => {
    const plain = await asked(question);
    expect(plain.status).toBe(200);
    const nulls = { filters: null, pagination: { pageNumber: null, pageSize: null }, options: null, search: null };
    expect(await asked({ ...question, ...nulls })).toEqual(plain);
    expect(await asked({ ...question, fields: ['PURCHASE_ORDER.PLANT'], kpis: 'MAVERICK_RATE' })).toEqual(plain);
  });

  it('mean the same in a call of a tool, over HTTP and MCP', async () => {
    const plain = await send(`${mcp}/tool-api/load-data`, { body: figures });
    expect(plain).toMatchObject({ status: 200, body: { total: expect.any(Number) } });
    const nulls = { ...figures, limit: null, filters: null, applied_filters: { string_filters: null } };
    expect(await send(`${mcp}/tool-api/load-data`, { body: nulls })).toEqual(plain);
    const call = await rpc({ method: 'tools/call', params: { name: 'load-data', arguments: nulls, _meta: null } });
    expect(call.body).toMatchObject({ result: { structuredContent: plain.body } });
    const without = await rpc({ method: 'tools/call', params: { name: 'get-knowledge-model', arguments: null } });
    expect(without.body).toMatchObject({ result: { structuredContent: { records: expect.anything() } } });
  });

  it('mean the same in a list of tools', async () => {
    const plain = await rpc({ method: 'tools/list' });
    expect(plain.body).toMatchObject({ result: { tools: expect.anything() } });
    expect(await rpc({ method: 'tools/list', params: null })).toEqual(plain);
    expect(await rpc({ method: 'tools/list', params: { cursor: null } })).toEqual(plain);
  });

  it('are taken in what was said before a question', async () => {
    const messages = [
      { role: 'user', content: 'How are you?' },
      { role: 'assistant', content: null, tool_calls: null, refusal: null },
      { role: 'user', content: 'What is the maverick rate?' },
    ];
    const body = { model: 'p2p-analyst', messages, temperature: 0, seed: 7, parallel_tool_calls: false, store: null };
    expect(await send(`${agent}/v1/chat/completions`, { body })).toMatchObject({
      status: 200,
      body: { choices: [{ message: { content: expect.stringContaining('%') } }] },
    });
  });
});

describe('an empty question', () => {
  const sentence = 'There is no question';

  it.each([[{ message: '' }], [{ message: ' \n' }], [{ message: null }], [{}]])(
    'is told in a sentence: %j',
    async (body) => {
      expect(await send(`${agent}/conversations`, { body })).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining(sentence), faults: [{ path: 'message' }] },
      });
    },
  );

  it.each([
    ['messages', {}],
    ['messages', { messages: null }],
    ['messages', { messages: [] }],
    ...['', ' ', null].map((text) => ['messages.0.content', { messages: [{ role: 'user', content: text }] }] as const),
  ])('of a completion is told at %s: %j', async (param, more) => {
    expect(await send(`${agent}/v1/chat/completions`, { body: { model: 'p2p-analyst', ...more } })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(sentence), param } },
    });
  });
});

describe('a path', () => {
  it.each([
    `${content}/facets`,
    `${model}`,
    `${odata}`,
    `${agent}/v1/models`,
    `${mcp}/tool-api`,
    '/me',
    '/admin/status',
  ])('is the same with a slash at its end: %s', async (path) => {
    const [plain, slashed] = [await send(path), await send(`${path}/`)];
    expect(slashed.status).toBe(plain.status);
    if (path !== '/me') expect(JSON.stringify(slashed.body)).toBe(JSON.stringify(plain.body));
  });

  it('of an MCP server may end with a slash', async () => {
    expect(await rpc({ method: 'ping' }, `${mcp}/`)).toMatchObject({ status: 200, body: { result: {} } });
  });

  it('leads to the agent as a model', async () => {
    const known = { id: 'p2p-analyst', object: 'model', created: 0, owned_by: 'meridian' };
    expect(await send(`${agent}/v1/models/p2p-analyst`)).toMatchObject({ status: 200, body: known });
    expect(await send(`${agent}/v1/models/other`)).toMatchObject({
      status: 404,
      body: { error: { code: 'AGENT_NOTFOUND', type: 'not_found_error' } },
    });
  });

  it.each([
    [`${content}/facets`, 'DELETE', 'GET, HEAD', ['data', 'error']],
    [`${model}/query`, 'PUT', 'GET, HEAD, POST', ['errorCode']],
    [`${odata}/PURCHASE_ORDER_entries`, 'POST', 'GET, HEAD', ['error', 'code']],
    [mcp, 'GET', 'POST', ['code']],
    [`${mcp}/tool-api/load-data`, 'GET', 'POST', ['code']],
    [`${agent}/v1/chat/completions`, 'GET', 'POST', ['error', 'code']],
    ['/admin/keys', 'OPTIONS', 'GET, HEAD, POST', ['code']],
  ])('with a method that it does not take is 405: %s, %s', async (path, method, allow, code) => {
    const answer = await send(path, { method });
    expect([answer.status, answer.allow]).toEqual([405, allow]);
    expect(answer.body).toHaveProperty(code, 'GENERAL_METHOD_NOTALLOWED');
  });

  it('has a head wherever it can be read, and 405 elsewhere', async () => {
    expect(await send('/me', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await send(mcp, { method: 'HEAD' })).toMatchObject({ status: 405, allow: 'POST', body: '' });
  });
});

describe('an error', () => {
  it('says where it is, what is wrong and what would be right', async () => {
    const wrongFilter = await asked({ ...question, filters: { filterExpr: ["PURCHASE_ORDER.PLNT eq '1010'"] } });
    expect(wrongFilter).toMatchObject({
      status: 400,
      body: {
        faults: [{ in: 'body', path: 'projection.filters.filterExpr', position: 0, values: ['PURCHASE_ORDER.PLANT'] }],
      },
    });
    const tool = await send(`${mcp}/tool-api/load-data`, { body: { columns: ['MAVERIK_RATE'] } });
    expect(tool).toMatchObject({
      status: 422,
      body: [
        { errorCode: expect.any(String), path: 'columns.0', values: ['MAVERICK_RATE'], message: expect.anything() },
      ],
    });
    const entries = await send(`${odata}/PURCHASE_ORDER_entries?$select=PLNT`);
    expect(entries).toMatchObject({ status: 400, body: { error: { details: [{ target: '$select' }] }, faults: [{}] } });
    const rpcError = await rpc({ method: 'tools/call', params: { name: 'lode-data' } });
    expect(rpcError.body).toMatchObject({ error: { data: { errorCode: expect.any(String), faults: [{}] } } });
  });
});
