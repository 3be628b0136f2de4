/**
 * Requests a second with one, two and three replicas of every service, and the cost of a request in each process. There
 * are no targets: all replicas share the processors of one machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '../json.js';
import { startLoadGenerator, type LoadGenerator } from '../load/load-generator.js';
import type { RequestLoadOptions } from '../load/send-load.js';
import { type ProcessGroups, readResidentMb, measureCpu } from '../processes.js';
import { type Product, startProduct, requireVariable } from '../product/product.js';
import { median } from '../statistics.js';
import type { Figure, KnowledgeBench } from './bench.js';
import { mcpFixtureAssetId, mcpPath, toolSettings } from './tools.js';

/** Of all the time that a request takes. */
const smallestShare = 0.02;

type Capacity = { readonly name: string; readonly requestsPerSecond: number };

/** By processor microseconds a request; what is busy first comes first. */
export const calculateCapacities = (cpuUs: Readonly<Record<string, number>>): readonly Capacity[] => {
  const costs = Object.entries(cpuUs).map(([name, us]) => ({ name, us }));
  const total = costs.reduce((sum, { us }) => sum + us, 0);
  return costs
    .filter(({ us }) => us > total * smallestShare)
    .sort((left, right) => right.us - left.us)
    .map(({ name, us }) => ({ name, requestsPerSecond: 1_000_000 / us }));
};

export const describeCapacities = (capacities: readonly Capacity[]): string =>
  `${capacities.map(({ name, requestsPerSecond }) => `${name} ${requestsPerSecond.toFixed(0)}`).join(', ')} a second; first: ${capacities[0]?.name ?? 'nothing'}`;

const services = ['gateway', 'content-repo', 'knowledge-models', 'tool-gateway', 'agents'] as const;
const replicaCounts = [1, 2, 3] as const;
const connections = 16;
const warmUpRequests = 4_000;
const warmUpMaxMs = 20_000;
/** More than a round needs. */
const queriesOfRound = 20_000;
const settleMs = 5_000;

type Options = Pick<KnowledgeBench, 'rounds' | 'sideMs' | 'say'>;

type Workload = {
  readonly what: string;
  readonly order: () => Pick<RequestLoadOptions, 'paths' | 'bodies' | 'method' | 'once'>;
};

const facet = '/meridian/p2p/_api/rest/facets/processes';

const workloadsOf = async (origin: string, headers: RequestLoadOptions['headers']): Promise<readonly Workload[]> => {
  const report = await (await fetch(`${origin}${facet}/reporting`, { headers })).text();
  const { values } = parseJson<{ readonly values: readonly { readonly id: string }[] }>(report);
  const elements = values.map(({ id }) => `${facet}/views/detail/elements/${id}`);
  let requestCount = 0;
  // All rows match every amount, so each query costs the same and none repeats.
  const kpis = (below: number) =>
    `/intelligence/api/knowledge-models/p2p.base-km/query?fields=PO_ITEM.PLANT&kpis=MAVERICK_RATE,OPEN_PO_VALUE&sort=PO_ITEM.PLANT&filterExpr=PO_ITEM.NET_AMOUNT%20gt%20-${below}`;
  return [
    { what: 'Element by id (content-repo)', order: () => ({ paths: elements }) },
    {
      what: 'KPIs by plant, none asked twice (knowledge-models)',
      order: () => ({ paths: Array.from({ length: queriesOfRound }, () => kpis(++requestCount)), once: true }),
    },
    {
      what: 'Call of a trivial tool (tool-gateway)',
      order: () => ({
        method: 'POST',
        paths: [`${mcpPath}/${mcpFixtureAssetId}/tool-api/test_simple_text`],
        bodies: ['{}'],
      }),
    },
  ];
};

type Run = { readonly requestsPerSecond: number; readonly cpuUs: Readonly<Record<string, number>> };

/** A product whose services all have the same number of replicas, and a load generator for each gateway. */
type ScalingResult = Options & {
  readonly product: Product;
  readonly gateways: readonly string[];
  readonly headers: RequestLoadOptions['headers'];
  readonly generators: readonly LoadGenerator[];
};

const runOnce = async (
  { product, gateways, headers, generators }: ScalingResult,
  order: ReturnType<Workload['order']>,
  bounds: Pick<RequestLoadOptions, 'durationMs' | 'requestsMax'>,
  gatewayCount: number,
): Promise<Run> => {
  const groups = (): ProcessGroups => {
    const { launcher: _, ...others } = product.processes();
    return others;
  };
  const send = (generator: LoadGenerator, index: number) =>
    generator.send({
      ...{ ...order, ...bounds, origin: gateways[index] ?? '', headers, connections: connections / gatewayCount },
      // Unique requests go to one gateway.
      paths: order.once ? order.paths.filter((_, place) => place % gatewayCount === index) : order.paths,
    });
  const { value: results, cpuMs } = await measureCpu(groups, () =>
    Promise.all(generators.slice(0, gatewayCount).map(send)),
  );
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  return {
    requestsPerSecond: results.reduce((sum, result) => sum + result.requestsPerSecond, 0),
    cpuUs: Object.fromEntries(Object.entries(cpuMs).map(([name, spent]) => [name, (spent * 1_000) / requests])),
  };
};

/** The medians of all rounds. */
const measureWorkload = async (scaled: ScalingResult, { order }: Workload, gatewayCount: number): Promise<Run> => {
  await runOnce(scaled, order(), { durationMs: warmUpMaxMs, requestsMax: warmUpRequests }, gatewayCount);
  const runs: Run[] = [];
  for (let round = 1; round <= scaled.rounds; round++)
    runs.push(await runOnce(scaled, order(), { durationMs: scaled.sideMs }, gatewayCount));
  const names = Object.keys(runs[0]?.cpuUs ?? {});
  return {
    requestsPerSecond: median(runs.map(({ requestsPerSecond }) => requestsPerSecond)),
    cpuUs: Object.fromEntries(names.map((name) => [name, median(runs.map(({ cpuUs }) => cpuUs[name] ?? 0))])),
  };
};

const describeRun = ({ requestsPerSecond, cpuUs }: Run): string => {
  const spent = Object.entries(cpuUs).filter(([, us]) => us >= 5);
  const total = spent.reduce((sum, [, us]) => sum + us, 0);
  const each = spent.map(([name, us]) => `${name} ${us.toFixed(0)}`).join(', ');
  return `${requestsPerSecond.toFixed(0)} a second (${total.toFixed(0)} us a request: ${each})`;
};

/** Of one replica of each service. */
const memoryOf = (product: Product): Readonly<Record<string, number>> => {
  const processes = product.processes();
  return Object.fromEntries(services.map((service) => [service, readResidentMb(processes[service]?.[0] ?? 0)]));
};
const describeMemory = (memory: Readonly<Record<string, number>>): string =>
  `${services.map((service) => `${service} ${(memory[service] ?? NaN).toFixed(0)}`).join(', ')} MB`;

const measureProduct = async (scaled: ScalingResult): Promise<readonly Figure[]> => {
  const { product, gateways, headers, say } = scaled;
  const replicas = gateways.length;
  const idle = memoryOf(product);
  const figures: Figure[] = [];
  for (const workload of await workloadsOf(gateways[0] ?? '', headers)) {
    // Two gateways say what a third would add.
    for (const gatewayCount of replicas === 2 ? [1, 2] : [1]) {
      const what = `${workload.what}: ${replicas} of the service, ${gatewayCount} of gateway`;
      say(`measuring: ${what}`);
      const run = await measureWorkload(scaled, workload, gatewayCount);
      figures.push({ what, actual: describeRun(run) });
      if (replicas > 1) continue;
      const capacities = describeCapacities(calculateCapacities(run.cpuUs));
      figures.push({ what: `${workload.what}: one processor for each process would answer`, actual: capacities });
    }
  }
  if (replicas > 1) return figures;
  return [
    ...figures,
    { what: 'Resident memory of a replica, idle', actual: describeMemory(idle) },
    { what: 'Resident memory of a replica, after the load', actual: describeMemory(memoryOf(product)) },
  ];
};

const withReplicas = async (replicas: number, options: Options): Promise<readonly Figure[]> => {
  options.say(`starting the product with ${replicas} of each service`);
  const product = await startProduct('demo', {
    ...toolSettings,
    LAUNCHER_REPLICAS: services.map((service) => `${service}=${replicas}`).join(','),
  });
  const { environment } = product;
  const gateways = (environment['GATEWAY_URLS'] ?? requireVariable(environment, 'GATEWAY_URL')).split(',');
  const generators = gateways.map(startLoadGenerator);
  try {
    await sleep(settleMs);
    const headers = { AppKey: requireVariable(environment, 'DEMO_KEY') };
    return await measureProduct({ ...options, product, gateways, headers, generators });
  } finally {
    await Promise.all(generators.map((generator) => generator.stop()));
    await product.stop();
  }
};

export const measureScaling = async (options: Options): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const replicas of replicaCounts) figures.push(...(await withReplicas(replicas, options)));
  // Keep compared figures together.
  return [...new Set(figures.map(subjectOf))].flatMap((subject) =>
    figures.filter((each) => subjectOf(each) === subject),
  );
};

const subjectOf = ({ what }: Figure): string => what.split(':')[0] ?? what;
