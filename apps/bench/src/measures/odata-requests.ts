/**
 * Requests of OData against simpler ones of the same product: related entries against a plain page of the same entries, `$apply`
 * against `/query`, a batch against its requests one after the other; and all rows as CSV against COPY of PostgreSQL itself.
 */
import { get } from 'node:http';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { documentFloorPrefix } from '../floor/sales-floor.js';
import { parseJson } from '../json.js';
import { measureMemoryGrowth } from '../processes.js';
import { requireVariable } from '../product/product.js';
import { median, medianRatio } from '../statistics.js';
import { salesRowCount } from '../workload/bench-model.js';
import { type Figure, type KnowledgeBench, pidOf } from './bench.js';
import { compareSides, createRateFigure, type RoundResult } from './rounds.js';
import {
  createODataBatch,
  odataBatchUrl,
  allSalesCsvUrl,
  customersByFilterUrl,
  customersByPathUrl,
  customersWithVisitsUrl,
  odataSalesPageUrl,
  modelDocumentUrls,
  odataRevenueByPlantUrl,
  revenueByPlantUrl,
} from './sales-queries.js';

const relatedTimeMax = 3;
const applyRatioMin = 0.9;
const csvRatioMin = 0.8;
const growthMaxMb = 64;
const batchParts = 20;
const csvRounds = 3;
const documentRatioMin = 0.5;
const documentWarmUp = 10_000;

export const measureODataRequests = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  await checkRelated(bench);
  return [
    ...(await measureRelated(bench, 1)),
    ...(await measureRelated(bench, 16)),
    ...(await measureApply(bench)),
    await measureBatch(bench),
    ...(await measureCsv(bench)),
    ...(await measureDocuments(bench)),
  ];
};

type Entry = Readonly<Record<string, unknown>>;

/** Each page has the same fifty customers, each with its ten visits. */
const checkRelated = async ({ sides: { gateway } }: KnowledgeBench): Promise<void> => {
  const read = async (path: string): Promise<readonly Entry[]> => {
    const response = await fetch(gateway.origin + path, { headers: gateway.headers });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return parseJson<{ readonly value: readonly Entry[] }>(await response.text()).value;
  };
  const [plain, behind, expanded] = await Promise.all(
    [customersByFilterUrl(1), customersByPathUrl(1), customersWithVisitsUrl(1)].map(read),
  );
  const visits = expanded?.map(({ VISIT }) => (Array.isArray(VISIT) ? VISIT.length : 0));
  const alone = expanded?.map(({ VISIT: _visits, ...own }) => own);
  if (plain?.length !== 50 || !visits?.every((count) => count === 10))
    throw new Error('There are not fifty customers with ten visits.');
  if (JSON.stringify([plain, plain]) !== JSON.stringify([behind, alone]))
    throw new Error('The pages have not the same customers.');
};

const pathsOfRound = 8_000;

/** No question is asked twice, by whomever. */
const freshPaths =
  (path: (number: number) => string) =>
  (round: number): readonly string[] =>
    Array.from({ length: pathsOfRound }, (_, index) => path(round * pathsOfRound + index));

const timeOf = (rounds: readonly RoundResult[] = []): readonly number[] => rounds.map(({ p50Ms }) => p50Ms);

const measureRelated = async (bench: KnowledgeBench, connections: number): Promise<readonly Figure[]> => {
  const [plain, behind, expanded] = await compareSides(
    bench,
    [customersByFilterUrl, customersByPathUrl, customersWithVisitsUrl].map((path) => {
      const paths = freshPaths(path);
      return { side: 'gateway', order: (round) => ({ paths: paths(round), once: true, connections }) };
    }),
    2_000,
  );
  const clients = connections === 1 ? 'one client' : `${connections} clients`;
  const figure = (what: string, rounds: readonly RoundResult[] | undefined): Figure => {
    const ratio = medianRatio(timeOf(rounds), timeOf(plain));
    return {
      what: `OData page of 50 entries ${what}, ${clients}, none asked twice: time / that of the plain page`,
      target: `<= ${relatedTimeMax}`,
      actual: `${ratio.toFixed(2)} (median ${median(timeOf(rounds)).toFixed(2)} / ${median(timeOf(plain)).toFixed(2)} ms)`,
      holds: ratio <= relatedTimeMax,
    };
  };
  return [figure('behind a key', behind), figure('with ten expanded entries each', expanded)];
};

const measureApply = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const amountsOfRound = 2_000;
  const fresh = (path: (amount: number) => string, offset: number) => (round: number) => ({
    paths: Array.from({ length: amountsOfRound }, (_, index) =>
      path((2 * (round * amountsOfRound + index) + offset) / 1_000),
    ),
    ...{ once: true, connections: 2 },
  });
  const [query = [], apply = []] = await compareSides(
    bench,
    [
      { side: 'gateway', order: fresh(revenueByPlantUrl, 0) },
      { side: 'gateway', order: fresh(odataRevenueByPlantUrl, 1) },
    ],
    20,
  );
  const [queryAgain = [], applyAgain = []] = await compareSides(
    bench,
    [revenueByPlantUrl, odataRevenueByPlantUrl].map((path) => ({
      side: 'gateway',
      order: () => ({ paths: [path(100)], connections: 16 }),
    })),
    2_000,
  );
  const what = '$apply=groupby((PLANT),aggregate(REVENUE)) against the same /query';
  return [
    createRateFigure(`${what}, never asked before`, apply, query, applyRatioMin),
    createRateFigure(`${what}, asked again`, applyAgain, queryAgain, applyRatioMin),
  ];
};

const measureBatch = async (bench: KnowledgeBench): Promise<Figure> => {
  const partsOfRound = 12_000;
  const pageAt = (round: number, index: number, offset: number): string =>
    odataSalesPageUrl(100 + (2 * (round * partsOfRound + index) + offset) / 1_000);
  const [alone = [], batches = []] = await compareSides(
    bench,
    [
      {
        side: 'gateway',
        order: (round) => ({
          paths: Array.from({ length: partsOfRound }, (_, index) => pageAt(round, index, 0)),
          ...{ once: true, connections: 1 },
        }),
      },
      {
        side: 'gateway',
        order: (round) => {
          const bodies = Array.from({ length: partsOfRound / batchParts }, (_, batch) =>
            createODataBatch(
              Array.from({ length: batchParts }, (_part, part) => pageAt(round, batch * batchParts + part, 1)),
            ),
          );
          return { method: 'POST', paths: bodies.map(() => odataBatchUrl), bodies, once: true, connections: 1 };
        },
      },
    ],
    400,
  );
  const aloneMs = timeOf(alone).map((ms) => batchParts * ms);
  const ratio = medianRatio(timeOf(batches), aloneMs);
  return {
    what: `$batch of ${batchParts} pages of 50, none asked twice: time / that of ${batchParts} requests one after the other`,
    target: '< 1',
    actual: `${ratio.toFixed(2)} (median ${median(timeOf(batches)).toFixed(1)} / ${median(aloneMs).toFixed(1)} ms)`,
    holds: ratio < 1,
  };
};

const lineEnd = 10;

/** The lines of a stream of CSV in which no value has a line end. */
const countLines = async (pieces: AsyncIterable<Uint8Array>): Promise<number> => {
  let lines = 0;
  for await (const piece of pieces)
    for (let at = piece.indexOf(lineEnd); at >= 0; at = piece.indexOf(lineEnd, at + 1)) lines++;
  return lines;
};

const rateOf = async (what: string, expected: number, count: () => Promise<number>): Promise<number> => {
  const begunMs = performance.now();
  const lines = await count();
  if (lines !== expected) throw new Error(`${what} answered ${lines} lines instead of ${expected}.`);
  return salesRowCount / ((performance.now() - begunMs) / 1_000);
};

const services = ['gateway', 'knowledge-models'] as const;

const measureCsv = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const { origin, headers } = bench.sides.gateway;
  const client = new pg.Client({ connectionString: requireVariable(bench.product.environment, 'DATABASE_URL') });
  await client.connect();
  const copy = (): Promise<number> =>
    countLines(client.query(copyTo('copy "meridian.bench".sale to stdout (format csv, header)')));
  const read = (): Promise<number> =>
    new Promise((resolve, reject) => {
      get(origin + allSalesCsvUrl, { headers }, (response) => {
        if (response.statusCode === 200) countLines(response).then(resolve, reject);
        else reject(new Error(`${allSalesCsvUrl} answered ${response.statusCode}`));
      }).on('error', reject);
    });
  const pids = Object.fromEntries(services.map((service) => [service, pidOf(bench.product, service)]));
  const rates = { copy: new Array<number>(), product: new Array<number>() };
  try {
    await rateOf('CSV', salesRowCount + 1, read);
    const { growthMb } = await measureMemoryGrowth(pids, async () => {
      for (let round = 0; round < csvRounds; round++) {
        bench.say(`reading all rows as CSV, round ${round + 1}`);
        rates.copy.push(await rateOf('COPY', salesRowCount + 1, copy));
        rates.product.push(await rateOf('CSV', salesRowCount + 1, read));
      }
    });
    const ratio = medianRatio(rates.product, rates.copy);
    return [
      {
        what: `CSV of ${salesRowCount.toLocaleString('en')} rows of 20 columns: rows a second, product / COPY of PostgreSQL`,
        target: `>= ${csvRatioMin}`,
        actual: `${ratio.toFixed(2)} (${median(rates.product).toFixed(0)} / ${median(rates.copy).toFixed(0)} rows a second)`,
        holds: ratio >= csvRatioMin,
      },
      ...services.map((service) => ({
        what: `CSV: growth of ${service} over ${csvRounds} answers after the first`,
        target: `< ${growthMaxMb} MB`,
        actual: `${(growthMb[service] ?? NaN).toFixed(0)} MB`,
        holds: (growthMb[service] ?? NaN) < growthMaxMb,
      })),
    ];
  } finally {
    await client.end();
  }
};

/** What callers ask for again and again, against the same bytes from the floor's memory. */
const measureDocuments = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const { gateway, floor } = bench.sides;
  const figures: Figure[] = [];
  for (const [what, path] of Object.entries(modelDocumentUrls)) {
    const text = await (await fetch(gateway.origin + path, { headers: gateway.headers })).text();
    const body = JSON.stringify({ text });
    const headers = { 'content-type': 'application/json' };
    await fetch(floor.origin + documentFloorPrefix + path, { method: 'PUT', headers, body });
    for (const connections of [1, 16]) {
      const [product, bare] = await compareSides(
        bench,
        [
          { side: 'gateway', order: () => ({ paths: [path], connections }) },
          { side: 'floor', order: () => ({ paths: [documentFloorPrefix + path], connections }) },
        ],
        documentWarmUp,
      );
      const clients = connections === 1 ? 'one client' : `${connections} clients`;
      const about = `${what} (${(text.length / 1024).toFixed(0)} KB), ${clients}`;
      figures.push(createRateFigure(about, product ?? [], bare ?? [], documentRatioMin));
    }
  }
  return figures;
};
