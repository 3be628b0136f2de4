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
  product = await startProduct({
    demo: 'tiny',
    replicas: { gateway: 2, 'content-repo': 2 },
    // A busy machine looks for readiness seldom; who leaves waits until it has looked.
    settings: { DRAIN_DELAY_MS: '5000', STOP_TIMEOUT_MS: '60000' },
  });
  const report = await send(product.gateways[0] ?? '', `${facet}/reporting`, headers());
  path = `${facet}/views/detail/elements/${textOf(parseJson(report.body), 'values', 0, 'id')}`;
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => product.stop());

const headers = (): Record<string, string> => ({ AppKey: product.environment['DEMO_KEY'] ?? '' });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const pidsOf = async (name: string): Promise<readonly number[]> => {
  const pids = (await product.pids())[name];
  if (!pids?.length) throw new Error(`No process ${name} in ${JSON.stringify(await product.pids())}`);
  return pids;
};

const load = (clients: number): Load =>
  (running = startLoad({ gateways: product.gateways, path, headers: headers(), clients }));

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const began = Date.now(); !(await holds()); await pause(20))
    if (Date.now() - began > 60_000) throw new Error(`${holds.toString()}:\n${product.output().slice(-3_000)}`);
};

/** Resolves when three requests in a row are answered with 200. */
const recovery = async (): Promise<void> => {
  let good = 0;
  await until(async () => {
    const { status } = await send(product.gateways[0] ?? '', path, headers());
    good = status === 200 ? good + 1 : 0;
    return good === 3;
  });
};

/** Resolves when the load has so many answers more. */
const moreAnswers = (requests: Load, count: number): Promise<void> => {
  const wanted = requests.outcomes.length + count;
  return until(() => requests.outcomes.length >= wanted);
};

const expectWhole = (outcomes: readonly Outcome[]): void => {
  for (const { status, body, contentType, tookMs } of outcomes) {
    expect([200, 503]).toContain(status);
    // Its deadline is 30 s; the rest is for a busy machine.
    expect(tookMs).toBeLessThan(60_000);
    expect(contentType).toMatch(/^application\/json/);
    const document = parseJson(body);
    if (status === 503) expect(document).toMatchObject({ type: 'Critical' });
  }
};

describe('a process that is killed', () => {
  it.each(['content-repo', 'nats-server', 'postgres'])(
    '%s: every request ends with 200 or 503, and 2xx is back',
    async (name) => {
      const requests = load(8);
      await moreAnswers(requests, 50);
      const before = await pidsOf(name);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await restarted(name, before);
      await recovery();
      await moreAnswers(requests, 50);
      const outcomes = await requests.stop();
      expectWhole(outcomes);
      expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
    },
  );

  it('a service that is not there: 503 without waiting for it', async () => {
    const refusals: string[] = [];
    // As often as needed: the launcher may have started it again before the request came.
    await until(async () => {
      for (const pid of await pidsOf('content-repo').catch(() => [])) endByForce(pid);
      const { status, body } = await send(product.gateways[0] ?? '', path, headers());
      if (status === 503) refusals.push(textOf(parseJson(body), 'message'));
      // What NATS says at once; after a silence or at the deadline the words are others.
      return refusals.some((message) => message.includes('is not running'));
    });
    await recovery();
  });
});

describe('a process that is asked to stop', () => {
  it.each(['gateway', 'content-repo'])('%s: one of two leaves under load without a failed request', async (name) => {
    await recovery();
    const requests = load(16);
    await moreAnswers(requests, 50);
    const before = await pidsOf(name);
    process.kill(before[0] ?? 0, 'SIGTERM');
    await restarted(name, before, before.slice(0, 1));
    await moreAnswers(requests, 200);
    const outcomes = await requests.stop();
    expect(outcomes.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

const endByForce = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was not started again yet.
  }
};

/** Resolves when others run in place of the processes that are `gone`: the restart, after which all must be well. */
const restarted = (name: string, before: readonly number[], gone = before): Promise<void> =>
  until(async () => {
    const now = await pidsOf(name).catch(() => []);
    const others = now.filter((pid) => !before.includes(pid));
    const isBack = now.length >= before.length && !now.some((pid) => gone.includes(pid));
    return isBack && others.every((pid) => product.output().includes(`is back (process ${pid})`));
  });
