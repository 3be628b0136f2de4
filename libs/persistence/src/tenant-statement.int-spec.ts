import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil, createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { toOutageFailure, RequestAbandonedError } from './database-failure.js';
import { createPool } from './pool.js';
import {
  readTeamRowsInBatches,
  RowsTooLargeError,
  type TeamRows,
  type TeamStatement,
  type TextRow,
} from './tenant-statement.js';
import { runInTenantTransaction } from './tenant-transaction.js';

let database: TestDatabase;
let pool: pg.Pool;
const role = 'tessera.teamspec';
const own = 'tessera_knowledge_models';
const never = new AbortController().signal;

const open = (statementTimeoutMs: number): pg.Pool =>
  createPool({
    url: database.urlFor('knowledge-models'),
    applicationName: 'tenant-statement-spec',
    connectionsMax: 1,
    statementTimeoutMs,
    connectTimeoutMs: 60_000,
  });

/** As the owner of the team's tables. */
const change = (text: string): Promise<void> =>
  runInTenantTransaction(pool, 'teamspec', async (client) => void (await client.query(text)));

const ask = (statement: Partial<TeamStatement> & { readonly text: string }, signal = never): Promise<TeamRows> =>
  readTeamRowsInBatches(pool, { team: 'spec', role, values: [], ...statement }, signal);

const allOf = async (statement: Partial<TeamStatement> & { readonly text: string }): Promise<readonly TextRow[]> => {
  const rows = await ask(statement);
  const all = [...rows.first];
  if (rows.hasMore) for (let next = await rows.next(); next.length > 0; next = await rows.next()) all.push(...next);
  return all;
};

const backend = async (): Promise<string | null | undefined> =>
  (await allOf({ text: 'select pg_backend_pid()::text' }))[0]?.[0];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = open(60_000);
  await change(`
    select knowledge_models.open_team_schema('teamspec', 's');
    create table "teamspec.s".thing (id bigint primary key, name text);
    insert into "teamspec.s".thing select g, 'thing ' || g from generate_series(1, 1000) g;
    grant select on "teamspec.s".thing to "tessera.teamspec"`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('a statement as the role of a team', () => {
  it('runs read-only as that role with its settings, and resets all of it', async () => {
    const text = `select current_user, current_setting('transaction_read_only'), current_setting('lock_timeout')`;
    const settings = { lock_timeout: '77ms' };
    expect(await allOf({ text, settings })).toEqual([['tessera.teamspec', 'on', '77ms']]);
    const { rows } = await pool.query({ text, rowMode: 'array' });
    expect(rows).toEqual([[own, 'off', '0']]);
  });

  it('runs as the role of the connection when it names none', async () => {
    const { first } = await readTeamRowsInBatches(
      pool,
      { team: 'spec', text: 'select current_user', values: [] },
      never,
    );
    expect(first).toEqual([[own]]);
  });

  it('reads only what the role may read', async () => {
    expect(await allOf({ text: 'select count(*) from "teamspec.s".thing' })).toEqual([['1000']]);
    await expect(ask({ text: 'select 1 from knowledge_models.model' })).rejects.toThrow('permission denied');
    await expect(ask({ text: 'delete from "teamspec.s".thing' })).rejects.toThrow('read-only transaction');
    await expect(ask({ text: 'select 1', role: 'tessera_content_repo' })).rejects.toThrow('permission denied');
    expect(await backend()).toMatch(/^\d+$/);
  });

  it('returns the texts of PostgreSQL and null', async () => {
    const text = `select 9007199254740993::bigint, 1.10::numeric, true, null, '{"a": 1}'::json, 'ü'::text`;
    expect(await allOf({ text })).toEqual([['9007199254740993', '1.10', 't', null, '{"a": 1}', 'ü']]);
  });

  it('passes every value as a parameter, never as SQL', async () => {
    const hostile = [`'; drop table thing; --`, '{"a\\b"}', '', 'null', 'ä,ö', '\\', '"', '$1'];
    const text = 'select array_to_json($1::text[])::text, $2::text, $3::bigint, $4::boolean, $5::text, $6::bigint[]';
    const values = [hostile, hostile[0] ?? '', 12, true, null, [1, 2]];
    const [row] = await allOf({ text, values });
    expect(JSON.parse(row?.[0] ?? '')).toEqual(hostile);
    expect(row?.slice(1)).toEqual([hostile[0], '12', 't', null, '{1,2}']);
  });
});

describe('rows in batches', () => {
  const text = 'select id::text from "teamspec.s".thing order by thing.id';
  const ids = Array.from({ length: 1000 }, (_, index) => [String(index + 1)]);

  it.each([undefined, 1, 333, 1000, 1001])('of %s contain all rows in order', async (batchRows) => {
    expect(await allOf({ text, batchRows })).toEqual(ids);
    expect(await allOf({ text: `${text} limit 0`, batchRows })).toEqual([]);
  });

  it('have no more rows than the batch size', async () => {
    const rows = await ask({ text, batchRows: 10 });
    expect([rows.first.length, rows.hasMore]).toEqual([10, true]);
    expect(await rows.next()).toHaveLength(10);
    rows.close();
    expect((await ask({ text: `${text} limit 3`, batchRows: 10 })).hasMore).toBe(false);
  });

  it('end with an error in the middle and leave the connection usable', async () => {
    const rows = await ask({ text: `select 1 / (500 - id) from "teamspec.s".thing order by id`, batchRows: 400 });
    expect(rows.first).toHaveLength(400);
    await expect(rows.next()).rejects.toThrow('division by zero');
    expect((await pool.query<{ name: string }>('select current_user as name')).rows[0]?.name).toBe(own);
    expect(await allOf({ text })).toEqual(ids);
  });

  it('are rejected when they exceed the memory limit, and stream in smaller batches', async () => {
    const large = `select repeat('x', 10000000) from generate_series(1, 8)`;
    await expect(ask({ text: large })).rejects.toBeInstanceOf(RowsTooLargeError);
    expect(await allOf({ text: `select length(x)::text from (${large}) as t(x)` })).toHaveLength(8);
    const rows = await ask({ text: large, batchRows: 2 });
    let count = rows.first.length;
    for (let next = await rows.next(); next.length > 0; next = await rows.next()) count += next.length;
    expect(count).toBe(8);
  });

  it('end when the reader leaves, before and after it requests the next rows', async () => {
    for (const reads of [0, 1, 2]) {
      const rows = await ask({ text, batchRows: 5 });
      for (let read = 0; read < reads; read++) await rows.next();
      rows.close();
      rows.close();
      await expect(rows.next()).rejects.toBeInstanceOf(RequestAbandonedError);
      expect((await pool.query<{ name: string }>('select current_user as name')).rows[0]?.name).toBe(own);
      expect(await allOf({ text })).toEqual(ids);
    }
  });
});

describe('a slow reader', () => {
  it('has the full statement timeout for each batch', async () => {
    const patient = open(2_000);
    const text = 'select g from generate_series(1, 30) g';
    const rows = await readTeamRowsInBatches(patient, { team: 'spec', text, values: [], role, batchRows: 10 }, never);
    await pool.query('select pg_sleep(2.2)');
    expect([await rows.next(), await rows.next(), await rows.next()].map(({ length }) => length)).toEqual([10, 10, 0]);
    await patient.end();
  });

  it('can leave while its query waits for another on the connection, which continues', async () => {
    const text = 'select id::text from "teamspec.s".thing';
    for (const batchRows of [undefined, 5]) {
      const rows = await ask({ text, batchRows: 5 });
      const controller = new AbortController();
      const second = ask({ text, batchRows }, controller.signal).catch((error: unknown) => error);
      rows.close();
      controller.abort();
      expect(await second).toBeInstanceOf(RequestAbandonedError);
      expect(await allOf({ text })).toHaveLength(1000);
    }
  });
});

describe('the duration of a statement', () => {
  it('starts when it is sent, not while it waits for a connection', async () => {
    const text = 'select id::text from "teamspec.s".thing';
    const rows = await ask({ text, batchRows: 5 });
    const told: number[] = [];
    const second = ask({ text, tookMs: (ms) => void told.push(ms) });
    await pause(50);
    const closedMs = performance.now();
    rows.close();
    await second;
    const sinceMs = performance.now() - closedMs;
    expect(told).toHaveLength(1);
    expect(told[0]).toBeLessThanOrEqual(sinceMs);
  });

  it('is reported for a failed statement, and not for one that is never sent', async () => {
    const told: number[] = [];
    const tookMs = (ms: number): void => void told.push(ms);
    await expect(ask({ text: 'select 1 / (pg_sleep(0.1)::text::int)', tookMs })).rejects.toThrow('invalid input');
    expect(told).toEqual([expect.any(Number)]);
    expect(told[0]).toBeGreaterThan(99);
    await expect(ask({ text: 'select 1', tookMs }, AbortSignal.abort())).rejects.toBeInstanceOf(RequestAbandonedError);
    expect(told).toHaveLength(1);
  });
});

describe('a slow statement', () => {
  const sleep = { text: 'select pg_sleep(600)' };
  const runs = async (): Promise<boolean> => {
    const admin = createPool({
      url: database.adminUrl,
      applicationName: 'admin',
      connectionsMax: 1,
      statementTimeoutMs: 60_000,
    });
    const { rowCount } = await admin.query(
      `select from pg_stat_activity where application_name = 'tenant-statement-spec' and wait_event = 'PgSleep'`,
    );
    await admin.end();
    return rowCount !== 0;
  };

  it('is cancelled in PostgreSQL when the call is aborted', async () => {
    const controller = new AbortController();
    const cut = expect(ask(sleep, controller.signal)).rejects.toBeInstanceOf(RequestAbandonedError);
    await waitUntil(runs);
    controller.abort();
    await cut;
    await waitUntil(async () => !(await runs()));
    expect(await backend()).toMatch(/^\d+$/);
  });

  it('is not sent for an aborted call, and keeps the connection', async () => {
    const before = await backend();
    const failed = await ask(sleep, AbortSignal.abort()).catch((error: unknown) => error);
    expect(toOutageFailure(failed)?.code).toBe('SERVICE_UNAVAILABLE');
    expect(await backend()).toBe(before);
  });

  it('frees the connection when its call is aborted before its turn', async () => {
    await ask({ text: 'select 1', batchRows: 5 });
    const controller = new AbortController();
    const text = 'select g::text from generate_series(1, 1000) g';
    const cut = expect(ask({ text, batchRows: 5 }, controller.signal)).rejects.toBeInstanceOf(RequestAbandonedError);
    // It has the connection, to which PostgreSQL has not said yet that the statement before is over.
    for (let tick = 0; tick < 5; tick++) await new Promise<void>((resolve) => void process.nextTick(resolve));
    controller.abort();
    await cut;
    expect(await allOf({ text: 'select 7' })).toEqual([['7']]);
  });

  it('fails as unavailable after the timeout of the pool', async () => {
    const impatient = open(50);
    const failed = await readTeamRowsInBatches(impatient, { team: 'spec', ...sleep, values: [], role }, never).catch(
      (error: unknown) => error,
    );
    expect(toOutageFailure(failed)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    await impatient.end();
  });
});

describe('prepared statements', () => {
  const prepared = async (): Promise<readonly string[]> => {
    const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements order by name');
    return rows.map(({ name }) => name);
  };

  it('are created at the second use and survive the replacement of a table', async () => {
    const text = 'select * from "teamspec.s".swapped';
    const generation = (columns: string, row: string): Promise<void> =>
      change(`begin; drop table if exists "teamspec.s".swapped; create table "teamspec.s".swapped (${columns});
        insert into "teamspec.s".swapped values ${row}; grant select on "teamspec.s".swapped to "${role}"; commit`);
    await generation('a bigint', '(1)');
    const before = (await prepared()).length;
    await allOf({ text });
    expect(await prepared()).toHaveLength(before);
    for (let use = 0; use < 3; use++) expect(await allOf({ text })).toEqual([['1']]);
    expect(await prepared()).toHaveLength(before + 1);
    await generation('a text, b date', `('x', '2026-01-31')`);
    for (let use = 0; use < 3; use++) expect(await allOf({ text })).toEqual([['x', '2026-01-31']]);
    expect(await prepared()).toHaveLength(before + 1);
    await change('drop table "teamspec.s".swapped');
    for (let use = 0; use < 3; use++) await expect(ask({ text })).rejects.toThrow('does not exist');
    await generation('a boolean', '(true)');
    for (let use = 0; use < 3; use++) expect(await allOf({ text })).toEqual([['t']]);
  });

  it('survive invalid values', async () => {
    const text = 'select 10 / $1::int, $2::text::int';
    for (const [divisor, number] of [
      ['0', '1'],
      ['x', '1'],
      ['5', 'x'],
      ['0', '1'],
    ] as const)
      await expect(ask({ text, values: [divisor, number] })).rejects.toThrow();
    expect(await allOf({ text, values: ['5', '7'] })).toEqual([['2', '7']]);
  });

  it('are not created for very long texts', async () => {
    const text = `select length('${'x'.repeat(60_000)}')`;
    const before = await prepared();
    for (let use = 0; use < 3; use++) expect(await allOf({ text })).toEqual([['60000']]);
    expect(await prepared()).toEqual(before);
  });

  it('are limited per connection', async () => {
    for (let turn = 0; turn < 2; turn++)
      for (let number = 0; number < 290; number++) await ask({ text: `select ${number} as a` });
    for (let turn = 0; turn < 2; turn++)
      for (let number = 0; number < 290; number++) await ask({ text: `select ${number} as b` });
    const kept = (await prepared()).filter((name) => name.startsWith('q_'));
    expect(kept.length).toBeGreaterThan(250);
    expect(kept.length).toBeLessThanOrEqual(300);
    expect(await allOf({ text: 'select 7 as a' })).toEqual([['7']]);
  });
});
