/** The columnar engine as the service starts it: what it does when it is on and off, and what its metrics tell. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestProcess } from '@tessera/service-kit/testing';
import { startFakeClickhouse } from '../testing/fake-clickhouse.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import { knowledgeModelsSettings } from '../settings.js';
import { ColumnarEngine } from './columnar-providers.js';

const team = 'meridian';
let fixture: Fixture;
let folder: string;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.load(team, { schema: 'p2p', name: 'item', columns: 'id bigint', rows: [{ id: 1 }] });
});
afterAll(() => fixture?.end());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-columnar-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (environment: Readonly<Record<string, string>>) => {
  const settings = {
    DATABASE_URL: fixture.database.urlFor('knowledge-models'),
    COLUMNAR_FOLDER: folder,
    ...environment,
  };
  const configuration = knowledgeModelsSettings.parse(settings);
  const { metrics, log, link } = createTestProcess('knowledge-models', configuration);
  const engine = new ColumnarEngine(configuration, log, metrics, fixture.pools, fixture.catalogs);
  const end = async (): Promise<void> => {
    await engine.beforeApplicationShutdown();
    await link.close();
  };
  return { engine, metrics, end };
};
const key = { team, schema: 'p2p', table: 'item', dataVersion: '1' };

describe('the columnar engine of a service', () => {
  it('makes nothing and starts nothing when it is off', async () => {
    const { engine, metrics, end } = open({ COLUMNAR: 'off', COLUMNAR_MIN_ROWS: '1' });
    engine.onApplicationBootstrap();
    await fixture.load(team, { schema: 'p2p', name: 'other', columns: 'id bigint', rows: [] });
    await fixture.catalogs.of(team);
    expect(engine.tables.find(key)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
    expect(await metrics.registry.metrics()).toContain('tessera_columnar_starts_total{service="knowledge-models"} 0');
    await end();
  });

  it('leaves tables with few rows to PostgreSQL, and says so in its metrics', async () => {
    const { engine, metrics, end } = open({});
    engine.onApplicationBootstrap();
    await engine.tables.ensure(team);
    expect(engine.tables.find(key)).toBeUndefined();
    const text = await metrics.registry.metrics();
    for (const name of ['tables', 'disk_bytes', 'memory_bytes'])
      expect(text).toContain(`tessera_columnar_${name}{service="knowledge-models"} 0`);
    const asked = engine.reader.ask(
      { sources: [{ table: key }], keys: [], aggregates: [] },
      { groupsMax: 1, signal: new AbortController().signal },
    );
    await expect(asked).rejects.toMatchObject({ reason: 'no-table' });
    expect(await metrics.registry.metrics()).toContain('tessera_columnar_questions_total{outcome="no-table"');
    await end();
  });

  it.each([
    ['what COLUMNAR_DISK_BYTES leaves', '1000000', (free: number) => free === 1_000_000],
    [
      'what the disk has, where that is less',
      '999999999999999',
      (free: number) => free > 0 && free < 999_999_999_999_999,
    ],
  ])('tells as free room %s', async (_what, bytes, isRight) => {
    const { engine, metrics, end } = open({ COLUMNAR_DISK_BYTES: bytes });
    engine.onApplicationBootstrap();
    await engine.tables.ensure(team);
    const text = await metrics.registry.metrics();
    await end();
    const [, free] = /tessera_columnar_disk_free_bytes\{[^}]*\} (\d+)/.exec(text) ?? [];
    expect([free, isRight(Number(free))]).toEqual([free, true]);
  });

  it('shares files where it is on and has a store, and counts what becomes of them', async () => {
    const store = { COLUMNAR_STORE: 's3://figures/tessera', COLUMNAR_STORE_SIGNING_SECRET: 's'.repeat(32) };
    const [without, off, on] = [open({}), open({ COLUMNAR: 'off', ...store }), open(store)];
    expect([without, off, on].map(({ engine }) => engine.shared !== undefined)).toEqual([false, false, true]);
    for (const direction of ['fetch', 'put'])
      expect(await on.metrics.registry.metrics()).toContain(
        `tessera_columnar_store_transfers_total{direction="${direction}"`,
      );
    for (const { end } of [without, off, on]) await end();
  });

  it('asks a cluster in place of a process and files where there is one', async () => {
    const { calls, url, stop } = await startFakeClickhouse(() => '');
    const { engine, metrics, end } = open({ COLUMNAR_URL: url, COLUMNAR_MIN_ROWS: '1' });
    engine.onApplicationBootstrap();
    await engine.tables.ensure(team);
    expect([engine.reader.engine, engine.tables.count]).toEqual(['clickhouse', 0]);
    expect(calls.map(({ query }) => query.slice(0, 45))).toContain('select name, comment from system.tables where');
    expect(await readdir(folder)).toEqual([]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('tessera_columnar_tables{service="knowledge-models"} 0');
    expect(text).not.toContain('tessera_columnar_starts_total');
    await end();
    await stop();
  });
});
