/**
 * Writes and reads while processes die: acknowledged writes are there, unknown ones can be settled, the invariants of
 * versions and trees hold, and every read is answered.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { contentViolationQueries } from '@tessera/testing';
import pg from 'pg';
import { unlinkedAddressesOf, linksIn } from './follow-links.js';
import { itemsOf, memberOf, parseJson, textOf } from './json.js';
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
import {
  callProduct,
  firstElementOf,
  createTestStorage,
  readStorage,
  testStoragePath,
  testTeam,
  writeStorage,
  type ApiAnswer,
} from './test-storage.js';

/** When messaging sends a call again whose service fell silent. */
const sendAgainMs = 1_500;
/** Between two requests of a client: a process that starts again needs the processors too. */
const pauseMs = 10;

let product: Product;
let database: pg.Client;

beforeAll(async () => {
  product = await startProduct({ demo: 'tiny', replicas: { 'content-repo': 2 } });
  await createTestStorage(product);
  database = new pg.Client({ connectionString: product.environment['DATABASE_URL'] });
  database.on('error', () => undefined);
});
afterAll(async () => {
  await database.end().catch(() => undefined);
  await product.stop();
});

const detail = '/facets/processes/views/detail/elements';
const create = (type: string, name: string, more: object = {}): Promise<ApiAnswer> =>
  writeStorage(product, detail, { elements: [{ type, attributes: { name: { 1033: name } }, ...more }] });
const rename = (id: string, name: string): Promise<ApiAnswer> =>
  writeStorage(product, detail, { elements: [{ id, attributes: { name: { 1033: name } } }] });
const transition = (id: string, transitionId: string): Promise<ApiAnswer> =>
  writeStorage(product, `/release/${id}/transitions/${transitionId}?ignoreWarnings=true`);
const createVersion = (id: string): Promise<ApiAnswer> => writeStorage(product, `/release/${id}/createversion`);
const remove = (id: string): Promise<ApiAnswer> => writeStorage(product, `${detail}/${id}/delete`);

const done = (answer: ApiAnswer): ApiAnswer => {
  if (answer.status !== 200) throw new Error(`Refused: ${JSON.stringify(answer)}`);
  return answer;
};

/** The addresses in an answer with their parts, and the answers behind them. */
const sendWrite = (
  addresses: readonly string[],
): Promise<readonly { readonly address: string; readonly status: number }[]> =>
  Promise.all(
    addresses.map(async (address) => {
      const { pathname, search } = new URL(address);
      return { address, status: (await callProduct(product, 'DEMO_KEY', 'GET', pathname + search)).status };
    }),
  );
const expectAnswers = async (addresses: readonly string[]): Promise<void> => {
  expect(addresses).not.toEqual([]);
  const requests = await sendWrite(
    addresses.flatMap((address) => [address, ...unlinkedAddressesOf(address, undefined)]),
  );
  expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
};

describe('the answers of writes', () => {
  it('contain only working links, also after a deletion', async () => {
    const created = done(await create('process', 'Linked', { content: [{ type: 'symbol', key: 'start' }] }));
    const id = textOf(firstElementOf(created), 'id');
    const released = done(await transition(id, 'InProcessToReleased'));
    const version = done(await createVersion(id));
    for (const { document } of [created, released, version]) await expectAnswers(linksIn(document));
    const draft = textOf(firstElementOf(version), 'versionId');
    const gone = done(await remove(draft));
    const area = textOf(firstElementOf(done(await create('area', 'Gone'))), 'id');
    for (const { document } of [gone, done(await remove(area))]) {
      const links = linksIn(document);
      expect(links).toEqual([expect.stringMatching(/\?asOf=/)]);
      await expectAnswers(links);
    }
  });

  it('contain only working links in the demo too', async () => {
    const demo = '/meridian/p2p/_api/rest';
    const post = (path: string): Promise<ApiAnswer> => callProduct(product, 'DEMO_KEY', 'POST', demo + path);
    const list = await callProduct(product, 'DEMO_KEY', 'GET', `${demo}${detail}?$filter=state+-eq+'released'`);
    const ids = Number(memberOf(list.document, 'count'));
    const versions: ApiAnswer[] = [];
    for (let index = 0; index < ids && versions.length < 3; index++) {
      const version = await post(`/release/${textOf(list.document, 'elements', index, 'id')}/createversion`);
      if (version.status === 200) versions.push(version);
    }
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) {
      await expectAnswers(linksIn(version.document));
      const gone = done(await post(`${detail}/${textOf(firstElementOf(version), 'versionId')}/delete`));
      await expectAnswers(linksIn(gone.document));
    }
  });
});

describe('parallel writes', () => {
  it('create only one draft when 200 of them create a version of the same element', async () => {
    const id = textOf(firstElementOf(done(await create('process', 'Wanted'))), 'id');
    done(await transition(id, 'InProcessToReleased'));
    const answers = await Promise.all(Array.from({ length: 200 }, () => createVersion(id)));
    const created = answers.filter(({ status }) => status === 200);
    expect(created).toHaveLength(1);
    const draftId = textOf(firstElementOf(created[0] ?? { status: 0, document: {} }), 'versionId');
    for (const { status, document } of answers.filter((answer) => answer !== created[0])) {
      expect(status).toBe(409);
      expect(textOf(document, 'message')).toContain(`(${draftId}) is in the state inProcess already`);
    }
    const { document } = await readStorage(product, `/facets/processes/reporting/${id}`);
    expect(memberOf(document, 'values', 0, 'versions')).toHaveLength(2);
  });

  it('succeed for one of two conflicting writes, and reject the other with the reason', async () => {
    const pairs: readonly (readonly [
      (draft: string, id: string) => Promise<ApiAnswer>,
      (draft: string, id: string) => Promise<ApiAnswer>,
    ])[] = [
      [(draft) => remove(draft), (draft) => transition(draft, 'InProcessToReleased')],
      [(draft) => remove(draft), (draft) => remove(draft)],
      [(draft) => transition(draft, 'InProcessToReleased'), (draft) => transition(draft, 'InProcessToInReview')],
      [(draft) => transition(draft, 'InProcessToInReview'), (draft) => remove(draft)],
      [(draft) => transition(draft, 'InProcessToInReview'), (draft) => rename(draft, 'Renamed')],
    ];
    for (const [first, second] of pairs) {
      const id = textOf(firstElementOf(done(await create('process', 'Contended'))), 'id');
      done(await transition(id, 'InProcessToReleased'));
      const draft = textOf(firstElementOf(done(await createVersion(id))), 'versionId');
      const answers = await Promise.all([first(draft, id), second(draft, id)]);
      const lost = answers.filter(({ status }) => status !== 200);
      expect(answers.length - lost.length).toBeGreaterThan(0);
      for (const { status, document } of lost) {
        expect([404, 409]).toContain(status);
        expect(textOf(document, 'message')).not.toBe('');
      }
    }
  });
});

type Expected = { readonly id: string; readonly versions: readonly string[]; readonly name: string };

/** One element's life, each step on what the last one answered; what must be there afterwards. */
const runThroughFailures = async (turn: number, acknowledged: () => void): Promise<Expected> => {
  const step = async (answer: Promise<ApiAnswer>): Promise<unknown> => {
    const element = firstElementOf(done(await answer));
    acknowledged();
    return element;
  };
  const id = textOf(
    await step(create('process', `First ${turn}`, { content: [{ type: 'symbol', key: 'start' }] })),
    'id',
  );
  await step(rename(id, `Second ${turn}`));
  await step(transition(id, 'InProcessToReleased'));
  const draft = textOf(await step(createVersion(id)), 'versionId');
  await step(rename(draft, `Third ${turn}`));
  if (turn % 3 === 0) {
    done(await remove(draft));
    acknowledged();
    return { id, versions: ['1.0 released'], name: `Second ${turn}` };
  }
  if (turn % 3 === 1) return { id, versions: ['1.0 released', '1.1 inProcess'], name: `Second ${turn}` };
  await step(transition(draft, 'InProcessToReleased'));
  return { id, versions: ['1.0 expired', '2.0 released'], name: `Third ${turn}` };
};

describe('killing one of two replicas', () => {
  it('loses no write with an Idempotency-Key: each is sent once, answered in time and executed once', async () => {
    const answers: { readonly name: string; readonly status: number; readonly tookMs: number }[] = [];
    let isOver = false;
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; !isOver; turn++) {
        const name = `Once ${number}-${turn}`;
        const body = { elements: [{ type: 'area', attributes: { name: { 1033: name } } }] };
        const headers = { 'Idempotency-Key': randomUUID() };
        const began = performance.now();
        const { status } = await callProduct(product, 'DEMO_KEY', 'POST', testStoragePath + detail, body, { headers });
        answers.push({ name, status, tookMs: performance.now() - began });
        await sleep(pauseMs);
      }
    };
    const clients = Promise.all(Array.from({ length: 12 }, (_, number) => client(number)));
    const more = async (): Promise<void> => {
      const expected = answers.length + 60;
      await Promise.race([clients, waitForCondition(product, () => answers.length >= expected)]);
    };
    try {
      await more();
      // Until the killed one had a write at work: another replica has answered that, later than any other.
      for (let kills = 0; kills < 5 && !answers.some(({ tookMs }) => tookMs > sendAgainMs); kills++) {
        const before = await pidsOf(product, 'content-repo');
        const [first = 0] = before;
        process.kill(first, 'SIGKILL');
        await waitForRestart(product, 'content-repo', before, [first]);
        await more();
      }
    } finally {
      isOver = true;
      await clients;
    }
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.some(({ tookMs }) => tookMs > sendAgainMs)).toBe(true);
    const { document } = await readStorage(product, `/facets/processes/reporting`);
    const names = itemsOf(document, 'values').map((element) => textOf(element, 'attributes', 'name', '1033'));
    const created = names.filter((name) => name.startsWith('Once '));
    expect(created.toSorted()).toEqual(answers.map(({ name }) => name).toSorted());
  });
});

describe('after processes were killed', () => {
  it('every acknowledged write is stored, and none is stored twice', async () => {
    let writes = 0;
    let isOver = false;
    const expected: Expected[] = [];
    const client = async (number: number): Promise<void> => {
      for (let turn = number; !isOver; turn += 4) expected.push(await runThroughFailures(turn, () => void writes++));
    };
    const clients = Promise.all([0, 1, 2, 3].map(client));
    const reach = async (count: number): Promise<void> => {
      while (writes < count) await Promise.race([clients, sleep(20)]);
    };
    try {
      await reach(20);
      for (const name of ['content-repo', 'postgres', 'nats-server', 'content-repo']) {
        for (const pid of (await product.pids())[name] ?? []) process.kill(pid, 'SIGKILL');
        await reach(writes + 30);
      }
    } finally {
      isOver = true;
      await clients;
    }
    for (const { id, versions, name } of expected) {
      const { document } = await readStorage(product, `/facets/processes/reporting/${id}`);
      const element = memberOf(document, 'values', 0);
      expect(memberOf(element, 'attributes', 'name', '1033')).toBe(name);
      const found = memberOf(element, 'versions');
      const texts = Array.isArray(found)
        ? found.map((version) => `${textOf(version, 'attributes', 'version', '127')} ${textOf(version, 'state')}`)
        : [];
      expect(texts).toEqual(versions);
    }
  });

  it('the invariants of the tables hold', async () => {
    await database.connect();
    for (const [what, text] of Object.entries(contentViolationQueries)) {
      const { rows } = await database.query(text, [testTeam]);
      expect({ [what]: rows }).toEqual({ [what]: [] });
    }
  });
});

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was not started again yet.
  }
};

const facet = '/meridian/p2p/_api/rest/facets/processes';

describe('reads while a process is killed', () => {
  let balancer: LoadBalancer;
  let path: string;
  let running: RunningTraffic<RequestOutcome> | undefined;
  beforeAll(async () => {
    balancer = openLoadBalancer(product.gateways);
    const report = await sendRequest(`${facet}/reporting`);
    path = `${facet}/views/detail/elements/${textOf(parseJson(report.body), 'values', 0, 'id')}`;
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(() => balancer.close());

  const requests = (address: string) => ({ path: address, headers: { AppKey: product.environment['DEMO_KEY'] ?? '' } });
  /** Whether the gateway is ready or not. */
  const sendRequest = (address: string): Promise<RequestOutcome> =>
    sendGeneratedRequest(product.gateways[0] ?? '', requests(address));
  const until = (holds: () => boolean | Promise<boolean>): Promise<void> => waitForCondition(product, holds);

  const load = (clients: number): RunningTraffic<RequestOutcome> =>
    (running = startTraffic({ clients, pauseMs, ask: () => balancer.send(requests(path)) }));

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
