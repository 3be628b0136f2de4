/** Waits for the files that the columnar engine reads, and for rollups; they are made in the background after a load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '../json.js';
import { type Product, requireVariable } from '../product/product.js';
import { benchTeam } from '../product/largest-facet.js';
import { benchModelId } from '../workload/bench-model.js';
import { kpisOfPlantsUrl } from './sales-queries.js';

/** Of ten million rows they take minutes. */
const fileMaxMs = 600_000;
const pauseMs = 500;

/** Ends when the engine would answer each of the questions, which are not asked. */
export const waitForColumnarFiles = async (product: Product, urls: readonly string[]): Promise<void> => {
  for (const url of urls) await waitForEngine(product, url, ({ name }) => name !== 'postgresql' && name !== 'rollup');
};

/** Ends when questions are answered from the rollup of the model. */
export const waitForRollup = (product: Product): Promise<void> =>
  waitForEngine(product, kpisOfPlantsUrl(0), ({ name }) => name === 'rollup');

const waitForEngine = async (product: Product, url: string, isReady: (engine: Engine) => boolean): Promise<void> => {
  const until = performance.now() + fileMaxMs;
  for (;;) {
    const engine = await explainEngine(product, url);
    if (isReady(engine)) return;
    if (performance.now() > until) throw new Error(`${engine.name} answers ${url}: ${engine.detail}`);
    await sleep(pauseMs);
  }
};

type Engine = { readonly name: string; readonly detail: string };

const explainEngine = async ({ environment }: Product, url: string): Promise<Engine> => {
  const { kpis = '', ...parameters } = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  const { fields, sort, filterExpr } = parameters;
  const path = `/admin/teams/${benchTeam}/knowledge-models/${benchModelId}/explain`;
  const response = await fetch(requireVariable(environment, 'GATEWAY_URL') + path, {
    method: 'POST',
    headers: { AppKey: requireVariable(environment, 'ADMIN_KEY'), 'content-type': 'application/json' },
    body: JSON.stringify({
      query: { projection: { fields, kpis: kpis.split(','), sort, filters: { filterExpr: [filterExpr] } } },
    }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return parseJson<{ readonly engine: Engine }>(text).engine;
};
