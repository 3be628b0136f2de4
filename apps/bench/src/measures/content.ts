/** Reading content: one element, the report of a facet of 10,000, and requests that are refused. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expectSame, readJson, readText } from '../answers.js';
import * as engine from '../engine.js';
import { sendLoad } from '../load.js';
import { readResidentMb } from '../processes.js';
import type { BenchTarget } from '../product/largest-facet.js';
import { startProduct, withProduct } from '../product/product.js';

export type ContentBench = engine.Bench & { readonly subject: BenchTarget };

const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'];
const settleMs = 15_000;

/** From `npm start` on an empty data folder to READY, and the memory of the five idle services. */
export const measureStartup = (): Promise<readonly engine.Figure[]> =>
  withProduct(startProduct('demo'), async (product) => {
    await sleep(settleMs);
    const each = services.map((name) => ({ name, mb: readResidentMb(engine.pidOf(product, name)) }));
    const total = each.reduce((sum, { mb }) => sum + mb, 0);
    const listed = each.map(({ name, mb }) => `${name} ${mb.toFixed(0)}`).join(', ');
    const seconds = product.readySeconds ?? NaN;
    return [
      engine.judge('`npm start` on an empty data folder to READY', '<= 20 s', seconds, `${seconds.toFixed(1)} s`),
      engine.judge(
        'Five services idle, resident memory together',
        '< 700 MB',
        total,
        `${total.toFixed(0)} MB (${listed})`,
      ),
    ];
  });

const elementsCompared = 20;

/** Rejects when floor and product answer other documents: then they would not do the same work. */
export const compareDocuments = async ({ gateway, floor, subject, say }: ContentBench): Promise<void> => {
  const elements = subject.elementPaths.slice(0, elementsCompared);
  const compare = async (prefix: string, path: string): Promise<void> =>
    expectSame(path, await readJson({ ...floor, prefix }, path), await readJson(gateway, path));
  for (const path of [...elements, subject.reportPath]) await compare('', path);
  for (const path of elements) await compare('/stored', path);
  say(`product and floors answer the same documents (${elementsCompared} elements, the report of ${subject.elements})`);
};

const floors = { floor: 'floor on rows', stored: 'floor on stored text' } as const;

export const measureElementById = (bench: ContentBench): Promise<readonly engine.Figure[]> => {
  const requests = bench.subject.elementPaths;
  return engine.runContest(bench, {
    what: 'Element by id',
    clients: 16,
    warmUp: 20_000,
    sides: { ...engine.toBoth(bench, requests), stored: { ...bench.floor, prefix: '/stored', requests } },
    figures: [
      ...Object.entries(floors).flatMap(([side, name]) => [
        engine.compare(`: rate, product / ${name}`, engine.rate, '>= 0.40', ['product', side]),
        engine.compare(`: p99, product / ${name}`, engine.p99, '< 5', ['product', side]),
      ]),
      ...Object.entries({ ...floors, product: 'product' }).map(([side, name]) =>
        engine.processorTime(side, `: processor time a request, ${name}`),
      ),
    ],
  });
};

/** The processes that a report passes through. */
const passed = ['gateway', 'content-repo'];
const slowClients = 4;
const slowBytesPerSecond = 5_000_000;
const slowMs = 12_000;

/** Memory first: what fast clients have made a process keep would hide what slow ones make it grow. */
export const measureReports = async (bench: ContentBench): Promise<readonly engine.Figure[]> => {
  const { reportPath } = bench.subject;
  const memory = await measureSlowReaders(bench);
  const megabytes = ((await readText(bench.gateway, reportPath)).length / 1_000_000).toFixed(1);
  const figures: engine.Figure[] = [];
  for (const [how, target, requests] of [
    ['never asked before', '<= 0.7', freshReports(reportPath)],
    ['asked again', '<= 0.35', [reportPath]],
  ] as const)
    for (const clients of [1, 4]) {
      const about = `${how}, ${engine.clientsText(clients)}`;
      const contest: engine.Contest = {
        what: `Report of ${bench.subject.elements} elements (${megabytes} MB), ${about}`,
        clients,
        warmUp: 3 * clients,
        sides: engine.toBoth(bench, requests),
        figures: [engine.compare(': time, product / floor', engine.time, target)],
      };
      const what = `Report, ${about}: longest block of an event loop, in time of its processor (by the clock)`;
      const { value, figure } = await engine.withBlocks(
        bench.product,
        what,
        '<= 50 ms',
        [passed, 'knowledge-models'],
        () => engine.runContest(bench, contest),
      );
      figures.push(...value, figure);
    }
  return [...figures, ...memory];
};

const reportsOfRound = 240;

/** The same report by other names: what is kept of one is not found for another. */
const freshReports = (reportPath: string) =>
  engine.numbered(reportsOfRound, (number) => {
    const parts = ['attributes', 'related', 'children', 'content', 'displayNames', 'stereotype'];
    return `${reportPath}?$resources=${orderOf(parts, number).join()}`;
  });

/** The parts in the order with this number. */
const orderOf = (of: readonly string[], number: number): readonly string[] => {
  const [first] = of.slice(number % of.length);
  if (first === undefined) return [];
  const rest = of.filter((part) => part !== first);
  return [first, ...orderOf(rest, Math.floor(number / of.length))];
};

const measureSlowReaders = async ({ product, gateway, subject }: ContentBench): Promise<readonly engine.Figure[]> => {
  const until = performance.now() + slowMs;
  const readSlowly = async (): Promise<void> => {
    while (performance.now() < until) {
      const response = await fetch(gateway.origin + subject.reportPath, { headers: gateway.headers });
      const pieces: AsyncIterable<Uint8Array> = response.body ?? new ReadableStream();
      for await (const piece of pieces) await sleep((1_000 * piece.byteLength) / slowBytesPerSecond);
    }
  };
  const what = `Report, ${slowClients} clients at 5 MB/s: growth of %s`;
  const readers = () => Promise.all(Array.from({ length: slowClients }, readSlowly));
  return (await engine.withGrowth(product, passed, what, '< 64 MB', readers)).figures;
};

const refused = 100_000;

/** A lasting growth would show as twice the figure over twice the requests; one bound is enough to see it. */
export const measureRefusals = async ({
  product,
  gateway,
  subject,
}: ContentBench): Promise<readonly engine.Figure[]> => {
  const unknown = subject.elementPaths.map((path) => `${path.slice(0, -12)}000000000000`);
  const send = async (requestsMax: number): Promise<void> => {
    const order = { origin: gateway.origin, once: false, clients: 16, durationMs: 600_000, requestsMax };
    await sendLoad({ ...order, headers: {}, requests: subject.elementPaths, expected: [401, 404] });
    await sendLoad({
      ...order,
      headers: gateway.headers,
      requests: [...unknown, '/no/such/path'],
      expected: [401, 404],
    });
  };
  const read = () => passed.map((service) => readResidentMb(engine.pidOf(product, service)));
  await send(refused / 10);
  const before = read();
  await send(refused / 2);
  const what = `${refused.toLocaleString('en')} refused requests (401 and 404): growth of`;
  return read().map((mb, index) => {
    const growth = mb - (before[index] ?? NaN);
    return engine.judge(`${what} ${passed[index]}`, '< 16 MB', growth, `${growth.toFixed(0)} MB`);
  });
};
