import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { canonicalDigest } from '@tessera/contracts';
import { findContent } from '@tessera/contracts/content-repo';
import { describeModelForTools, loadData } from '@tessera/contracts/knowledge-models';
import { listCalls } from '@tessera/contracts/tool-gateway';
import { fail, succeed } from '@tessera/failures';
import { type AnnouncingContext, EffectRefusedError } from '@tessera/messaging';
import type { AssetVersion } from '../assets/assets.js';
import { oneRowPage } from '../testing/fake-services.js';
import { testModelWithRenamedField, testModel } from '../testing/test-model.js';
import {
  createAdminContext,
  unwrapResult,
  applyOrThrow,
  createAssetDefinition,
  callOnReplica,
  createContext,
  readFailure,
  loadDataTool,
  openTestReplicas,
  type TestReplicas,
} from '../testing/test-replicas.js';
import { indexAssetTools } from '../tools/asset-tools.js';
import { createFixedToolSource, type Tool, type ToolSource } from '../tools/tool.js';

const team = 'meridian';
let setup: TestReplicas;
beforeAll(async () => {
  setup = await openTestReplicas();
  const find = { kind: 'find-content', id: 'find_content', storage: 'bpm/main' } as const;
  const tools = [loadDataTool, { kind: 'get-knowledge-model', id: 'get-model', knowledgeModel: 'p2p' } as const, find];
  await applyOrThrow(first(), team, [createAssetDefinition('p2p', tools)]);
});
afterAll(() => setup?.end());
beforeEach(() => {
  const { services } = setup;
  services.requests.length = 0;
  services.answer(loadData, () => succeed(oneRowPage));
});

const first = () => setup.replicas[0];
const rows = { columns: ['ORDER.NO'] };
const logged = async (asset: string, of = team, replica = first()) =>
  listCalls.reply.parse(
    await unwrapResult(replica.log.list({ team: of, assetId: asset, pageSize: 1000 }, createAdminContext(of))),
  ).calls;

describe('a call', () => {
  it('returns the bytes of the service that owns the data without changes', async () => {
    const result = await callOnReplica(first(), team, 'p2p/load-data', rows);
    const body = result.ok && result.value.body instanceof Uint8Array ? Buffer.from(result.value.body) : '';
    expect(body.toString()).toBe(JSON.stringify(oneRowPage));
    expect(result).toMatchObject({ ok: true, value: { contentType: 'application/json; charset=utf-8' } });
    const asked = setup.services.requests.find(({ operation }) => operation === loadData.name);
    expect(asked).toMatchObject({ request: { km_id: 'p2p', arguments: rows }, caller: { team, subject: 'tester' } });
  });

  it('finds a tool with - instead of _ and vice versa, and suggests the nearest one for an unknown name', async () => {
    expect(await readFailure(callOnReplica(first(), team, 'p2p/load_data', rows))).toBeUndefined();
    expect(await readFailure(callOnReplica(first(), team, 'p2p/find-content', { query: 'invoice' }))).toBeUndefined();
    expect(await readFailure(callOnReplica(first(), team, 'p2p/lod-data', rows))).toMatchObject({
      code: 'TOOL_NOTFOUND',
      detail: 'There is no tool lod-data. Did you mean load-data?',
    });
  });

  it('runs with an empty object when there are no arguments', async () => {
    const result = await unwrapResult(callOnReplica(first(), team, 'p2p/get-model'));
    expect(result).toEqual(testModel);
  });

  it('requires the scope of the data that its tool reads', async () => {
    const context = createContext(team, { scopes: ['tools:execute'] });
    for (const [tool, scope] of [
      ['load-data', 'knowledge-models:read'],
      ['find_content', 'content:read'],
    ] as const) {
      const failure = await readFailure(callOnReplica(first(), team, `p2p/${tool}`, rows, { context }));
      expect(failure?.code).toBe('ADMIN_ACCESS_ERROR');
      expect(failure?.detail).toContain(scope);
    }
  });

  it('returns every fault of the arguments at once with the nearest known names', async () => {
    const failure = await readFailure(
      callOnReplica(first(), team, 'p2p/load-data', {
        columns: ['ORDER.NOO', 4],
        page_size: 0,
        pageSize: 10,
        applied_filters: { string_filters: [{ column_id: 'ORDER.AMOUNT', values: 'x' }] },
      }),
    );
    expect(failure?.code).toBe('TOOL_ARGUMENTS_INVALID');
    expect(failure?.faults?.map(({ in: part, path, rule, suggestion }) => [part, path, rule, suggestion])).toEqual(
      expect.arrayContaining([
        ['body', 'columns.0', 'enum', 'ORDER.NO'],
        ['body', 'columns.1', 'type', undefined],
        ['body', 'page_size', 'minimum', undefined],
        ['body', 'pageSize', 'additionalProperties', 'page_size'],
        ['body', 'applied_filters.string_filters.0.values', 'type', undefined],
        ['body', 'applied_filters.string_filters.0.column_id', 'enum', undefined],
      ]),
    );
    expect(setup.services.requests.filter(({ operation }) => operation === loadData.name)).toEqual([]);
  });

  it.each([[[]], ['text'], [7]])('rejects arguments that are no object: %j', async (arguments_) => {
    const failure = await readFailure(callOnReplica(first(), team, 'p2p/load-data', arguments_));
    expect(failure?.faults).toEqual([{ in: 'body', path: '', message: 'expected a JSON object', rule: 'type' }]);
  });

  it('names a missing argument by its path', async () => {
    for (const given of [{}, null, undefined]) {
      const failure = await readFailure(callOnReplica(first(), team, 'p2p/load-data', given));
      expect(failure?.faults).toEqual([{ in: 'body', path: 'columns', message: 'is missing', rule: 'required' }]);
    }
  });

  it('accepts a column that is newer than the listed schema', async () => {
    await callOnReplica(first(), team, 'p2p/load-data', rows);
    setup.services.show(testModelWithRenamedField);
    expect(
      await readFailure(callOnReplica(first(), team, 'p2p/load-data', { columns: ['ORDER.TOTAL'] })),
    ).toBeUndefined();
    setup.services.show(testModel);
  });

  it('returns faults that only the service that owns the data can detect', async () => {
    const faults = [{ in: 'body', path: 'columns.0', message: 'unknown', rule: 'enum', suggestion: 'ORDER.NO' }];
    setup.services.answer(loadData, () => fail('TOOL_ARGUMENTS_INVALID', 'One argument does not fit.', { faults }));
    expect((await readFailure(callOnReplica(first(), team, 'p2p/load-data', rows)))?.faults).toEqual(faults);
  });

  it.each([
    ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', undefined],
    ['ADMIN_ACCESS_ERROR', 'ADMIN_ACCESS_ERROR', undefined],
    ['KM_MODEL_NOTFOUND', 'TOOL_FAILED', undefined],
    ['KM_JOIN_NOTFOUND', 'TOOL_ARGUMENTS_INVALID', 'columns'],
    ['GENERAL_PARAMETER_MISSMATCH', 'TOOL_ARGUMENTS_INVALID', 'columns'],
    ['KM_FILTER_TYPE', 'TOOL_FAILED', undefined],
  ] as const)('turns the failure %s of the service into %s', async (code, expected, path) => {
    setup.services.answer(loadData, () => fail(code, 'It is so.'));
    const failure = await readFailure(callOnReplica(first(), team, 'p2p/load-data', rows));
    expect([failure?.code, failure?.faults?.[0]?.path]).toEqual([expected, path]);
  });

  it('returns faults of the operation behind the tool as faults of its arguments', async () => {
    const faults = [{ in: 'body', path: 'arguments.columns.0', message: 'holds NUL', rule: 'custom' }];
    setup.services.answer(loadData, () => fail('GENERAL_CONSTRAINT_VIOLATION', 'no', { faults }));
    const failure = await readFailure(callOnReplica(first(), team, 'p2p/load-data', rows));
    expect(failure).toMatchObject({ code: 'TOOL_ARGUMENTS_INVALID', faults: [{ path: 'columns.0' }] });
  });

  it('fails as TOOL_FAILED when the storage does not exist any more', async () => {
    setup.services.answer(findContent, () => fail('CONTENT_NOTFOUND', 'no'));
    expect(await readFailure(callOnReplica(first(), team, 'p2p/find_content', { query: 'x' }))).toMatchObject({
      code: 'TOOL_FAILED',
      detail: 'The asset refers to the storage bpm/main, which is not there.',
    });
  });
});

type CallOptions = {
  readonly arguments_?: object;
  readonly context?: AnnouncingContext;
  readonly kind?: ToolSource['kind'];
};

/** An asset that only this spec knows. */
const called = async (
  tool: Partial<Tool>,
  { arguments_ = {}, context = createContext('spec'), kind = 'fixture' }: CallOptions = {},
) => {
  const whole: Tool = {
    id: 'spec',
    title: 'Spec',
    description: '',
    isReadOnly: true,
    inputSchema: { type: 'object' },
    run: async (given) => succeed({ value: given }),
    ...tool,
  };
  const asset: AssetVersion = {
    assetId: 'spec',
    version: 'draft',
    digest: 'ab'.repeat(32),
    name: 'Spec',
    description: '',
    callsPerMinute: 1000,
    tools: [createFixedToolSource(whole, kind)],
  };
  const request = { view: indexAssetTools(asset, [whole]), tool: whole, door: 'mcp', arguments: arguments_ } as const;
  return first().runtime.calls.call(request, context);
};

describe('a tool of any kind', () => {
  it('gets a copy of its arguments with defaults filled in', async () => {
    const inputSchema = { type: 'object', properties: { top: { type: 'integer', default: 5 } } };
    const arguments_ = {};
    expect(await called({ inputSchema }, { arguments_ })).toEqual({ ok: true, value: { value: { top: 5 } } });
    expect(arguments_).toEqual({});
  });

  it('does not run with too many arguments, which are logged without their digest', async () => {
    const run = jest.fn<Tool['run']>();
    const arguments_ = { a: Array.from({ length: 100_000 }, () => ({ a: 1 })) };
    const failure = await readFailure(called({ run }, { arguments_ }));
    expect([failure?.code, failure?.faults?.map(({ rule }) => rule)]).toEqual(['TOOL_ARGUMENTS_INVALID', ['size']]);
    expect(run).not.toHaveBeenCalled();
    expect((await logged('spec', 'spec'))[0]).toMatchObject({
      outcome: 'TOOL_ARGUMENTS_INVALID',
      argumentsDigest: canonicalDigest(null),
    });
  });

  it('answers an internal error without details when it throws', async () => {
    const run = () => Promise.reject(new Error('secret of the host'));
    const failure = await readFailure(called({ run }));
    expect(failure?.code).toBe('ADMIN_FATAL_ERROR');
    expect(JSON.stringify(failure)).not.toContain('secret');
    expect((await logged('spec', 'spec'))[0]).toMatchObject({ outcome: 'ADMIN_FATAL_ERROR', version: 'draft' });
  });

  it('fails at the deadline when it does not answer', async () => {
    const stopping = new AbortController();
    const context = { ...createContext('spec'), signal: stopping.signal };
    const running = called({ run: () => new Promise(() => stopping.abort()) }, { context });
    expect((await readFailure(running))?.code).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([{ value: { ids: [1] } }, { content: [{ type: 'text', text: 'x' }] }])(
    'fails when its result does not fit its output schema: %j',
    async (result) => {
      const outputSchema = { type: 'object', required: ['id'] };
      const run = async () => succeed(result);
      for (const kind of ['fixture', 'http-request'] as const)
        expect((await readFailure(called({ outputSchema, run }, { kind })))?.code).toBe('TOOL_RESULT_INVALID');
    },
  );

  it('forwards the bytes of a platform service without parsing them', async () => {
    const bytes = Buffer.from('{ "id": 1.0, "big": 12345678901234567890 }');
    const outputSchema = { type: 'object', required: ['id'] };
    const result = await called({ outputSchema, run: async () => succeed({ bytes }) });
    expect(result.ok && result.value.bytes === bytes).toBe(true);
  });

  it('logs no content of a result', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const outputSchema = { type: 'object', properties: { state: { enum: ['open', 'done'] } } };
    await called({ outputSchema, run: async () => succeed({ value: { state: 'private words' } }) });
    const logged = warn.mock.calls.flat().join();
    warn.mockRestore();
    expect(logged).toContain('state: enum');
    expect(logged).not.toContain('private words');
  });

  it('runs an effect only after the call is logged and announced', async () => {
    const seen: string[] = [];
    const outcomes = async () => (await logged('spec', 'spec')).map(({ outcome }) => outcome);
    const context = {
      ...createContext('spec'),
      announceEffect: async () => {
        seen.push('announced', (await outcomes())[0] ?? 'none');
      },
    };
    const run = async () => {
      seen.push('run');
      return succeed({ value: {} });
    };
    expect((await called({ isReadOnly: false, run }, { context })).ok).toBe(true);
    expect(seen).toEqual(['announced', 'running', 'run']);
    const [row] = await logged('spec', 'spec');
    expect(row?.outcome).toBe('ok');
    expect(row?.durationMs).toBeGreaterThan(0);
  });

  it.each([
    [{ isReadOnly: false }, 'fixture'],
    [{ isReadOnly: true }, 'http-request'],
  ] as const)('is logged before it is answered: %j, %s', async (tool, kind) => {
    const of = `before-${kind}`;
    expect((await called(tool, { context: createContext(of), kind })).ok).toBe(true);
    // Another replica than the one that answered sees only what is written.
    expect((await logged('spec', of, setup.replicas[1])).map(({ outcome }) => outcome)).toEqual(['ok']);
  });

  it('does not run when its caller has disconnected', async () => {
    let isRun = false;
    const context = {
      ...createContext('spec'),
      announceEffect: () => Promise.reject(new EffectRefusedError('tools.call')),
    };
    const run = async () => {
      isRun = true;
      return succeed({ value: {} });
    };
    expect((await readFailure(called({ isReadOnly: false, run }, { context })))?.code).toBe('SERVICE_UNAVAILABLE');
    expect(isRun).toBe(false);
    expect((await logged('spec', 'spec'))[0]?.outcome).toBe('SERVICE_UNAVAILABLE');
  });

  it('does not run or announce an effect with invalid arguments', async () => {
    const announceEffect = () => Promise.reject(new Error('announced'));
    const inputSchema = { type: 'object', required: ['no'] };
    const context = { ...createContext('spec'), announceEffect };
    const failure = await readFailure(called({ isReadOnly: false, inputSchema }, { context }));
    expect(failure?.code).toBe('TOOL_ARGUMENTS_INVALID');
  });
});

describe('the call quota of an asset', () => {
  it('is exact over two replicas and all tools of the asset', async () => {
    await applyOrThrow(first(), 'quota', [
      createAssetDefinition('small', [loadDataTool], { limits: { callsPerMinute: 7 } }),
    ]);
    await withinMinute(async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, turn) =>
          readFailure(
            callOnReplica(setup.replicas[turn % 2 === 0 ? 0 : 1], 'quota', 'small', turn % 3 === 0 ? {} : rows),
          ),
        ),
      );
      const refused = answers.filter((failure) => failure?.code === 'LIMIT_ASSET_EXCEEDED');
      expect(answers.length - refused.length).toBe(7);
      for (const failure of refused) {
        expect(failure?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(failure?.retryAfterSeconds).toBeLessThanOrEqual(60);
      }
    });
  });

  it('counts each asset of each team alone', async () => {
    for (const [owner, asset] of [
      ['quota', 'other'],
      ['quota2', 'small'],
    ] as const) {
      await applyOrThrow(first(), owner, [
        createAssetDefinition(asset, [loadDataTool], { limits: { callsPerMinute: 1 } }),
      ]);
      expect(await readFailure(callOnReplica(first(), owner, asset, rows))).toBeUndefined();
    }
  });
});

const minuteMs = 60_000;
/** A quota is counted by the minute of the clock: what must happen within one is not begun at its end. */
const withinMinute = async (work: () => Promise<void>): Promise<void> => {
  const leftMs = minuteMs - (Date.now() % minuteMs);
  if (leftMs < 5_000) await new Promise((resolve) => setTimeout(resolve, leftMs + 100));
  await work();
};

describe('the tools of an asset', () => {
  it('are listed with the names that the caller sees, as one object for callers who see the same', async () => {
    const asset = await first().runtime.assets.find(team, 'p2p', false);
    if (!asset.ok) throw new Error('no asset');
    const { tools } = first().runtime;
    const [mine, yours] = [createContext(team), createContext(team, { subject: 'other' })];
    const view = await tools.visibleTo(asset.value, mine);
    expect(await tools.visibleTo(asset.value, yours)).toBe(view);
    const load = view.find('load-data');
    const named = { enum: expect.arrayContaining(['ORDER.NO', 'ORDER_VALUE']) };
    expect(load?.inputSchema).toMatchObject({
      properties: { columns: { items: { anyOf: [named, { title: 'Computed' }] } } },
    });
    const hidden = await tools.visibleTo(asset.value, createContext(team, { scopes: ['tools:execute'] }));
    expect(hidden).not.toBe(view);
    expect(JSON.stringify(hidden.find('load-data')?.inputSchema)).not.toContain('ORDER');
  });

  it('are read once for concurrent callers', async () => {
    await applyOrThrow(first(), 'many', [createAssetDefinition('p2p')]);
    setup.services.requests.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => callOnReplica(first(), 'many', 'p2p', rows)));
    const described = setup.services.requests.filter(({ operation }) => operation === describeModelForTools.name);
    expect(described).toHaveLength(1);
  });

  it('are listed for agents as for other callers', async () => {
    const listed = await unwrapResult(first().lists.list({ asset_id: 'p2p', draft: false }, createContext(team)));
    expect(listed).toMatchObject({
      name: 'p2p',
      version: '1',
      tools: [{ name: 'load-data', isReadOnly: true }, { name: 'get-model' }, { name: 'find_content' }],
    });
  });
});

describe('many concurrent calls of one team', () => {
  it('do not block another team, and are all answered', async () => {
    await applyOrThrow(first(), 'northgate', [createAssetDefinition('p2p', [loadDataTool])]);
    const opened = Promise.withResolvers<void>();
    setup.services.answer(loadData, async ({ caller }) => {
      if (caller.team === team) await opened.promise;
      return succeed(oneRowPage);
    });
    const calls = Promise.all(
      Array.from({ length: 60 }, () => readFailure(callOnReplica(first(), team, 'p2p/load-data', rows))),
    );
    expect(await readFailure(callOnReplica(first(), 'northgate', 'p2p/load-data', rows))).toBeUndefined();
    const underWay = setup.services.requests.filter(
      ({ operation, caller }) => operation === loadData.name && caller.team === team,
    );
    expect(underWay.length).toBeLessThan(60);
    opened.resolve();
    expect(new Set(await calls)).toEqual(new Set([undefined]));
  });
});

describe('the metrics', () => {
  it('count calls by kind and outcome', async () => {
    await callOnReplica(first(), team, 'p2p/load-data', {});
    expect(await first().metrics()).toMatch(
      /tessera_tool_call_duration_seconds_count\{service="tool-gateway",kind="load-data",outcome="TOOL_ARGUMENTS_INVALID"\} \d/,
    );
  });
});
