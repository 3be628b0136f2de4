import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, startPostgres, type PostgresServer } from '@tessera/local-stack';
import { createPool, mintApiKey } from '@tessera/persistence';
import { testRunFolder } from '@tessera/testing';
import { databasePasswordVariableFor, platformServices } from '../operations/secret-names.js';
import { nonEmptyLines, runTessera, type RunOptions } from '../testing/run-tessera.js';
import { openTerminal } from '../terminal/terminal.js';
import { migrateCommand } from './migrate.js';

/** Roles belong to a server: not on the one of the other specs. */
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({
    dataFolder: join(testRunFolder(), 'postgres-of-command-line'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '32MB' },
  });
});
afterAll(() => server.stop());

const password = 'a-password-for-this-spec';
const passwords = Object.fromEntries(
  platformServices.map((service) => [databasePasswordVariableFor(service), password]),
);
const { key, keyId } = mintApiKey();

const migrate = (environment: Readonly<Record<string, string>> = {}, more: RunOptions = {}) =>
  runTessera(['migrate'], { ...more, environment: { DATABASE_URL: server.url, ...passwords, ...environment } });

const urlWith = (change: (url: URL) => void): string => {
  const url = new URL(server.url);
  change(url);
  return url.href;
};
const place = (): string => `PostgreSQL at ${new URL(server.url).host}`;

const queryRows = async (statement: string): Promise<readonly Record<string, unknown>[]> => {
  const pool = createPool({
    url: server.url,
    applicationName: 'spec',
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
  });
  try {
    return (await pool.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await pool.end();
  }
};

/** What listens at `port` from now on is the server. */
const forward = async (port: number): Promise<Server> => {
  const listening = createServer((incoming) => {
    const outgoing = connect(server.port, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
  });
  await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve));
  return listening;
};

describe('migrate', () => {
  it('names every missing or malformed variable and prints no value', async () => {
    const { exitCode, out, err } = await migrate({ DATABASE_PASSWORD_AGENTS: '', ADMIN_KEY: 'tsk_topsecret' });
    expect([exitCode, out]).toEqual([2, '']);
    expect(nonEmptyLines(err)).toEqual([
      expect.stringMatching(/^error: DATABASE_PASSWORD_AGENTS is missing; expected /),
      expect.stringMatching(/^error: ADMIN_KEY is malformed; expected /),
    ]);
    expect(err).not.toContain('topsecret');
  });

  it('waits for an unreachable server, then prints the migrations that it ran', async () => {
    const port = await findFreePort();
    const late = urlWith((url) => (url.port = String(port)));
    let listening: Server | undefined;
    const ended = migrate(
      { DATABASE_URL: late },
      {
        heardErr: (text) => {
          if (!text.startsWith(`Waiting for PostgreSQL at 127.0.0.1:${port}/postgres: `)) return;
          void forward(port).then((opened) => (listening = opened));
        },
      },
    );
    const { exitCode, out, err } = await ended;
    expect(exitCode).toBe(0);
    expect(nonEmptyLines(err)).toHaveLength(1);
    expect(nonEmptyLines(out)[0]).toBe('ran gateway Gateway1763600000001');
    expect(nonEmptyLines(out).every((line) => /^ran [a-z-]+ \w+$/.test(line))).toBe(true);
    listening?.close();
  });

  it('runs no migration the second time', async () => {
    expect(await migrate()).toEqual({ exitCode: 0, out: 'nothing to do\n', err: '' });
  });

  it('prints which database roles got a new password, since the old one no longer works', async () => {
    const changed = { DATABASE_PASSWORD_AGENTS: 'p-another-password' };
    expect((await migrate(changed)).out).toBe('gave tessera_agents another password\n');
    expect((await migrate(changed)).out).toBe('nothing to do\n');
    expect((await migrate()).out).toBe('gave tessera_agents another password\n');
  });

  it('creates the key of the operators only once', async () => {
    expect(await migrate({ ADMIN_KEY: key })).toEqual({
      exitCode: 0,
      out: `made the key ${keyId} of the operators\n`,
      err: '',
    });
    await queryRows(`update gateway.api_key set scopes = '{admin}'`);
    expect((await migrate({ ADMIN_KEY: key })).out).toBe('nothing to do\n');
    const keys = await queryRows(
      `select tenant, name, scopes @> '{admin,content:read}' as every, hourly_limit from gateway.api_key`,
    );
    expect(keys).toEqual([{ tenant: 'operators', name: 'administration', every: true, hourly_limit: 2_000_000_000 }]);
  });

  it('rejects a revoked key and a key whose id belongs to another key', async () => {
    await queryRows(`update gateway.api_key set revoked_at = now()`);
    const revoked = await migrate({ ADMIN_KEY: key });
    expect([revoked.exitCode, revoked.err]).toEqual([1, expect.stringMatching(/^ADMIN_KEY was revoked; .*\n$/)]);
    await queryRows(`update gateway.api_key set revoked_at = null, digest = sha256('other')`);
    const foreign = await migrate({ ADMIN_KEY: key });
    expect([foreign.exitCode, foreign.err]).toEqual([
      1,
      expect.stringMatching(/^ADMIN_KEY has the id of another key; .*\n$/),
    ]);
  });

  it('prints an error of the server in one line', async () => {
    await queryRows(`create role weak login password 'weak'`);
    const refused = async (change: (url: URL) => void) => {
      const { exitCode, out, err } = await migrate({ DATABASE_URL: urlWith(change) });
      expect(out).toBe('');
      return [exitCode, err];
    };
    expect(await refused((url) => (url.password = 'wrong'))).toEqual([
      3,
      `${place()}/postgres refuses the user or the password of DATABASE_URL: password authentication failed for user "postgres".\n`,
    ]);
    expect(await refused((url) => (url.pathname = '/nothing'))).toEqual([
      3,
      `${place()}/nothing has no such database; make it first ("create database ...").\n`,
    ]);
    expect(await refused((url) => (url.search = '?sslmode=verify-full'))).toEqual([
      3,
      `${place()}/postgres cannot be used: The server does not support SSL connections.\n`,
    ]);
    expect(await refused((url) => (url.search = '?sslmode=verify-full&sslrootcert=/no/such/file'))).toEqual([
      3,
      `${place()}/postgres cannot be used: ENOENT: no such file or directory, open '/no/such/file'.\n`,
    ]);
    expect(await refused((url) => (url.username = url.password = 'weak'))).toEqual([
      1,
      expect.stringMatching(/^The role weak may not do all that is needed; .* alter role weak createrole; .*;\n$/),
    ]);
  });

  it('accepts a newer schema that only adds to its own, and rejects one that removes from it', async () => {
    const insert = (name: string) => queryRows(`insert into agents.migration (timestamp, name) values (9, '${name}')`);
    await queryRows(`insert into agents.expansion values ('Later1')`);
    await insert('Later1');
    const added = await migrate();
    expect(added).toMatchObject({ exitCode: 0, out: 'nothing to do\n' });
    expect(added.err).toBe('agents has Later1 of a later version, which only adds; this version works with it.\n');
    await insert('Later2');
    const taken = await migrate();
    expect([taken.exitCode, taken.err]).toEqual([
      1,
      expect.stringMatching(/^The schema of agents is newer .* Later2 .*\n$/),
    ]);
  });

  it('stops waiting when it is interrupted', async () => {
    const stopping = new AbortController();
    const unreachable = urlWith((url) => (url.port = '1'));
    const heardErr = (text: string): void => (text.startsWith('Waiting') ? stopping.abort() : undefined);
    const { exitCode, err } = await migrate({ DATABASE_URL: unreachable }, { heardErr, stopping: stopping.signal });
    expect([exitCode, nonEmptyLines(err).at(-1)]).toEqual([130, 'Interrupted.']);
  });

  it('fails when the server stays unreachable past the time limit', async () => {
    const [out, err] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })];
    const environment = { ...passwords, DATABASE_URL: urlWith((url) => (url.port = '1')) };
    const configuration = {
      gatewayUrl: undefined,
      adminKey: undefined,
      apiKey: undefined,
      environmentFile: '',
      environment,
    };
    const { signal: stopping } = new AbortController();
    const context = { terminal: openTerminal(out, err), configuration, input: Readable.from([]), stopping };
    expect(await migrateCommand(context, { waitMs: 0, pauseMs: 1 })).toBe(3);
    expect(err.read()).toBe(
      'PostgreSQL at 127.0.0.1:1/postgres cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n',
    );
  });
});
