/**
 * Knowledge models over a table of a million rows: pages, KPIs, wide answers and a mix, against handwritten SQL; what policies and evidence
 * add; and the compiling of questions alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkModel,
  compileQuery,
  createCallerView,
  type DataQuery,
  parseKnowledgeModel,
} from '@tessera/knowledge-model';
import { compareRows, parseJson, readJson } from '../answers.js';
import * as engine from '../engine.js';
import { median, percentile } from '../statistics.js';
import { benchModelId, restrictedModels, salesRowCount } from '../workload/bench-model.js';
import { benchFolder } from '../workload/run-tessera.js';
import * as urls from './sales-queries.js';

const million = salesRowCount.toLocaleString('en');
const pages = `Page of 50 of ${million} rows, filtered, newest first`;
const furtherPages = `${pages}, pages that follow each other, none asked twice`;
const clients = 16;
const pagesOfFilter = 40;
const pagesOfRound = 24_000;

/** No page repeats, with or without a total; the pages of a filter are read in order. */
const freshPages = (options?: 'nototal') =>
  engine.numbered(pagesOfRound, (number) => {
    const amount = (options ? 100.0005 : 100) + Math.floor(number / pagesOfFilter) / 1_000;
    return urls.salesPageUrl(amount, number % pagesOfFilter, options);
  });

const pageContests = (bench: engine.Bench): readonly engine.Contest[] => {
  const counting = { ...bench.floor, prefix: '/counting' };
  const times = [engine.processorTime('product'), engine.processorTime('floor')];
  const firstPage = [urls.salesPageUrl(100, 0)];
  const how = { clients, warmUp: 4_000 };
  return [
    {
      ...how,
      what: pages,
      sides: { ...engine.toBoth(bench, firstPage), counting: { ...counting, requests: firstPage } },
      figures: [
        engine.compareRates('>= 0.5', ', floor without a total'),
        engine.compareRates('>= 4', ', floor counts each time', ['product', 'counting']),
        ...times,
      ],
    },
    {
      ...how,
      what: furtherPages,
      sides: engine.toBoth({ ...bench, floor: counting }, freshPages()),
      figures: [engine.compareRates('>= 0.95', ', with a total')],
    },
    {
      ...how,
      what: furtherPages,
      sides: engine.toBoth(bench, freshPages('nototal')),
      figures: [engine.compareRates('>= 0.6', ', without a total'), ...times],
    },
    {
      what: `KPIs by plant over ${million} rows, asked again`,
      clients,
      warmUp: 500,
      sides: engine.toBoth(bench, [urls.kpisByPlantUrl(100)]),
      figures: [engine.compareRates('>= 60'), engine.processorTime('product', ': processor time a request, product')],
    },
  ];
};

export const measureKnowledge = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const compared = [urls.salesPageUrl(100, 0), urls.salesPageUrl(100, 3), urls.kpisByPlantUrl(100)];
  await compareRows(bench.floor, bench.gateway, [...compared, urls.allFieldsPageUrl(2, 0)]);
  bench.say('product and floor answer the same rows');
  const wide: engine.Contest = {
    what: '5,000 rows of 20 fields',
    clients: 4,
    warmUp: 40,
    // The first twenty pages, in each round with other fields first.
    sides: engine.toBoth(bench, (round) =>
      engine.numbered(60, (index) => urls.allFieldsPageUrl(index % 20, (3 * round + Math.floor(index / 20)) % 20))(0),
    ),
    figures: [engine.compare(': bytes a second, product / floor', engine.bytes, '>= 0.5')],
  };
  const services = ['gateway', 'knowledge-models'];
  return [
    ...(await engine.runContests(bench, pageContests(bench))),
    ...(await engine
      .withGrowth(bench.product, services, `${wide.what}: growth of %s`, '< 64 MB', () =>
        engine.runContest(bench, wide),
      )
      .then(({ value, figures }) => [...value, ...figures])),
    ...(await measureSearch(bench)),
    ...(await measureMix(bench)),
  ];
};

/** No term is searched for twice in the same fields. */
const measureSearch = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const search = async (field?: string): Promise<number> => {
    const requests = engine.numbered(200, (customer) => urls.salesSearchUrl(customer, field));
    const order = { clients: 2, durationMs: 60_000 };
    return (await engine.measureLoad(bench, { ...bench.gateway, requests }, order)).p50Ms;
  };
  const [oneMs, allMs] = [await search('CUSTOMER'), await search()];
  const told = `${(allMs / oneMs).toFixed(1)} (median ${allMs.toFixed(1)} / ${oneMs.toFixed(1)} ms)`;
  return [engine.judge(`Search of ${million} rows without a field / in one: time`, '<= 20', allMs / oneMs, told)];
};

const measureMix = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const requests = engine.numbered(60_000, urls.mixedQueryUrl);
  const order = { clients, durationMs: 60_000 };
  const mixed = await engine.measureLoad(bench, { ...bench.gateway, requests }, order);
  const { p50Ms, p99Ms, worstMs, requestsPerSecond } = mixed;
  const told = `${(p99Ms / p50Ms).toFixed(1)} (${p99Ms.toFixed(1)} / ${p50Ms.toFixed(1)} ms, worst ${worstMs.toFixed(0)} ms; ${requestsPerSecond.toFixed(0)} a second)`;
  return [
    engine.judge('16 clients, mixed questions for a minute: p99 / median, no error', '< 10', p99Ms / p50Ms, told),
  ];
};

/** Pages under policies along a relationship, against the same pages of the model without a policy; none asked twice. */
export const measurePolicies = async (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const place = { ...bench.gateway, headers: { ...bench.gateway.headers, prefer: 'odata.maxpagesize=50' } };
  const nextLink = async (modelId: string, number: number): Promise<string> => {
    type Page = { readonly '@odata.nextLink': string };
    const page = await readJson<Page>(place, urls.middleVisitsUrl(modelId, number));
    const { pathname, search } = new URL(page['@odata.nextLink']);
    return pathname + search;
  };
  const asyncOf = (urlOf: (modelId: string, number: number) => string) => (modelId: string, number: number) =>
    Promise.resolve(urlOf(modelId, number));
  const kinds = [
    { what: 'Page of 50 visits by their identifier', target: '<= 1.3', urlOf: asyncOf(urls.firstVisitsUrl) },
    { what: 'Page of 50 visits behind another, by nextLink', target: '<= 1.3', urlOf: nextLink },
    // As far as the share is small, many rows are read for a page: their articles are in no order.
    { what: 'Page of 50 sales by their identifier', target: undefined, urlOf: asyncOf(urls.firstSalesUrl) },
  ];
  const figures: engine.Figure[] = [];
  let first = 0;
  for (const { what, target, urlOf } of kinds)
    for (const count of [1, clients]) {
      bench.say(`preparing: ${what}`);
      const sides: Record<string, engine.Side> = {};
      const paths = restrictedPages * (bench.rounds + 1);
      for (const modelId of [benchModelId, ...Object.keys(restrictedModels)])
        sides[modelId] = { ...place, requests: await preparePages((number) => urlOf(modelId, first + number), paths) };
      first += paths;
      const contest = {
        what: `${what}, ${engine.clientsText(count)}`,
        clients: count,
        warmUp: 500,
        sides,
        figures: Object.entries(restrictedModels).map(([modelId, share]) => {
          const suffix = `: time under a policy that lets ${share} through / without`;
          return engine.compare(suffix, engine.time, target, [modelId, benchModelId]);
        }),
      };
      figures.push(...(await engine.runContest(bench, contest)));
    }
  return figures;
};

const restrictedPages = 1_500;

/** So many paths, for rounds in their order; some are made at the same time, since links are asked for. */
const preparePages = async (pathOf: (number: number) => Promise<string>, count: number) => {
  const paths: string[] = [];
  while (paths.length < count)
    paths.push(...(await Promise.all(Array.from({ length: clients }, (_, index) => pathOf(paths.length + index)))));
  return (round: number) => paths.slice(round * restrictedPages, (round + 1) * restrictedPages);
};

/** The processor time of all processes together that `Prefer: evidence` adds to questions that nobody asked before. */
export const measureEvidence = (bench: engine.Bench): Promise<readonly engine.Figure[]> => {
  const questions = [
    {
      what: 'Page of 50 without a total',
      url: (number: number) =>
        urls.salesPageUrl(100 + Math.floor(number / pagesOfFilter) / 1_000, number % pagesOfFilter, 'nototal'),
      ofRound: pagesOfRound,
      clients,
      warmUp: 4_000,
    },
    {
      what: 'KPIs by plant',
      url: (number: number) => urls.kpisByPlantUrl(number / 1_000),
      ofRound: 2_000,
      clients: 2,
      warmUp: 20,
    },
  ];
  /** Each side has questions of its own. */
  const contests = questions.map(({ url, ofRound, ...how }): engine.Contest => {
    const requestsOf = (side: number) => (round: number) => engine.numbered(ofRound, url)(2 * round + side);
    const evident = { ...bench.gateway, headers: { ...bench.gateway.headers, prefer: 'evidence' } };
    const compared = ', none asked twice: processor time, with evidence / without';
    return {
      ...how,
      sides: {
        without: { ...bench.gateway, requests: requestsOf(0) },
        with: { ...evident, requests: requestsOf(1) },
      },
      figures: [
        engine.compare(compared, engine.productTime, '<= 1.05', ['with', 'without']),
        engine.processorTime('with', ': processor time, with evidence'),
        engine.processorTime('without'),
      ],
    };
  });
  return engine.runContests(bench, contests);
};

const compileWarmUps = 3_000;
const compiles = 5_000;
const queryDefaults: DataQuery = {
  fields: [],
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
  pageSize: 50,
};

/** Compiles queries of a knowledge model to SQL in this process: median microseconds after warm-up. */
export const measureQueryCompilation = (): readonly engine.Figure[] => {
  type Workload = { readonly model: unknown; readonly queries: Readonly<Record<string, Partial<DataQuery>>> };
  const { model, queries } = parseJson<Workload>(readFileSync(join(benchFolder, 'compile', 'queries.json'), 'utf8'));
  const parsed = parseKnowledgeModel(model);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const checked = checkModel(parsed.value, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const view = createCallerView(checked, { scopes: [], attributes: {} });
  return Object.entries(queries).map(([what, query]) => {
    const timeOne = (): number => {
      const begunMs = performance.now();
      const compiled = compileQuery(view, { ...queryDefaults, ...query }, { schema: 'team.bench' });
      if (!compiled.ok) throw new Error(compiled.failure.detail);
      return (performance.now() - begunMs) * 1_000;
    };
    const times = Array.from({ length: compileWarmUps + compiles }, timeOne).slice(compileWarmUps);
    const middle = median(times);
    const told = `${middle.toFixed(0)} us (p99 ${percentile(times, 0.99).toFixed(0)} us)`;
    return engine.judge(`Compiling ${what}`, '< 300 us', middle, told);
  });
};
