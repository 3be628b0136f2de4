/**
 * The official conformance runner and clients against the launched product, with the asset that the runner calls. The
 * runner has no credential; a proxy adds one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { recordAnswers } from './compatibility/record-answers.js';
import { parseJson } from './json.js';
import { startCredentialProxy, type CredentialProxy } from './mcp/credential-proxy.js';
import {
  mcpRevisions,
  runConformance,
  type ConformanceRun,
  type McpRevision,
  readExpectedFailures,
} from './mcp/run-conformance.js';
import { scenariosWithoutChecks, renderScenarioTable, verdictOfScenario } from './mcp/scenario-table.js';
import { checkoutFolder, getSharedProduct, type RunningProduct } from './product.js';

let product: RunningProduct;
let endpoint: CredentialProxy;
let address: URL;
beforeAll(async () => {
  product = await getSharedProduct();
  address = new URL(`${product.gateways[0]}${mcpPrefix}/mcp-conformance`);
  endpoint = await startCredentialProxy(address.href, { AppKey: product.environment['DEMO_KEY'] ?? '' });
});
afterAll(async () => {
  await endpoint.stop();
});

describe('the conformance runner', () => {
  const expected = readExpectedFailures();
  const runs: Partial<Record<McpRevision, ConformanceRun>> = {};
  beforeAll(async () => {
    for (const revision of mcpRevisions) {
      const run = await runConformance(endpoint.url, revision);
      // The runner waits half a second for some answers; on a busy machine a second run decides.
      runs[revision] = run.exitCode === 0 ? run : await runConformance(endpoint.url, revision);
    }
  });
  const runOf = (revision: McpRevision): ConformanceRun => {
    const run = runs[revision];
    if (!run) throw new Error(`${revision} did not run.`);
    return run;
  };

  it.each(mcpRevisions)('finds no failure for %s except the expected ones', (revision) => {
    const { exitCode, output, scenarios } = runOf(revision);
    expect(scenarios.filter((scenario) => verdictOfScenario(scenario, expected) === 'fails')).toEqual([]);
    if (exitCode !== 0) throw new Error(output.slice(-4_000));
  });

  it.each([
    ['2025-11-25', 12],
    ['2026-07-28', 14],
  ] as const)('passes the expected number of scenarios (revision %s: at least %i)', (revision, least) => {
    const passed = runOf(revision).scenarios.filter((scenario) => verdictOfScenario(scenario, expected) === 'passes');
    expect(passed.length).toBeGreaterThanOrEqual(least);
  });

  it('runs every scenario with an expected failure or without checks', () => {
    const ran = new Set(mcpRevisions.flatMap((revision) => runOf(revision).scenarios.map(({ name }) => name)));
    const named = [...expected.map(({ scenario }) => scenario), ...Object.keys(scenariosWithoutChecks)];
    expect(named.filter((name) => !ran.has(name))).toEqual([]);
    expect(expected.filter(({ reason }) => reason === '')).toEqual([]);
  });

  it('matches docs/tools.md (UPDATE_GOLDENS=1 rewrites it)', () => {
    const found = { '2025-11-25': runOf('2025-11-25').scenarios, '2026-07-28': runOf('2026-07-28').scenarios };
    const file = join(checkoutFolder, 'docs', 'tools.md');
    const table = renderScenarioTable(found, expected);
    const written = /^\| scenario .*(?:\n\|.*)*/m;
    const text = readFileSync(file, 'utf8');
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, text.replace(written, table));
    expect(written.exec(readFileSync(file, 'utf8'))?.[0]).toBe(table);
  });
});

describe('the official client', () => {
  const requestInit = () => ({ headers: { AppKey: product.environment['DEMO_KEY'] ?? '' } });
  const identity = { name: 'spec', version: '1' };
  const call = { name: 'json-schema-2020-12-tool', arguments: { email: 'a@b.example', contactMethod: 'email' } };
  const answered = { structuredContent: call.arguments, content: [{ type: 'text' }] };
  const refused = { isError: true, content: [{ text: expect.stringContaining('TOOL_ARGUMENTS_INVALID') }] };

  it.each([
    ['as it is', {}, '2025-11-25'],
    ['when it negotiates', { versionNegotiation: { mode: 'auto' as const } }, '2026-07-28'],
  ])('lists and calls tools, %s', async (_, options, revision) => {
    const client = new Client(identity, options);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: requestInit() }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('test_simple_text');
    expect(await client.callTool(call)).toMatchObject(answered);
    expect(await client.callTool({ ...call, arguments: { email: 7 } })).toMatchObject(refused);
    await client.close();
  });

  it('in its first generation lists and calls tools, and receives progress', async () => {
    const client = new OlderClient(identity);
    await client.connect(new OlderTransport(address, { requestInit: requestInit() }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    expect(await client.callTool(call)).toMatchObject(answered);
    const documented: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void documented.push(progress);
    await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, undefined, { onprogress });
    expect(documented).toEqual([0, 50, 100]);
    await client.close();
  });
});

describe('a client of the protocol revision 2024-11-05', () => {
  const post = async (message: unknown) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { AppKey: product.environment['DEMO_KEY'] ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? '' : parseJson(text) };
  };
  const request = (id: number, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });

  it('lists and calls tools by POST to one address, also in batches', async () => {
    const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'spec', version: '1' } };
    const agreed = { protocolVersion: '2024-11-05', serverInfo: { name: 'mcp-conformance', version: '1' } };
    expect(await post(request(0, 'initialize', hello))).toMatchObject({ status: 200, body: { id: 0, result: agreed } });
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ status: 202, body: '' });
    const call = request(2, 'tools/call', { name: 'test_simple_text', arguments: {} });
    const content = [{ type: 'text', text: 'This is a simple text response for testing.' }];
    expect(await post(call)).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 2, result: { content } } });
    expect(await post([request(1, 'tools/list'), call])).toMatchObject({
      status: 200,
      body: [
        { id: 1, result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'test_simple_text' })]) } },
        { id: 2, result: { content } },
      ],
    });
  });
});

recordAnswers();
