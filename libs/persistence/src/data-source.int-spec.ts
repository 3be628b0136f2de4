import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fail, succeed } from '@tessera/failures';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { attemptInTenantEntityTransaction, runInTenantEntityTransaction, openDataSource } from './data-source.js';
import { toOutageFailure } from './database-failure.js';
import { gatewayEntities } from './gateway/entities/index.js';
import { Team } from './gateway/entities/team.entity.js';
import { createPool, ServicePools, type Pool } from './pool.js';

let database: TestDatabase;
let pool: Pool;
let source: DataSource;
const open = (): Pool =>
  createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 4,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 500,
  });
beforeAll(async () => {
  database = await createTestDatabase();
  pool = open();
  source = openDataSource(pool, gatewayEntities);
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

const save = (tenant: string, name = tenant): Promise<unknown> =>
  runInTenantEntityTransaction(source, tenant, (manager) => manager.save(Team, { tenant, name }));
const namesOf = (tenant: string): Promise<readonly string[]> =>
  runInTenantEntityTransaction(source, tenant, async (manager) => (await manager.find(Team)).map(({ name }) => name));

describe('entities of a tenant', () => {
  it('are written and read on connections of the given pool', async () => {
    await save('one', 'The first');
    expect(await namesOf('one')).toEqual(['The first']);
    expect(source.isInitialized).toBe(true);
    expect(pool.totalCount).toBeGreaterThan(0);
  });

  it('are hidden from other tenants and cannot be written for them', async () => {
    await save('one');
    expect(await namesOf('two')).toEqual([]);
    const foreign = runInTenantEntityTransaction(source, 'two', (manager) =>
      manager.save(Team, { tenant: 'three', name: 'x' }),
    );
    await expect(foreign).rejects.toThrow('row-level security');
    expect(
      await runInTenantEntityTransaction(source, 'two', (manager) => manager.delete(Team, { tenant: 'one' })),
    ).toMatchObject({
      affected: 0,
    });
  });

  it('share a transaction with named statements', async () => {
    await runInTenantEntityTransaction(source, 'four', async (manager, client) => {
      await manager.insert(Team, { tenant: 'four', name: 'before' });
      await client.query("update gateway.team set name = 'after' where tenant = 'four'");
      expect(await manager.findOneBy(Team, { tenant: 'four' })).toMatchObject({ name: 'after' });
    });
  });

  it('are rolled back after an error and after a failure', async () => {
    const breaks = runInTenantEntityTransaction(source, 'five', async (manager) => {
      await manager.insert(Team, { tenant: 'five', name: 'x' });
      throw new Error('planted');
    });
    await expect(breaks).rejects.toThrow('planted');
    const failed = await attemptInTenantEntityTransaction(source, 'five', async (manager) => {
      await manager.insert(Team, { tenant: 'five', name: 'x' });
      return fail('GENERAL_NOTFOUND', 'planted');
    });
    expect(failed.ok).toBe(false);
    expect(await namesOf('five')).toEqual([]);
    await attemptInTenantEntityTransaction(source, 'five', async (manager) => {
      await manager.insert(Team, { tenant: 'five', name: 'kept' });
      return succeed(undefined);
    });
    expect(await namesOf('five')).toEqual(['kept']);
  });

  it('are read and written on another pool of the service, which ends with the service', async () => {
    class Pools extends ServicePools {
      readonly second = this.open('second', 1);
    }
    const url = database.urlFor('gateway');
    const pools = new Pools({ service: 'spec', url, statementTimeoutMs: 5_000, log: { warn: () => undefined } });
    const nameOfSession = "select current_setting('application_name') as name";
    const work = (manager: EntityManager) => manager.query<readonly unknown[]>(nameOfSession);
    expect(await runInTenantEntityTransaction(source, 'one', work, { pool: pools.second })).toEqual([
      { name: 'spec-second' },
    ]);
    await pools.onApplicationShutdown();
    await expect(runInTenantEntityTransaction(source, 'one', work, { pool: pools.second })).rejects.toThrow(
      'after calling end',
    );
    expect(await runInTenantEntityTransaction(source, 'one', work)).toEqual([{ name: 'spec' }]);
  });

  it('take no more connections than the share of their tenant', async () => {
    const open = Promise.withResolvers<void>();
    const held = Array.from({ length: 3 }, () => runInTenantEntityTransaction(source, 'busy', () => open.promise));
    const fourth = runInTenantEntityTransaction(source, 'busy', async () => undefined);
    await expect(fourth).rejects.toMatchObject({ byTeam: true });
    expect(await namesOf('one')).toHaveLength(1);
    open.resolve();
    await Promise.all(held);
  });

  it('are available once PostgreSQL returns after an outage at the first use', async () => {
    const away = await database.blockConnections();
    const later = openDataSource(open(), gatewayEntities);
    const read = () => runInTenantEntityTransaction(later, 'one', (manager) => manager.count(Team));
    const error = await read().catch((thrown: unknown) => thrown);
    expect(toOutageFailure(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await away.unblock();
    expect(await read()).toBe(1);
    await later.destroy();
  });
});
