/** The tools of agents for their callers: agents on a real PostgreSQL, tools of a gateway that answers what a spec wants. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { executeTool, readToolsSpec } from '@tessera/contracts/agents';
import { listTools, listToolNames, callToolForAgent } from '@tessera/contracts/tool-gateway';
import { fail, toProblem, succeed, type FailureCode } from '@tessera/failures';
import { EffectRefusedError, type AnnouncingContext } from '@tessera/messaging';
import {
  createAgentDefinition,
  applyOrThrow,
  createContext,
  readFailure,
  openTestService,
  readBodyText,
  unwrapResult,
  type TestService,
} from '../testing/test-service.js';

const listed = (name: string, more: object = {}) => ({
  ...{ name, title: name, description: `Does ${name}.`, isReadOnly: true, inputSchema: { type: 'object' } },
  ...more,
});
const published = {
  sales: [listed('load-data'), listed('search_data', { outputSchema: { type: 'object' } })],
  stock: [listed('move-stock', { isReadOnly: false }), listed('load_data', { title: 'Of stock' })],
};
const drafts = { sales: [listed('load-data'), listed('new-tool')] };
const named = (assets: Readonly<Record<string, readonly { readonly name: string }[]>>) =>
  Object.entries(assets).map(([id, tools]) => ({ id, tools: tools.map(({ name }) => name) }));

let fixture: TestService;
beforeAll(async () => {
  fixture = await openTestService();
  const { services } = fixture;
  services.answer(listToolNames, () => succeed({ published: named(published), drafts: named(drafts) }));
  services.answer(listTools, ({ request: { asset_id, draft } }) => {
    const tools = new Map(Object.entries(draft === true ? drafts : published)).get(String(asset_id));
    return tools
      ? succeed({ name: asset_id, version: '1', tools })
      : fail('TOOL_ASSET_NOTFOUND', 'There is no such asset.');
  });
});
afterAll(() => fixture?.end());
beforeEach(() => {
  fixture.services.calls.length = 0;
  fixture.services.answer(callToolForAgent, ({ request }) => succeed({ done: request['arguments'] }));
});

const first = () => fixture.replicas[0];
const publish = (team: string, tools: object[], mode: 'publish' | 'draft' = 'publish') =>
  applyOrThrow(first(), team, [createAgentDefinition('analyst', { tools: Object(tools) })], mode);

type Calling = { readonly draft?: boolean; readonly context?: AnnouncingContext; readonly agent?: string };
const execute = (team: string, tool_id: string, given: unknown = {}, calling: Calling = {}) => {
  const { draft = false, context = createContext(team), agent = 'analyst' } = calling;
  const request = executeTool.request.parse({ agent_id: agent, tool_id, draft, arguments: given });
  return first().execution.execute(request, context);
};
const specify = (team: string, query: object = {}, context = createContext(team)) =>
  first().specification.specify(readToolsSpec.request.parse({ agent_id: 'analyst', ...query }), context);
const pathsOf = async (team: string, query?: object): Promise<readonly string[]> =>
  Object.keys(JSON.parse(await readBodyText(specify(team, query))).paths);
const asked = () => fixture.services.calls.filter(({ operation }) => operation === callToolForAgent.name);

describe('the tools of an agent', () => {
  it('are those of its definition, in its order', async () => {
    await publish('order', [
      { asset: 'stock', tools: ['move_stock'] },
      { asset: 'sales', tools: ['search-data', 'load_data'] },
    ]);
    expect(await pathsOf('order')).toEqual(['/tools/move-stock', '/tools/search_data', '/tools/load-data']);
    await publish('order', []);
    expect(await pathsOf('order')).toEqual([]);
  });

  it('include only the first of two tools with the same name', async () => {
    const team = 'same';
    fixture.services.answer(listToolNames, () =>
      succeed({ published: [...named({ sales: [] }), ...named({ stock: [] })], drafts: [] }),
    );
    await publish(team, [{ asset: 'stock' }, { asset: 'sales' }]);
    fixture.services.answer(listToolNames, () => succeed({ published: named(published), drafts: named(drafts) }));
    const document = JSON.parse(await readBodyText(specify(team)));
    expect(Object.keys(document.paths)).toEqual(['/tools/move-stock', '/tools/load_data', '/tools/search_data']);
    expect(document.paths['/tools/load_data'].post.summary).toBe('Of stock');
    await readBodyText(execute(team, 'load-data'));
    expect(asked()[0]?.request).toMatchObject({ asset_id: 'stock', tool_id: 'load_data' });
  });

  it('omit deleted tools, with a log entry', async () => {
    const team = 'gone';
    const before = [...named(published), { id: 'old', tools: ['x'] }, { id: 'sales', tools: ['load-data', 'was'] }];
    fixture.services.answer(listToolNames, () => succeed({ published: before, drafts: [] }));
    await publish(team, [{ asset: 'old' }, { asset: 'sales', tools: ['was', 'load-data'] }]);
    fixture.services.answer(listToolNames, () => succeed({ published: named(published), drafts: named(drafts) }));
    const warn = jest.spyOn(Logger.prototype, 'warn');
    expect(await pathsOf(team)).toEqual(['/tools/load-data']);
    const told = warn.mock.calls.flat().join('\n');
    warn.mockRestore();
    expect(told).toMatch(/analyst of the team gone refers to the asset old.*\n.*the tool was of sales/);
  });

  it('of a draft agent come from draft assets where they exist', async () => {
    const team = 'drafts';
    await publish(team, [{ asset: 'sales' }, { asset: 'stock', tools: ['move-stock'] }], 'draft');
    expect(await pathsOf(team, { draft: true })).toEqual(['/tools/load-data', '/tools/new-tool', '/tools/move-stock']);
    await readBodyText(execute(team, 'new-tool', {}, { draft: true }));
    await readBodyText(execute(team, 'move-stock', {}, { draft: true }));
    expect(asked().map(({ request }) => request['draft'])).toEqual([true, false]);
    expect((await readFailure(specify(team)))?.code).toBe('AGENT_NOTFOUND');
  });

  it('require the scope tools:execute when the agent has tools', async () => {
    await publish('scopes', [{ asset: 'sales' }]);
    const context = createContext('scopes', { scopes: ['agents:execute'] });
    for (const answer of [specify('scopes', {}, context), execute('scopes', 'load-data', {}, { context })])
      expect(await readFailure(answer)).toMatchObject({
        code: 'ADMIN_ACCESS_ERROR',
        detail: expect.stringContaining('tools:execute'),
      });
    await publish('scopes', []);
    expect(await readFailure(specify('scopes', {}, context))).toBeUndefined();
  });

  it('are unavailable while the tool gateway is away', async () => {
    await publish('away', [{ asset: 'sales' }]);
    const { services } = fixture;
    const answer = services.call;
    const away = fail('SERVICE_UNAVAILABLE', 'away', { retryAfterSeconds: 1 });
    Object.assign(services, { call: async () => away });
    try {
      expect((await readFailure(specify('away')))?.code).toBe('SERVICE_UNAVAILABLE');
    } finally {
      Object.assign(services, { call: answer });
    }
  });

  it('are specified at the public address, in the requested OpenAPI version', async () => {
    await publish('address', [{ asset: 'sales' }]);
    expect(JSON.parse(await readBodyText(specify('address', { version: '3.1' })))).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'analyst', version: '1' },
      servers: [{ url: 'https://tessera.example:8443/intelligence/api/ai/agents/analyst' }],
    });
  });

  it('of another team do not exist', async () => {
    await publish('owners', [{ asset: 'sales' }]);
    const [other, none] = await Promise.all([
      readFailure(execute('others', 'load-data')),
      readFailure(execute('others', 'load-data', {}, { agent: 'nobodys' })),
    ]);
    expect(other?.code).toBe('AGENT_NOTFOUND');
    expect(other).toEqual(none);
    expect(asked()).toEqual([]);
  });
});

describe('a call of a tool', () => {
  const team = 'calls';
  beforeAll(() => publish(team, [{ asset: 'sales' }, { asset: 'stock', tools: ['move-stock'] }]));

  it('returns the result of the tool as bytes, calling it as the caller', async () => {
    const result = await execute(team, 'load-data', { columns: ['A'] });
    expect(unwrapResult(result).contentType).toBe('application/json; charset=utf-8');
    expect(await readBodyText(Promise.resolve(result))).toBe('{"done":{"columns":["A"]}}');
    expect(asked()).toMatchObject([
      {
        request: { asset_id: 'sales', tool_id: 'load-data', draft: false, arguments: { columns: ['A'] } },
        frame: { caller: { team, subject: 'tester' } },
      },
    ]);
  });

  it.each([
    ['a text', 'a text', { text: 'a text' }],
    ['a list', [1, 2], { result: [1, 2] }],
    ['nothing', null, { result: null }],
    ['an object', { text: 1 }, { text: 1 }],
  ])('returns an object for %s', async (_what, value, answer) => {
    fixture.services.answer(callToolForAgent, () => succeed(value));
    expect(JSON.parse(await readBodyText(execute(team, 'load-data')))).toEqual(answer);
  });

  it('accepts - instead of _ in the tool name, and suggests the nearest tool for an unknown name', async () => {
    await readBodyText(execute(team, 'load_data'));
    await readBodyText(execute(team, 'search-data'));
    expect(asked().map(({ request }) => request['tool_id'])).toEqual(['load-data', 'search_data']);
    expect(await readFailure(execute(team, 'lod-data'))).toMatchObject({
      code: 'AGENT_TOOL_NOTFOUND',
      detail: 'There is no tool lod-data. Did you mean load-data?',
    });
    expect((await readFailure(execute(team, 'x')))?.detail).toBe(
      'There is no tool x; expected one of load-data, search_data, move-stock.',
    );
  });

  it('reports every fault of its arguments', async () => {
    const faults = [
      { in: 'body', path: 'columns.0', message: 'unknown name "A"; did you mean "B"?', rule: 'enum', suggestion: 'B' },
      { in: 'body', path: 'page', message: 'expected integer', rule: 'type' },
    ];
    fixture.services.answer(callToolForAgent, () =>
      fail('TOOL_ARGUMENTS_INVALID', '2 arguments do not fit.', { faults }),
    );
    const failure = await readFailure(execute(team, 'load-data'));
    expect(failure).toMatchObject({ code: 'AGENT_ARGUMENTS_INVALID', faults });
    expect(failure && toProblem(failure)).toMatchObject({
      status: 400,
      detail:
        '2 arguments do not fit. body columns.0: unknown name "A"; did you mean "B"? body page: expected integer.',
    });
  });

  it('accepts only a JSON object as arguments', () => {
    for (const given of [[], 'text', 1, null])
      expect(executeTool.request.safeParse({ agent_id: 'a', tool_id: 't', arguments: given }).success).toBe(false);
  });

  it.each<[FailureCode, FailureCode]>([
    ['TOOL_ASSET_NOTFOUND', 'AGENT_TOOL_NOTFOUND'],
    ['TOOL_NOTFOUND', 'AGENT_TOOL_NOTFOUND'],
    ['TOOL_FAILED', 'TOOL_FAILED'],
    ['LIMIT_ASSET_EXCEEDED', 'LIMIT_ASSET_EXCEEDED'],
    ['ADMIN_ACCESS_ERROR', 'ADMIN_ACCESS_ERROR'],
    ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
  ])('hears of %s as %s', async (code, told) => {
    fixture.services.answer(callToolForAgent, () => fail(code, 'It is so.'));
    expect((await readFailure(execute(team, 'load-data')))?.code).toBe(told);
  });

  it('announces an effect before it begins, but not for a read-only tool', async () => {
    const seen: string[] = [];
    const context = { ...createContext(team), announceEffect: async () => void seen.push('announced') };
    fixture.services.answer(callToolForAgent, () => {
      seen.push('run');
      return succeed({});
    });
    await readBodyText(execute(team, 'move-stock', {}, { context }));
    await readBodyText(execute(team, 'load-data', {}, { context }));
    expect(seen).toEqual(['announced', 'run', 'run']);
    const gone = { ...context, announceEffect: () => Promise.reject(new EffectRefusedError('agents.tools.execute')) };
    await expect(execute(team, 'move-stock', {}, { context: gone })).rejects.toThrow(EffectRefusedError);
    expect(seen).toHaveLength(3);
  });

  it('is cancelled when its caller disconnects', async () => {
    const leaving = new AbortController();
    const context = { ...createContext(team), signal: leaving.signal };
    let heard: AbortSignal | undefined;
    fixture.services.answer(callToolForAgent, (_asked, signal) => {
      heard = signal;
      return succeed({});
    });
    await readBodyText(execute(team, 'load-data', {}, { context }));
    expect(heard).toBe(leaving.signal);
  });
});
