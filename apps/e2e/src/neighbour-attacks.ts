/**
 * Attacks by one team, by name: each repeats a few requests with literals never used before; and the requests of the quiet
 * team and of a process without a credential.
 */
import { agentsPrefix } from '@tessera/contracts/agents';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { odataPathOf } from './group-d.js';
import { createLargeBodies, createNamedRequests } from './hostile/named-requests.js';
import type { ResponseReadMode, RequestStep } from './neighbour-instructions.js';
import { loadedTableName, neighbourAgentId, neighbourAssetId, type Neighbour } from './neighbour-teams.js';
import { testStoragePath } from './test-storage.js';
import { testModelId } from './test-model.js';

export type AttackPlan = {
  readonly reading: ResponseReadMode;
  readonly steps: readonly [RequestStep, ...RequestStep[]];
};

const records = `${modelsPrefix}/${testModelId}/records`;
/** All amounts are over it, so that every question reads every row. */
const neverMatching = 'filterExpr=AMOUNT%20gt%20-{n}';
const neverMatchingSales = 'filterExpr=SALE.AMOUNT%20gt%20-{n}';

/** `"{n}"` is a number. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('"-{n}"', '-{n}').replaceAll('"{n}"', '{n}');

const odataPages: RequestStep = {
  path: `${odataPathOf(testModelId)}/SALE_entries?$filter=AMOUNT%20gt%20-{n}&$orderby=AMOUNT%20desc`,
  headers: { Prefer: 'odata.maxpagesize=5000' },
};
const reports: RequestStep = { path: `${testStoragePath}/facets/processes/reporting?$expandRelated=uses` };
const lists: RequestStep = {
  path: `${testStoragePath}/facets/processes/views/reporting/elements?$pageSize=1000&$resources=children,content&$expandRelated=uses`,
};
const wideRows: RequestStep = {
  path: `${modelsPrefix}/${testModelId}/query?fields=SALE.SALE_NO,SALE.AMOUNT,SALE.SOLD_ON,CUSTOMER.NAME,CUSTOMER.COUNTRY&pageSize=5000&${neverMatchingSales}`,
};
const batch: RequestStep = {
  path: `${mcpPrefix}/${neighbourAssetId}`,
  headers: { Accept: 'application/json' },
  body: json(
    Array.from({ length: 100 }, (_, index) => ({
      ...{ jsonrpc: '2.0', id: index, method: 'tools/call' },
      params: {
        name: 'load-data',
        arguments: {
          columns: ['CUSTOMER.NAME', 'REVENUE'],
          page_size: 500,
          page: index,
          applied_filters: { numeric_filters: [{ column_id: 'SALE.AMOUNT', comparator: '>', value: '-{n}' }] },
        },
      },
    })),
  ),
};
const turn = (accept: string): RequestStep => ({
  path: `${agentsPrefix}/${neighbourAgentId}/conversations`,
  headers: { Accept: accept },
  body: json({ message: 'Revenue by country above {n} EUR?' }),
});
const stalledReader = (step: RequestStep): AttackPlan => ({ reading: 'stalled', steps: [step] });
const disconnecting = (...steps: AttackPlan['steps']): AttackPlan => ({ reading: 'all', steps });

/** How many rows one load brings. */
const rowsOfLoad = 10_000;

const loadsOf = (team: string): AttackPlan['steps'] => {
  const loads = `/admin/teams/${team}/tables/trial/${loadedTableName}/loads`;
  const text = Array.from({ length: rowsOfLoad }, (_, row) => `${row},{n},a text of the row ${row}\n`).join('');
  return [
    { path: loads, body: json({ format: 'csv' }), capture: '"loadId":"([^"]+)"' },
    { path: `${loads}/{id}/rows`, body: json({ ordinal: 0, firstLine: 1, text }) },
    { path: `${loads}/{id}/commit`, body: json({ batches: 1 }) },
  ];
};

const writes: RequestStep = {
  path: `${testStoragePath}/facets/users/views/detail/elements`,
  body: json({
    elements: Array.from({ length: 200 }, (_, index) => ({ type: 'user', attributes: { name: `user {n}-${index}` } })),
  }),
};

export const createAttackPlans = (team: string): Readonly<Record<string, AttackPlan>> => ({
  'odata-pages': disconnecting(odataPages),
  reports: disconnecting(reports),
  'kpi-scans': disconnecting({
    path: `${modelsPrefix}/${testModelId}/query?fields=CUSTOMER.COUNTRY&kpis=REVENUE,SALES,CUSTOMERS,BANKS&${neverMatchingSales}`,
  }),
  summaries: disconnecting({ path: `${records}/SALE/summary?${neverMatching}` }),
  searches: disconnecting({ path: `${records}/CUSTOMER/query?searchTerm=lamplight%20{n}&searchPrecision=50` }),
  'mcp-batches': disconnecting(batch),
  'agent-turns': disconnecting(turn('application/json')),
  loads: disconnecting(...loadsOf(team)),
  writes: disconnecting(writes),
  'stalled-odata-pages': stalledReader(odataPages),
  'stalled-reports': stalledReader(reports),
  'stalled-lists': stalledReader(lists),
  'stalled-query-pages': stalledReader(wideRows),
  'stalled-mcp-batches': stalledReader(batch),
  'stalled-event-streams': stalledReader(turn('text/event-stream')),
  ...Object.fromEntries(
    Object.entries({ ...createNamedRequests(team), ...createLargeBodies() }).map(([name, step]) => [
      name,
      disconnecting(step),
    ]),
  ),
});

/** What the quiet team asks: each of its own small tenant, by the same services. */
export const createQuietTeamSteps = ({ elementId }: Neighbour): Readonly<Record<string, RequestStep>> => ({
  facets: { path: `${testStoragePath}/facets` },
  element: { path: `${testStoragePath}/facets/processes/views/detail/elements/${elementId}` },
  page: { path: `${records}/SALE/query?pageSize=50&${neverMatching}` },
  KPI: { path: `${modelsPrefix}/${testModelId}/query?fields=CUSTOMER.COUNTRY&kpis=REVENUE&${neverMatchingSales}` },
  tool: { path: `${mcpPrefix}/mcp-conformance/tool-api/test_simple_text`, body: '{}' },
});

export const anonymousSteps: Readonly<Record<string, RequestStep>> = {
  health: { path: '/health/live', isAnonymous: true },
  refusal: { path: `${modelsPrefix}/${testModelId}/query?kpis=REVENUE`, isAnonymous: true, statuses: [401] },
  'sign-in': { path: '/sign-in', isAnonymous: true },
};
