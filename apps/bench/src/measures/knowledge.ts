/**
 * Knowledge models over a table of a million rows: pages, KPIs, wide answers and a mix, against handwritten SQL.
 * Product and floor must return the same, and no page is repeated unless the cache is measured.
 */
import { measureMemoryGrowth } from '../processes.js';
import { median, medianRatio } from '../statistics.js';
import { salesRowCount } from '../workload/bench-model.js';
import { type KnowledgeBench, type Figure, pidOf } from './bench.js';
import { compareRows } from './compare-documents.js';
import { measureSide, describeProcessorTime, runRounds, createRateFigure } from './rounds.js';
import { kpisByPlantUrl, mixedQueryUrl, salesPageUrl, salesSearchUrl, allFieldsPageUrl } from './sales-queries.js';

const pageRatioMin = 0.5;
const countedRatioMin = 4;
const freshRatioMin = 0.6;
const freshCountedRatioMin = 0.95;
const hitRatioMin = 60;
const bytesRatioMin = 0.5;
const growthMaxMb = 64;
const mixedMs = 60_000;
const mixedP99Max = 10;
const searchRatioMax = 20;
const searchesMax = 200;

export const measureKnowledgeModelQueries = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  await compareRows(bench, [salesPageUrl(100, 0), salesPageUrl(100, 3), kpisByPlantUrl(100), allFieldsPageUrl(2, 0)]);
  return [
    ...(await measurePages(bench)),
    ...(await measureKpis(bench)),
    ...(await measureWide(bench)),
    ...(await measureSearch(bench)),
    ...(await measureMix(bench)),
  ];
};

const pagesOfFilter = 40;
const filtersOfRound = 600;

/** No page repeats, with or without a total; the pages of a filter are read in order. */
const freshPages =
  (options?: 'nototal') =>
  (round: number): readonly string[] =>
    Array.from({ length: filtersOfRound * pagesOfFilter }, (_, index) => {
      const filter = round * filtersOfRound + Math.floor(index / pagesOfFilter);
      return salesPageUrl((options ? 100.0005 : 100) + filter / 1_000, index % pagesOfFilter, options);
    });

const measurePages = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const connections = 16;
  const warmUpRequests = 4_000;
  const first = await runRounds(bench, ['floor', 'countingFloor', 'gateway'], {
    paths: [salesPageUrl(100, 0)],
    ...{ connections, warmUpRequests },
  });
  const [counted, uncounted] = [
    await runRounds(bench, ['countingFloor', 'gateway'], {
      paths: freshPages(),
      ...{ once: true, connections, warmUpRequests },
    }),
    await runRounds(bench, ['floor', 'gateway'], {
      paths: freshPages('nototal'),
      ...{ once: true, connections, warmUpRequests },
    }),
  ];
  const what = `Page of 50 of ${salesRowCount.toLocaleString('en')} rows, filtered, newest first`;
  const further = `${what}, pages that follow each other, none asked twice`;
  return [
    createRateFigure(`${what}, floor without a total`, first.gateway, first.floor, pageRatioMin),
    createRateFigure(`${what}, floor counts each time`, first.gateway, first.countingFloor, countedRatioMin),
    createRateFigure(`${further}, without a total`, uncounted.gateway, uncounted.floor, freshRatioMin),
    createRateFigure(`${further}, with a total`, counted.gateway, counted.countingFloor, freshCountedRatioMin),
    ...[first, uncounted].flatMap((rounds, index): readonly Figure[] => [
      { what: `${[what, further][index]}: processor time, product`, actual: describeProcessorTime(rounds.gateway) },
      { what: `${[what, further][index]}: processor time, floor`, actual: describeProcessorTime(rounds.floor) },
    ]),
  ];
};

/** Those that nobody asked before are measured with the columnar engine. */
const measureKpis = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const again = await runRounds(bench, ['floor', 'gateway'], {
    paths: [kpisByPlantUrl(100)],
    connections: 16,
    warmUpRequests: 500,
  });
  const what = `KPIs by plant over ${salesRowCount.toLocaleString('en')} rows, asked again`;
  return [
    createRateFigure(what, again.gateway, again.floor, hitRatioMin),
    { what: `${what}: processor time a request, product`, actual: describeProcessorTime(again.gateway) },
  ];
};

const wideServices = ['gateway', 'knowledge-models'] as const;

const measureWide = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const pids = Object.fromEntries(wideServices.map((service) => [service, pidOf(bench.product, service)]));
  const order = {
    // The first twenty pages, in each round with other fields first.
    paths: (round: number) =>
      Array.from({ length: 60 }, (_, index) => allFieldsPageUrl(index % 20, (3 * round + Math.floor(index / 20)) % 20)),
    once: true,
    connections: 4,
    warmUpRequests: 40,
  };
  const { value: rounds, growthMb } = await measureMemoryGrowth(pids, () =>
    runRounds(bench, ['floor', 'gateway'], order),
  );
  const rate = (side: 'floor' | 'gateway') => rounds[side].map(({ bytes, seconds }) => bytes / seconds / 1_000_000);
  const ratio = medianRatio(rate('gateway'), rate('floor'));
  return [
    {
      what: '5,000 rows of 20 fields: bytes a second, product / floor',
      target: `>= ${bytesRatioMin}`,
      actual: `${ratio.toFixed(2)} (${median(rate('gateway')).toFixed(1)} / ${median(rate('floor')).toFixed(1)} MB a second)`,
      holds: ratio >= bytesRatioMin,
    },
    ...wideServices.map((service) => ({
      what: `5,000 rows of 20 fields: growth of ${service}`,
      target: `< ${growthMaxMb} MB`,
      actual: `${(growthMb[service] ?? NaN).toFixed(0)} MB`,
      holds: (growthMb[service] ?? NaN) < growthMaxMb,
    })),
  ];
};

/** No term is searched for twice in the same fields. */
const measureSearch = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const search = async (field?: string): Promise<number> => {
    const paths = Array.from({ length: searchesMax }, (_, customer) => salesSearchUrl(customer, field));
    const order = { paths, once: true, connections: 2, durationMs: mixedMs, requestsMax: searchesMax };
    return (await measureSide(bench, 'gateway', order)).p50Ms;
  };
  const [oneMs, allMs] = [await search('CUSTOMER'), await search()];
  return [
    {
      what: `Search of ${salesRowCount.toLocaleString('en')} rows without a field / in one: time`,
      target: `<= ${searchRatioMax}`,
      actual: `${(allMs / oneMs).toFixed(1)} (median ${allMs.toFixed(1)} / ${oneMs.toFixed(1)} ms)`,
      holds: allMs <= searchRatioMax * oneMs,
    },
  ];
};

const measureMix = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const { requests, p50Ms, p99Ms, worstMs, seconds } = await measureSide(bench, 'gateway', {
    paths: Array.from({ length: 20_000 }, (_, index) => mixedQueryUrl(index)),
    connections: 16,
    durationMs: mixedMs,
  });
  return [
    {
      what: `16 clients, mixed questions for a minute: p99 / median, no error`,
      target: `< ${mixedP99Max}`,
      actual: `${(p99Ms / p50Ms).toFixed(1)} (${p99Ms.toFixed(1)} / ${p50Ms.toFixed(1)} ms, worst ${worstMs.toFixed(0)} ms; ${(requests / seconds).toFixed(0)} a second)`,
      holds: p99Ms < mixedP99Max * p50Ms,
    },
  ];
};
