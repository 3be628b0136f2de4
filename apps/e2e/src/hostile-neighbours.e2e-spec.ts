/**
 * One team attacks over fifty connections while another sends five small requests ten times a second, and a process without a
 * credential three; all of these are answered, in time. Hostile requests of one kind are sent alone first: none holds an event
 * loop. After all attacks the services have the memory that they had before.
 *
 * In CI the worst attacks last a second or a few, beside other specs, so only large deviations fail: a failed request, or a
 * kind of which half wait long. HOSTILE=full (`npm run hostile:neighbours`) makes all of them, long enough for real figures,
 * checks the promise and prints the tables of docs/performance-tables.md; HOSTILE=short prints them for a run as in CI;
 * HOSTILE_ONLY=reports,loads runs only these attacks.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLargeBodies,
  createNamedRequests,
  oauthClient,
  requestsWithManyFaults,
} from './hostile/named-requests.js';
import { runHostileRequests } from './hostile/run-hostile.js';
import { sendHostileRequest } from './hostile/send-hostile.js';
import { findLongestBlocks, readProductMetrics, type ProductMetrics } from './hostile/service-metrics.js';
import { anonymousSteps, createAttackPlans, createQuietTeamSteps, type AttackPlan } from './neighbour-attacks.js';
import { startNeighbourClient, type NeighbourClient } from './neighbour-clients.js';
import {
  mergeLatencies,
  p99Of,
  percentile,
  renderAttackTable,
  renderMemoryTable,
  type Latencies,
  type AttackRun,
} from './neighbour-figures.js';
import type { QuietTeamInstruction, QuietTeamResult, RequestStep } from './neighbour-instructions.js';
import { createNeighbour, type Neighbour } from './neighbour-teams.js';
import { startProduct, type Product } from './product.js';

const only = process.env['HOSTILE_ONLY']?.split(',');
const mode = process.env['HOSTILE'];
const isFull = mode === 'full';

const connections = 50;
const everyMs = 100;
/** Stalled readers stay until after the product has had enough of them. */
const fullMs = { most: 10_000, stalled: 20_000, body: 3_000 };
const shortMs = { most: 1_000, worst: 2_500 };
const worst: readonly string[] = ['odata-pages', 'reports', 'kpi-scans', 'mcp-batches'];
const calmMs = isFull ? 10_000 : 2_000;
const calmAgainMs = isFull ? 2_000 : 200;
const size = isFull
  ? { customers: 60_000, sales: 60_000, processes: 2_000, events: 420_000 }
  : { customers: 20_000, sales: 20_000, processes: 800, events: 40_000 };
/** The attack is under way before anything counts. */
const leadMs = 300;
const recoveryBoundMs = 30_000;
/** How often the p99 without an attack, and how long in any case. */
const bound = { times: 5, ms: 300, blockMs: 50 };
const boundInCi = { times: 20, p50Ms: 2_000, p99Ms: 6_000, blockMs: 300 };
/** What memory may be of what it was before, and how long it takes until garbage is collected. */
const memory = { times: isFull ? 1.2 : 2.5, waitMs: 60_000 };

const attackingTeam = 'meridian';
const plans = createAttackPlans(attackingTeam);
const named = createNamedRequests(attackingTeam);
const hostileRequests = { ...named, ...createLargeBodies() };
/** The worst kinds of hostile requests. */
const hostileInCi = [
  ...['batch-refusals', 'batch-groups', 'batch-filters', 'fuzzy-search', 'short-search', 'csv', 'formulas'],
  ...['completion-members', 'mcp-lists', 'sign-in-names', 'authorize-scope'],
];
const isInCi = (name: string): boolean => !(name in hostileRequests) || hostileInCi.includes(name);
const isChosen = (name: string): boolean => only?.includes(name) ?? true;
const alone = Object.keys(isFull ? hostileRequests : named).filter(isChosen);
const chosen = Object.keys(plans).filter((name) => only?.includes(name) ?? (isFull || isInCi(name)));

type CalmLatencies = { readonly quiet: Latencies; readonly anonymous: Latencies };

let product: Product;
let attacker: NeighbourClient;
let quietClient: NeighbourClient;
let anonymousClient: NeighbourClient;
let hostile: Neighbour;
let quiet: Neighbour;
let calm: CalmLatencies = { quiet: {}, anonymous: {} };
let before: ProductMetrics;
const runs: AttackRun[] = [];

const startAttack = async (): Promise<void> => {
  const { id, redirect } = oauthClient;
  product = await startProduct({
    demo: 'none',
    settings: {
      ...{ MCP_FIXTURE_ASSET: 'true', TOOL_CALLS_PER_MINUTE: '1000000', LAUNCHER_MANAGEMENT_PORTS: 'true' },
      // Results that are kept are no memory that an attack leaves behind.
      RESULT_CACHE_BYTES: String(8 * 1024 * 1024),
      OAUTH_CLIENTS: JSON.stringify({ [id]: { name: 'Desk', redirects: [redirect] } }),
    },
  });
  hostile = await createNeighbour(product, attackingTeam, size);
  quiet = await createNeighbour(product, 'northgate', { customers: 50, sales: 500, processes: 20, events: 50 });
  attacker = startNeighbourClient();
  quietClient = startNeighbourClient();
  anonymousClient = startNeighbourClient();
  await askQuietly(500);
  const seen = await askQuietly(calmMs);
  expect([seen.quiet.failures, seen.anonymous.failures]).toEqual([[], []]);
  calm = { quiet: seen.quiet.latenciesMs, anonymous: seen.anonymous.latenciesMs };
  if (isFull) await warmUp();
  before = await readProductMetrics(product);
};
/** A process that was never busy has not compiled its code, nor opened its connections. */
const warmUp = async (): Promise<void> => {
  for (const { steps } of chosen.flatMap((name) => plans[name] ?? [])) {
    await attacker.attack({ ...output(hostile, shortMs.most), connections, reading: 'all', steps });
    await askQuietly(500);
  }
  await askQuietly(calmMs);
};
const end = async (): Promise<void> => {
  for (const client of [attacker, quietClient, anonymousClient]) client?.stop();
  if (mode !== undefined && runs.length > 0) process.stderr.write(`\n${renderAttackTable(calm, runs)}\n`);
  await product?.stop();
};

const output = (of: Neighbour, durationMs: number) => ({
  ...{ origin: product.gateways[0] ?? '', key: of.key, durationMs },
});

type Seen = { readonly quiet: QuietTeamResult; readonly anonymous: QuietTeamResult };
const askQuietly = async (durationMs: number): Promise<Seen> => {
  const instruction = { ...output(quiet, durationMs), everyMs };
  const [quietSeen, anonymous] = await Promise.all([
    quietClient.beQuiet({ ...instruction, steps: createQuietTeamSteps(quiet) }),
    anonymousClient.beQuiet({ ...instruction, steps: anonymousSteps }),
  ]);
  return { quiet: quietSeen, anonymous };
};

type Limits = { readonly p50Ms: number; readonly p99Ms: number };
/** The promise, from the latencies without an attack; the promise of the full run says nothing of medians. */
const limitsOf = (calmLatencies: Latencies): Limits => {
  const calmMsOfMost = p99Of(calmLatencies);
  if (isFull) return { p50Ms: Infinity, p99Ms: Math.max(bound.ms, bound.times * calmMsOfMost) };
  const { times, p50Ms, p99Ms } = boundInCi;
  return { p50Ms: Math.max(p50Ms, times * calmMsOfMost), p99Ms: Math.max(p99Ms, times * calmMsOfMost) };
};

/**
 * Resolves when nothing is left of the attack: the hostile team is answered in time again, also what it attacked with; or, after
 * long, with what is still in the way.
 */
const recovered = async (attackedWith: RequestStep): Promise<Pick<AttackRun, 'recoveredMs' | 'unrecovered'>> => {
  const beganMs = performance.now();
  const { p99Ms } = limitsOf(calm.quiet);
  const ask = (durationMs: number, steps: QuietTeamInstruction['steps']): Promise<QuietTeamResult> =>
    attacker.beQuiet({ ...output(hostile, durationMs), everyMs, steps });
  for (;;) {
    const { latenciesMs, failures } = await ask(everyMs, createQuietTeamSteps(hostile));
    const again = await ask(1, { again: attackedWith });
    const recoveredMs = performance.now() - beganMs;
    const failed = [...failures, ...again.failures];
    if (failed.length === 0 && p99Of(latenciesMs) < p99Ms) return { recoveredMs, unrecovered: [] };
    if (recoveredMs > recoveryBoundMs) return { recoveredMs, unrecovered: [JSON.stringify(latenciesMs), ...failed] };
    await sleep(everyMs);
  }
};

const durationOf = (name: string, { reading }: AttackPlan): number => {
  if (!isFull) return shortMs[worst.includes(name) ? 'worst' : 'most'];
  if (reading === 'stalled') return fullMs.stalled;
  return name.startsWith('1 MiB') ? fullMs.body : fullMs.most;
};

const runAttack = async (name: string, plan: AttackPlan): Promise<AttackRun> => {
  const { reading, steps } = plan;
  const durationMs = durationOf(name, plan);
  const metrics = await readProductMetrics(product);
  const attacking = attacker.attack({ ...output(hostile, durationMs + leadMs), connections, reading, steps });
  await sleep(leadMs);
  const seen = await askQuietly(durationMs);
  const attack = await attacking;
  const recovery = await recovered(steps[0]);
  const after = await readProductMetrics(product);
  const run = {
    ...{ name, attack, ...seen, ...recovery },
    longestBlocks: findLongestBlocks(metrics, after),
    residentBytes: Object.values(after).reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  };
  runs.push(run);
  // What it is like without an attack is known better with each.
  const again = await askQuietly(calmAgainMs);
  calm = {
    quiet: mergeLatencies(calm.quiet, again.quiet.latenciesMs),
    anonymous: mergeLatencies(calm.anonymous, again.anonymous.latenciesMs),
  };
  return run;
};

const expectInTime = ({ latenciesMs, failures }: QuietTeamResult, { p50Ms, p99Ms }: Limits): void => {
  expect(failures).toEqual([]);
  expect(p99Of(latenciesMs)).toBeLessThanOrEqual(p99Ms);
  for (const latencies of Object.values(latenciesMs)) expect(percentile(latencies, 0.5)).toBeLessThanOrEqual(p50Ms);
};

const memoryOf = (metrics: ProductMetrics): readonly (readonly [string, number])[] =>
  Object.entries(metrics).flatMap(([service, { heapBytes, residentBytes }]) => [
    [`heap of ${service}`, heapBytes] as const,
    [`resident memory of ${service}`, residentBytes] as const,
  ]);

/** Figures that have grown, as a ratio to before. */
const findGrownMemory = (now: ProductMetrics): readonly (readonly [string, number])[] => {
  const earlier = new Map(memoryOf(before));
  return memoryOf(now)
    .map(([what, bytes]) => [what, bytes / (earlier.get(what) ?? 0)] as const)
    .filter(([, times]) => times > memory.times);
};

describe('a quiet team and a process without a credential get their answers in time while a team attacks with', () => {
  beforeAll(startAttack, isFull ? 900_000 : undefined);
  afterAll(end);

  it.each(alone)('%s alone, which holds no event loop', async (name) => {
    const { path, headers, body, isAnonymous, statuses = [200] } = plans[name]?.steps[0] ?? { path: '' };
    const request = {
      ...{ name, operation: name, method: body === undefined ? 'GET' : 'POST', target: path.replaceAll('{n}', '7') },
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: () => Buffer.from(body.replaceAll('{n}', '7')) }),
    };
    const key = isAnonymous ? undefined : hostile.key;
    const run = await runHostileRequests(product, { keyOf: () => key }, [request]);
    expect(run.findings).toEqual([]);
    expect(statuses.map(String)).toEqual(expect.arrayContaining(Object.keys(run.statuses)));
    if (!requestsWithManyFaults.includes(name)) return;
    const answer = await sendHostileRequest(product.gateways[0] ?? '', key, request);
    expect(answer.body).toMatch(
      /The request has more than 100 faults; the first \d+ are listed\.|An object in the body has more than 10000 members\.|expected at most 12,000 values|Batch must not exceed 100 messages/,
    );
  });

  it.each(chosen)('%s', async (name) => {
    const plan = plans[name];
    if (!plan) throw new Error(`There is no attack ${name}.`);
    const limits = { quiet: limitsOf(calm.quiet), anonymous: limitsOf(calm.anonymous) };
    const run = await runAttack(name, plan);
    expect(run.attack.requests).toBeGreaterThanOrEqual(connections);
    expect(run.attack).toMatchObject({ others: [], withoutRetryAfter: 0 });
    expect(run.unrecovered).toEqual([]);
    expectInTime(run.quiet, limits.quiet);
    expectInTime(run.anonymous, limits.anonymous);
    const { blockMs } = isFull ? bound : boundInCi;
    expect(Object.entries(run.longestBlocks).filter(([, ms]) => ms > blockMs)).toEqual([]);
  });

  it('and afterwards the services have the memory that they had before', async () => {
    const untilMs = performance.now() + memory.waitMs;
    let after = await readProductMetrics(product);
    while (findGrownMemory(after).length > 0 && performance.now() < untilMs) {
      await askQuietly(500);
      after = await readProductMetrics(product);
    }
    if (mode !== undefined) process.stderr.write(`\n${renderMemoryTable(before, after)}\n`);
    expect(findGrownMemory(after)).toEqual([]);
  });
});
