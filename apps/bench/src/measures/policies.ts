/**
 * Pages under policies along a relationship, against the same pages of the model without a policy: whole requests, none asked
 * twice, by one client and by sixteen.
 */
import { parseJson } from '../json.js';
import { median, medianRatio } from '../statistics.js';
import { benchModelId, restrictedModels } from '../workload/bench-model.js';
import type { Figure, KnowledgeBench } from './bench.js';
import { compareSides, type RoundResult } from './rounds.js';
import { firstSalesUrl, firstVisitsUrl, middleVisitsUrl } from './sales-queries.js';

/** Of the page without a policy. */
const timeRatioMax = 1.3;

const pagesOfRound = 1_500;
const warmUpRequests = 500;
const clientCounts = [1, 16] as const;
const pageSize = { prefer: 'odata.maxpagesize=50' };

/** The pages of a model; no number is asked twice. */
type Pages = {
  readonly what: string;
  readonly timeRatioMax?: number;
  readonly of: (modelId: string, numbers: readonly number[]) => Promise<string[]>;
};

export const measurePolicies = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const kinds: readonly Pages[] = [
    { what: 'Page of 50 visits by their identifier', timeRatioMax, of: firstPages(firstVisitsUrl) },
    {
      what: 'Page of 50 visits behind another, by nextLink',
      timeRatioMax,
      of: (modelId, numbers) => nextLinks(bench, modelId, numbers),
    },
    // As far as the share is small, many rows are read for a page: their articles are in no order.
    { what: 'Page of 50 sales by their identifier', of: firstPages(firstSalesUrl) },
  ];
  const figures: Figure[] = [];
  let firstNumber = 0;
  for (const kind of kinds)
    for (const clients of clientCounts) {
      figures.push(...(await measurePages(bench, kind, clients, firstNumber)));
      firstNumber += (bench.rounds + 1) * pagesOfRound;
    }
  return figures;
};

const firstPages =
  (urlOf: (modelId: string, number: number) => string): Pages['of'] =>
  (modelId, numbers) =>
    Promise.resolve(numbers.map((number) => urlOf(modelId, number)));

const models = [{ id: benchModelId, share: 'all' }, ...restrictedModels];

const measurePages = async (
  bench: KnowledgeBench,
  { what, of, timeRatioMax: max }: Pages,
  connections: number,
  firstNumber: number,
): Promise<readonly Figure[]> => {
  bench.say(`${what}, ${connections} at a time`);
  const numbersOf = (round: number) =>
    Array.from({ length: pagesOfRound }, (_, index) => firstNumber + round * pagesOfRound + index);
  const contestants = [];
  for (const { id } of models) {
    const rounds: (readonly string[])[] = [];
    for (let round = 0; round <= bench.rounds; round++) rounds.push(await of(id, numbersOf(round)));
    const order = (round: number) => ({ paths: rounds[round] ?? [], headers: pageSize, connections, once: true });
    contestants.push({ side: 'gateway' as const, order });
  }
  const [unrestricted = [], ...restricted] = await compareSides(bench, contestants, warmUpRequests);
  return restricted.map((results, index) => {
    const ratio = medianRatio(results.map(timeOf), unrestricted.map(timeOf));
    return {
      what: `${what}, ${connections === 1 ? 'one client' : `${connections} clients`}: time under a policy that lets ${models[index + 1]?.share} through / without`,
      ...(max !== undefined && { target: `<= ${max}`, holds: ratio <= max }),
      actual: `${ratio.toFixed(2)} (${median(results.map(timeOf)).toFixed(2)} / ${median(unrestricted.map(timeOf)).toFixed(2)} ms)`,
    };
  });
};

const timeOf = ({ p50Ms }: RoundResult): number => p50Ms;

/** Links of pages from the middle of the table, as many at a time as there are clients. */
const nextLinks = async ({ sides }: KnowledgeBench, modelId: string, numbers: readonly number[]): Promise<string[]> => {
  const { origin, headers } = sides.gateway;
  const linkOf = async (number: number): Promise<readonly string[]> => {
    const response = await fetch(origin + middleVisitsUrl(modelId, number), {
      headers: { ...headers, ...pageSize },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The page answered ${response.status}: ${text.slice(0, 500)}`);
    const { pathname, search } = new URL(parseJson<{ readonly '@odata.nextLink': string }>(text)['@odata.nextLink']);
    return [pathname + search];
  };
  const links: string[] = [];
  for (let at = 0; at < numbers.length; at += 16)
    links.push(...(await Promise.all(numbers.slice(at, at + 16).map(linkOf))).flat());
  return links;
};
