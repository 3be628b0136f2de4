import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil, createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { copyAsTeam, type CsvPieces, type TeamCopyStatement } from './copy-statement.js';
import { toOutageFailure, RequestAbandonedError } from './database-failure.js';
import { createPool } from './pool.js';
import { runInTenantTransaction } from './tenant-transaction.js';

let database: TestDatabase;
let pool: pg.Pool;
const role = 'tessera.copyspec';
const never = new AbortController().signal;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('knowledge-models'),
    applicationName: 'copy-statement-spec',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
  await runInTenantTransaction(
    pool,
    'copyspec',
    async (client) =>
      void (await client.query(`
        select knowledge_models.open_team_schema('copyspec', 's');
        create table "copyspec.s".thing (id bigint primary key, name text);
        insert into "copyspec.s".thing select g, 'thing ' || g from generate_series(1, 1000) g;
        grant select on "copyspec.s".thing to "tessera.copyspec"`)),
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Asked = Partial<TeamCopyStatement> & { readonly text: string };
const copy = (statement: Asked, signal = never): Promise<CsvPieces> =>
  copyAsTeam(pool, { team: 'copyspec', role, values: [], timeoutMs: 60_000, ...statement }, signal);

const textOf = async (pieces: CsvPieces): Promise<string> => {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
};
const copied = async (statement: Asked): Promise<string> => textOf(await copy(statement));
const isUsable = async (): Promise<boolean> => (await copied({ text: 'select 1' })) === '1\r\n';

describe('a copy as the role of a team', () => {
  it('writes lines as RFC 4180 defines them, and distinguishes null from an empty text', async () => {
    const text = `select * from (values ('a,b', 1, null, ''), ('say "x"', 2, 'y', E'two\\nlines'), ('ü', 3, ' z ', '-1+1')) v`;
    expect(await copied({ text })).toBe(
      ['"a,b",1,,""', '"say ""x""",2,y,"two\nlines"', 'ü,3, z ,-1+1', ''].join('\r\n'),
    );
    expect(await copied({ text: 'select 1 where false' })).toBe('');
  });

  it('runs read-only as that role, and resets everything', async () => {
    const text = "select current_user, current_setting('transaction_read_only'), current_setting('lock_timeout')";
    expect(await copied({ text, settings: { lock_timeout: '77ms' } })).toBe('tessera.copyspec,on,77ms\r\n');
    const after = await pool.query(
      `select current_user::text as "user", current_setting('transaction_read_only') as mode,
        coalesce(current_setting('tessera.p1', true), '') as value`,
    );
    expect(after.rows).toEqual([{ user: 'tessera_knowledge_models', mode: 'off', value: '' }]);
    await expect(copied({ text: 'select * from knowledge_models.model' })).rejects.toMatchObject({ code: '42501' });
    expect(await isUsable()).toBe(true);
  });

  it('passes values unchanged, and leaves quoted names and texts alone', async () => {
    const hostile = `'); drop table "copyspec.s".thing; -- $1 \\ "`;
    const values = [hostile, ['a"b', `c'd`, '{,}'], 3, null, true, '12.50'];
    const text = `select $1::text, array_length($2::text[], 1), $2::text[] @> array['c''d'], $3::bigint + 1, $4::text, $5::boolean,
      $6::numeric, '$1' as "$2" limit $3::bigint`;
    expect(await copied({ text, values })).toBe(`"${hostile.replaceAll('"', '""')}",3,t,4,,t,12.50,$1\r\n`);
    const filtered = `select name from "copyspec.s".thing where id = any($1::bigint[]) and name like $2::text order by id`;
    expect(await copied({ text: filtered, values: [['7', '8', '70'], '%7%'] })).toBe('thing 7\r\nthing 70\r\n');
  });

  it('rejects with the error of pg before its first line, and keeps the connection', async () => {
    await expect(copied({ text: 'select nothing' })).rejects.toMatchObject({ code: '42703' });
    await expect(copied({ text: 'select 1 / $1::int', values: [0] })).rejects.toMatchObject({ code: '22012' });
    expect(await isUsable()).toBe(true);
  });

  it('ends with the error of pg after lines that were already read', async () => {
    const pieces = await copy({ text: 'select 1 / (200000 - g) from generate_series(1, 300000) g' });
    expect((await pieces.next()).done).toBe(false);
    await expect(textOf(pieces)).rejects.toMatchObject({ code: '22012' });
    expect(await isUsable()).toBe(true);
  });

  it('keeps lines of any length whole', async () => {
    const text = `select repeat('x', g * 30000) from generate_series(0, 5) g`;
    const lines = (await copied({ text })).split('\r\n');
    expect(lines.map((line) => line.length)).toEqual([2, 30_000, 60_000, 90_000, 120_000, 150_000, 0]);
  });

  it('is cancelled after its own timeout, not that of other statements', async () => {
    const slow = { text: 'select pg_sleep(1) from generate_series(1, 60)', timeoutMs: 300 };
    const failed = await copied(slow).catch((error: unknown) => error);
    expect(toOutageFailure(failed) ?? failed).toBeDefined();
    expect(await isUsable()).toBe(true);
  });

  const endless = { text: `select generate_series(1, 1000000000), repeat('x', 100)` };

  it('makes PostgreSQL wait for a slow reader', async () => {
    const before = process.memoryUsage();
    const readBefore = streamOf(pool).bytesRead;
    const pieces = await copy(endless);
    const written = async (): Promise<number> => {
      const { bytesRead } = streamOf(pool);
      await new Promise((resolve) => setTimeout(resolve, 200));
      return streamOf(pool).bytesRead - bytesRead;
    };
    await waitUntil(async () => (await written()) === 0);
    const now = process.memoryUsage();
    expect(now.arrayBuffers - before.arrayBuffers).toBeLessThan(16 * 1024 * 1024);
    // One turn of the event loop takes no more from a socket that is full.
    expect(streamOf(pool).bytesRead - readBefore).toBeLessThan(512 * 1024);
    // It goes on where it was.
    let next = 1;
    for (let count = 0; count < 100; count++) {
      const { value } = await pieces.next();
      for (const line of Buffer.from(value ?? [])
        .toString()
        .split('\r\n')
        .slice(0, -1))
        expect(line.split(',')[0]).toBe(String(next++));
    }
    expect(next).toBeGreaterThan(10_000);
    await pieces.return?.();
    expect(await isUsable()).toBe(true);
  });

  it('says once that it has ended: behind its last line, by an error, and when its reader leaves', async () => {
    let ended = 0;
    const onEnd = (): void => void ended++;
    const pieces = await copy({ ...endless, onEnd });
    expect(ended).toBe(0);
    await pieces.return?.();
    await pieces.return?.();
    expect(ended).toBe(1);
    await copied({ text: 'select 1', onEnd });
    expect(ended).toBe(2);
    await expect(copied({ text: 'select nothing', onEnd })).rejects.toMatchObject({ code: '42703' });
    expect(ended).toBe(3);
  });

  it('ends in PostgreSQL when its reader leaves, by return or by the signal', async () => {
    const running = async (): Promise<number> => {
      const { rows } = await pool.query(
        `select count(*)::int as count from pg_stat_activity where state = 'active' and query like '%1000000000%' and pid <> pg_backend_pid()`,
      );
      return Number(Object(rows[0]).count);
    };
    const pieces = await copy(endless);
    await pieces.return?.();
    await pieces.next();
    await expect(pieces.next()).rejects.toBeInstanceOf(RequestAbandonedError);
    await waitUntil(async () => (await running()) === 0);
    const leaving = new AbortController();
    const left = await copy(endless, leaving.signal);
    leaving.abort();
    await expect(textOf(left)).rejects.toBeInstanceOf(RequestAbandonedError);
    await waitUntil(async () => (await running()) === 0);
    await expect(copy(endless, AbortSignal.abort())).rejects.toBeInstanceOf(RequestAbandonedError);
    expect(await isUsable()).toBe(true);
  });
});

/** Of the only connection of the pool. */
const streamOf = (of: pg.Pool): { readonly bytesRead: number } => Object(of)._clients[0].connection.stream;
