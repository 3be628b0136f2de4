/**
 * Fifteen attacks by one team, by name: each repeats a few requests with literals never used before; and the requests
 * of the quiet team.
 */
import { agentsPrefix } from '@tessera/contracts/agents';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { odataOf } from './group-d.js';
import type { Reading, Step } from './neighbour-orders.js';
import { loadedTable, neighbourAgent, neighbourAsset, type Neighbour } from './neighbour-teams.js';
import { storageAddress } from './trial-content.js';
import { modelId } from './trial-model.js';

export type Attack = { readonly reading: Reading; readonly steps: readonly [Step, ...Step[]] };

const records = `${modelsPrefix}/${modelId}/records`;
/** All amounts are over it, so that every question reads every row. */
const overNothing = 'filterExpr=AMOUNT%20gt%20-{n}';
const overNothingOfSales = 'filterExpr=SALE.AMOUNT%20gt%20-{n}';

/** `"{n}"` is a number. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('"-{n}"', '-{n}').replaceAll('"{n}"', '{n}');

const odataPages: Step = {
  path: `${odataOf(modelId)}/SALE_entries?$filter=AMOUNT%20gt%20-{n}&$orderby=AMOUNT%20desc`,
  headers: { Prefer: 'odata.maxpagesize=5000' },
};
const reports: Step = { path: `${storageAddress}/facets/processes/reporting?$expandRelated=uses` };
const lists: Step = {
  path: `${storageAddress}/facets/processes/views/reporting/elements?$pageSize=1000&$resources=children,content&$expandRelated=uses`,
};
const wideRows: Step = {
  path: `${modelsPrefix}/${modelId}/query?fields=SALE.SALE_NO,SALE.AMOUNT,SALE.SOLD_ON,CUSTOMER.NAME,CUSTOMER.COUNTRY&pageSize=5000&${overNothingOfSales}`,
};
const batch: Step = {
  path: `${mcpPrefix}/${neighbourAsset}`,
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
const turn = (accept: string): Step => ({
  path: `${agentsPrefix}/${neighbourAgent}/conversations`,
  headers: { Accept: accept },
  body: json({ message: 'Revenue by country above {n} EUR?' }),
});
const stalled = (step: Step): Attack => ({ reading: 'stalled', steps: [step] });
const hasty = (...steps: Attack['steps']): Attack => ({ reading: 'all', steps });

/** How many rows one load brings. */
const rowsOfLoad = 10_000;

const loadsOf = ({ team }: Neighbour): Attack['steps'] => {
  const loads = `/admin/teams/${team}/tables/trial/${loadedTable}/loads`;
  const text = Array.from({ length: rowsOfLoad }, (_, row) => `${row},{n},a text of the row ${row}\n`).join('');
  return [
    { path: loads, body: json({ format: 'csv' }), capture: '"loadId":"([^"]+)"' },
    { path: `${loads}/{id}/rows`, body: json({ ordinal: 0, firstLine: 1, text }) },
    { path: `${loads}/{id}/commit`, body: json({ batches: 1 }) },
  ];
};

const writes: Step = {
  path: `${storageAddress}/facets/users/views/detail/elements`,
  body: json({
    elements: Array.from({ length: 200 }, (_, index) => ({ type: 'user', attributes: { name: `user {n}-${index}` } })),
  }),
};

export const attackNames = [
  ...['odata-pages', 'reports', 'kpi-scans', 'summaries', 'searches'],
  ...['mcp-batches', 'agent-turns', 'loads', 'writes'],
  ...['stalled-odata-pages', 'stalled-reports', 'stalled-lists', 'stalled-query-pages'],
  ...['stalled-mcp-batches', 'stalled-event-streams'],
] as const;
type AttackName = (typeof attackNames)[number];

export const attacksOf = (neighbour: Neighbour): Readonly<Record<AttackName, Attack>> => ({
  'odata-pages': hasty(odataPages),
  reports: hasty(reports),
  'kpi-scans': hasty({
    path: `${modelsPrefix}/${modelId}/query?fields=CUSTOMER.COUNTRY&kpis=REVENUE,SALES,CUSTOMERS,BANKS&${overNothingOfSales}`,
  }),
  summaries: hasty({ path: `${records}/SALE/summary?${overNothing}` }),
  searches: hasty({ path: `${records}/CUSTOMER/query?searchTerm=lamplight%20{n}&searchPrecision=50` }),
  'mcp-batches': hasty(batch),
  'agent-turns': hasty(turn('application/json')),
  loads: hasty(...loadsOf(neighbour)),
  writes: hasty(writes),
  'stalled-odata-pages': stalled(odataPages),
  'stalled-reports': stalled(reports),
  'stalled-lists': stalled(lists),
  'stalled-query-pages': stalled(wideRows),
  'stalled-mcp-batches': stalled(batch),
  'stalled-event-streams': stalled(turn('text/event-stream')),
});

/** What the quiet team asks: each of its own small tenant, by the same services. */
export const quietSteps = ({ elementId }: Neighbour): Readonly<Record<string, Step>> => ({
  facets: { path: `${storageAddress}/facets` },
  element: { path: `${storageAddress}/facets/processes/views/detail/elements/${elementId}` },
  page: { path: `${records}/SALE/query?pageSize=50&${overNothing}` },
  KPI: { path: `${modelsPrefix}/${modelId}/query?fields=CUSTOMER.COUNTRY&kpis=REVENUE&${overNothingOfSales}` },
  tool: { path: `${mcpPrefix}/mcp-conformance/tool-api/test_simple_text`, body: '{}' },
});
