/**
 * OData over a table of a million rows: filtered pages, and the whole table page by page, against handwritten SQL.
 * Product and floor must return the same, and a pull must bring every row once.
 */
import { Agent, get } from 'node:http';
import { parseJson } from '../json.js';
import { measureMemoryGrowth } from '../processes.js';
import { median, medianRatio } from '../statistics.js';
import { salesRowCount } from '../workload/bench-model.js';
import { type Figure, type KnowledgeBench, pidOf, type ComparisonSideName, type ComparisonSide } from './bench.js';
import { describeProcessorTime, runRounds, createRateFigure } from './rounds.js';
import { odataSalesPageUrl, allSalesODataUrl } from './sales-queries.js';
import { findFirstDifference } from './compare-documents.js';
import { measureODataRequests } from './odata-requests.js';

type Pull = { readonly rows: number; readonly seconds: number; readonly pageMs: readonly number[] };

const pageSize = 5_000;
const linkAtEnd = /"@odata\.nextLink":"([^"]+)"\}\s*$/;
/** The key of every entry, and nothing else. */
const entryMark = Buffer.from('"ID":');

const pullTable = async ({ origin, headers, prefix }: ComparisonSide, path: string): Promise<Pull> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pageMs: number[] = [];
  let rows = 0;
  const begunMs = performance.now();
  try {
    for (let next: string | undefined = `${origin}${prefix}${path}`; next !== undefined;) {
      const pageBegunMs = performance.now();
      const page = await read(next, { ...headers, prefer: `odata.maxpagesize=${pageSize}` }, agent);
      pageMs.push(performance.now() - pageBegunMs);
      rows += entriesIn(page);
      const link = linkAtEnd.exec(page.toString('utf8', Math.max(0, page.length - 4_000)))?.[1];
      next = link && `${origin}${pathOf(link)}`;
    }
  } finally {
    agent.destroy();
  }
  if (rows !== salesRowCount) throw new Error(`${origin} answered ${rows} rows instead of ${salesRowCount}.`);
  return { rows, seconds: (performance.now() - begunMs) / 1_000, pageMs };
};

/** Requests go to the side itself, whatever host its links have. */
const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

const read = (url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(pieces);
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${url} answered ${response.statusCode}: ${body.toString('utf8', 0, 500)}`));
      });
    }).on('error', reject);
  });

const entriesIn = (page: Buffer): number => {
  let count = 0;
  for (let at = page.indexOf(entryMark); at >= 0; at = page.indexOf(entryMark, at + entryMark.length)) count++;
  return count;
};

const pageRatioMin = 0.4;
const freshRatioMin = 0.6;
const pullRatioMin = 0.5;
/** The last pages of a table may take so much longer than the first. */
const latePagesMax = 1.25;
const growthMaxMb = 64;

export const measureOData = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  await compareAnswers(bench);
  return [...(await measurePages(bench)), ...(await measurePull(bench)), ...(await measureODataRequests(bench))];
};

const valueOf = async ({ sides }: KnowledgeBench, side: ComparisonSideName, path: string): Promise<unknown> => {
  const { origin, headers, prefix } = sides[side];
  const response = await fetch(origin + prefix + path, { headers: { ...headers, prefer: 'odata.maxpagesize=100' } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return parseJson<{ readonly value: unknown }>(text).value;
};

const compareAnswers = async (bench: KnowledgeBench): Promise<void> => {
  for (const path of [odataSalesPageUrl(100), odataSalesPageUrl(5_000), allSalesODataUrl]) {
    const difference = findFirstDifference(await valueOf(bench, 'floor', path), await valueOf(bench, 'gateway', path));
    if (difference !== undefined) throw new Error(`Product and floor differ at ${difference.slice(0, 500)}`);
  }
  bench.say('product and floor answer the same entries');
};

const queriesOfRound = 24_000;

const measurePages = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const sides = ['floor', 'gateway'] as const;
  const connections = 16;
  const warmUpRequests = 4_000;
  const again = await runRounds(bench, sides, { paths: [odataSalesPageUrl(100)], connections, warmUpRequests });
  const fresh = await runRounds(bench, sides, {
    paths: (round) =>
      Array.from({ length: queriesOfRound }, (_, index) =>
        odataSalesPageUrl(100 + (round * queriesOfRound + index) / 1_000),
      ),
    once: true,
    connections,
    warmUpRequests,
  });
  const what = `OData page of 50 of ${salesRowCount.toLocaleString('en')} rows, $filter, $orderby`;
  return (
    [
      [`${what}, asked again`, again, pageRatioMin],
      [`${what}, none asked twice`, fresh, freshRatioMin],
    ] as const
  ).flatMap(([name, rounds, ratioMin]): readonly Figure[] => [
    createRateFigure(name, rounds.gateway, rounds.floor, ratioMin),
    { what: `${name}: processor time, product`, actual: describeProcessorTime(rounds.gateway) },
    { what: `${name}: processor time, floor`, actual: describeProcessorTime(rounds.floor) },
  ]);
};

const services = ['gateway', 'knowledge-models'] as const;
const pullRounds = 3;
const pagesCompared = 20;

const measurePull = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const pull = (side: ComparisonSideName): Promise<Pull> => pullTable(bench.sides[side], allSalesODataUrl);
  const pids = Object.fromEntries(services.map((service) => [service, pidOf(bench.product, service)]));
  const pulls: Record<'floor' | 'gateway', Pull[]> = { floor: [], gateway: [] };
  await pull('gateway');
  const { growthMb } = await measureMemoryGrowth(pids, async () => {
    for (let round = 0; round < pullRounds; round++) {
      bench.say(`pulling the table, round ${round + 1}`);
      pulls.floor.push(await pull('floor'));
      pulls.gateway.push(await pull('gateway'));
    }
  });
  const rate = (side: 'floor' | 'gateway') => pulls[side].map(({ rows, seconds }) => rows / seconds);
  const ratio = medianRatio(rate('gateway'), rate('floor'));
  const late = median(pulls.gateway.map(({ pageMs }) => latePages(pageMs)));
  const pages = median(pulls.gateway.flatMap(({ pageMs }) => pageMs));
  return [
    {
      what: 'OData pull of the whole table by nextLink, 5,000 rows a page: rows a second, product / floor',
      target: `>= ${pullRatioMin}`,
      actual: `${ratio.toFixed(2)} (${median(rate('gateway')).toFixed(0)} / ${median(rate('floor')).toFixed(0)} rows a second)`,
      holds: ratio >= pullRatioMin,
    },
    {
      what: `OData pull: time of the last ${pagesCompared} pages / the first ${pagesCompared}`,
      target: `<= ${latePagesMax}`,
      actual: `${late.toFixed(2)} (median of all pages ${pages.toFixed(1)} ms)`,
      holds: late <= latePagesMax,
    },
    ...services.map((service) => ({
      what: `OData pull: growth of ${service} over ${pullRounds} pulls after the first`,
      target: `< ${growthMaxMb} MB`,
      actual: `${(growthMb[service] ?? NaN).toFixed(0)} MB`,
      holds: (growthMb[service] ?? NaN) < growthMaxMb,
    })),
  ];
};

const latePages = (pageMs: readonly number[]): number =>
  median(pageMs.slice(-pagesCompared)) / median(pageMs.slice(0, pagesCompared));
