/** The fast path answers what the SDK answers, or nothing: for messages that clients send, and for mutated ones. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { freshForHeader } from '@tessera/contracts/tool-gateway';
import { fail } from '@tessera/failures';
import { handleFast } from './fast-path.js';
import { fixtureTools } from './fixtures/fixture-tools.js';
import { handleWithSdk } from './sdk-path.js';
import {
  legacyRequest,
  readReply,
  statelessRequest,
  statelessHeaders,
  statelessMeta,
  testExchange,
  type ExchangeOptions,
  type McpHeaders,
  testTool,
  testView,
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
  testTool(),
  testTool({ id: 'say', title: 'Say', run: async () => ({ ok: true, value: { value: 'text "quoted" \u2028 ü' } }) }),
  testTool({ id: 'rows', run: async () => ({ ok: true, value: { value: [1, 2] } }) }),
  testTool({
    id: 'ready',
    run: async () => ({ ok: true, value: { bytes: Buffer.from('{"a":1.0,"b":"ü \\"\u2028\\n𝄞"}') } }),
  }),
  testTool({ id: 'nothing', run: async () => ({ ok: true, value: {} }) }),
  testTool({ id: 'refuse', isReadOnly: false, run: async () => invalid }),
  testTool({ id: 'odd', run: async () => ({ ok: true, value: { content: [{ type: 'smell' }] } }) }),
  testTool({
    id: 'wait',
    run: async () => fail('LIMIT_ASSET_EXCEEDED', 'The asset has had its calls.', { retryAfterSeconds: 12 }),
  }),
  testTool({
    id: 'break',
    run: () => {
      throw new Error('select * from secrets');
    },
  }),
  ...fixtureTools.filter(({ run }) => run !== pausing?.run),
];
const view = testView(tools);

beforeAll(() => Logger.overrideLogger(false));

/** The replies of both paths; `fast` is undefined for a message that it leaves to the SDK. */
const both = async (message: unknown, more: ExchangeOptions = {}) => {
  const exchange = testExchange(view, more);
  const fast = await handleFast(exchange, message);
  return {
    fast: fast && (await readReply(fast)),
    sdk: await readReply(await handleWithSdk(exchange, message)),
  };
};

const listHeaders = statelessHeaders('tools/list');
const names = [...tools.filter(({ id }) => id !== 'test_missing_capability').map(({ id }) => id), 'load_data'];

describe('the fast path answers like the SDK', () => {
  it.each([undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'to lists and calls of revision %s',
    async (protocolVersion) => {
      const messages = [
        legacyRequest('tools/list'),
        legacyRequest('tools/list', {}, 'a"b'),
        ...names.map((name) => legacyRequest('tools/call', { name, arguments: {} }, name)),
        legacyRequest(
          'tools/call',
          { name: 'load-data', arguments: { top: 3, deep: { list: [1, null, 'ü\u2028'] } } },
          -7,
        ),
        legacyRequest('tools/call', { name: 'load-data' }, 0),
      ];
      for (const message of messages) {
        const { fast, sdk } = await both(message, { protocolVersion });
        expect(fast).toEqual(sdk);
      }
    },
  );

  it('to lists and calls of stateless clients', async () => {
    for (const name of names) {
      const message = statelessRequest('tools/call', { name, arguments: { top: 3 } });
      const { fast, sdk } = await both(message, statelessHeaders('tools/call', name));
      expect(fast).toEqual(sdk);
    }
    for (const shape of ['either', 'json'] as const) {
      const { fast, sdk } = await both(statelessRequest('tools/list'), { ...listHeaders, shape });
      expect(fast).toEqual(sdk);
    }
  });

  it('to calls with much or little metadata of the client', async () => {
    const claims = [
      { 'io.modelcontextprotocol/clientInfo': undefined },
      { 'io.modelcontextprotocol/clientInfo': { name: 'n', version: '1', title: 'T' } },
      { 'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: {}, other: {} } },
    ];
    for (const claim of claims) {
      const message = {
        ...legacyRequest('tools/list'),
        params: { _meta: JSON.parse(JSON.stringify({ ...statelessMeta, ...claim })) },
      };
      const { fast, sdk } = await both(message, listHeaders);
      expect(fast).toEqual(sdk);
      expect(sdk.status).toBe(200);
    }
  });
});

describe('a list', () => {
  it('is made once for a view, also when the first caller leaves', async () => {
    const fresh = testView([testTool()]);
    const signal = AbortSignal.abort();
    const replies = await Promise.all(
      [1, 2, 1].map(async (id) => handleFast(testExchange(fresh, { signal }), legacyRequest('tools/list', {}, id))),
    );
    const { body } = await readReply(await handleWithSdk(testExchange(fresh), legacyRequest('tools/list')));
    expect(body).toMatchObject({ id: 1, result: { tools: [{ name: 'load-data' }] } });
    for (const [index, id] of [1, 2, 1].entries())
      expect(await readReply(replies[index] ?? { contentType: '', body: Buffer.of() })).toMatchObject({
        body: { ...Object(body), id },
      });
  });

  it('says for how long it is right when it is for a while', async () => {
    const fresh = testView([testTool()]);
    const headersOf = async (freshForMs: number) =>
      (await handleFast(testExchange(fresh, { freshForMs }), legacyRequest('tools/list')))?.headers;
    expect(await headersOf(41.7)).toEqual({ [freshForHeader]: '41' });
    expect(await headersOf(0.9)).toBeUndefined();
  });

  it('has the id of its request', async () => {
    const fresh = testView([testTool()]);
    for (const id of [0, 1, 'a', 2, 3, 'b', 4, 5, 0, 'a', 5]) {
      const reply = await handleFast(testExchange(fresh), legacyRequest('tools/list', {}, id));
      expect(reply && (await readReply(reply))).toMatchObject({ body: { id } });
    }
  });
});

type Probe = readonly [what: string, message: unknown, more?: ExchangeOptions];

const withMeta = (meta: object) => ({
  ...legacyRequest('tools/list'),
  params: { _meta: { ...statelessMeta, ...meta } },
});

const left: readonly Probe[] = [
  ['other methods', legacyRequest('ping')],
  ['notifications', { jsonrpc: '2.0', method: 'tools/list' }],
  ['batches', [legacyRequest('tools/list')]],
  ['further members', { ...legacyRequest('tools/list'), more: 1 }],
  ['another version of JSON-RPC', { ...legacyRequest('tools/list'), jsonrpc: '1.0' }],
  ['ids that are none', { ...legacyRequest('tools/list'), id: null }],
  ['ids with fractions', { ...legacyRequest('tools/list'), id: 1.5 }],
  ['ids beyond exact numbers', { ...legacyRequest('tools/list'), id: 1e300 }],
  ['parameters that are a list', { ...legacyRequest('tools/list'), params: [] }],
  ['cursors', legacyRequest('tools/list', { cursor: '' })],
  ['tokens of progress', legacyRequest('tools/list', { _meta: { progressToken: 1 } })],
  ['unknown tools', legacyRequest('tools/call', { name: 'lode-data' })],
  ['names that are none', legacyRequest('tools/call', { name: 7 })],
  ['arguments that are a list', legacyRequest('tools/call', { name: 'say', arguments: [] })],
  ['arguments that are null', legacyRequest('tools/call', { name: 'say', arguments: null })],
  [
    'arguments that the SDK leaves out',
    legacyRequest('tools/call', { name: 'say', arguments: JSON.parse('{"__proto__":1}') }),
  ],
  ['tasks', legacyRequest('tools/call', { name: 'say', task: { ttl: 1 } })],
  ['tools that need something of the client', legacyRequest('tools/call', { name: 'test_missing_capability' })],
  ['events', legacyRequest('tools/list'), { shape: 'events' }],
  ['unknown revisions', legacyRequest('tools/list'), { protocolVersion: '1999-01-01' }],
  ['revisions with spaces around', legacyRequest('tools/list'), { protocolVersion: ' 2025-11-25' }],
  ['a claim without headers', statelessRequest('tools/list')],
  ['a claim with another header', statelessRequest('tools/list'), { ...listHeaders, protocolVersion: '2025-11-25' }],
  ['a header without claim', legacyRequest('tools/list'), listHeaders],
  ['another method in the header', statelessRequest('tools/list'), statelessHeaders('tools/call')],
  [
    'another name in the header',
    statelessRequest('tools/call', { name: 'say' }),
    statelessHeaders('tools/call', 'rows'),
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
    statelessRequest('tools/call', { name: 'say', inputResponses: {} }),
    statelessHeaders('tools/call', 'say'),
  ],
];

it('is made again after a failure', async () => {
  let isBroken = true;
  const fragile = testTool({ id: 'fragile' });
  const failing = testView([
    {
      ...fragile,
      get description() {
        if (isBroken) throw new Error('broken');
        return fragile.description;
      },
    },
  ]);
  const ask = () => handleFast(testExchange(failing), legacyRequest('tools/list'));
  await expect(ask()).rejects.toThrow();
  isBroken = false;
  expect(await ask()).toMatchObject({ status: 200 });
});

describe('the fast path leaves to the SDK', () => {
  it.each(left)('%s', (_what, message, more = {}) => {
    expect(handleFast(testExchange(view, more), message)).toBeUndefined();
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

  it('are answered the same by both paths', async () => {
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
      const valid = isStateless ? statelessRequest(method, params) : legacyRequest(method, params);
      const message: unknown = JSON.parse(JSON.stringify(next() < 0.25 ? valid : (changed(valid) ?? null)));
      const headers: McpHeaders = isStateless
        ? statelessHeaders(method, typeof params.name === 'string' ? params.name : undefined)
        : { protocolVersion: one([undefined, '2025-06-18', '2025-11-25', '2024-10-07', '2026-07-28']) };
      const { fast, sdk } = await both(message, headers);
      answered[fast ? 'fast' : 'left']++;
      if (fast) expect({ message, headers, ...fast }).toEqual({ message, headers, ...sdk });
    }
    expect(answered.fast).toBeGreaterThan(300);
    expect(answered.left).toBeGreaterThan(300);
  });
});
