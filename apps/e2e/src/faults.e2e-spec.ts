import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, textOf } from './json.js';
import {
  openLoadBalancer,
  sendGeneratedRequest,
  startTraffic,
  type LoadBalancer,
  type RunningTraffic,
  type RequestOutcome,
} from './load.js';
import { startProduct, type Product } from './product.js';
import { pidsOf, waitForRestart, waitForCondition } from './restarts.js';

let product: Product;
let balancer: LoadBalancer;
let path: string;
let running: RunningTraffic<RequestOutcome> | undefined;

const facet = '/meridian/p2p/_api/rest/facets/processes';

beforeAll(async () => {
  product = await startProduct({ demo: 'tiny', replicas: { 'content-repo': 2 } });
  balancer = openLoadBalancer(product.gateways);
  const report = await sendRequest(`${facet}/reporting`);
  path = `${facet}/views/detail/elements/${textOf(parseJson(report.body), 'values', 0, 'id')}`;
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(async () => {
  balancer?.close();
  await product?.stop();
});

const requests = (address: string) => ({ path: address, headers: { AppKey: product.environment['DEMO_KEY'] ?? '' } });
/** Whether the gateway is ready or not. */
const sendRequest = (address: string): Promise<RequestOutcome> =>
  sendGeneratedRequest(product.gateways[0] ?? '', requests(address));
const until = (holds: () => boolean | Promise<boolean>): Promise<void> => waitForCondition(product, holds);

const load = (clients: number): RunningTraffic<RequestOutcome> =>
  (running = startTraffic({ clients, ask: () => balancer.send(requests(path)) }));

/** Resolves when three requests in a row are answered with 200. */
const recovery = async (): Promise<void> => {
  let good = 0;
  await until(async () => {
    const { status } = await sendRequest(path);
    good = status === 200 ? good + 1 : 0;
    return good === 3;
  });
};

/** Resolves when the load has so many answers more. */
const moreAnswers = (requests: RunningTraffic<RequestOutcome>, count: number): Promise<void> => {
  const expected = requests.outcomes.length + count;
  return until(() => requests.outcomes.length >= expected);
};

const expectWhole = (outcomes: readonly RequestOutcome[]): void => {
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
    '%s: every request ends with 200 or 503, and requests succeed again afterwards',
    async (name) => {
      const requests = load(8);
      await moreAnswers(requests, 50);
      const before = await pidsOf(product, name);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await waitForRestart(product, name, before);
      await recovery();
      await moreAnswers(requests, 50);
      const outcomes = await requests.stop();
      expectWhole(outcomes);
      expect(outcomes.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
    },
  );

  it('answers 503 without waiting when a service is gone', async () => {
    const refusals: string[] = [];
    // As often as needed: the launcher may have started it again before the request came.
    await until(async () => {
      for (const pid of await pidsOf(product, 'content-repo').catch(() => [])) kill(pid);
      const { status, body } = await sendRequest(path);
      if (status === 503) refusals.push(textOf(parseJson(body), 'message'));
      // What NATS says at once; after a silence or at the deadline the words are others.
      return refusals.some((message) => message.includes('is not running'));
    });
    await recovery();
  });
});

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was not started again yet.
  }
};
