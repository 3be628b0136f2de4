/** Files by columns that two replicas share by a store, through everything that may be wrong with what it holds. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runInTenantTransaction } from '@tessera/persistence';
import { limitFileSize, waitUntil } from '@tessera/testing';
import {
  openColumnarClient,
  openEngineProcess,
  signingSecret,
  type ColumnarClient,
} from '../testing/columnar-client.js';
import { columnQuestion, rowsOfGroups } from '../testing/columnar-questions.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import { startObjectStore, type ObjectStoreServer } from '../testing/object-store-server.js';
import { runInColumnarTurn } from './columnar.repository.js';
import type { EngineProcess } from './engine-process.js';
import { StoreFailure, type ObjectStore } from './object-store.js';

const never = new AbortController().signal;
let fixture: Fixture;
let server: ObjectStoreServer;
let store: ObjectStore;
/** Of all replicas here: what they share is not the engine. */
let engine: EngineProcess;
let engineFolder: string;
let clients: ColumnarClient[] = [];
let teams = 0;
let team = '';
beforeAll(async () => {
  engineFolder = await mkdtemp(join(tmpdir(), 'tessera-columnar-'));
  engine = openEngineProcess(engineFolder);
  [fixture, server] = await Promise.all([openFixture(), startObjectStore(), engine.version()]);
});
beforeEach(() => {
  team = `team-${(teams += 1)}`;
  store = server.open({ prefix: team });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  clients = [];
});
afterAll(async () => {
  await Promise.all([server?.end(), fixture?.end(), engine?.stop()]);
  await rm(engineFolder, { recursive: true, force: true });
});

const open = async (options: Parameters<typeof openColumnarClient>[1] = {}): Promise<ColumnarClient> => {
  const files = { awaitMs: 20, ...options.files };
  const client = await openColumnarClient(fixture, { store, process: engine, ...options, files });
  clients.push(client);
  return client;
};
const execute = (text: string): Promise<unknown> =>
  runInTenantTransaction(fixture.pools.loads, team, (client) => client.query(text));
const load = async (rows = 100, name = 'numbers'): Promise<void> => {
  await fixture.load(team, {
    ...{ schema: 'p2p', name, columns: 'id bigint, name text, amount numeric' },
    rows: `select id, 'name ' || id, id * 1.25 from generate_series(1, ${rows}) as id`,
  });
  await execute('update knowledge_models.team_table set loaded_at = clock_timestamp()');
};
const count = async (client: ColumnarClient) => {
  const table = await client.table(team, 'p2p', 'numbers');
  if (!table) return undefined;
  const groups = await client.reader.ask(columnQuestion(table, []), { groupsMax: 1, signal: never });
  return rowsOfGroups(groups)[0]?.[0];
};
const makingsOf = ({ outcomes }: ColumnarClient) => outcomes.filter((outcome) => outcome !== 'answered');
const filesOf = async ({ folder }: ColumnarClient) =>
  (await readdir(folder)).filter((name) => name !== 'temporary').sort();
/** A replica that has made the file and put it into the store. */
const makeOnce = async (): Promise<ColumnarClient> => {
  await load();
  const client = await open();
  await client.files.ensure(team);
  expect([makingsOf(client), client.transfers]).toEqual([['made'], ['fetch missing', 'fetch missing', 'put put']]);
  return client;
};
const nameOf = async (ending: string): Promise<string> =>
  (await store.list(never)).find(({ name }) => name.endsWith(ending))?.name ?? '';
const read = async (name: string): Promise<Buffer> => {
  const found = await store.get(name, never);
  return found ? buffer(found.body) : Buffer.alloc(0);
};
const change = async (ending: string, edit: (bytes: Buffer) => Buffer | string): Promise<void> => {
  const name = await nameOf(ending);
  const edited = edit(await read(name));
  const text = edited.toString('latin1');
  await store.put(name, text, Buffer.byteLength(text), never);
};
const sign = (manifest: string, secret: string): string =>
  JSON.stringify({ manifest, signature: createHmac('sha256', secret).update(manifest).digest('hex') });
const changeManifest = (edit: (manifest: string) => string, secret = signingSecret): Promise<void> =>
  change('.json', (bytes) => sign(edit(JSON.parse(bytes.toString('utf8')).manifest), secret));

describe('replicas with a store', () => {
  it('share what the first of them makes, to the byte', async () => {
    const first = await makeOnce();
    const second = await open();
    await second.files.ensure(team);
    expect([makingsOf(second), second.transfers, await count(second)]).toEqual([['fetched'], ['fetch fetched'], '100']);
    const [ofFirst, ofSecond] = [await filesOf(first), await filesOf(second)];
    expect(ofSecond).toEqual(ofFirst);
    const file = ofSecond.find((name) => name.endsWith('.duckdb')) ?? '';
    const [one, other] = await Promise.all([first, second].map(({ folder }) => readFile(join(folder, file))));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
    expect((await stat(join(second.folder, file))).mode & 0o777).toBe(0o400);
  });

  it('make one file between them when they begin at the same time', async () => {
    await load();
    const both = await Promise.all([open(), open()]);
    await Promise.all(both.map((client) => client.files.ensure(team)));
    await waitUntil(() => both.every(({ outcomes }) => outcomes.length === 1));
    expect(both.flatMap(({ outcomes }) => outcomes).sort()).toEqual(['fetched', 'made']);
    expect(await store.list(never)).toHaveLength(2);
  });

  it('go on in place of one that dies while it makes the file', async () => {
    await makeOnce();
    const id = (await nameOf('.json')).slice(-'.json'.length - 32, -'.json'.length);
    await store.remove(await nameOf('.json'), never);
    const dying = Promise.withResolvers<never>();
    const begun = Promise.withResolvers<void>();
    const dead = runInColumnarTurn(fixture.pools.loads, `file ${id}`, never, () => {
      begun.resolve();
      return dying.promise;
    }).catch(() => 'dead');
    await begun.promise;
    const client = await open();
    await client.files.ensure(team);
    await client.files.ensure(team);
    expect([makingsOf(client), await count(client)]).toEqual([[], undefined]);
    dying.reject(new Error('It died.'));
    expect(await dead).toBe('dead');
    await waitUntil(() => makingsOf(client).length > 0);
    expect([makingsOf(client), await count(client)]).toEqual([['made'], '100']);
  });

  it('keep to themselves what no load has made', async () => {
    await load();
    await execute('update knowledge_models.team_table set loaded_at = null');
    const client = await open();
    await client.files.ensure(team);
    expect([makingsOf(client), client.transfers, await store.list(never)]).toEqual([['made'], [], []]);
  });
});

describe('what the store has', () => {
  const spoil: readonly (readonly [string, () => Promise<void>])[] = [
    ['a file that is cut', () => change('.duckdb', (bytes) => bytes.subarray(0, 5_000))],
    ['a file that is longer', () => change('.duckdb', (bytes) => Buffer.concat([bytes, Buffer.from('x')]))],
    ['a file with another value', () => change('.duckdb', (bytes) => spoilLastByte(bytes))],
    ['no file', async () => store.remove(await nameOf('.duckdb'), never)],
    ['a manifest that is cut', () => change('.json', (bytes) => bytes.subarray(0, 50))],
    ['no manifest but a text', () => change('.json', () => '{"manifest":"{}"}')],
    ['a changed manifest', () => change('.json', (bytes) => bytes.toString('utf8').replace('numbers', 'figures'))],
    ['a manifest that somebody else signed', () => changeManifest((text) => text, 'the secret of somebody else')],
    ["another team's manifest", () => changeManifest((text) => text.replace(`"team":"${team}"`, '"team":"northgate"'))],
    [
      'the manifest of another load',
      () => changeManifest((text) => text.replace(/"loadedAt":"[^"]*"/, '"loadedAt":"1"')),
    ],
    [
      'the manifest of another version of the engine',
      () => changeManifest((text) => text.replace(/"engine":"[^"]*"/, '"engine":"v1.0.0"')),
    ],
    ['a manifest of another form', () => changeManifest((text) => text.replace('"format":1', '"format":2'))],
  ];
  const spoilLastByte = (bytes: Buffer): Buffer => {
    const changed = Buffer.from(bytes);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    return changed;
  };

  it.each(spoil)('is refused when it is %s; the file is made anew and shared', async (_what, spoilIt) => {
    await makeOnce();
    await spoilIt();
    const second = await open();
    await second.files.ensure(team);
    expect([makingsOf(second), await count(second)]).toEqual([['made'], '100']);
    expect(second.transfers).toEqual(['fetch refused', 'fetch refused', 'put put']);
    expect(second.lines).toContain('a columnar file was not fetched from the store; it is made');
    expect(await filesOf(second)).toHaveLength(2);
    const third = await open();
    await third.files.ensure(team);
    expect(makingsOf(third)).toEqual(['fetched']);
  });
});

describe('a store that fails', () => {
  it.each([
    ['unreachable', { endpoint: 'http://127.0.0.1:1' }],
    ['no-bucket', { bucket: 'nobodys' }],
    ['denied', { keys: { accessKeyId: 'STRANGER', secretAccessKey: 'top-secret' } }],
  ])('stops nothing when it is %s: each replica makes its file', async (reason, options) => {
    await load();
    const client = await open({ store: server.open(options) });
    await client.files.ensure(team);
    expect([makingsOf(client), client.transfers]).toEqual([['made'], [`fetch ${reason}`]]);
    expect(client.lines.join()).not.toContain('top-secret');
    expect(await count(client)).toBe('100');
  });

  it('is left alone for a while, so that it holds up one file and no more', async () => {
    await load();
    await load(101, 'others');
    const client = await open({ store: server.open({ endpoint: 'http://127.0.0.1:1' }) });
    await client.files.ensure(team);
    expect([makingsOf(client), client.transfers]).toEqual([['made', 'made'], ['fetch unreachable']]);
  });

  it('does not hold up the end of a service when it does not answer', async () => {
    await load();
    const asked = Promise.withResolvers<void>();
    const mute = createServer(() => asked.resolve());
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    const address = mute.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const client = await open({ store: server.open({ endpoint: `http://127.0.0.1:${port}` }) });
    const making = client.files.ensure(team);
    await asked.promise;
    await client.files.stop();
    await making;
    expect([client.outcomes, client.transfers, client.lines]).toEqual([['stopped'], ['fetch stopped'], []]);
    mute.closeAllConnections();
    mute.close();
  });

  it('holds up no question about a file that was made while it takes its time', async () => {
    await load();
    const slow = server.open({ prefix: team });
    const taken = Promise.withResolvers<void>();
    slow.put = () => taken.promise;
    const client = await open({ store: slow });
    const making = client.files.ensure(team);
    try {
      await waitUntil(async () => (await count(client)) === '100');
      expect(makingsOf(client)).toEqual([]);
    } finally {
      taken.resolve();
    }
    await making;
    expect([makingsOf(client), client.transfers.at(-1)]).toEqual([['made'], 'put put']);
  });

  it('stops nothing when it takes no file, and the next replica puts one there', async () => {
    await load();
    const full = server.open({ prefix: team });
    full.put = () => Promise.reject(new Error('It is full.'));
    const first = await open({ store: full });
    await first.files.ensure(team);
    expect([makingsOf(first), first.transfers.at(-1)]).toEqual([['made'], 'put failed']);
    expect(first.lines).toContain('a columnar file was not put into the store');
    const second = await open();
    await second.files.ensure(team);
    expect([makingsOf(second), second.transfers.at(-1)]).toEqual([['made'], 'put put']);
  });
});

describe('a store that is back', () => {
  const outage = (): StoreFailure => new StoreFailure('unreachable', 'It is away.');
  /** Which fails until `end` is called, in what it is asked to do. */
  const openFailing = (...methods: readonly ('get' | 'put')[]) => {
    const failing = server.open({ prefix: team });
    const [get, put] = [failing.get.bind(failing), failing.put.bind(failing)];
    let failed = methods;
    failing.get = (...given) => (failed.includes('get') ? Promise.reject(outage()) : get(...given));
    failing.put = (...given) => (failed.includes('put') ? Promise.reject(outage()) : put(...given));
    return { failing, end: (): void => void (failed = []) };
  };

  it('gets the file of a replica that could not put it there', async () => {
    await load();
    const { failing, end } = openFailing('put');
    const first = await open({ store: failing, shared: { retryMs: 5 } });
    await first.files.ensure(team);
    await waitUntil(() => first.transfers.filter((transfer) => transfer === 'put unreachable').length > 2);
    end();
    await waitUntil(() => first.transfers.at(-1) === 'put put');
    const second = await open();
    await second.files.ensure(team);
    expect([makingsOf(first), makingsOf(second), await count(second)]).toEqual([['made'], ['fetched'], '100']);
  });

  it('gets one file of all replicas that made it meanwhile', async () => {
    await load();
    const { failing, end } = openFailing('get', 'put');
    const both = [
      await open({ store: failing, shared: { retryMs: 5 } }),
      await open({ store: failing, shared: { retryMs: 5 } }),
    ];
    for (const client of both) await client.files.ensure(team);
    end();
    await waitUntil(async () => (await store.list(never)).length > 1);
    await sleep(50);
    expect(both.flatMap(({ transfers }) => transfers).filter((transfer) => transfer === 'put put')).toHaveLength(1);
    expect([both.map(makingsOf), (await store.list(never)).length]).toEqual([[['made'], ['made']], 2]);
  });

  it('gets no file of a generation that has gone', async () => {
    await load();
    const { failing, end } = openFailing('put');
    const client = await open({ store: failing, shared: { retryMs: 5 } });
    await client.files.ensure(team);
    await load(101);
    end();
    await client.files.ensure(team);
    await waitUntil(async () => (await store.list(never)).length > 1);
    await sleep(50);
    expect(await store.list(never)).toHaveLength(2);
    const next = await open();
    await next.files.ensure(team);
    expect([makingsOf(next), await count(next)]).toEqual([['fetched'], '101']);
  });
});

describe('a file for which there is no room', () => {
  it('is not fetched', async () => {
    await makeOnce();
    const client = await open({ files: { bytesMax: 1_000 } });
    await client.files.ensure(team);
    expect([makingsOf(client), client.transfers]).toEqual([['disk-full'], ['fetch disk-full']]);
    expect([await filesOf(client), await count(client)]).toEqual([[], undefined]);
  });

  it('leaves nothing behind where the disk is full before its end', async () => {
    await makeOnce();
    const client = await open();
    const lift = limitFileSize(process.pid, 50_000);
    try {
      await client.files.ensure(team);
    } finally {
      lift();
    }
    expect([makingsOf(client), client.transfers]).toEqual([['disk-full'], ['fetch disk-full']]);
    expect([await filesOf(client), await count(client)]).toEqual([[], undefined]);
    const next = await open();
    await next.files.ensure(team);
    expect([makingsOf(next), await count(next)]).toEqual([['fetched'], '100']);
  });
});

describe('old objects', () => {
  it('go when their grace has passed, unless a team still has their generation', async () => {
    await makeOnce();
    await store.put('a stranger', 'x', 1, never);
    const before = await store.list(never);
    await load(101);
    const client = await open({ shared: { graceMs: -60_000 } });
    await client.files.ensure(team);
    expect(await store.list(never)).toHaveLength(before.length + 2);
    const patient = await open();
    expect(await patient.shared?.removeOld(never)).toBe('done');
    expect(await store.list(never)).toHaveLength(before.length + 2);
    expect(await client.shared?.removeOld(never)).toBe('done');
    expect(await store.list(never)).toHaveLength(3);
    const next = await open();
    await next.files.ensure(team);
    expect([makingsOf(next), await count(next)]).toEqual([['fetched'], '101']);
    await execute('delete from knowledge_models.team_table');
    await client.shared?.removeOld(never);
    expect((await store.list(never)).map(({ name }) => name)).toEqual(['a stranger']);
  });

  it('of another version of the engine go, too', async () => {
    await makeOnce();
    const manifest = await nameOf('.json');
    const older = manifest.replace(/\/v[^/]*\//, '/v1.0.0-1/');
    await store.put(older, 'x', 1, never);
    const client = await open({ shared: { graceMs: -60_000 } });
    await client.files.ensure(team);
    await client.shared?.removeOld(never);
    const left = (await store.list(never)).map(({ name }) => name);
    expect([left.length, left.includes(manifest), left.includes(older)]).toEqual([2, true, false]);
  });

  it('are removed by one replica at a time', async () => {
    const client = await open();
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const other = runInColumnarTurn(fixture.pools.loads, 'removal of old objects', never, () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    expect(await client.shared?.removeOld(never)).toBe('busy');
    end.resolve();
    await other;
  });
});
