import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@tessera/local-stack';
import { waitUntil, testRunFolder } from '@tessera/testing';
import pg from 'pg';
import { backUp, checkArchive, restoreArchive } from './backup/index.js';
import { transientTables } from './backup/kept-tables.js';
import { seedTeam, readTeamRows } from './backup/testing/sample-teams.js';
import {
  databaseServiceNames,
  databaseServices,
  migrationKindsOf,
  type DatabaseServiceName,
} from './database-services.js';
import { migrate, MigrationRefusedError, serviceDatabaseUrl } from './migrate.js';
import { createPool } from './pool.js';
import { readSchemaState, type SchemaState } from './schema-state.js';

/** Roles belong to a server, and passwords of roles are changed here: not on the server of the other specs. */
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({
    dataFolder: join(testRunFolder(), 'postgres-of-migrate'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '32MB' },
  });
});
afterAll(() => server.stop());

const passwordsOf = (word: string): Readonly<Record<DatabaseServiceName, string>> => ({
  gateway: `${word}-1`,
  'content-repo': `${word}-2`,
  'tool-gateway': `${word}-3`,
  agents: `${word}-4`,
  'knowledge-models': `${word}-5`,
});
const passwords = passwordsOf('first');

const urlOf = (database: string, user?: string): string => {
  const address = new URL(server.url);
  address.pathname = `/${database}`;
  if (user !== undefined) address.username = address.password = user;
  return address.href;
};

const ask = async (url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
};

const newDatabase = async (name: string): Promise<string> => {
  await ask(server.url, `create database ${name}`);
  return urlOf(name);
};

const stateOf = async (
  url: string,
  service: DatabaseServiceName,
  password = passwords[service],
): Promise<SchemaState> => {
  const pool = createPool({
    url: serviceDatabaseUrl(url, service, password),
    applicationName: 'spec',
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
  });
  try {
    return await readSchemaState(pool, service);
  } finally {
    await pool.end();
  }
};

const everyMigration = databaseServiceNames.flatMap((service) =>
  [...migrationKindsOf(service).keys()].map((migration) => ({ service, migration })),
);

const { schema } = databaseServices.agents;
const runLater = (name: string) => `insert into ${schema}.migration (timestamp, name) values (9, '${name}')`;
const declare = (name: string) => `insert into ${schema}.expansion values ('${name}')`;

describe('a role that is not a superuser', () => {
  let asOwner: string;
  beforeAll(async () => {
    await ask(server.url, `create role owner login password 'owner'`);
    await newDatabase('owned');
    asOwner = urlOf('owned', 'owner');
  });

  it('gets a list of its missing rights, and nothing is created', async () => {
    const refused: unknown = await migrate({ url: asOwner, passwords }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MigrationRefusedError);
    expect(refused).toMatchObject({
      message: expect.stringMatching(/^The role owner may not .* in the database owned: alter role owner createrole;/),
    });
    expect(await ask(asOwner, `select nspname from pg_namespace where nspname = 'gateway'`)).toEqual([]);
    await ask(urlOf('owned'), ...grantsIn(refused));
  });

  it('migrates once it has them, and teams stay isolated', async () => {
    expect((await migrate({ url: asOwner, passwords })).ran).toEqual(everyMigration);
    expect((await migrate({ url: asOwner, passwords })).ran).toEqual([]);
    for (const service of databaseServiceNames) expect(await stateOf(asOwner, service)).toEqual({ state: 'current' });
    const asService = serviceDatabaseUrl(asOwner, 'knowledge-models', passwords['knowledge-models']);
    const open = `with tenant as (select set_config('app.tenant', 'meridian', true) as team)
      select o.* from tenant, knowledge_models.open_team_schema(team, 'p2p') o`;
    expect(await ask(asService, open)).toEqual([{ physical_name: 'meridian.p2p', role_name: 'tessera.meridian' }]);
    await ask(asService, 'create table "meridian.p2p".fact (id int)');
    const asTeam = `set role "tessera.meridian"`;
    expect(await ask(asService, asTeam, 'select current_user')).toEqual([{ current_user: 'tessera.meridian' }]);
    await expect(ask(asService, asTeam, `select set_config('role', 'none', false)`)).rejects.toThrow('denied');
    await expect(ask(asService, asTeam, 'do $$ begin end $$')).rejects.toThrow('denied');
    await ask(asService, 'drop table "meridian.p2p".fact');
  });

  it('backs up and restores all teams', async () => {
    const file = join(testRunFolder(), 'by-owner.tar.gz');
    const rest = { product: '0.0.1', progress: () => undefined, stopping: new AbortController().signal };
    const asOther = urlOf('owned_too', 'owner');
    await newDatabase('owned_too');
    const lacking: unknown = await migrate({ url: asOther, passwords }).catch((error: unknown) => error);
    await ask(urlOf('owned_too'), ...grantsIn(lacking));
    await migrate({ url: asOther, passwords });
    const [source, target] = [asOwner, asOther].map((connectionString) => new pg.Client({ connectionString }));
    await source?.connect();
    await target?.connect();
    if (!source || !target) throw new Error('Two clients were made.');
    await seedTeam(source, 'o-a');
    await seedTeam(source, 'other', 'Other');
    expect((await backUp({ url: asOwner, team: undefined, file, ...rest })).teams).toEqual([
      'meridian',
      'o-a',
      'other',
    ]);
    await restoreArchive(await checkArchive(file, rest.progress, rest.stopping), { url: asOther, ...rest });
    const kept = async (client: pg.Client) =>
      Object.entries(await readTeamRows(client, 'o-a')).filter(([name]) => !(name in transientTables));
    expect(await kept(target)).toEqual(await kept(source));
    await Promise.all([source.end(), target.end()]);
  });
});

const grantsIn = (refused: unknown): readonly string[] => {
  const message = refused instanceof Error ? refused.message : '';
  return message
    .slice(message.indexOf(': ') + 2)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
};

describe('a database', () => {
  let url: string;
  beforeAll(async () => {
    url = await newDatabase('migrated');
  });

  it('needs the encoding UTF8', async () => {
    await ask(server.url, `create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0`);
    await expect(migrate({ url: urlOf('latin'), passwords })).rejects.toThrow('encoding UTF8; this has LATIN1');
  });

  it('is migrated once by concurrent callers', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => migrate({ url, passwords })));
    const ran = answers.map((answer) => answer.ran).filter(({ length }) => length > 0);
    expect(ran).toEqual([everyMigration]);
    expect(answers.every(({ ahead }) => ahead.length === 0)).toBe(true);
  });

  it('has a role for every service that can use only its own schema', async () => {
    await ask(server.url, 'alter role tessera_gateway createrole inherit');
    await migrate({ url, passwords });
    const rows = await ask(
      url,
      `select distinct rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolinherit, rolcanlogin
       from pg_roles where rolname = any('{${databaseServiceNames.map((name) => databaseServices[name].role).join()}}')`,
    );
    expect(rows).toEqual([
      {
        ...{ rolsuper: false, rolbypassrls: false, rolcreatedb: false },
        rolcreaterole: false,
        rolinherit: false,
        rolcanlogin: true,
      },
    ]);
  });

  it('accepts the new passwords of roles and rejects the old ones', async () => {
    await migrate({ url, passwords: passwordsOf('earlier') });
    await migrate({ url, passwords });
    await expect(stateOf(url, 'agents', 'earlier-4')).rejects.toMatchObject({ code: '28P01' });
    expect(await stateOf(url, 'agents')).toEqual({ state: 'current' });
  });

  it('is not migrated when the caller stops waiting', async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('select pg_advisory_lock(7305821)');
    const stopping = new AbortController();
    const ended = expect(migrate({ url, passwords, stopping: stopping.signal })).rejects.toThrow('enough');
    await waitUntil(async () => {
      const { rows } = await holder.query('select from pg_locks where not granted');
      return rows.length === 1;
    });
    stopping.abort(new Error('enough'));
    await ended;
    await expect(migrate({ url, passwords, stopping: stopping.signal })).rejects.toThrow('enough');
    await holder.end();
  });

  it('counts as older than the code while any migration is missing', async () => {
    const missing = [...migrationKindsOf('agents').keys()];
    expect(await stateOf(await newDatabase('empty'), 'agents')).toEqual({ state: 'older', missing });
    await ask(url, `delete from content_repo.migration where name like 'FindContent%'`);
    expect(await stateOf(url, 'content-repo')).toEqual({ state: 'older', missing: ['FindContent1764000000006'] });
  });

  it('counts as current when a later version only added to a schema', async () => {
    await ask(
      url,
      declare('Later1'),
      runLater('Later1'),
      `insert into content_repo.migration (timestamp, name) values (1764000000006, 'FindContent1764000000006')`,
    );
    expect(await stateOf(url, 'agents')).toEqual({ state: 'current' });
    expect(await migrate({ url, passwords })).toEqual({
      newPasswords: [],
      ran: [],
      ahead: [{ service: 'agents', migration: 'Later1' }],
    });
  });

  it('counts as newer than the code when a later version did more, and is left unchanged', async () => {
    await ask(url, runLater('Later2'));
    expect(await stateOf(url, 'agents')).toEqual({ state: 'newer', unknown: ['Later2'] });
    await expect(migrate({ url, passwords: passwordsOf('other') })).rejects.toThrow(
      'The schema of agents is newer than this version: Later2',
    );
    expect(await stateOf(url, 'agents')).toMatchObject({ state: 'newer' });
  });
});

it('names the folder of the server whose disk is full', async () => {
  const url = await newDatabase('full_disk');
  await ask(
    url,
    `create function fail() returns event_trigger language plpgsql as $$ begin
       raise 'could not extend file "base/5/1259": No space left on device' using errcode = '53100'; end $$`,
    `create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE') execute function fail()`,
  );
  await expect(migrate({ url, passwords })).rejects.toThrow(
    `The disk of the PostgreSQL server is full (data directory ${server.data}): could not extend file`,
  );
  await ask(server.url, 'drop database full_disk');
});
