/**
 * Restarts every service as an upgrade does, replica by replica, while clients read, write, call tools and converse
 * through both gateways: each request is answered whole, every write is there once.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { serviceNames, type ServiceName } from '@tessera/local-stack';
import { waitUntil, readStoredEvents } from '@tessera/testing';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';
import { openLoadBalancer, openLoadBalancerWithoutProbes, startTraffic, type LoadBalancer } from './load.js';
import {
  openMcpSession,
  prepareReadTraffic,
  prepareWriteTraffic,
  type TrafficOperation,
  type SendRequest,
  type WriteTraffic,
} from './mixed-load.js';
import { startProduct, type Product } from './product.js';
import { pidsOf, waitForRestart, waitForCondition } from './restarts.js';
import {
  callProduct,
  createTestStorage,
  readStorage,
  testStoragePath,
  testTeam,
  writeStorage,
} from './test-storage.js';

const replicas = 2;
/** A report of the trial storage is some megabytes, which no buffer on the way takes at once. */
const longElements = 20;
const longText = 'long '.repeat(20_000);

let product: Product;
let balancer: LoadBalancer;
let send: SendRequest;
beforeAll(async () => {
  product = await startProduct({
    demo: 'tiny',
    replicas: Object.fromEntries(serviceNames.map((service) => [service, replicas])),
    settings: {
      DRAIN_DELAY_MS: '1500',
      STOP_TIMEOUT_MS: '30000',
      TOOL_CALLS_PER_MINUTE: '1000000',
      // Both gateways name the same addresses.
      PUBLIC_URL: 'http://tessera.example',
    },
  });
  await createTestStorage(product);
  for (let index = 0; index < longElements; index++)
    await writeStorage(product, '/facets/processes/views/detail/elements', {
      elements: [{ type: 'process', attributes: { name: { 1033: longText } } }],
    });
  balancer = openLoadBalancer(product.gateways);
  const AppKey = product.environment['DEMO_KEY'] ?? '';
  send = (asked) => balancer.send({ ...asked, headers: { ...asked.headers, AppKey } });
});
afterAll(async () => {
  balancer?.close();
  await product?.stop();
});

const pauseMs = 150;

/** One client of each operation. */
const startAll = (operations: readonly TrafficOperation[]) => {
  const loads = operations.map(({ name, ask }) =>
    startTraffic({ clients: 1, pauseMs, ask: async (turn) => ({ name, turn, wrong: await ask(turn) }) }),
  );
  return {
    /** Resolves when each has been answered so often again. */
    more: async (count: number): Promise<void> => {
      const before = loads.map(({ outcomes }) => outcomes.length);
      await waitForCondition(product, () =>
        loads.every(({ outcomes }, index) => outcomes.length >= (before[index] ?? 0) + count),
      );
    },
    failures: () => loads.flatMap(({ outcomes }) => outcomes.filter(({ wrong }) => wrong !== '')),
    stop: () => Promise.all(loads.map((load) => load.stop())),
  };
};

/** A client behind a balancer that looks at nothing but the connection. */
const readByConnection = (): TrafficOperation => {
  const connecting = openLoadBalancerWithoutProbes(product.gateways);
  const headers = { AppKey: product.environment['DEMO_KEY'] ?? '' };
  const path = `${testStoragePath}/facets`;
  return {
    name: 'a read without a readiness probe',
    ask: async () => {
      // Without a pause: a port that opens too early does so for a moment.
      for (let times = 0; times < 40; times++) {
        const { status, body } = await connecting.send({ path, headers });
        if (status !== 200) return `${status} ${body.slice(0, 300)}`;
      }
      return '';
    },
  };
};

let writes: WriteTraffic;
describe('a rolling restart under load', () => {
  let load: ReturnType<typeof startAll>;
  beforeAll(async () => {
    writes = prepareWriteTraffic(send);
    load = startAll([
      ...(await prepareReadTraffic(send)),
      await openMcpSession(send),
      ...writes.operations,
      readByConnection(),
    ]);
    await load.more(2);
  });
  afterAll(() => load?.stop());

  const roll = async (service: ServiceName): Promise<void> => {
    for (const pid of await pidsOf(product, service)) {
      const before = await pidsOf(product, service);
      process.kill(pid, 'SIGTERM');
      await waitForRestart(product, service, before, [pid]);
    }
  };

  it('restarts the replicas of each service one by one, and no request fails', async () => {
    await Promise.all(serviceNames.map(roll));
    await load.more(2);
    expect(load.failures()).toEqual([]);
  });

  it('stops every process in order and in time', () => {
    const output = product.output();
    expect(output.match(/exit code 0$/gm)).toHaveLength(serviceNames.length * replicas);
    expect(output).not.toMatch(/stopping took too long|calls unanswered|\| (?:error|fatal) /);
  });
});

it('after the rolling restart every written element is stored once, with one event', async () => {
  const { document } = await readStorage(product, '/facets/users/reporting');
  const users = itemsOf(document, 'values').filter((value) =>
    /^user \d/.test(textOf(value, 'attributes', 'name', '127')),
  );
  expect(users.map((value) => textOf(value, 'attributes', 'name', '127')).sort()).toEqual([...writes.users].sort());
  const idOf = (value: unknown): string => textOf(value, 'id');
  const published = async (): Promise<readonly string[]> => {
    const events = await readStoredEvents(product.environment['NATS_URL'] ?? '');
    const elements = events
      .map(({ payload }) => parseJson(payload))
      .filter(
        (event) => memberOf(event, 'data', 'facet') === 'users' && memberOf(event, 'data', 'change') === 'created',
      )
      .map((event) => textOf(event, 'data', 'elementId'));
    return elements.filter((id) => users.some((user) => idOf(user) === id));
  };
  await waitUntil(async () => (await published()).length >= users.length);
  expect([...(await published())].sort()).toEqual(users.map(idOf).sort());
});

it('after the rolling restart every tool call is logged once, with its result', async () => {
  const log = `/admin/teams/${testTeam}/tools/calls?toolId=block-invoice&pageSize=1000`;
  const { document } = await callProduct(product, 'ADMIN_KEY', 'GET', log);
  const outcomes = itemsOf(document, 'calls').map((each) => textOf(each, 'outcome'));
  expect(outcomes).toEqual(writes.invoices.map(() => 'ok'));
});

it('after the rolling restart every turn is stored once in its conversation, with its answer', async () => {
  for (const [conversationId, messages] of writes.messages) {
    const address = `${agentsPrefix}/p2p-analyst/conversations/${conversationId}`;
    const turns = itemsOf((await callProduct(product, 'DEMO_KEY', 'GET', address)).document, 'turns');
    expect(turns.map((turn) => [textOf(turn, 'state'), textOf(turn, 'message')])).toEqual(
      messages.map((message) => ['completed', message]),
    );
  }
});
