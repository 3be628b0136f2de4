import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { toOutageFailure } from './database-failure.js';
import { createPool } from './pool.js';
import { readAsTenant } from './tenant-statement.js';
import { runInTenantTransaction, openTenantTransaction } from './tenant-transaction.js';

let database: TestDatabase;
let pool: pg.Pool;

const addStorage = (tenant: string): Promise<unknown> =>
  runInTenantTransaction(pool, tenant, (client) =>
    client.query(
      `insert into content_repo.storage (tenant, storage_id, collection_name, storage_name, definition)
       values ($1, gen_random_uuid(), 'c', 's', '{}')`,
      [tenant],
    ),
  );

/** A repository that forgot to filter by tenant. */
const forgetful = { name: 'forgetful', text: 'select tenant from content_repo.storage where $1', values: [true] };

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('content-repo'),
    applicationName: 'persistence-spec',
    connectionsMax: 3,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
  await addStorage('one');
  await addStorage('two');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('row-level security', () => {
  it('limits a statement without a filter to the rows of its tenant', async () => {
    expect(await readAsTenant(pool, 'one', forgetful)).toEqual([{ tenant: 'one' }]);
    expect(await readAsTenant(pool, 'two', forgetful)).toEqual([{ tenant: 'two' }]);
    expect(await readAsTenant(pool, 'three', forgetful)).toEqual([]);
  });

  it('shows no rows without a tenant, even on a connection that served a tenant before', async () => {
    const plain = await Promise.all(Array.from({ length: 9 }, () => pool.query('select from content_repo.storage')));
    expect(plain.map(({ rowCount }) => rowCount)).toEqual(Array.from({ length: 9 }, () => 0));
  });

  it('isolates tenants when many calls share few connections', async () => {
    const tenants = Array.from({ length: 300 }, (_, index) => ['one', 'two', 'three'][index % 3] ?? '');
    const rows = await Promise.all(tenants.map((tenant) => readAsTenant(pool, tenant, forgetful)));
    rows.forEach((row, index) => expect(row).toEqual(tenants[index] === 'three' ? [] : [{ tenant: tenants[index] }]));
  });

  it('rejects a row of another tenant', async () => {
    const smuggle = runInTenantTransaction(pool, 'one', (client) =>
      client.query(
        `insert into content_repo.storage (tenant, storage_id, collection_name, storage_name, definition)
         values ('two', gen_random_uuid(), 'c', 'smuggled', '{}')`,
      ),
    );
    await expect(smuggle).rejects.toThrow(/row-level security/);
  });

  it('holds for a tenant whose name is SQL', async () => {
    expect(await readAsTenant(pool, `one' or '1'='1`, forgetful)).toEqual([]);
  });
});

describe('a statement as a tenant', () => {
  it('leaves the connection usable after a failure', async () => {
    const division = { name: 'division', text: 'select 1 / $1::int', values: [0] };
    await expect(readAsTenant(pool, 'one', division)).rejects.toThrow('division by zero');
    expect(await readAsTenant(pool, 'one', forgetful)).toEqual([{ tenant: 'one' }]);
  });

  it('returns columns by name and type, and accepts every value as a parameter', async () => {
    const hostile = [`'; drop table x; --`, '{"a\\b"}', 'null', ''];
    const text = `select $1::text[] as texts, $2::jsonb as object, $3::timestamptz as instant, $4::bytea as bytes,
      $5::bigint as large, $6::boolean as flag, $7::text as nothing, $8::integer[] as "wholeNumbers"`;
    const instant = new Date('2026-01-31T12:00:00.123Z');
    const values = [hostile, { a: [1, null] }, instant, Buffer.from([0, 255]), 1n, false, undefined, [1, null, 2]];
    expect(await readAsTenant(pool, 'one', { name: 'values', text, values })).toEqual([
      {
        ...{ texts: hostile, object: { a: [1, null] }, instant, bytes: Buffer.from([0, 255]) },
        ...{ large: '1', flag: false, nothing: null, wholeNumbers: [1, null, 2] },
      },
    ]);
  });

  it('is prepared again when its table has changed', async () => {
    const narrow = createPool({
      ...{ url: database.adminUrl, applicationName: 'persistence-narrow', connectionsMax: 1 },
      statementTimeoutMs: 60_000,
    });
    const all = { name: 'all_columns', text: 'select * from public.changing', values: [] };
    await narrow.query('create table public.changing as select 1 as a');
    for (let use = 0; use < 2; use++) expect(await readAsTenant(narrow, 'one', all)).toEqual([{ a: 1 }]);
    await narrow.query('alter table public.changing add b text');
    await expect(readAsTenant(narrow, 'one', all)).rejects.toThrow('cached plan must not change result type');
    expect(await readAsTenant(narrow, 'one', all)).toEqual([{ a: 1, b: null }]);
    await narrow.end();
  });

  it('is cancelled after its timeout with a failure that says so', async () => {
    const strict = createPool({
      url: database.urlFor('content-repo'),
      applicationName: 'persistence-strict',
      connectionsMax: 1,
      statementTimeoutMs: 500,
      connectTimeoutMs: 60_000,
    });
    const sleep = { name: 'sleep', text: 'select pg_sleep($1)', values: [600] };
    const error: unknown = await readAsTenant(strict, 'one', sleep).catch((reason: unknown) => reason);
    await strict.end();
    expect(toOutageFailure(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('succeeds again after the server closed its connections', async () => {
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const admin = createPool({
      url: database.adminUrl,
      applicationName: 'persistence-admin',
      connectionsMax: 1,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 60_000,
    });
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      'persistence-spec',
    ]);
    await admin.end();
    expect(rows).toHaveLength(1);
    const errors: unknown[] = [];
    for (let tries = 0; tries < 20; tries++) {
      const outcome = await readAsTenant(pool, 'one', forgetful).catch((error: unknown) => void errors.push(error));
      if (outcome) break;
    }
    for (const error of errors) expect(toOutageFailure(error)?.code).toBe('SERVICE_UNAVAILABLE');
    expect(await readAsTenant(pool, 'one', forgetful)).toEqual([{ tenant: 'one' }]);
  });
});

describe('a tenant transaction', () => {
  it.each([false, true])('begins with its tenant and settings in one round trip (pipelined: %s)', async (pipelined) => {
    const single = createPool({
      ...{ url: database.urlFor('content-repo'), applicationName: 'persistence-single', connectionsMax: 1 },
      ...{ statementTimeoutMs: 60_000, connectTimeoutMs: 60_000, pipelined },
    });
    const { connection, release } = await single.connect().then((client) => ({
      connection: client.connection,
      release: () => client.release(),
    }));
    release();
    let answers = 0;
    connection.on('readyForQuery', () => answers++);
    const tenant = `one' or true --`;
    const options = { kind: 'snapshot', statementTimeoutMs: 7_000, settings: { enable_sort: 'off' } } as const;
    const text = `select current_setting('app.tenant') as tenant, current_setting('statement_timeout') as timeout,
      current_setting('enable_sort') as sort, current_setting('transaction_isolation') as isolation`;
    for (let use = 0; use < 2; use++) {
      answers = 0;
      const opened = await openTenantTransaction(single, tenant, options);
      expect(answers).toBe(1);
      expect((await opened.client.query(text)).rows).toEqual([
        { tenant, timeout: '7s', sort: 'off', isolation: 'repeatable read' },
      ]);
      await opened.rollback();
    }
    const { rows } = await single.query(text);
    expect(rows).toMatchObject([{ tenant: '', timeout: '1min', sort: 'on', isolation: 'read committed' }]);
    await single.end();
  });

  it('that cannot begin rejects and leaves no connection behind', async () => {
    const options = { settings: { enable_sort: 'perhaps' } };
    await expect(openTenantTransaction(pool, 'one', options)).rejects.toThrow(/enable_sort/);
    await expect(openTenantTransaction(pool, 'one\0two')).rejects.toThrow(/0x00/);
    expect(pool.idleCount).toBe(pool.totalCount);
    expect(await readAsTenant(pool, 'one', forgetful)).toEqual([{ tenant: 'one' }]);
  });

  it('is rolled back when its work rejects', async () => {
    const work = runInTenantTransaction(pool, 'one', async (client) => {
      await client.query('delete from content_repo.storage');
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await readAsTenant(pool, 'one', forgetful)).toEqual([{ tenant: 'one' }]);
  });

  it('sees one state throughout a snapshot', async () => {
    const snapshot = await openTenantTransaction(pool, 'four', { kind: 'snapshot' });
    const count = async (): Promise<unknown> =>
      (await snapshot.client.query('select count(*)::int as n from content_repo.storage')).rows[0];
    expect(await count()).toEqual({ n: 0 });
    await addStorage('four');
    expect(await count()).toEqual({ n: 0 });
    await snapshot.commit();
    expect(await readAsTenant(pool, 'four', forgetful)).toEqual([{ tenant: 'four' }]);
  });
});

describe('a database error', () => {
  it('is an outage only when a retry can help', () => {
    expect(toOutageFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))?.code).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(toOutageFailure(Object.assign(new Error('starting up'), { code: '57P03' }))?.code).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(toOutageFailure(Object.assign(new Error('no route'), { code: 'ENETUNREACH' }))?.code).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(toOutageFailure(Object.assign(new Error('syntax'), { code: '42601' }))).toBeUndefined();
    expect(toOutageFailure('no error')).toBeUndefined();
  });

  const brokenPool = (url: string): pg.Pool =>
    createPool({
      ...{ url, applicationName: 'persistence-spec', connectionsMax: 1 },
      ...{ statementTimeoutMs: 60_000, connectTimeoutMs: 300 },
    });
  const errorOf = (asked: pg.Pool): Promise<unknown> => asked.query('select').catch((error: unknown) => error);

  it('is an outage when the pool has ended with its process', async () => {
    const ended = brokenPool(database.urlFor('content-repo'));
    await ended.end();
    expect(toOutageFailure(await errorOf(ended))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
  });

  it('is an outage when the server accepts the connection and never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const waiting = brokenPool(`postgres://nobody@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/none`);
    expect(toOutageFailure(await errorOf(waiting))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await waiting.end();
    silent.close();
  });

  it('is an outage when the database accepts no more connections', async () => {
    const full = brokenPool(database.urlFor('content-repo'));
    const { unblock } = await database.blockConnections();
    expect(toOutageFailure(await errorOf(full))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await unblock();
    expect(await errorOf(full)).toMatchObject({ rowCount: 1 });
    await full.end();
  });
});
