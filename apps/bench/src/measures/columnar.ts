/**
 * KPIs that the columnar engine computes or a rollup has, against handwritten SQL in PostgreSQL; the memory and the blocks of the event loop that it
 * costs its service; and what its files add to a load. No question is asked twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { compareRows, readJson } from '../answers.js';
import * as engine from '../engine.js';
import { findChildPids, measureGrowth, readProportionalMb } from '../processes.js';
import { benchTeam, type Product, startProduct, withProduct } from '../product/product.js';
import { median } from '../statistics.js';
import * as model from '../workload/bench-model.js';
import { runTessera } from '../workload/run-tessera.js';
import { agentSettings } from './agents.js';
import * as urls from './sales-queries.js';

const questions = [
  { what: 'KPIs by plant', url: urls.kpisByPlantUrl, target: '>= 8' },
  { what: 'KPIs by month with a count of different values', url: urls.kpisByMonthUrl, target: '>= 8' },
  { what: 'KPIs by a field of 100,000 related rows', url: urls.kpisByArticleFamilyUrl, target: '>= 3' },
];
const ofRollup = { what: 'KPIs by plant that a rollup has', url: urls.kpisOfPlantsUrl, target: '>= 8' };
const tenMillion = 10_000_000;
const clients = 16;
const service = 'knowledge-models';

/** The files of ten million rows take minutes. */
const fileMaxMs = 600_000;

/** Ends when such an engine would answer the question, which is not asked: files and rollups are made in the background after a load. */
const waitForEngine = async (product: Product, url: string, isReady: (engine: string) => boolean): Promise<void> => {
  type Explained = { readonly engine: { readonly name: string; readonly detail: string } };
  const { kpis = '', fields, sort, filterExpr } = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  const query = { projection: { fields, kpis: kpis.split(','), sort, filters: { filterExpr: [filterExpr] } } };
  const origin = product.variable('GATEWAY_URL');
  const place = { origin, headers: { AppKey: product.variable('ADMIN_KEY') }, prefix: '' };
  const path = `/admin/teams/${benchTeam}/knowledge-models/${model.benchModelId}/explain`;
  for (const until = performance.now() + fileMaxMs; ; await sleep(500)) {
    const { engine: found } = await readJson<Explained>(place, path, { body: JSON.stringify({ query }) });
    if (isReady(found.name)) return;
    if (performance.now() > until) throw new Error(`${found.name} answers ${url}: ${found.detail}`);
  }
};
const waitForRollup = (product: Product): Promise<void> =>
  waitForEngine(product, urls.kpisOfPlantsUrl(0), (name) => name === 'rollup');
const waitForFile = (product: Product, url = urls.kpisByPlantUrl(1)): Promise<void> =>
  waitForEngine(product, url, (name) => name !== 'postgresql' && name !== 'rollup');

/** Until files and rollup are there: their making would slow what is measured meanwhile. */
export const waitForFiles = async (product: Product): Promise<void> => {
  await waitForFile(product);
  await waitForRollup(product);
};

/** Amounts that were not taken before. Each leaves about as many sales: those of other measures begin at zero. */
const amountOf = (number: number): number => 30 + number / 1_000;

/** Each contest takes numbers of its own for its rounds. */
const contestsOf = (
  bench: engine.Bench,
  list: typeof questions,
  rows: number,
  [counts, ofRound, valueOf]: readonly [readonly number[], number, (number: number) => number],
): readonly engine.Contest[] =>
  list.flatMap(({ what, url, target }, place) =>
    counts.map((count, index): engine.Contest => {
      const first = (place * counts.length + index) * (bench.rounds + 1);
      const numbered = engine.numbered(ofRound, (number) => url(valueOf(number)));
      const times = count === 1 ? [engine.processorTime('product'), engine.processorTime('floor')] : [];
      return {
        what: `${what} over ${rows.toLocaleString('en')} rows, never asked before, ${engine.clientsText(count)}`,
        clients: count,
        warmUp: 2 * count,
        sides: engine.toBoth(bench, (round) => numbered(first + round)),
        figures: [engine.compareRates(target), ...times],
      };
    }),
  );

export const measureColumnar = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const { product, floor, gateway, rounds } = bench;
  for (const { url } of questions) await waitForFile(product, url(1));
  const compared = questions.map(({ url }) => url(2));
  const rolledUp = [0, model.plantConditionCount - 1].map(urls.kpisOfPlantsUrl);
  await compareRows(floor, gateway, [...compared, ...rolledUp]);
  const rollupRound = Math.floor((model.plantConditionCount - 2) / (2 * (rounds + 1)));
  const [rows, counts] = [model.salesRowCount, [1, clients]];
  return [
    ...(await engine.runContests(bench, contestsOf(bench, questions, rows, [counts, 1_000, amountOf]))),
    ...(await engine.runContests(bench, contestsOf(bench, [ofRollup], rows, [counts, rollupRound, (n) => n + 1]))),
    await measureMemory(product, `questions of ${clients} clients`, () => askAll(bench, 0)),
    await measureBlocks(bench),
    ...(await measureLoads(bench)),
  ];
};

/** Over a product without any data. */
export const measureTenMillionRows = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const loading = await model.measureSalesLoad(bench, tenMillion);
  const begunAt = performance.now();
  await waitForFile(bench.product);
  const seconds = (performance.now() - begunAt) / 1_000;
  await waitForRollup(bench.product);
  await compareRows(bench.floor, bench.gateway, [urls.kpisByPlantUrl(2)]);
  const byPlant = questions.slice(0, 1).map((question) => ({ ...question, target: '>= 15' }));
  return [
    loading,
    { what: 'From the end of the loads until the files are there', actual: `${seconds.toFixed(0)} s` },
    ...(await engine.runContests(bench, contestsOf(bench, byPlant, tenMillion, [[1], 1_000, amountOf]))),
  ];
};

/** All questions in turn, and one with a group for each of 8,000 customers; `turn` takes other amounts than before. */
const askAll = async (bench: engine.Bench, turn: number): Promise<void> => {
  const all = [...questions.map(({ url }) => url), urls.kpisByCustomerUrl];
  const requests = engine.numbered(4_000, (number) => all[number % all.length]?.(80 + number / 1_000) ?? '');
  await engine.measureLoad(bench, { ...bench.gateway, requests }, { clients, durationMs: 2 * bench.sideMs }, turn);
};

const engineStopMaxMs = 120_000;

/** The memory of the service with its engine, above that without: the engine ends by itself when nothing was asked for a minute. */
const measureMemory = async (product: Product, what: string, work: () => Promise<void>): Promise<engine.Figure> => {
  const pid = engine.pidOf(product, service);
  const until = performance.now() + engineStopMaxMs;
  while (findChildPids(pid).length > 0) {
    if (performance.now() > until) throw new Error('The columnar engine did not end when nothing was asked.');
    await sleep(1_000);
  }
  const { growthMb, peakMb } = await measureGrowth(
    { [service]: () => readProportionalMb([pid, ...findChildPids(pid)]) },
    work,
  );
  const growth = growthMb[service] ?? NaN;
  const told = `${growth.toFixed(0)} MB (to ${peakMb[service]?.toFixed(0)} MB)`;
  return engine.judge(`Memory of ${service} with its engine above idle, ${what}`, '<= 500 MB', growth, told);
};

const measureBlocks = async (bench: engine.Bench): Promise<engine.Figure> => {
  const what = `Questions of ${clients} clients to the columnar engine, up to 8,000 groups: longest block of the event loop, in time of its processor (by the clock)`;
  const idle = 'content-repo';
  return (await engine.withBlocks(bench.product, what, '<= 20 ms', [[service], idle], () => askAll(bench, 1))).figure;
};

/**
 * The product beside another one that makes no files, in turns. A load that follows another at once meets the making of the files of
 * that one.
 */
const measureLoads = ({ product, rounds, say }: engine.Bench): Promise<readonly engine.Figure[]> =>
  withProduct(startProduct('none', { ...agentSettings(), COLUMNAR: 'off' }), (other) =>
    model.withSalesWorkspace(model.salesRowCount, async (folder, sales) => {
      await runTessera(other, ['apply', folder]);
      const load = (side: Product) => model.loadTable(side, 'sale', sales);
      const loadTwice = async (side: Product) => {
        say(`loading ${model.salesRowCount} rows ${side === product ? 'with' : 'without'} files by columns`);
        const [first, next] = [await load(side), await load(side)];
        await (side === product ? waitForFiles(side) : waitForRollup(side));
        return { first: first.seconds, next: next.seconds };
      };
      const loads = await engine.takeTurns(rounds, {
        without: () => loadTwice(other),
        with: () => loadTwice(product),
      });
      const compare = (when: string, which: 'first' | 'next'): engine.Figure => {
        const [own, plain] = [loads('with').map((each) => each[which]), loads('without').map((each) => each[which])];
        const what = `Load of ${model.salesRowCount.toLocaleString('en')} rows of 20 columns${when} (rollups of the model: ${model.rollupCount}): time, with COLUMNAR / without`;
        const told = `(${median(own).toFixed(1)} / ${median(plain).toFixed(1)} s)`;
        return engine.ratio(what, '<= 1.2', [own, plain], (value) => `${value} ${told}`);
      };
      return [
        compare('', 'first'),
        compare(', while the files of the load before are made', 'next'),
        await measureMemory(product, 'a load and the making of its file', async () => {
          await load(product);
          await waitForFile(product);
        }),
      ];
    }),
  );
