/**
 * KPIs that the columnar engine computes or a rollup has, against handwritten SQL in PostgreSQL; the memory and the blocks of the event loop that it
 * costs its service; and what its files add to a load. No question is asked twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findChildPids, measureGrowth, readProportionalMb } from '../processes.js';
import { type Product, startProduct } from '../product/product.js';
import { median, medianRatio } from '../statistics.js';
import { plantConditionCount, rollupCount, salesRowCount } from '../workload/bench-model.js';
import { applyWorkspace, loadTable, measureSalesLoad, withSalesWorkspace } from '../workload/run-tessera.js';
import { createAgentSettings } from './agents.js';
import { type Figure, type KnowledgeBench, pidOf } from './bench.js';
import { waitForColumnarFiles, waitForRollup } from './columnar-files.js';
import { compareRows } from './compare-documents.js';
import { createRateFigure, describeBlock, describeProcessorTime, measureSide, runRounds } from './rounds.js';
import {
  kpisByArticleFamilyUrl,
  kpisByCustomerUrl,
  kpisByMonthUrl,
  kpisByPlantUrl,
  kpisOfPlantsUrl,
} from './sales-queries.js';

type Question = {
  readonly what: string;
  /** No number is asked twice. */
  readonly url: (number: number) => string;
  readonly ratioMin: number;
};

const byPlant: Question = { what: 'KPIs by plant', url: kpisByPlantUrl, ratioMin: 8 };
const questions: readonly Question[] = [
  byPlant,
  { what: 'KPIs by month with a count of different values', url: kpisByMonthUrl, ratioMin: 8 },
  { what: 'KPIs by a field of 100,000 related rows', url: kpisByArticleFamilyUrl, ratioMin: 3 },
];
const ofPlants: Question = { what: 'KPIs by plant that a rollup has', url: kpisOfPlantsUrl, ratioMin: 8 };
const tenMillion = 10_000_000;
const tenMillionRatioMin = 15;
const growthMaxMb = 500;
const blockMaxMs = 20;
const loadRatioMax = 1.2;
const clients = 16;
const questionsOfRound = 1_000;
const service = 'knowledge-models';
/** A process that does nothing meanwhile: what it is held up, the machine holds up. */
const idle = 'content-repo';

/** The settings of `npm start` for these measures: the workspace has an agent, whose model nobody asks. */
export const salesSettings = createAgentSettings('http://127.0.0.1:9');

export const measureColumnar = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  await waitForColumnarFiles(
    bench.product,
    questions.map(({ url }) => url(1)),
  );
  await compareRows(
    bench,
    questions.map(({ url }) => url(2)),
  );
  await waitForRollup(bench.product);
  await compareRows(bench, [kpisOfPlantsUrl(0), kpisOfPlantsUrl(plantConditionCount - 1)]);
  const nextAmounts = createFreshAmounts();
  const figures: Figure[] = [];
  const how = { rows: salesRowCount, questionsOfRound };
  for (const question of questions)
    for (const connections of [1, clients])
      figures.push(...(await measureQuestion(bench, question, { ...how, connections, nextNumbers: nextAmounts })));
  figures.push(...(await measureRollup(bench)));
  return [
    ...figures,
    await measureAnsweringMemory(bench, nextAmounts),
    await measureBlocks(bench, nextAmounts),
    ...(await measureLoads(bench)),
  ];
};

/** Over a product without any data. */
export const measureTenMillionRows = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const loading = await measureSalesLoad(bench, tenMillion);
  const begunAt = performance.now();
  await waitForColumnarFiles(bench.product, [kpisByPlantUrl(1)]);
  const seconds = (performance.now() - begunAt) / 1_000;
  // Its making would slow what is measured meanwhile.
  await waitForRollup(bench.product);
  await compareRows(bench, [kpisByPlantUrl(2)]);
  const question = { ...byPlant, ratioMin: tenMillionRatioMin };
  const how = { rows: tenMillion, connections: 1, questionsOfRound, nextNumbers: createFreshAmounts() };
  return [
    loading,
    { what: 'From the end of the loads until the files are there', actual: `${seconds.toFixed(0)} s` },
    ...(await measureQuestion(bench, question, how)),
  ];
};

/** So many amounts that were not taken before. Each leaves about as many sales: those of other measures begin at zero. */
type NextAmounts = (count: number) => readonly number[];

const createFreshAmounts = (): NextAmounts => {
  let taken = 30_000;
  return (count) => Array.from({ length: count }, () => ++taken / 1_000);
};

type How = {
  readonly rows: number;
  readonly connections: number;
  readonly questionsOfRound: number;
  readonly nextNumbers: (count: number) => readonly number[];
};

/** With as many different conditions as there are. */
const measureRollup = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  let taken = 0;
  const nextNumbers = (count: number): readonly number[] => Array.from({ length: count }, () => ++taken);
  const loads = [1, clients];
  const ofRound = Math.floor((plantConditionCount - 2) / (loads.length * (bench.rounds + 1)));
  const figures: Figure[] = [];
  for (const connections of loads) {
    const how = { rows: salesRowCount, connections, questionsOfRound: ofRound, nextNumbers };
    figures.push(...(await measureQuestion(bench, ofPlants, how)));
  }
  return figures;
};

const measureQuestion = async (
  bench: KnowledgeBench,
  { what, url, ratioMin }: Question,
  { rows, connections, questionsOfRound: ofRound, nextNumbers }: How,
): Promise<readonly Figure[]> => {
  const numbers = Array.from({ length: bench.rounds + 1 }, () => nextNumbers(ofRound));
  const { gateway, floor } = await runRounds(bench, ['floor', 'gateway'], {
    paths: (round) => (numbers[round] ?? []).map(url),
    ...{ once: true, connections, warmUpRequests: 2 * connections },
  });
  const full = `${what} over ${rows.toLocaleString('en')} rows, never asked before, ${connections === 1 ? 'one client' : `${connections} clients`}`;
  const rate = createRateFigure(full, gateway, floor, ratioMin);
  if (connections > 1) return [rate];
  return [
    rate,
    { what: `${full}: processor time, product`, actual: describeProcessorTime(gateway) },
    { what: `${full}: processor time, floor`, actual: describeProcessorTime(floor) },
  ];
};

/** All questions in turn, and one with a group for each of 8,000 customers. */
const askAll = async (bench: KnowledgeBench, nextAmounts: NextAmounts): Promise<void> => {
  const urls = [...questions.map(({ url }) => url), kpisByCustomerUrl];
  const paths = nextAmounts(questionsOfRound).flatMap((amount) => urls.map((url) => url(amount)));
  await measureSide(bench, 'gateway', { paths, once: true, connections: clients, durationMs: 2 * bench.sideMs });
};

const engineStopMaxMs = 120_000;

/** The engine ends by itself when nothing was asked for a minute. */
const waitUntilEngineEnded = async (product: Product): Promise<void> => {
  const until = performance.now() + engineStopMaxMs;
  while (findChildPids(pidOf(product, service)).length > 0) {
    if (performance.now() > until) throw new Error('The columnar engine did not end when nothing was asked.');
    await sleep(1_000);
  }
};

const measureServiceGrowth = async (product: Product, what: string, work: () => Promise<void>): Promise<Figure> => {
  await waitUntilEngineEnded(product);
  const pid = pidOf(product, service);
  const read = (): number => readProportionalMb([pid, ...findChildPids(pid)]);
  const { growthMb, peakMb } = await measureGrowth({ [service]: read }, work);
  const growth = growthMb[service] ?? NaN;
  return {
    what: `Memory of ${service} with its engine above idle, ${what}`,
    target: `<= ${growthMaxMb} MB`,
    actual: `${growth.toFixed(0)} MB (to ${(peakMb[service] ?? NaN).toFixed(0)} MB)`,
    holds: growth <= growthMaxMb,
  };
};

const measureAnsweringMemory = (bench: KnowledgeBench, nextAmounts: NextAmounts): Promise<Figure> =>
  measureServiceGrowth(bench.product, `questions of ${clients} clients`, () => askAll(bench, nextAmounts));

const measureBlocks = async (bench: KnowledgeBench, nextAmounts: NextAmounts): Promise<Figure> => {
  const blockOf = (name: string) => bench.product.longestBlock(pidOf(bench.product, name));
  for (const name of [service, idle]) await blockOf(name);
  await askAll(bench, nextAmounts);
  const [busy, still] = [await blockOf(service), await blockOf(idle)];
  const longestMs = busy?.longestWorkMs ?? NaN;
  return {
    what: `Questions of ${clients} clients to the columnar engine, up to 8,000 groups: longest block of the event loop, in time of its processor (by the clock)`,
    target: `<= ${blockMaxMs} ms`,
    actual: `${service} ${describeBlock(busy)}, an idle process ${describeBlock(still)}`,
    ...(!Number.isNaN(longestMs) && { holds: longestMs <= blockMaxMs }),
  };
};

/**
 * The product beside another one that makes no files, in turns. A load that follows another at once meets the making of the files of
 * that one.
 */
const measureLoads = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const { product, rounds, say } = bench;
  const other = await startProduct('none', { ...salesSettings, COLUMNAR: 'off' });
  try {
    return await withSalesWorkspace(salesRowCount, async (folder, [sales]) => {
      await applyWorkspace(other, folder);
      const load = async (side: Product): Promise<LoadSeconds> => {
        const [first, next] = [await loadTable(side, sales), await loadTable(side, sales)];
        if (side === product) await waitForColumnarFiles(product, [kpisByPlantUrl(1)]);
        await waitForRollup(side);
        return { first: first.seconds, next: next.seconds };
      };
      const [withFiles, without]: [LoadSeconds[], LoadSeconds[]] = [[], []];
      for (let round = 1; round <= rounds; round++) {
        say(`loading ${salesRowCount} rows with and without files by columns, round ${round}`);
        for (const side of round % 2 === 1 ? [other, product] : [product, other])
          (side === product ? withFiles : without).push(await load(side));
      }
      const making = await measureServiceGrowth(product, 'a load and the making of its file', async () => {
        await loadTable(product, sales);
        await waitForColumnarFiles(product, [kpisByPlantUrl(1)]);
      });
      return [
        createLoadFigure('', 'first', withFiles, without),
        createLoadFigure(', while the files of the load before are made', 'next', withFiles, without),
        making,
      ];
    });
  } finally {
    await other.stop();
  }
};

type LoadSeconds = { readonly first: number; readonly next: number };

const createLoadFigure = (
  when: string,
  which: keyof LoadSeconds,
  withFiles: readonly LoadSeconds[],
  without: readonly LoadSeconds[],
): Figure => {
  const seconds = (loads: readonly LoadSeconds[]) => loads.map((load) => load[which]);
  const ratio = medianRatio(seconds(withFiles), seconds(without));
  return {
    what: `Load of ${salesRowCount.toLocaleString('en')} rows of 20 columns${when} (rollups of the model: ${rollupCount}): time, with COLUMNAR / without`,
    target: `<= ${loadRatioMax}`,
    actual: `${ratio.toFixed(2)} (${median(seconds(withFiles)).toFixed(1)} / ${median(seconds(without)).toFixed(1)} s)`,
    holds: ratio <= loadRatioMax,
  };
};
