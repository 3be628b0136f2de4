/**
 * What an operator sees: one trace from request to statement, the listed metrics, log lines with ids. None of them
 * contains values of callers; here these begin with `mark`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { agentsPrefix } from '@tessera/contracts/agents';
import { waitUntil, startFakeModel, type FakeModel } from '@tessera/testing';
import { createQueryClient, odataPathOf } from './group-d.js';
import { memberOf, parseJson, textOf } from './json.js';
import { parseMetrics, countSeries, replaceMetricTables } from './metrics-list.js';
import { checkoutFolder, startProduct, type Product } from './product.js';
import { createToolEndpoints } from './tool-endpoints.js';
import { spanAncestry, startTraceCollector, type TraceCollector } from './trace-collector.js';
import { callProduct, createTestStorage, testStoragePath, testTeam } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

const host = 'models.example';
const asset = {
  ...{ kind: 'AgentToolsAsset', id: 'trial.tools' },
  tools: [{ kind: 'load-data', id: 'load-data', knowledgeModel: testModelId }],
};
const agent = {
  ...{ kind: 'Agent', id: 'trial.agent', instructions: 'Answer with figures.', tools: [{ asset: asset.id }] },
  model: {
    ...{ provider: 'openai-compatible', baseUrl: `https://${host}/v1`, model: 'script' },
    apiKey: '{secret:LLM_KEY}',
  },
};
const tokens = { secret: 'mark-shared-secret-of-the-issuer-of-tokens', issuer: 'https://issuer.example' };

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenFor = (claims: object): string => {
  const unsigned = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({
    ...{ iss: tokens.issuer, aud: 'tessera', team: testTeam, exp: Math.floor(Date.now() / 1000) + 3600 },
    ...claims,
  })}`;
  return `${unsigned}.${createHmac('sha256', tokens.secret).update(unsigned).digest('base64url')}`;
};
const token = tokenFor({ sub: 'mark-ada@example.com', name: 'mark-claim', scope: 'content:read content:write' });

let collector: TraceCollector;
let endpoint: FakeModel;
let product: Product;
let gateway = '';
let key = '';
beforeAll(async () => {
  collector = await startTraceCollector();
  endpoint = await startFakeModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'mark-answer: 4711 orders are late.' }
      : { calls: [{ tool: 'load-data', arguments: { columns: ['REVENUE'] } }] },
  );
  const hosts = {
    [host]: { teams: [testTeam], address: endpoint.address, secrets: { LLM_KEY: 'mark-secret-of-model' } },
  };
  product = await startProduct({
    demo: 'none',
    settings: {
      ...{
        LOG_LEVEL: 'debug',
        LOG_FORMAT: 'json',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        LAUNCHER_MANAGEMENT_PORTS: 'true',
      },
      ...{ JWT_SECRET: tokens.secret, JWT_ISSUER: tokens.issuer, JWT_AUDIENCE: 'tessera' },
      MODEL_HOSTS: JSON.stringify(hosts),
    },
  });
  [gateway = ''] = product.gateways;
  await createTestStorage(product);
  await createTestModel(product);
  for (const [path, definition] of Object.entries({ tools: asset, agents: agent }))
    await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${testTeam}/${path}`, { definitions: [definition] });
  key = await createTestKey(product, {
    scopes: ['agents:converse', 'tools:execute', 'knowledge-models:read', 'content:read'],
    ...{ furtherScopes: ['sales:all'], hourlyLimit: 2_000_000_000 },
  });
});
afterAll(async () => {
  await product?.stop();
  await endpoint?.stop();
  await collector?.stop();
});

const converse = (message: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${gateway}${agentsPrefix}/${agent.id}/conversations`, {
    method: 'POST',
    headers: { AppKey: key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ message }),
  });

describe('a request with a sampled trace', () => {
  const above = `${'b'.repeat(16)}`;
  const asked = (traceId: string) => ({ traceparent: `00-${traceId}-${above}-01` });

  /** Ways from the statements of a service up to the request. */
  const pathsFrom = (service: string, traceId: string): readonly (readonly string[])[] =>
    collector.spans
      .filter((span) => span.traceId === traceId && span.service === service && 'db.system.name' in span.attributes)
      .map((span) => spanAncestry(span, collector.spans))
      .filter((way) => way.at(-1)?.startsWith('gateway server') === true)
      .map((way) => way.slice(1));

  const facets = 'content.facets.list';
  const query = 'knowledge.models.query';
  const load = 'knowledge.tools.loadData';
  const turn = 'agents.converse';
  const requests: readonly {
    readonly what: string;
    readonly ask: (headers: Readonly<Record<string, string>>) => Promise<{ readonly status: number }>;
    /** From the service whose statements are looked for. */
    readonly way: readonly string[];
  }[] = [
    {
      what: 'content',
      ask: (headers) => fetch(`${gateway}${testStoragePath}/facets`, { headers: { AppKey: key, ...headers } }),
      way: [`content-repo server ${facets}`, `gateway client ${facets}`, `gateway server ${facets}`],
    },
    {
      what: 'a query of data',
      ask: (headers) =>
        createQueryClient(gateway, key)({ path: `/${testModelId}/query`, query: { kpis: 'REVENUE' }, headers }),
      way: [`knowledge-models server ${query}`, `gateway client ${query}`, `gateway server ${query}`],
    },
    {
      what: 'a turn of an agent',
      ask: (headers) => converse('Revenue?', headers),
      way: [
        ...[`knowledge-models server ${load}`, `tool-gateway client ${load}`, 'tool-gateway server tools.run'],
        ...['agents client tools.run', 'agents internal agents.turn', `agents server ${turn}`],
        ...[`gateway client ${turn}`, `gateway server ${turn}`],
      ],
    },
  ];

  it('produces one trace from HTTP over NATS to SQL, for content, data and turns of agents', async () => {
    const sent = requests.map((request) => ({ ...request, traceId: randomBytes(16).toString('hex') }));
    for (const { ask, traceId } of sent) expect((await ask(asked(traceId))).status).toBe(200);
    for (const { what, traceId, way } of sent) {
      const found = () => pathsFrom(way[0]?.split(' ')[0] ?? '', traceId);
      await waitUntil(() => found().some((each) => each.join() === way.join()));
      const edge = collector.spans.find((span) => span.traceId === traceId && span.parent === above);
      expect([what, edge?.attributes]).toMatchObject([
        what,
        {
          ...{ 'http.response.status_code': 200, 'url.scheme': 'http', 'tessera.outcome': 'ok' },
          'http.route': expect.stringContaining('{'),
        },
      ]);
    }
  });

  it('has its ids on the log lines of the gateway and the services', async () => {
    const requestId = randomBytes(8).toString('hex');
    const traceId = randomBytes(16).toString('hex');
    await breakWriting(`raise exception 'mark-bug %', new.attributes`);
    expect(await writeElement('mark-unlucky', { 'x-request-id': requestId, ...asked(traceId) })).toBe(500);
    const written = (service: string): readonly unknown[] =>
      linesOf(service).filter((line) => textOf(line, 'requestId') === requestId);
    await waitUntil(() => written('gateway').length > 0 && written('content-repo').length > 0);
    const lines = [...written('gateway'), ...written('content-repo')];
    expect(new Set(lines.map((line) => textOf(line, 'traceId')))).toEqual(new Set([traceId]));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request failed', team: testTeam, status: 500 }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'an operation failed by a bug', team: testTeam }));
  });
});

/** What a service has logged. */
const linesOf = (service: string): readonly unknown[] =>
  product
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(parseJson)
    .filter((line) => memberOf(line, 'service') === service);

/** Statements of this database that fail as bugs do, with what was written in what PostgreSQL says. */
const breakWriting = async (body: string): Promise<void> => {
  const client = new pg.Client({ connectionString: product.environment['DATABASE_URL'] });
  await client.connect();
  await client.query(`
    create table if not exists public.marks (name text primary key);
    create or replace function public.break_writing() returns trigger language plpgsql security definer as
      $$ begin ${body}; return new; end $$;
    drop trigger if exists break_writing on content_repo.element_version;
    create trigger break_writing before insert on content_repo.element_version
      for each row execute function public.break_writing()`);
  await client.end();
};

const writeElement = async (name: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
  const response = await fetch(`${gateway}${testStoragePath}/facets/processes/views/detail/elements`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ elements: [{ type: 'area', attributes: { name: { 1033: name } } }] }),
  });
  return response.status;
};

/** Requests with values that only their caller may read. */
const sendMarks = async (): Promise<readonly number[]> => {
  const traced = () => ({ traceparent: `00-${randomBytes(16).toString('hex')}-${'c'.repeat(16)}-01` });
  const ask = createQueryClient(gateway, key);
  const doors = createToolEndpoints(gateway, key, asset.id);
  const raw = async (path: string, body?: string, credential = key): Promise<number> =>
    (
      await fetch(gateway + path, {
        ...(body !== undefined && { method: 'POST', body }),
        headers: { AppKey: credential, 'Content-Type': 'application/json', Cookie: 'sid=mark-cookie', ...traced() },
      })
    ).status;
  await breakWriting(`insert into public.marks values (new.attributes::text), (new.attributes::text)`);
  const unique = await writeElement('mark-of-a-unique-violation', traced());
  await breakWriting(`raise exception 'mark-bug %', new.attributes using detail = 'mark-detail', hint = 'mark-hint'`);
  const broken = await writeElement('mark-of-a-bug', traced());
  await breakWriting('new.attributes = new.attributes');
  return [
    unique,
    broken,
    await writeElement('mark-written', traced()),
    (await converse('mark-message', traced())).status,
    (
      await ask({
        path: `/${testModelId}/query`,
        query: { kpis: 'REVENUE', filterExpr: "SALE.COMPANY eq 'mark-literal'" },
        headers: traced(),
      })
    ).status,
    (await ask({ path: `/${testModelId}/query`, query: { kpis: 'mark-kpi' }, headers: traced() })).status,
    (await ask({ path: `${odataPathOf(testModelId)}/COLOUR_entries('mark-record-key')`, headers: traced() })).status,
    (await doors.http('load-data', { columns: ['REVENUE'], filters: ['mark-argument'] })).status,
    (await doors.mcp('tools/call', { name: 'load-data', arguments: { nonsense: 'mark-argument' } })).status,
    await raw(`${agentsPrefix}/${agent.id}/conversations`, '{"message": "mark-malformed'),
    await raw(`${agentsPrefix}/${agent.id}/conversations`, '{"mark-member": "mark-value"}'),
    await raw('/mark-unknown-path?token=mark-query'),
    await raw(`${testStoragePath}/facets`, undefined, 'tsk_mark_mark-wrong-key_mark'),
  ];
};

const metricsOfAll = async (): Promise<Readonly<Record<string, string>>> => {
  const texts = Object.entries(await product.managementPorts()).map(async ([service, [port]]) => [
    service,
    await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  ]);
  return Object.fromEntries(await Promise.all(texts));
};

describe('values sent by callers', () => {
  it('appear in no log line, metric or span, however the request ends', async () => {
    const traceId = randomBytes(16).toString('hex');
    expect(await sendMarks()).toEqual([500, 500, 200, 200, 200, 400, 404, 422, 200, 400, 400, 404, 401]);
    // The last trace has arrived when that of a later request has.
    await fetch(`${gateway}${testStoragePath}/facets`, {
      headers: { AppKey: key, traceparent: `00-${traceId}-${'b'.repeat(16)}-01` },
    });
    const servicesIn = () => new Set(collector.spans.map(({ service }) => service));
    await waitUntil(() => collector.spans.some((span) => span.traceId === traceId) && servicesIn().size === 5);
    const output = {
      // PostgreSQL's log is excluded: its operator decides whether it contains statements and values.
      logs: product
        .output()
        .split('\n')
        .filter((line) => !line.includes('"service":"postgres"'))
        .join('\n'),
      spans: collector.bodies.join('\n'),
      metrics: Object.values(await metricsOfAll()).join('\n'),
    };
    const secrets = ['mark-', key.split('_')[2] ?? key, token.split('.')[1] ?? token, token.split('.')[2] ?? token];
    for (const [where, text] of Object.entries(output))
      for (const secret of secrets)
        expect([where, text.split('\n').filter((line) => line.includes(secret))]).toEqual([where, []]);
    expect(
      linesOf('content-repo')
        .filter((line) => textOf(line, 'err', 'code') !== '')
        .map((line) => textOf(line, 'err', 'code')),
    ).toEqual(expect.arrayContaining(['23505', 'P0001']));
  });
});

describe('the metrics', () => {
  it('name teams only at the management port', async () => {
    const open = await (await fetch(`${gateway}/metrics`)).text();
    const { gateway: all = '' } = await metricsOfAll();
    expect(all).toContain(`tessera_team_requests_total{team="${testTeam}",status="2xx"`);
    expect(open).toContain('tessera_http_request_duration_seconds');
    expect(open).not.toContain(testTeam);
  });

  it('match docs/metrics.md for all services', async () => {
    const texts = await metricsOfAll();
    expect(Object.keys(texts)).toHaveLength(5);
    const path = join(checkoutFolder, 'docs/metrics.md');
    const written = await readFile(path, 'utf8');
    const listed = replaceMetricTables(written, parseMetrics(texts));
    if (process.env['UPDATE_GOLDENS'] === '1') await writeFile(path, listed);
    else expect(listed).toBe(written);
    for (const text of Object.values(texts)) expect(countSeries(text)).toBeLessThan(5_000);
  });

  it('show the state of pools, dependencies and the outbox', async () => {
    const texts = await metricsOfAll();
    for (const text of Object.values(texts)) {
      expect(text).toMatch(/tessera_dependency_up\{dependency="nats",[^}]*\} 1/);
      expect(text).toMatch(/tessera_database_connections_max\{pool="[^"]+",[^}]*\} [1-9]/);
      expect(text).toMatch(/tessera_ready\{[^}]*\} 1/);
    }
    expect(texts['content-repo']).toMatch(/tessera_outbox_oldest_seconds\{[^}]*\} \d/);
    expect(textOf(parseJson(await readFile(join(checkoutFolder, 'package.json'), 'utf8')), 'version')).toBe(
      /tessera_version\{version="([^"]+)"/.exec(texts['agents'] ?? '')?.[1],
    );
  });
});
