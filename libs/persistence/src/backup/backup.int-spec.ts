import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil, createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { backUp, checkArchive, restoreArchive } from './index.js';
import {
  readBackupTables,
  transientTables,
  qualifiedTableName,
  platformTables,
  findTablesWithoutTenant,
} from './kept-tables.js';
import { specialCharacters, seedTeam, replaceTable, readTeamRows } from './testing/sample-teams.js';

type Opened = { readonly database: TestDatabase; readonly client: pg.Client };

const stopping = new AbortController().signal;
const progress = (): void => undefined;
let source: Opened;
let target: Opened;
let folder: string;
let file: string;

const open = async (): Promise<Opened> => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  return { database, client };
};
const close = async ({ database, client }: Opened): Promise<void> => {
  await client.end();
  await database.drop();
};

beforeAll(async () => {
  source = await open();
  await seedTeam(source.client, 'o-a');
  await seedTeam(source.client, 'other', 'Other');
});
afterAll(() => close(source));
beforeEach(async () => {
  target = await open();
  folder = await mkdtemp(join(tmpdir(), 'tessera-backup-'));
  file = join(folder, 'backup.tar.gz');
});
afterEach(async () => {
  await close(target);
  await rm(folder, { recursive: true });
});

const backUpFrom = ({ database }: Opened, team?: string, to = file) =>
  backUp({ url: database.adminUrl, team, file: to, product: '0.0.1', progress, stopping });
const restoreInto = async ({ database }: Opened, url = database.adminUrl) => {
  const checked = await checkArchive(file, progress, stopping);
  await restoreArchive(checked, { url, progress, stopping });
  return checked;
};

/** Without what is only of the moment. */
const keptRows = async ({ client }: Opened, team: string) => {
  const rows = await readTeamRows(client, team);
  return Object.fromEntries(Object.entries(rows).filter(([name]) => !(name in transientTables)));
};

describe('a table of a service', () => {
  it('is in a backup, or listed with the reason for leaving it out', async () => {
    const { client } = source;
    expect((await readBackupTables(client)).map(qualifiedTableName).toSorted()).toEqual([
      'agents.agent',
      'agents.agent_version',
      'agents.conversation',
      'agents.idempotency',
      'agents.outbox',
      'agents.step',
      'agents.team_state',
      'agents.turn',
      'content_repo.change',
      'content_repo.change_entry',
      'content_repo.content_element',
      'content_repo.deleted_version',
      'content_repo.element',
      'content_repo.element_version',
      'content_repo.idempotency',
      'content_repo.outbox',
      'content_repo.relation',
      'content_repo.rendition',
      'content_repo.rendition_history',
      'content_repo.storage',
      'gateway.access_change',
      'gateway.access_role',
      'gateway.api_key',
      'gateway.idempotency',
      'gateway.local_user',
      'gateway.member',
      'gateway.team',
      'knowledge_models.evidence',
      'knowledge_models.idempotency',
      'knowledge_models.model',
      'knowledge_models.model_version',
      'knowledge_models.outbox',
      'knowledge_models.team_state',
      'knowledge_models.team_table',
      'tool_gateway.asset',
      'tool_gateway.asset_version',
      'tool_gateway.idempotency',
      'tool_gateway.outbox',
      'tool_gateway.team_state',
      'tool_gateway.tool_call',
    ]);
    expect(await findTablesWithoutTenant(client)).toEqual(Object.keys(platformTables).toSorted());
  });

  it('uses no sequence except for identity columns, since a restore sets no other sequence', async () => {
    const { rows } = await source.client.query(
      `select adrelid::regclass from pg_attrdef join pg_attribute on attrelid = adrelid and attname = 'tenant'
       where pg_get_expr(adbin, adrelid) like 'nextval%'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a backup of a team', () => {
  it('restores every row of it, and none of other teams', async () => {
    const told = await backUpFrom(source, 'o-a');
    expect(told.teams).toEqual(['o-a']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const restored = await restoreInto(target);
    expect(restored).toMatchObject({ rows: told.rows, rowBytes: told.rowBytes });
    const rows = await keptRows(target, 'o-a');
    expect(rows).toEqual(await keptRows(source, 'o-a'));
    expect(Object.keys(rows)).toHaveLength(24);
    expect(rows['gateway.team']?.[0]).toContain('Söhne');
    expect(await readTeamRows(target.client, 'other')).toEqual({});
  });

  it('keeps the order of events and gives them positions that no other event has', async () => {
    await seedTeam(target.client, 'there');
    await backUpFrom(source, 'o-a');
    await restoreInto(target);
    const { rows } = await target.client.query<{ tenant: string; event: string }>(
      `select tenant, right(event_id::text, 1) as event from content_repo.outbox order by position`,
    );
    expect(rows.map(({ tenant, event }) => `${tenant} ${event}`)).toEqual([
      'there 3',
      'there 1',
      'there 2',
      'o-a 3',
      'o-a 1',
      'o-a 2',
    ]);
  });

  it('restores tables as the service creates them: owner, role of the team, indexes, checks, statistics', async () => {
    await backUpFrom(source, 'o-a');
    await restoreInto(target);
    const shapeOf = async ({ client }: Opened) => {
      const { rows } = await client.query(
        `select c.relowner::regrole::text as owner, c.relacl::text as rights, c.reloptions as options,
           (select nspacl::text || nspowner::regrole::text from pg_namespace where oid = c.relnamespace) as place,
           array(select pg_get_indexdef(indexrelid) from pg_index where indrelid = c.oid order by 1) as indexes,
           array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid order by 1) as checks,
           array(select array[attname, format_type(atttypid, atttypmod), attcollation::regcollation::text, attnotnull::text]
             from pg_attribute where attrelid = c.oid and attnum > 0 order by attnum) as columns
         from pg_class c where c.oid = '"o-a.p2p".item'::regclass`,
      );
      return rows;
    };
    expect(await shapeOf(target)).toEqual(await shapeOf(source));
    const { rows } = await target.client.query(
      `select (select reltuples from pg_class where oid = '"o-a.p2p".item'::regclass) as rows,
         (select relallvisible = relpages from pg_class where oid = '"o-a.p2p".item'::regclass) as settled,
         (select count(*)::int from pg_stats where tablename = 'item' and schemaname = 'o-a.p2p') as statistics`,
    );
    expect(rows).toEqual([{ rows: 2, settled: true, statistics: 8 }]);
    await target.client.query('set role "tessera.o-a"');
    expect((await target.client.query('select id from "o-a.p2p".item')).rows).toEqual([{ id: '2' }, { id: '1' }]);
    await target.client.query('reset role');
  });

  it('works for any team name', async () => {
    const { client } = target;
    const team = 'Käufer."x"\\y\'; drop';
    await client.query('insert into gateway.team (tenant, name) values ($1, $1)', [team]);
    await backUpFrom(target, team);
    await client.query('delete from gateway.team');
    await restoreInto(target);
    expect((await client.query('select tenant, name from gateway.team')).rows).toEqual([{ tenant: team, name: team }]);
  });

  it('is rejected for an unknown team', async () => {
    await expect(backUpFrom(source, 'o')).rejects.toThrow('the database has no team "o"; it has o-a, other');
    await expect(backUpFrom(target)).resolves.toMatchObject({ teams: [], rows: 0 });
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
  });

  it('overwrites neither an existing file nor one that is being written', async () => {
    await backUpFrom(source, 'other');
    await expect(backUpFrom(source, 'o-a')).rejects.toThrow('is there already');
    await writeFile(join(folder, 'b.part'), '');
    await expect(backUpFrom(source, 'o-a', join(folder, 'b'))).rejects.toThrow('b.part is there: another backup');
    await expect(backUpFrom(source, 'o-a', join(folder, 'no', 'b'))).rejects.toThrow('cannot be written: ENOENT');
    expect((await checkArchive(file, progress, stopping)).manifest.teams).toEqual(['other']);
  });

  it('leaves no file behind when it is stopped', async () => {
    const stop = new AbortController();
    const stopped = backUp({
      url: source.database.adminUrl,
      team: undefined,
      file,
      product: '0.0.1',
      progress: () => stop.abort(),
      stopping: stop.signal,
    });
    await expect(stopped).rejects.toThrow('aborted');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is rejected when a table of the team has something that an archive cannot describe', async () => {
    await seedTeam(target.client, 'odd');
    for (const odd of [
      'create index odd on "odd.p2p".item (lower(name))',
      'alter table "odd.p2p".item add constraint odd check (id > 0)',
      'alter table "odd.p2p".item add column odd point',
    ]) {
      await target.client.query(`begin; ${odd}; commit`);
      await expect(backUpFrom(target, 'odd')).rejects.toThrow('the table item in odd.p2p has something that');
      await target.client.query('drop index if exists "odd.p2p".odd');
      await target.client.query('alter table "odd.p2p".item drop constraint if exists odd');
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a backup of everything', () => {
  it('restores all teams', async () => {
    await backUpFrom(source);
    await restoreInto(target);
    for (const team of ['o-a', 'other']) expect(await keptRows(target, team)).toEqual(await keptRows(source, team));
  });

  it('is not restored into a database that has a team', async () => {
    await backUpFrom(source);
    await seedTeam(target.client, 'zeta');
    await expect(restoreInto(target)).rejects.toThrow('the database has teams already (zeta)');
    expect(await readTeamRows(target.client, 'other')).toEqual({});
  });
});

describe('a backup while the product is in use', () => {
  it('contains a transaction completely or not at all', async () => {
    const writer = new pg.Client({ connectionString: source.database.adminUrl });
    await writer.connect();
    const write = async (count: number): Promise<void> => {
      await writer.query('begin');
      await writer.query(`update agents.turn set answer = $1 where tenant = 'other'`, [`${count}`]);
      await writer.query(`update gateway.team set name = $1 where tenant = 'other'`, [`${count}`]);
      await writer.query('commit');
    };
    // What the team was filled with is not the same.
    await write(0);
    let isOver = false;
    const writing = (async () => {
      for (let count = 1; !isOver; count += 1) await write(count);
    })();
    try {
      await backUpFrom(source, 'other');
    } finally {
      isOver = true;
      await writing;
      await writer.end();
    }
    await restoreInto(target);
    const { rows } = await target.client.query(
      `select t.name = u.answer as same from gateway.team t join agents.turn u using (tenant)`,
    );
    expect(rows).toEqual([{ same: true }]);
  });

  it('contains a table that a load replaces while the backup starts, with the matching version', async () => {
    const { client, database } = target;
    await seedTeam(client, 'o-a');
    await client.query('begin');
    await client.query(`update knowledge_models.team_table set data_version = 2 where tenant = 'o-a'`);
    await replaceTable(client, 'o-a', specialCharacters, '2');
    const backup = backUpFrom(target, 'o-a');
    const watcher = new pg.Client({ connectionString: database.adminUrl });
    await watcher.connect();
    try {
      await waitUntil(async () => {
        const { rows } = await watcher.query(
          `select from pg_stat_activity where datname = current_database() and application_name = 'tessera-backup' and wait_event_type = 'Lock'`,
        );
        return rows.length === 1;
      });
    } finally {
      await watcher.end();
      await client.query('commit');
    }
    await backup;
    const further = await open();
    try {
      await restoreInto(further);
      expect(await keptRows(further, 'o-a')).toEqual(await keptRows(target, 'o-a'));
    } finally {
      await close(further);
    }
  });

  it('is rejected while a migration runs', async () => {
    const { client } = target;
    await client.query('select pg_advisory_lock(7305821)');
    await expect(backUpFrom(target)).rejects.toThrow('is being migrated at this moment');
    await client.query('select pg_advisory_unlock_all()');
  });
});

describe('a restore', () => {
  it('is rejected when the database has even one row of the team', async () => {
    await backUpFrom(source, 'o-a');
    await target.client.query(`insert into agents.team_state values ('o-a', 1)`);
    await expect(restoreInto(target)).rejects.toThrow('the database has the team o-a already');
  });

  it('leaves nothing behind when a row in the middle does not fit', async () => {
    await backUpFrom(source, 'o-a');
    await seedTeam(target.client, 'there');
    await target.client.query(`update gateway.api_key set key_id = 'o-a-key'`);
    await expect(restoreInto(target)).rejects.toThrow(/do not fit the database: .*api_key_by_id/);
    expect(await readTeamRows(target.client, 'o-a')).toEqual({});
    const { rows } = await target.client.query(`select from pg_namespace where nspname = 'o-a.p2p'`);
    expect(rows).toEqual([]);
    await target.client.query('delete from gateway.api_key');
    await restoreInto(target);
    expect(await keptRows(target, 'o-a')).toEqual(await keptRows(source, 'o-a'));
  });

  it('accepts a schema that was extended since the backup, and rejects one without a migration of the backup', async () => {
    await backUpFrom(source, 'o-a');
    const { client } = target;
    await client.query(`delete from knowledge_models.migration where name = 'TokenKey1763900000002'`);
    await expect(restoreInto(target)).rejects.toThrow(
      'does not have the migration TokenKey1763900000002 of the backup; run tessera migrate of version 0.0.1 or a later one',
    );
    await client.query(`insert into knowledge_models.migration (timestamp, name) values (1, 'TokenKey1763900000002')`);
    await client.query(`alter table gateway.team add column motto text not null default 'ad astra'`);
    await restoreInto(target);
    expect((await client.query('select motto from gateway.team')).rows).toEqual([{ motto: 'ad astra' }]);
  });

  it('is rejected, like a backup, by a schema of another version', async () => {
    const { client } = target;
    await seedTeam(client, 'old');
    await client.query(`delete from content_repo.migration where name = 'ChangeHistory1763700000002'`);
    await backUpFrom(target);
    await client.query(`insert into content_repo.migration (timestamp, name) values (1, 'ChangeHistory1763700000002')`);
    await expect(restoreInto(target)).rejects.toThrow('the migration ChangeHistory1763700000002, which changes what');
    await client.query(`insert into gateway.migration (timestamp, name) values (9, 'Later1')`);
    await expect(restoreInto(target)).rejects.toThrow('the migration Later1, which this version does not know');
    await expect(backUpFrom(target, 'old', join(folder, 'b'))).rejects.toThrow('Later1, which this version does not');
  });

  it.each<[string, (stop: () => void) => { readonly first: () => void; readonly onRows: () => void }]>([
    ['it connects', (stop) => ({ first: stop, onRows: () => undefined })],
    ['rows are written', (stop) => ({ first: () => undefined, onRows: stop })],
  ])('is not done when it is stopped while %s', async (_when, stopsAt) => {
    await backUpFrom(source, 'o-a');
    const checked = await checkArchive(file, progress, stopping);
    const stop = new AbortController();
    const { first, onRows } = stopsAt(() => stop.abort());
    const restored = restoreArchive(checked, {
      url: target.database.adminUrl,
      progress: onRows,
      stopping: stop.signal,
    });
    first();
    await expect(restored).rejects.toThrow('aborted');
    expect(await readTeamRows(target.client, 'o-a')).toEqual({});
  });

  it('is rejected by a database that was never migrated, and for a role that owns nothing', async () => {
    await backUpFrom(source, 'o-a');
    const other = new URL(target.database.adminUrl);
    other.pathname = '/postgres';
    await expect(restoreInto(target, other.href)).rejects.toThrow('run tessera migrate on it first');
    await expect(restoreInto(target, target.database.urlFor('gateway'))).rejects.toThrow('use the one that migrates');
  });
});
