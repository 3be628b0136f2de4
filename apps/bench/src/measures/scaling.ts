/**
 * Requests a second with one, two and three replicas of every service, and the cost of a request in each process. There
 * are no targets: all replicas share the processors of one machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from '../answers.js';
import * as engine from '../engine.js';
import { type LoadRequest, sendLoad } from '../load.js';
import { readResidentMb, startCpuClock } from '../processes.js';
import { type Product, startProduct, withProduct } from '../product/product.js';
import { median } from '../statistics.js';
import { fixtureAssetId, mcpPath, toolSettings } from './tools.js';

const services = ['gateway', 'content-repo', 'knowledge-models', 'tool-gateway', 'agents'];
const clients = 16;
const warmUpRequests = 4_000;
const warmUpMaxMs = 20_000;
/** More than a round needs. */
const queriesOfRound = 20_000;
const settleMs = 5_000;
/** A process with a smaller share of the time of a request bounds nothing. */
const smallestShare = 0.02;

type Scope = Pick<engine.Bench, 'rounds' | 'sideMs' | 'say'>;
type Workload = { readonly what: string; readonly requests: (round: number) => readonly LoadRequest[] };

const facet = '/meridian/p2p/_api/rest/facets/processes';

const workloadsOf = async (origin: string, headers: Readonly<Record<string, string>>): Promise<readonly Workload[]> => {
  type Report = { readonly values: readonly { readonly id: string }[] };
  const { values } = await readJson<Report>({ origin, headers, prefix: '' }, `${facet}/reporting`);
  const elements = values.map(({ id }) => `${facet}/views/detail/elements/${id}`);
  // All rows match every amount, so each query costs the same and none repeats.
  const kpis = (below: number) =>
    `/intelligence/api/knowledge-models/p2p.base-km/query?fields=PO_ITEM.PLANT&kpis=MAVERICK_RATE,OPEN_PO_VALUE&sort=PO_ITEM.PLANT&filterExpr=PO_ITEM.NET_AMOUNT%20gt%20-${below + 1}`;
  const call = { method: 'POST', path: `${mcpPath}/${fixtureAssetId}/tool-api/test_simple_text`, body: '{}' } as const;
  return [
    { what: 'Element by id (content-repo)', requests: () => elements },
    {
      what: 'KPIs by plant, none asked twice (knowledge-models)',
      requests: engine.numbered(queriesOfRound, kpis),
    },
    { what: 'Call of a trivial tool (tool-gateway)', requests: () => Array.from({ length: clients }, () => call) },
  ];
};

type Run = { readonly requestsPerSecond: number; readonly cpuUs: Readonly<Record<string, number>> };

/** Sends each gateway its part of the clients; the list of a workload is long only when nothing in it may repeat. */
const runOnce = async (
  product: Product,
  gateways: readonly string[],
  requests: readonly LoadRequest[],
  bounds: { readonly durationMs: number; readonly requestsMax?: number },
): Promise<Run> => {
  const headers = { AppKey: product.variable('DEMO_KEY') };
  const once = requests.length === queriesOfRound;
  const readCpuMs = startCpuClock(() => {
    const { launcher: _, ...others } = product.processes();
    return others;
  });
  const results = await Promise.all(
    gateways.map((origin, index) => {
      const own = once ? requests.filter((_, place) => place % gateways.length === index) : requests;
      return sendLoad({ ...bounds, origin, headers, once, requests: own, clients: clients / gateways.length });
    }),
  );
  const sent = results.reduce((sum, result) => sum + result.requests, 0);
  return {
    requestsPerSecond: results.reduce((sum, result) => sum + result.requestsPerSecond, 0),
    cpuUs: Object.fromEntries(Object.entries(readCpuMs()).map(([name, ms]) => [name, (ms * 1_000) / sent])),
  };
};

/** Requests that one processor for each process would answer, from its microseconds a request; the first to be busy first. */
const describeCapacities = (cpuUs: Readonly<Record<string, number>>): string => {
  const costs = Object.entries(cpuUs).sort(([, left], [, right]) => right - left);
  const total = costs.reduce((sum, [, us]) => sum + us, 0);
  const bounding = costs.filter(([, us]) => us > total * smallestShare);
  const told = bounding.map(([name, us]) => `${name} ${(1_000_000 / us).toFixed(0)}`).join(', ');
  return `${told} a second; first: ${bounding[0]?.[0] ?? 'nothing'}`;
};

const measureProduct = async (product: Product, scope: Scope, replicas: number): Promise<readonly engine.Figure[]> => {
  await sleep(settleMs);
  const all = replicas === 1 ? product.variable('GATEWAY_URL') : product.variable('GATEWAY_URLS');
  const gateways = all.split(',');
  const memory = (): string => {
    const own = services.map((service) => `${service} ${readResidentMb(engine.pidOf(product, service)).toFixed(0)}`);
    return `${own.join(', ')} MB`;
  };
  const idle = memory();
  const figures: engine.Figure[] = [];
  const headers = { AppKey: product.variable('DEMO_KEY') };
  for (const { what, requests } of await workloadsOf(gateways[0] ?? '', headers))
    // Two gateways say what a third would add.
    for (const gatewayCount of replicas === 2 ? [1, 2] : [1]) {
      const full = `${what}: ${replicas} of the service, ${gatewayCount} of gateway`;
      scope.say(`measuring: ${full}`);
      const asked = gateways.slice(0, gatewayCount);
      const first = gatewayCount * (scope.rounds + 1);
      await runOnce(product, asked, requests(first), { durationMs: warmUpMaxMs, requestsMax: warmUpRequests });
      const runs: Run[] = [];
      for (let round = 1; round <= scope.rounds; round++)
        runs.push(await runOnce(product, asked, requests(first + round), { durationMs: scope.sideMs }));
      const rate = median(runs.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0);
      figures.push({ what: full, actual: `${rate} a second, ${engine.describeProcessorTime(runs)} a request` });
      const names = Object.keys(runs[0]?.cpuUs ?? {});
      const cpuUs = names.map((name) => [name, median(runs.map((run) => run.cpuUs[name] ?? 0))] as const);
      const capacities = describeCapacities(Object.fromEntries(cpuUs));
      if (replicas === 1)
        figures.push({ what: `${what}: one processor for each process would answer`, actual: capacities });
    }
  if (replicas > 1) return figures;
  return [
    ...figures,
    { what: 'Resident memory of a replica, idle', actual: idle },
    { what: 'Resident memory of a replica, after the load', actual: memory() },
  ];
};

export const measureScaling = async (scope: Scope): Promise<readonly engine.Figure[]> => {
  const figures: engine.Figure[] = [];
  for (const replicas of [1, 2, 3]) {
    scope.say(`starting the product with ${replicas} of each service`);
    const replicaCounts = services.map((service) => `${service}=${replicas}`).join();
    const settings = { ...toolSettings, LAUNCHER_REPLICAS: replicaCounts };
    const started = startProduct('demo', settings);
    figures.push(...(await withProduct(started, (product) => measureProduct(product, scope, replicas))));
  }
  // Compared figures stand together.
  const bySubject = Map.groupBy(figures, ({ what }) => what.split(':')[0]);
  return [...bySubject.values()].flat();
};
