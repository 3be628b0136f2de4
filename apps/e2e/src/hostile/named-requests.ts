/**
 * Hostile requests by name: each held an event loop, or kept other teams waiting, when it was sent alone or fifty times at
 * once. `{n}` is a number that was never sent before.
 */
import { agentsPrefix } from '@tessera/contracts/agents';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { odataPathOf } from '../group-d.js';
import type { RequestStep } from '../neighbour-instructions.js';
import { eventRecordId, neighbourAgentId, neighbourAssetId } from '../neighbour-teams.js';
import { salesModel, testModelId } from '../test-model.js';
import { testStoragePath } from '../test-storage.js';
import { largeJsonTexts } from './hostile-values.js';

/** A client that is known to the gateway of these specs. */
export const oauthClient = { id: 'desk.app', redirect: 'https://desk.example/callback' };

const repeat = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const members = (count: number, prefix: string): object =>
  Object.fromEntries(repeat(count, (index) => [`${prefix}${index}`, 1]));
const refused = [400, 413, 422];

const events = `${modelsPrefix}/${testModelId}/records/${eventRecordId}`;
const tools = `${mcpPrefix}/${neighbourAssetId}`;
const query = `${modelsPrefix}/${testModelId}/query`;

const batchOf = (urlOf: (index: number) => string): RequestStep => ({
  path: `${odataPathOf(testModelId)}/$batch`,
  headers: { Prefer: 'continue-on-error' },
  body: JSON.stringify({ requests: repeat(100, (id) => ({ id: String(id), method: 'get', url: urlOf(id) })) }),
});

/** In 3 KB; all amounts are over it. */
const longFilter = (index: number): string =>
  `AMOUNT gt -{n}.${index}${repeat(100, (part) => ` and AMOUNT ne -${part}.${index}`).join('')}`;

/** Names alone, in 16 KB. */
const namesForm = repeat(4_400, (index) => index.toString(36)).join('&');

const calls = (method: string, params: object = {}): RequestStep => ({
  path: tools,
  headers: { Accept: 'application/json, text/event-stream' },
  body: JSON.stringify(repeat(100, (id) => ({ jsonrpc: '2.0', id, method, params }))),
});

const longFormula = `sum(SALE.AMOUNT${' + SALE.AMOUNT'.repeat(270)})`;

const asJson = (path: string, body: unknown, statuses: readonly number[] = refused): RequestStep => ({
  path,
  body: JSON.stringify(body),
  statuses,
});

export const createNamedRequests = (team: string): Readonly<Record<string, RequestStep>> => ({
  'batch-refusals': batchOf((index) => `${eventRecordId}_entries?$top=x{n}${index}`),
  'batch-groups': batchOf(
    (index) =>
      `${eventRecordId}_entries?$apply=filter(EVENT_NO gt -{n}.${index})/groupby((ACTIVITY),aggregate($count as COUNTED))`,
  ),
  'batch-filters': batchOf((index) => `SALE_entries?$top=1&$filter=${longFilter(index)}`),
  'fuzzy-search': { path: `${events}/query?searchTerm=harbour%20{n}&searchPrecision=1` },
  'short-search': { path: `${events}/query?searchTerm=q&filterExpr=EVENT_NO%20gt%20-{n}` },
  csv: {
    path: `${events}/data?fields=EVENT_NO,CASE_ID,ACTIVITY,NOTE&filterExpr=EVENT_NO%20gt%20-{n}`,
    headers: { Accept: 'text/csv' },
  },
  formulas: asJson(
    `/admin/teams/${team}/knowledge-models`,
    {
      mode: 'check',
      definitions: [
        { ...salesModel, kpis: repeat(200, (index) => ({ id: `KPI_${index}`, expression: longFormula })), filters: [] },
      ],
    },
    [200, ...refused],
  ),
  'completion-members': asJson(`${agentsPrefix}/${neighbourAgentId}/v1/chat/completions`, {
    ...{ model: neighbourAgentId, messages: [{ role: 'user', content: 'Hello {n}' }] },
    ...members(9_000, 'member'),
  }),
  'mcp-lists': calls('tools/list'),
  'mcp-calls': calls('tools/call', { name: 'get-knowledge-model', arguments: {} }),
  'mcp-messages': asJson(
    tools,
    repeat(20_000, (id) => ({ jsonrpc: '2.0', id, method: 'x' })),
  ),
  'tool-objects': asJson(`${tools}/tool-api/load-data`, {
    columns: ['REVENUE'],
    a: repeat(100_000, () => ({ a: 1 })),
  }),
  'tool-integers': asJson(`${tools}/tool-api/load-data`, { columns: repeat(90_000, (index) => index) }),
  'element-attributes': asJson(`${testStoragePath}/facets/processes/views/detail/elements`, {
    elements: repeat(200, () => ({ type: 'process', attributes: members(500, 'un') })),
  }),
  'turn-members': asJson(`${agentsPrefix}/${neighbourAgentId}/conversations`, {
    message: 'Hello',
    ...members(12_000, 'member'),
  }),
  'query-members': asJson(query, { projection: { kpis: ['REVENUE'] }, ...members(12_000, 'member') }),
  'sign-in-names': anonymousForm('/sign-in'),
  'token-names': anonymousForm('/oauth2/token'),
  'authorize-scope': {
    path: `/oauth2/authorize?${String(
      new URLSearchParams({
        ...{ client_id: oauthClient.id, redirect_uri: oauthClient.redirect, response_type: 'code', state: 'a' },
        ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
        scope: repeat(2_800, (index) => (index + 46_656).toString(36)).join(' '),
      }),
    )}`,
    isAnonymous: true,
    // Beyond what an address may ask for it is refused for a minute.
    statuses: [302, 303, 400, 414, 429, 431],
  },
  'openapi-document': { path: '/openapi.json', isAnonymous: true },
});

function anonymousForm(path: string): RequestStep {
  return {
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
    body: namesForm,
    isAnonymous: true,
    statuses: [400, 401, 413, 429],
  };
}

/** Those whose bodies have more faults than anybody reads. */
export const requestsWithManyFaults: readonly string[] = [
  ...['completion-members', 'mcp-messages', 'tool-objects', 'tool-integers'],
  ...['element-attributes', 'turn-members', 'query-members'],
];

/** A call of a tool whose body is nearly 1 MiB of one kind of value each. */
export const createLargeBodies = (): Readonly<Record<string, RequestStep>> =>
  Object.fromEntries(
    Object.entries(largeJsonTexts).map(([name, text]) => [
      `1 MiB of ${name}`,
      { path: `${tools}/tool-api/load-data`, body: `{"columns":${text()}}`, statuses: refused },
    ]),
  );
