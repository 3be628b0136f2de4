/**
 * What the role of a team can reach, with nothing else in the way: statements that no model would be compiled to, tried on a
 * real PostgreSQL.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runInTenantTransaction, readTeamRowsInBatches, type TextRow } from '@tessera/persistence';
import pg from 'pg';
import { type LoadClient, openLoadFixture } from '../testing/load-client.js';
import { readJsonAnswer, type Fixture } from '../testing/fixture.js';

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

const table = {
  id: 'item',
  columns: [
    { id: 'id', type: 'integer' as const },
    { id: 'secret', type: 'string' as const },
  ],
};
const role = 'tessera.ours';

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
  for (const team of ['ours', 'theirs']) {
    await loading.define(team, table);
    await readJsonAnswer(loading.load(team, 'item', `1,of ${team}\n`));
  }
});
afterAll(() => end());

/** As queries run: one statement, read-only. Answers its rows or the SQLSTATE. */
const read = async (text: string): Promise<readonly TextRow[] | string> => {
  try {
    const { first } = await readTeamRowsInBatches(
      fixture.pools.queries,
      { team: 'ours', role, text, values: [] },
      new AbortController().signal,
    );
    return first;
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.code ?? '') : String(error);
  }
};

/** The role alone, in a transaction that may write, by the protocol that takes several statements. */
const attempt = async (text: string): Promise<readonly unknown[] | string> => {
  const client = await fixture.pools.loads.connect();
  try {
    await client.query('begin');
    await client.query('select set_config($1, $2, true)', ['role', role]);
    const { rows } = await client.query<object>(text);
    return rows;
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.code ?? '') : String(error);
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const refused = '42501';
const unknownFunction = '42883';

describe('the role of a team', () => {
  it("reads its team's rows", async () => {
    expect(await read('select * from "ours.p2p".item')).toEqual([['1', 'of ours']]);
    expect(await attempt('select id from "ours.p2p".item')).toEqual([{ id: '1' }]);
  });

  it.each([
    ['rows of another team', 'select * from "theirs.p2p".item'],
    ['rows of another team in XML', `select query_to_xml('select * from "theirs.p2p".item', true, true, '')`],
    ['all tables of another team in XML', `select table_to_xml('"theirs.p2p".item'::regclass, true, true, '')`],
    ['words of another team', `select * from ts_stat('select to_tsvector(secret) from "theirs.p2p".item')`],
    ['definitions', 'select * from knowledge_models.model_version'],
    ['loads', 'select * from knowledge_models.table_load'],
    ['kept answers', 'select * from knowledge_models.idempotency'],
    ['events', 'select * from knowledge_models.outbox'],
    ['names of teams', `select knowledge_models.old_loads('-1 hour')`],
    ['content', 'select * from content_repo.element'],
    ['keys', 'select * from gateway.api_key'],
    ['passwords', 'select * from pg_authid'],
    ['passwords by a view', 'select * from pg_shadow'],
    ['samples of values', 'select * from pg_statistic'],
    ['large objects', 'select * from pg_largeobject'],
    ['files', `select pg_read_file('/etc/passwd')`],
    ['files as bytes', `select pg_read_binary_file('postgresql.conf')`],
    ['folders', `select pg_ls_dir('.')`],
    ['logs', 'select pg_ls_logdir()'],
    ['files as large objects', `select lo_import('/etc/passwd')`],
  ])('does not read %s', async (_what, text) => {
    expect(await read(text)).toBe(refused);
    expect(await attempt(text)).toBe(refused);
  });

  it.each([
    ['insert', `insert into "ours.p2p".item values (2, 'x')`],
    ['update', `update "ours.p2p".item set secret = 'x'`],
    ['delete', 'delete from "ours.p2p".item'],
    ['truncate', 'truncate "ours.p2p".item'],
    ['lock', 'lock table "ours.p2p".item in access exclusive mode'],
    ['drop', 'drop table "ours.p2p".item'],
    ['alter', 'alter table "ours.p2p".item add column x int'],
    ['index', 'create index on "ours.p2p".item (secret)'],
    ['make a table beside it', 'create table "ours.p2p".x (id int)'],
    ['make a table in public', 'create table public.x (id int)'],
    ['make a function', 'create function public.x() returns int language sql as $$ select 1 $$'],
    ['make a schema', 'create schema x'],
    ['make a role', 'create role x'],
    ['make an extension', 'create extension dblink'],
    ['copy to a program', `copy "ours.p2p".item to program 'cat'`],
    ['copy from a file', `copy "ours.p2p".item from '/etc/passwd'`],
    ['open a schema', `select knowledge_models.open_team_schema('theirs', 'p2p')`],
    ['grant itself more', 'grant select on "theirs.p2p".item to current_user'],
    ['become another team', 'set local role "tessera.theirs"; select * from "ours.p2p".item'],
    [
      'end another session',
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    ],
    ['read its settings anew', 'select pg_reload_conf()'],
  ])('may not %s', async (_what, text) => {
    expect(await attempt(text)).toBe(refused);
  });

  it.each([
    ['a function', `select set_config('role', 'none', true)`],
    [
      'a function beside a query',
      `select set_config('role', 'none', true), query_to_xml('table "theirs.p2p".item', true, true, '')`,
    ],
    ['the view of settings', `update pg_settings set setting = 'none' where name = 'role'`],
    ['a block', `do $$ begin set local role none; perform * from "theirs.p2p".item; end $$`],
    ['another tenant', `select set_config('app.tenant', 'theirs', true)`],
  ])('is not escaped by %s', async (_what, text) => {
    expect(await attempt(text)).toBe(refused);
    expect([refused, '25006']).toContain(await read(text));
  });

  it('is set anew for every single statement', async () => {
    expect(await read('reset role; select * from "theirs.p2p".item')).toBe('42601');
    expect(await read('reset role')).toEqual([]);
    expect(await read('select current_user')).toEqual([['tessera.ours']]);
    expect(await read('select * from "theirs.p2p".item')).toBe(refused);
    const { rows } = await fixture.pools.queries.query('select current_user');
    expect(rows).toEqual([{ current_user: 'tessera_knowledge_models' }]);
  });

  it('cannot connect to another server, and cannot write', async () => {
    expect(await read(`select * from dblink('dbname=postgres', 'select 1') as t (x int)`)).toBe(unknownFunction);
    expect(await read('select lo_create(0)')).toBe('25006');
    expect(await read('create temporary table x (id int)')).toBe('25006');
    expect(await read(`select nextval('knowledge_models.outbox_position_seq')`)).toBe(refused);
  });

  it('sees no statements of others, and no values of columns that it cannot read', async () => {
    expect(
      await read(`select distinct query from pg_stat_activity where pid <> pg_backend_pid() and query <> ''`),
    ).toEqual([['<insufficient privilege>']]);
    expect(await read(`select count(*) from pg_stats where schemaname = 'theirs.p2p'`)).toEqual([['0']]);
    expect(await read(`select count(*) from pg_stats where schemaname = 'ours.p2p'`)).toEqual([['2']]);
  });

  it('does not see the rows of a load before they are committed', async () => {
    const key = await loading.begin('ours', 'item');
    await readJsonAnswer(loading.stage(key, '1,not yet\n'));
    expect(await read(`select * from "ours.p2p"."item~${key.loadId.slice(-12)}"`)).toBe(refused);
  });
});

describe('the schema of a team', () => {
  const open = (tenant: string, team: string, schema: string) =>
    runInTenantTransaction(fixture.pools.loads, tenant, async (client) => {
      const { rows } = await client.query<{ physical_name: string; role_name: string }>(
        'select * from knowledge_models.open_team_schema($1, $2)',
        [team, schema],
      );
      return rows[0];
    });

  it('is opened only in a transaction of the team, under a valid name', async () => {
    await expect(open('ours', 'theirs', 'p2p')).rejects.toMatchObject({ code: refused });
    await expect(open('', '', 'p2p')).rejects.toMatchObject({ code: refused });
    for (const schema of ['x"y', 'x.y', 'X', '', `x'; drop table x`])
      await expect(open('ours', 'ours', schema)).rejects.toMatchObject({ code: '22023' });
    expect(await open('ours', 'ours', 'p2p')).toEqual({ physical_name: 'ours.p2p', role_name: role });
  });

  it('has a unique name however long the names are', async () => {
    const teams = ['x', 'y'].map((end) => `${'t'.repeat(62)}${end}`);
    const places = await Promise.all(teams.map((team) => open(team, team, 's'.repeat(63))));
    const names = places.flatMap((place) => (place ? [place.physical_name, place.role_name] : []));
    expect(new Set(names).size).toBe(4);
    expect(names.every((name) => name.length <= 63)).toBe(true);
    expect(await open(teams[0] ?? '', teams[0] ?? '', 's'.repeat(63))).toEqual(places[0]);
  });
});

describe('a load of a team', () => {
  it('does not touch another team', async () => {
    const known = () =>
      admin.query(
        `select (select revision from knowledge_models.team_state where tenant = 'theirs') as revision,
           (select json_agg(t) from knowledge_models.team_table t where tenant = 'theirs') as tables,
           (select json_agg(t) from "theirs.p2p".item t) as rows, '"theirs.p2p".item'::regclass::oid as oid`,
      );
    const { rows: before } = await known();
    await readJsonAnswer(loading.load('ours', 'item', '7,new\n', { mode: 'append' }));
    expect((await known()).rows).toEqual(before);
    expect(await read('select count(*) from "ours.p2p".item')).toEqual([['2']]);
  });
});
