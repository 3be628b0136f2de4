/**
 * Processes die while requests run: every request ends in time with a proper answer, and all is well again by itself.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, textOf } from './json.js';
import { send, startLoad, type Load, type Outcome } from './load.js';
import { startProduct, type Product } from './product.js';

let product: Product;
let path: string;
let running: Load | undefined;

const facet = '/meridian/p2p/_api/rest/facets/processes';

beforeAll(async () => {
  product = await startProduct({ demo: 'tiny', replicas: { gateway: 2, 'content-repo': 2 } });
  const report = await send(product.gateways[0] ?? '', `${facet}/reporting`, headers());
  path = `${facet}/views/detail/elements/${textOf(parseJson(report.body), 'values', 0, 'id')}`;
}, 120_000);
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => product.stop(), 20_000);

const headers = (): Record<string, string> => ({ AppKey: product.environment['DEMO_KEY'] ?? '' });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const pidsOf = async (name: string): Promise<readonly number[]> => {
  const pids = (await product.pids())[name];
  if (!pids?.length) throw new Error(`No process ${name} in ${JSON.stringify(await product.pids())}`);
  return pids;
};

const load = (clients: number): Load =>
  (running = startLoad({ gateways: product.gateways, path, headers: headers(), clients }));

/** Milliseconds until three requests in a row are answered with 200. */
const recoveryMs = async (withinMs: number): Promise<number> => {
  const began = Date.now();
  for (let good = 0; Date.now() - began < withinMs;) {
    const { status } = await send(product.gateways[0] ?? '', path, headers());
    good = status === 200 ? good + 1 : 0;
    if (good === 3) return Date.now() - began;
    await pause(20);
  }
  throw new Error(`No recovery within ${withinMs} ms:\n${product.output().slice(-3_000)}`);
};

const expectWhole = (outcomes: readonly Outcome[]): void => {
  for (const { status, body, contentType, tookMs } of outcomes) {
    expect([200, 503]).toContain(status);
    expect(tookMs).toBeLessThan(30_000);
    expect(contentType).toMatch(/^application\/json/);
    const document = parseJson(body);
    if (status === 503) expect(document).toMatchObject({ type: 'Critical' });
  }
};

describe('a process that is killed', () => {
  it.each([
    ['content-repo', 2_000],
    ['nats-server', 2_000],
    ['postgres', 5_000],
  ])(
    '%s: every request ends with 200 or 503, and 2xx is back',
    async (name, limitMs) => {
      const requests = load(8);
      await pause(500);
      const before = await pidsOf(name);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      const took = await restarted(name, before).then(() => recoveryMs(limitMs));
      await pause(300);
      const outcomes = await requests.stop();
      expectWhole(outcomes);
      expect(took).toBeLessThan(limitMs);
      expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
    },
    60_000,
  );

  it('a service that is stopped: 503 within a second', async () => {
    const pids = await pidsOf('content-repo');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await pause(150);
    const outcome = await send(product.gateways[0] ?? '', path, headers());
    expect(outcome.status).toBe(503);
    expect(outcome.tookMs).toBeLessThan(1_000);
    expect(await recoveryMs(10_000)).toBeLessThan(10_000);
  }, 30_000);
});

describe('a process that is asked to stop', () => {
  it.each(['gateway', 'content-repo'])(
    '%s: one of two leaves under load without a failed request',
    async (name) => {
      await recoveryMs(10_000);
      const requests = load(16);
      await pause(500);
      const before = await pidsOf(name);
      process.kill(before[0] ?? 0, 'SIGTERM');
      await pause(4_000);
      const outcomes = await requests.stop();
      expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
      expect(outcomes.length).toBeGreaterThan(200);
    },
    60_000,
  );
});

/** Resolves when others run in place of these processes: the restart, from which the recovery counts. */
const restarted = async (name: string, before: readonly number[]): Promise<void> => {
  for (let tries = 0; tries < 500; tries++) {
    const now = await pidsOf(name).catch(() => []);
    const isBack = now.length >= before.length && !now.some((pid) => before.includes(pid));
    if (isBack && now.every((pid) => product.output().includes(`is back (process ${pid})`))) return;
    await pause(20);
  }
  throw new Error(`${name} was not restarted:\n${product.output().slice(-3_000)}`);
};
