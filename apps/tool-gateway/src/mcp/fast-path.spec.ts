/** The fast path answers what the SDK answers, or nothing: for messages that clients send, and for mutated ones. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { freshForHeader } from '@tessera/contracts';
import { fail } from '@tessera/failures';
import { handleWithoutSdk } from './fast-path.js';
import { fixtureTools } from './fixtures/fixture-tools.js';
import { handleWithSdk } from './sdk-path.js';
import {
  createLegacyRequest,
  readMcpReply,
  createStatelessRequest,
  createStatelessHeaders,
  statelessMeta,
  createTestExchange,
  type ExchangeOptions,
  type McpHeaders,
  createTestTool,
  createTestView,
} from './testing/test-exchange.js';

const invalid = fail('TOOL_ARGUMENTS_INVALID', 'Two arguments do not fit.', {
  faults: [
    { in: 'body', path: 'columns.0', message: 'unknown column "nmae"', rule: 'enum', suggestion: 'name' },
    { in: 'body', path: '', message: 'needs "top"', rule: 'required' },
  ],
});
/** Some fixtures take their time. */
const pausing = fixtureTools.find(({ id }) => id === 'test_tool_with_progress');
const tools = [
  createTestTool(),
  createTestTool({
    id: 'say',
    title: 'Say',
    run: async () => ({ ok: true, value: { value: 'text "quoted" \u2028 ü' } }),
  }),
  createTestTool({ id: 'rows', run: async () => ({ ok: true, value: { value: [1, 2] } }) }),
  createTestTool({
    id: 'ready',
    run: async () => ({ ok: true, value: { bytes: Buffer.from('{"a":1.0,"b":"ü \\"\u2028\\n𝄞"}') } }),
  }),
  createTestTool({
    id: 'told',
    run: async () => ({ ok: true, value: { bytes: Buffer.from('{"a":1}'), evidence: '/intelligence/api/evidence/1' } }),
  }),
  createTestTool({ id: 'nothing', run: async () => ({ ok: true, value: {} }) }),
  createTestTool({ id: 'refuse', isReadOnly: false, run: async () => invalid }),
  createTestTool({ id: 'odd', run: async () => ({ ok: true, value: { content: [{ type: 'smell' }] } }) }),
  createTestTool({
    id: 'wait',
    run: async () => fail('LIMIT_ASSET_EXCEEDED', 'The asset has had its calls.', { retryAfterSeconds: 12 }),
  }),
  createTestTool({
    id: 'break',
    run: () => {
      throw new Error('select * from secrets');
    },
  }),
  ...fixtureTools.filter(({ run }) => run !== pausing?.run),
];
const view = createTestView(tools);

beforeAll(() => Logger.overrideLogger(false));

/** The replies of both paths; `fast` is undefined for a message that it leaves to the SDK. */
const both = async (message: unknown, more: ExchangeOptions = {}) => {
  const exchange = createTestExchange(view, more);
  const fast = await handleWithoutSdk(exchange, message);
  return {
    fast: fast && (await readMcpReply(fast)),
    sdk: await readMcpReply(await handleWithSdk(exchange, message)),
  };
};

const listHeaders = createStatelessHeaders('tools/list');
const names = [...tools.filter(({ id }) => id !== 'test_missing_capability').map(({ id }) => id), 'load_data'];

describe('the fast path answers like the SDK', () => {
  it.each([undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'to lists and calls of revision %s',
    async (protocolVersion) => {
      const messages = [
        createLegacyRequest('tools/list'),
        createLegacyRequest('tools/list', {}, 'a"b'),
        ...names.map((name) => createLegacyRequest('tools/call', { name, arguments: {} }, name)),
        createLegacyRequest(
          'tools/call',
          { name: 'load-data', arguments: { top: 3, deep: { list: [1, null, 'ü\u2028'] } } },
          -7,
        ),
        createLegacyRequest('tools/call', { name: 'load-data' }, 0),
      ];
      for (const message of messages) {
        const { fast, sdk } = await both(message, { protocolVersion });
        expect(fast).toEqual(sdk);
      }
    },
  );

  it('to lists and calls of stateless clients', async () => {
    for (const name of names) {
      const message = createStatelessRequest('tools/call', { name, arguments: { top: 3 } });
      const { fast, sdk } = await both(message, createStatelessHeaders('tools/call', name));
      expect(fast).toEqual(sdk);
    }
    for (const shape of ['either', 'json'] as const) {
      const { fast, sdk } = await both(createStatelessRequest('tools/list'), { ...listHeaders, shape });
      expect(fast).toEqual(sdk);
    }
  });

  it('with the address of the evidence of a result in _meta', async () => {
    const asked = createLegacyRequest('tools/call', { name: 'told' });
    const { fast } = await both(asked, { protocolVersion: '2025-11-25' });
    expect(fast?.body).toMatchObject({ result: { _meta: { 'tessera/evidence': '/intelligence/api/evidence/1' } } });
  });

  it('to requests with different client metadata', async () => {
    const claims = [
      { 'io.modelcontextprotocol/clientInfo': undefined },
      { 'io.modelcontextprotocol/clientInfo': { name: 'n', version: '1', title: 'T' } },
      { 'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: {}, other: {} } },
    ];
    for (const claim of claims) {
      const message = {
        ...createLegacyRequest('tools/list'),
        params: { _meta: JSON.parse(JSON.stringify({ ...statelessMeta, ...claim })) },
      };
      const { fast, sdk } = await both(message, listHeaders);
      expect(fast).toEqual(sdk);
      expect(sdk.status).toBe(200);
    }
  });
});

describe('a list', () => {
  it('is rendered once per asset view, even when the first caller leaves', async () => {
    const fresh = createTestView([createTestTool()]);
    const signal = AbortSignal.abort();
    const replies = await Promise.all(
      [1, 2, 1].map(async (id) =>
        handleWithoutSdk(createTestExchange(fresh, { signal }), createLegacyRequest('tools/list', {}, id)),
      ),
    );
    const { body } = await readMcpReply(
      await handleWithSdk(createTestExchange(fresh), createLegacyRequest('tools/list')),
    );
    expect(body).toMatchObject({ id: 1, result: { tools: [{ name: 'load-data' }] } });
    for (const [index, id] of [1, 2, 1].entries())
      expect(await readMcpReply(replies[index] ?? { contentType: '', body: Buffer.of() })).toMatchObject({
        body: { ...Object(body), id },
      });
  });

  it('carries a freshness header when it stays valid for at least a millisecond', async () => {
    const fresh = createTestView([createTestTool()]);
    const headersOf = async (freshForMs: number) =>
      (await handleWithoutSdk(createTestExchange(fresh, { freshForMs }), createLegacyRequest('tools/list')))?.headers;
    expect(await headersOf(41.7)).toEqual({ [freshForHeader]: '41' });
    expect(await headersOf(0.9)).toBeUndefined();
  });

  it('has the JSON-RPC id of its request', async () => {
    const fresh = createTestView([createTestTool()]);
    for (const id of [0, 1, 'a', 2, 3, 'b', 4, 5, 0, 'a', 5]) {
      const reply = await handleWithoutSdk(createTestExchange(fresh), createLegacyRequest('tools/list', {}, id));
      expect(reply && (await readMcpReply(reply))).toMatchObject({ body: { id } });
    }
  });
});

type Probe = readonly [what: string, message: unknown, more?: ExchangeOptions];

const withMeta = (meta: object) => ({
  ...createLegacyRequest('tools/list'),
  params: { _meta: { ...statelessMeta, ...meta } },
});

const left: readonly Probe[] = [
  ['other methods', createLegacyRequest('ping')],
  ['notifications', { jsonrpc: '2.0', method: 'tools/list' }],
  ['batches', [createLegacyRequest('tools/list')]],
  ['further members', { ...createLegacyRequest('tools/list'), more: 1 }],
  ['another version of JSON-RPC', { ...createLegacyRequest('tools/list'), jsonrpc: '1.0' }],
  ['ids that are none', { ...createLegacyRequest('tools/list'), id: null }],
  ['ids with fractions', { ...createLegacyRequest('tools/list'), id: 1.5 }],
  ['ids beyond exact numbers', { ...createLegacyRequest('tools/list'), id: 1e300 }],
  ['parameters that are a list', { ...createLegacyRequest('tools/list'), params: [] }],
  ['cursors', createLegacyRequest('tools/list', { cursor: '' })],
  ['tokens of progress', createLegacyRequest('tools/list', { _meta: { progressToken: 1 } })],
  ['unknown tools', createLegacyRequest('tools/call', { name: 'lode-data' })],
  ['names that are none', createLegacyRequest('tools/call', { name: 7 })],
  ['arguments that are a list', createLegacyRequest('tools/call', { name: 'say', arguments: [] })],
  ['arguments that are null', createLegacyRequest('tools/call', { name: 'say', arguments: null })],
  [
    'arguments that the SDK leaves out',
    createLegacyRequest('tools/call', { name: 'say', arguments: JSON.parse('{"__proto__":1}') }),
  ],
  ['tasks', createLegacyRequest('tools/call', { name: 'say', task: { ttl: 1 } })],
  ['tools that need something of the client', createLegacyRequest('tools/call', { name: 'test_missing_capability' })],
  ['events', createLegacyRequest('tools/list'), { shape: 'events' }],
  ['unknown revisions', createLegacyRequest('tools/list'), { protocolVersion: '1999-01-01' }],
  ['revisions with spaces around', createLegacyRequest('tools/list'), { protocolVersion: ' 2025-11-25' }],
  ['a claim without headers', createStatelessRequest('tools/list')],
  [
    'a claim with another header',
    createStatelessRequest('tools/list'),
    { ...listHeaders, protocolVersion: '2025-11-25' },
  ],
  ['a header without claim', createLegacyRequest('tools/list'), listHeaders],
  ['another method in the header', createStatelessRequest('tools/list'), createStatelessHeaders('tools/call')],
  [
    'another name in the header',
    createStatelessRequest('tools/call', { name: 'say' }),
    createStatelessHeaders('tools/call', 'rows'),
  ],
  ['clients without a version', withMeta({ 'io.modelcontextprotocol/clientInfo': { name: 'n' } }), listHeaders],
  ['clients that are none', withMeta({ 'io.modelcontextprotocol/clientInfo': 7 }), listHeaders],
  [
    'capabilities with details',
    withMeta({ 'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } } }),
    listHeaders,
  ],
  ['capabilities that are a list', withMeta({ 'io.modelcontextprotocol/clientCapabilities': [] }), listHeaders],
  ['what is wanted of the log', withMeta({ 'io.modelcontextprotocol/logLevel': 'info' }), listHeaders],
  [
    'answers to questions',
    createStatelessRequest('tools/call', { name: 'say', inputResponses: {} }),
    createStatelessHeaders('tools/call', 'say'),
  ],
];

it('a list of tools is rendered again after a failure', async () => {
  let isBroken = true;
  const fragile = createTestTool({ id: 'fragile' });
  const failing = createTestView([
    {
      ...fragile,
      get description() {
        if (isBroken) throw new Error('broken');
        return fragile.description;
      },
    },
  ]);
  const ask = () => handleWithoutSdk(createTestExchange(failing), createLegacyRequest('tools/list'));
  await expect(ask()).rejects.toThrow();
  isBroken = false;
  expect(await ask()).toMatchObject({ status: 200 });
});

describe('the fast path leaves to the SDK', () => {
  it.each(left)('%s', (_what, message, more = {}) => {
    expect(handleWithoutSdk(createTestExchange(view, more), message)).toBeUndefined();
  });
});

describe('messages of any kind', () => {
  /** The same numbers in every run. */
  const numbers = (seed: number) => {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  };
  const odd: readonly unknown[] = [
    undefined,
    null,
    0,
    -1,
    1.5,
    '',
    'x',
    'tools/list',
    'tools/call',
    'say',
    'load_data',
    true,
    [],
    [1],
    {},
    { a: {} },
    '2.0',
    '2026-07-28',
    '2025-11-25',
    statelessMeta,
    { progressToken: 'p' },
    { name: 'n', version: '1' },
  ];
  const keys = [
    'id',
    'method',
    'jsonrpc',
    'params',
    'name',
    'arguments',
    '_meta',
    'cursor',
    'task',
    'requestState',
    '__proto__',
    'constructor',
    ...Object.keys(statelessMeta),
  ];

  it('are answered identically by the fast path and the SDK', async () => {
    const next = numbers(7);
    const one = <Value>(list: readonly Value[]): Value | undefined => list[Math.floor(next() * list.length)];
    const changed = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || next() < 0.1) return one(odd);
      const entries = Object.entries(value);
      const key = next() < 0.6 ? (one(entries)?.[0] ?? '') : (one(keys) ?? '');
      const others = entries.filter(([name]) => name !== key);
      const inner = entries.find(([name]) => name === key)?.[1];
      return Object.fromEntries([...others, [key, next() < 0.5 ? changed(inner) : one(odd)]]);
    };
    const answered = { fast: 0, left: 0 };
    for (let round = 0; round < 1_500; round++) {
      const isStateless = next() < 0.5;
      const method = next() < 0.3 ? 'tools/list' : 'tools/call';
      const params = method === 'tools/list' ? {} : { name: one(names), arguments: { top: 1 } };
      const valid = isStateless ? createStatelessRequest(method, params) : createLegacyRequest(method, params);
      const message: unknown = JSON.parse(JSON.stringify(next() < 0.25 ? valid : (changed(valid) ?? null)));
      const headers: McpHeaders = isStateless
        ? createStatelessHeaders(method, typeof params.name === 'string' ? params.name : undefined)
        : { protocolVersion: one([undefined, '2025-06-18', '2025-11-25', '2024-10-07', '2026-07-28']) };
      const { fast, sdk } = await both(message, headers);
      answered[fast ? 'fast' : 'left']++;
      if (fast) expect({ message, headers, ...fast }).toEqual({ message, headers, ...sdk });
    }
    expect(answered.fast).toBeGreaterThan(300);
    expect(answered.left).toBeGreaterThan(300);
  });
});
