/** Waits for the files that the columnar engine reads; they are made in the background after a load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '../json.js';
import { type Product, requireVariable } from '../product/product.js';
import { benchTeam } from '../product/largest-facet.js';
import { benchModelId } from '../workload/bench-model.js';

/** Of ten million rows they take minutes. */
const fileMaxMs = 600_000;
const pauseMs = 500;

/** Ends when the engine would answer each of the questions, which are not asked. */
export const waitForColumnarFiles = async (product: Product, urls: readonly string[]): Promise<void> => {
  const until = performance.now() + fileMaxMs;
  for (const url of urls)
    for (;;) {
      const { name, detail } = await explainEngine(product, url);
      if (name !== 'postgresql') break;
      if (performance.now() > until) throw new Error(`The columnar engine does not answer ${url}: ${detail}`);
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
    body: JSON.stringify({ query: { projection: { fields, kpis: kpis.split(','), sort, filterExpr } } }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return parseJson<{ readonly engine: Engine }>(text).engine;
};
