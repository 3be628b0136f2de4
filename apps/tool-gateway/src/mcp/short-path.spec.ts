/** The short path says what the complete one says, or nothing: on messages that clients send, and on changed ones. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { fail } from '@tessera/failures';
import { answerCompletely } from './complete-path.js';
import { fixtureTools } from './fixtures/fixture-tools.js';
import { answerShortly } from './short-path.js';
import {
  older,
  read,
  stateless,
  statelessHeaders,
  statelessMeta,
  trialExchange,
  trialTool,
  trialView,
  type TrialExchange,
  type TrialHeaders,
} from './testing/trial-exchange.js';

const invalid = fail('TOOL_ARGUMENTS_INVALID', 'Two arguments do not fit.', {
  faults: [
    { in: 'body', path: 'columns.0', message: 'unknown column "nmae"', rule: 'enum', suggestion: 'name' },
    { in: 'body', path: '', message: 'needs "top"', rule: 'required' },
  ],
});
/** Some fixtures take their time. */
const pausing = fixtureTools.find(({ id }) => id === 'test_tool_with_progress');
const tools = [
  trialTool(),
  trialTool({ id: 'say', title: 'Say', run: async () => ({ ok: true, value: { value: 'text "quoted" \u2028 ü' } }) }),
  trialTool({ id: 'rows', run: async () => ({ ok: true, value: { value: [1, 2] } }) }),
  trialTool({ id: 'ready', run: async () => ({ ok: true, value: { value: { a: 1 }, json: '{"a":1}' } }) }),
  trialTool({ id: 'nothing', run: async () => ({ ok: true, value: {} }) }),
  trialTool({ id: 'refuse', isReadOnly: false, run: async () => invalid }),
  trialTool({ id: 'odd', run: async () => ({ ok: true, value: { content: [{ type: 'smell' }] } }) }),
  trialTool({
    id: 'wait',
    run: async () => fail('LIMIT_ASSET_EXCEEDED', 'The asset has had its calls.', { retryAfterSeconds: 12 }),
  }),
  trialTool({
    id: 'break',
    run: () => {
      throw new Error('select * from secrets');
    },
  }),
  ...fixtureTools.filter(({ run }) => run !== pausing?.run),
];
const view = trialView(tools);

beforeAll(() => Logger.overrideLogger(false));

/** What both paths say; the short one undefined when it leaves the message to the other. */
const both = async (message: unknown, more: TrialExchange = {}) => {
  const exchange = trialExchange(view, more);
  const short = await answerShortly(exchange, message);
  return { short: short && (await read(short)), complete: await read(await answerCompletely(exchange, message)) };
};

const listHeaders = statelessHeaders('tools/list');
const names = [...tools.filter(({ id }) => id !== 'test_missing_capability').map(({ id }) => id), 'load_data'];

describe('the short path answers as the complete one', () => {
  it.each([undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'lists and calls of revision %s',
    async (protocolVersion) => {
      const messages = [
        older('tools/list'),
        older('tools/list', {}, 'a"b'),
        ...names.map((name) => older('tools/call', { name, arguments: {} }, name)),
        older('tools/call', { name: 'load-data', arguments: { top: 3, deep: { list: [1, null, 'ü\u2028'] } } }, -7),
        older('tools/call', { name: 'load-data' }, 0),
      ];
      for (const message of messages) {
        const { short, complete } = await both(message, { protocolVersion });
        expect(short).toEqual(complete);
      }
    },
  );

  it('lists and calls of stateless clients', async () => {
    for (const name of names) {
      const message = stateless('tools/call', { name, arguments: { top: 3 } });
      const { short, complete } = await both(message, statelessHeaders('tools/call', name));
      expect(short).toEqual(complete);
    }
    for (const shape of ['either', 'json'] as const) {
      const { short, complete } = await both(stateless('tools/list'), { ...listHeaders, shape });
      expect(short).toEqual(complete);
    }
  });

  it('calls of clients that say much or little of themselves', async () => {
    const claims = [
      { 'io.modelcontextprotocol/clientInfo': undefined },
      { 'io.modelcontextprotocol/clientInfo': { name: 'n', version: '1', title: 'T' } },
      { 'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: {}, other: {} } },
    ];
    for (const claim of claims) {
      const message = {
        ...older('tools/list'),
        params: { _meta: JSON.parse(JSON.stringify({ ...statelessMeta, ...claim })) },
      };
      const { short, complete } = await both(message, listHeaders);
      expect(short).toEqual(complete);
      expect(complete.status).toBe(200);
    }
  });
});

describe('a list', () => {
  it('is made once for a view, whoever asks first and leaves', async () => {
    const fresh = trialView([trialTool()]);
    const signal = AbortSignal.abort();
    const replies = await Promise.all(
      [1, 2, 1].map(async (id) => answerShortly(trialExchange(fresh, { signal }), older('tools/list', {}, id))),
    );
    const { body } = await read(await answerCompletely(trialExchange(fresh), older('tools/list')));
    expect(body).toMatchObject({ id: 1, result: { tools: [{ name: 'load-data' }] } });
    for (const [index, id] of [1, 2, 1].entries())
      expect(await read(replies[index] ?? { contentType: '', body: Buffer.of() })).toMatchObject({
        body: { ...Object(body), id },
      });
  });

  it('has the id that was asked with, however many there are', async () => {
    const fresh = trialView([trialTool()]);
    for (const id of [0, 1, 'a', 2, 3, 'b', 4, 5, 0, 'a', 5]) {
      const reply = await answerShortly(trialExchange(fresh), older('tools/list', {}, id));
      expect(reply && (await read(reply))).toMatchObject({ body: { id } });
    }
  });
});

type Probe = readonly [what: string, message: unknown, more?: TrialExchange];

const withMeta = (meta: object) => ({ ...older('tools/list'), params: { _meta: { ...statelessMeta, ...meta } } });

const left: readonly Probe[] = [
  ['other methods', older('ping')],
  ['notifications', { jsonrpc: '2.0', method: 'tools/list' }],
  ['batches', [older('tools/list')]],
  ['further members', { ...older('tools/list'), more: 1 }],
  ['another version of JSON-RPC', { ...older('tools/list'), jsonrpc: '1.0' }],
  ['ids that are none', { ...older('tools/list'), id: null }],
  ['ids with fractions', { ...older('tools/list'), id: 1.5 }],
  ['ids beyond exact numbers', { ...older('tools/list'), id: 1e300 }],
  ['parameters that are a list', { ...older('tools/list'), params: [] }],
  ['cursors', older('tools/list', { cursor: '' })],
  ['tokens of progress', older('tools/list', { _meta: { progressToken: 1 } })],
  ['unknown tools', older('tools/call', { name: 'lode-data' })],
  ['names that are none', older('tools/call', { name: 7 })],
  ['arguments that are a list', older('tools/call', { name: 'say', arguments: [] })],
  ['arguments that are null', older('tools/call', { name: 'say', arguments: null })],
  ['arguments that the SDK leaves out', older('tools/call', { name: 'say', arguments: JSON.parse('{"__proto__":1}') })],
  ['tasks', older('tools/call', { name: 'say', task: { ttl: 1 } })],
  ['tools that need something of the client', older('tools/call', { name: 'test_missing_capability' })],
  ['events', older('tools/list'), { shape: 'events' }],
  ['unknown revisions', older('tools/list'), { protocolVersion: '1999-01-01' }],
  ['revisions with spaces around', older('tools/list'), { protocolVersion: ' 2025-11-25' }],
  ['a claim without headers', stateless('tools/list')],
  ['a claim with another header', stateless('tools/list'), { ...listHeaders, protocolVersion: '2025-11-25' }],
  ['a header without claim', older('tools/list'), listHeaders],
  ['another method in the header', stateless('tools/list'), statelessHeaders('tools/call')],
  ['another name in the header', stateless('tools/call', { name: 'say' }), statelessHeaders('tools/call', 'rows')],
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
    stateless('tools/call', { name: 'say', inputResponses: {} }),
    statelessHeaders('tools/call', 'say'),
  ],
];

it('makes a list again when it could not be made', async () => {
  let isBroken = true;
  const fragile = trialTool({ id: 'fragile' });
  const failing = trialView([
    {
      ...fragile,
      get description() {
        if (isBroken) throw new Error('broken');
        return fragile.description;
      },
    },
  ]);
  const ask = () => answerShortly(trialExchange(failing), older('tools/list'));
  await expect(ask()).rejects.toThrow();
  isBroken = false;
  expect(await ask()).toMatchObject({ status: 200 });
});

describe('the short path leaves to the complete one', () => {
  it.each(left)('%s', (_what, message, more = {}) => {
    expect(answerShortly(trialExchange(view, more), message)).toBeUndefined();
  });
});

describe('on messages of any kind', () => {
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

  it('the paths never differ', async () => {
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
    const answered = { short: 0, left: 0 };
    for (let round = 0; round < 1_500; round++) {
      const isStateless = next() < 0.5;
      const method = next() < 0.3 ? 'tools/list' : 'tools/call';
      const params = method === 'tools/list' ? {} : { name: one(names), arguments: { top: 1 } };
      const valid = isStateless ? stateless(method, params) : older(method, params);
      const message: unknown = JSON.parse(JSON.stringify(next() < 0.25 ? valid : (changed(valid) ?? null)));
      const headers: TrialHeaders = isStateless
        ? statelessHeaders(method, typeof params.name === 'string' ? params.name : undefined)
        : { protocolVersion: one([undefined, '2025-06-18', '2025-11-25', '2024-10-07', '2026-07-28']) };
      const { short, complete } = await both(message, headers);
      answered[short ? 'short' : 'left']++;
      if (short) expect({ message, headers, ...short }).toEqual({ message, headers, ...complete });
    }
    expect(answered.short).toBeGreaterThan(300);
    expect(answered.left).toBeGreaterThan(300);
  });
});
