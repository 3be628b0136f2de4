/**
 * One of two tool gateways is killed during calls: calls without effects are answered, those with effects are answered
 * or reported as errors, and none takes effect twice.
 */
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { memberOf, parseJson, textOf } from './json.js';
import { startProduct, type Product } from './product.js';
import { createToolEndpoints, type EndpointAnswer, type ToolEndpoints } from './tool-endpoints.js';
import { callProduct, testTeam } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

const host = 'till.example';
const asset = {
  kind: 'AgentToolsAsset',
  id: 'trial.tools',
  limits: { callsPerMinute: 1_000_000 },
  tools: [
    { kind: 'load-data', id: 'load-data', knowledgeModel: testModelId },
    {
      kind: 'http-request',
      id: 'charge',
      description: 'Charges once.',
      request: { method: 'POST', url: `https://${host}/charges/{id}` },
      inputSchema: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', maxLength: 40 } },
        additionalProperties: false,
      },
    },
  ],
};

/** A foreign system that takes its time and counts what it has done. */
const charged = new Map<string, number>();
const startCashRegister = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const id = request.url ?? '';
      charged.set(id, (charged.get(id) ?? 0) + 1);
      setTimeout(() => response.setHeader('content-type', 'application/json').end('{"charged":true}'), 100);
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

let cashRegister: Server;
let product: Product;
let endpoints: ToolEndpoints;
beforeAll(async () => {
  cashRegister = await startCashRegister();
  const hosts = { [host]: { teams: [testTeam], address: `http://127.0.0.1:${portOf(cashRegister)}` } };
  product = await startProduct({
    demo: 'none',
    replicas: { 'tool-gateway': 2 },
    settings: { HTTP_TOOL_HOSTS: JSON.stringify(hosts) },
  });
  await createTestModel(product);
  const applied = await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${testTeam}/tools`, {
    definitions: [asset],
  });
  if (applied.status !== 200) throw new Error(JSON.stringify(applied));
  const known = { scopes: ['tools:execute', 'knowledge-models:read'], furtherScopes: ['sales:all'] };
  endpoints = createToolEndpoints(
    product.gateways[0] ?? '',
    await createTestKey(product, { ...known, hourlyLimit: 2_000_000_000 }),
    asset.id,
  );
});
afterAll(async () => {
  await product?.stop();
  cashRegister?.close();
});

type Outcome = EndpointAnswer & { readonly id: string };

/** Clients that call one after the other until stopped. */
const startCalls = (clients: number, ask: (id: string) => Promise<EndpointAnswer>) => {
  const outcomes: Outcome[] = [];
  let isRunning = true;
  const client = async (name: number): Promise<void> => {
    for (let turn = 0; isRunning; turn++) {
      const id = `${name}-${turn}`;
      outcomes.push({ ...(await ask(id)), id });
      // A process that starts again needs the processors too.
      await sleep(10);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return { outcomes, stop: () => ((isRunning = false), all) };
};

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const began = Date.now(); !(await holds()); await sleep(20))
    if (Date.now() - began > 60_000) throw new Error(`${holds.toString()}:\n${product.output().slice(-3_000)}`);
};

it('killing a replica of the tool gateway loses no repeatable call, and repeats no call with effects', async () => {
  const arguments_ = { columns: ['REVENUE'] };
  const loads = [
    startCalls(4, () => endpoints.http('load-data', arguments_)),
    startCalls(4, () => endpoints.mcp('tools/call', { name: 'load-data', arguments: arguments_ })),
    startCalls(4, (id) => endpoints.http('charge', { id })),
  ] as const;
  const [http, mcp, charges] = loads;
  const count = () => loads.map(({ outcomes }) => outcomes.length);
  const more = async (): Promise<void> => {
    const before = count();
    await until(() => count().every((now, index) => now >= (before[index] ?? 0) + 20));
  };
  await more();
  const pids = (await product.pids())['tool-gateway'] ?? [];
  expect(pids).toHaveLength(2);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  await more();
  // A call that fell silent is noticed after some seconds.
  await until(() => product.output().includes('is back (process'));
  await more();
  await Promise.all(loads.map(({ stop }) => stop()));

  for (const { status, document, text } of http.outcomes)
    expect([status, memberOf(document, 'data_frame_content', 'data', 0, 'REVENUE'), text]).toEqual([200, 500, text]);
  for (const { status, document, text } of mcp.outcomes)
    expect([
      status,
      memberOf(document, 'result', 'structuredContent', 'data_frame_content', 'data', 0, 'REVENUE'),
      text,
    ]).toEqual([200, 500, text]);
  for (const { id, status, document, text } of charges.outcomes) {
    const times = charged.get(`/charges/${id}`) ?? 0;
    if (status === 200) expect([document, times]).toEqual([{ charged: true }, 1]);
    else {
      expect([status, textOf(document, 'code'), text]).toEqual([503, 'SERVICE_UNAVAILABLE', text]);
      expect(times).toBeLessThanOrEqual(1);
    }
  }
});

it('the log of calls contains every answered call and every effect', async () => {
  const log = `/admin/teams/${testTeam}/tools/calls?toolId=charge&pageSize=1000`;
  const ended: unknown[] = [];
  for (let after = ''; ;) {
    const { document } = await callProduct(product, 'ADMIN_KEY', 'GET', log + after);
    const calls = memberOf(document, 'calls');
    ended.push(...(Array.isArray(calls) ? calls : []));
    const next = textOf(document, 'next');
    if (!next) break;
    after = `&after=${next}`;
  }
  const outcomes = ended.map((each) => textOf(each, 'outcome'));
  const done = [...charged.values()].reduce((sum, times) => sum + times, 0);
  expect(outcomes.length).toBeGreaterThanOrEqual(done);
  expect(outcomes.filter((outcome) => outcome === 'ok').length).toBeLessThanOrEqual(done);
  expect(outcomes.filter((outcome) => !['ok', 'running'].includes(outcome))).toEqual([]);
  expect(parseJson(JSON.stringify(ended[0]))).toMatchObject({ assetId: asset.id, version: '1', door: 'http' });
});

it('an MCP server always lists the tools that were published last', async () => {
  let isOver = false;
  const listed = async () =>
    memberOf((await endpoints.mcp('tools/list')).document, 'result', 'tools', 0, 'description');
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) await listed();
  });
  for (let turn = 1; turn <= 10; turn++) {
    const [first, ...others] = asset.tools;
    const definition = { ...asset, tools: [{ ...first, description: `Turn ${turn}` }, ...others] };
    const path = `/admin/teams/${testTeam}/tools`;
    const applied = await callProduct(product, 'ADMIN_KEY', 'POST', path, { definitions: [definition] });
    expect([applied.status, await listed()]).toEqual([200, `Turn ${turn}`]);
  }
  isOver = true;
  await Promise.all(readers);
});
