import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.js';
import { isRunning } from './processes.js';

let place: string;
let server: PostgresServer | undefined;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'tessera-postgres-'));
  chmodSync(place, 0o711);
});
afterEach(async () => {
  await server?.stop();
  if (server !== undefined) rmSync(server.data, { recursive: true, force: true });
  server = undefined;
  rmSync(place, { recursive: true, force: true });
});

const queryRows = async (url: string, statement: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows[0];
  } finally {
    await client.end();
  }
};

const isRoot = process.getuid?.() === 0;

describe('startPostgres', () => {
  it('starts version 18 with Unicode and UTC, and requires the password', async () => {
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    const settings = `select split_part(current_setting('server_version'), '.', 1) as version, upper('ä') as upper,
      current_setting('TimeZone') as zone, current_setting('listen_addresses') as addresses`;
    expect(await queryRows(server.url, settings)).toEqual({
      version: '18',
      upper: 'Ä',
      zone: 'UTC',
      addresses: '127.0.0.1',
    });
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(queryRows(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((statSync(join(place, 'pg', 'password')).mode & 0o777).toString(8)).toBe('600');
    expect(execFileSync('ps', ['-o', 'uid=', '-p', String(server.pid)], { encoding: 'utf8' }).trim()).not.toBe('0');
  });

  it('keeps the data and the password from one start to the next', async () => {
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    const { url, port } = server;
    await queryRows(url, 'create table kept as select 42 as answer');
    await server.stop();
    server = await startPostgres({ dataFolder: join(place, 'pg'), port });
    expect(server.url).toBe(url);
    expect(await queryRows(url, 'select answer from kept')).toEqual({ answer: 42 });
  });

  it('stops the server of an earlier run and starts a new one', async () => {
    const left = await startPostgres({ dataFolder: join(place, 'pg') });
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    expect(isRunning(left.pid)).toBe(false);
    expect(await queryRows(server.url, 'select 1 as one')).toEqual({ one: 1 });
  });

  it('does not end another process that reuses the id of an old pid file', async () => {
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    await server.stop();
    const stranger = spawn('sleep', ['3600'], { stdio: 'ignore' });
    writeFileSync(join(server.data, 'postmaster.pid'), `${stranger.pid}\n${server.data}\n1\n1\n\n127.0.0.1\n\nready\n`);
    // The server itself does not start over such a file while the process lives; what matters is that it lives.
    await startPostgres({ dataFolder: join(place, 'pg') }).then(
      (started) => started.stop(),
      () => undefined,
    );
    expect(isRunning(stranger.pid ?? 0)).toBe(true);
    stranger.kill('SIGKILL');
  });

  it('keeps committed data after SIGKILL', async () => {
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    await queryRows(server.url, 'create table kept as select 42 as answer');
    process.kill(server.pid, 'SIGKILL');
    expect(await server.ended).toBe('signal SIGKILL');
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    expect(await queryRows(server.url, 'select answer from kept')).toEqual({ answer: 42 });
  });

  it('recreates the data when an earlier initialisation was interrupted', async () => {
    mkdirSync(join(place, 'pg', 'data.unfinished', 'base'), { recursive: true });
    chmodSync(join(place, 'pg'), 0o711);
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    expect(existsSync(join(place, 'pg', 'data.unfinished'))).toBe(false);
  });

  it('rejects data of another version, naming the setting', async () => {
    mkdirSync(join(place, 'pg', 'data'), { recursive: true });
    writeFileSync(join(place, 'pg', 'data', 'PG_VERSION'), '17\n');
    await expect(startPostgres({ dataFolder: join(place, 'pg') })).rejects.toMatchObject({
      message: expect.stringContaining('was made by PostgreSQL 17, this is 18'),
      setting: 'TESSERA_HOME',
    });
  });

  it('stores the data in another folder when the server account cannot access the configured one', async () => {
    chmodSync(place, 0o700);
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    const { data } = server;
    expect(data.startsWith(place)).toBe(!isRoot);
    await server.stop();
    rmSync(place, { recursive: true });
    place = mkdtempSync(join(tmpdir(), 'tessera-postgres-'));
    // The next server removes orphaned data.
    server = await startPostgres({ dataFolder: join(place, 'pg') });
    expect(existsSync(data)).toBe(false);
  });
});
