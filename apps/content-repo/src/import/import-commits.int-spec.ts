/** Commits that take long, end badly or are asked for in two replicas, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { StorageDefinition } from '@tessera/contracts';
import { runInTenantTransaction } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { companyContent } from '../testing/company.js';
import { ImportCommits } from './import-commits.js';
import { ImportHandler } from './import.handler.js';
import {
  deleteOldImports,
  insertImport,
  lockImport,
  lockStorage,
  insertStagedRows,
  type ImportKey,
} from './imports.repository.js';
import { deleteOldImportsOfTeams } from './old-imports.js';
import {
  createAdminContext,
  readJsonReply,
  openTestService,
  type TestService,
  noopEventPublishing,
} from '../testing/open-service.js';

let service: TestService;
let holder: pg.Client;

const by = { subject: 'tester', requestId: 'request-1' };
const definition = StorageDefinition.parse(companyContent.definition);
const context = createAdminContext('operators');

beforeAll(async () => {
  service = await openTestService([]);
  holder = new pg.Client({ connectionString: service.adminUrl });
  await holder.connect();
});

afterAll(async () => {
  await holder.end();
  await service.end();
});

const staged = (team: string, count = 1): Promise<ImportKey> =>
  runInTenantTransaction(service.pools.writes, team, async (client) => {
    const names = { team, collection: definition.collection, storage: definition.id };
    const key = { ...names, importId: await insertImport(client, names, definition, 'tester') };
    const rows = Array.from({ length: count }, (_, ordinal) => {
      const id = `area.${ordinal}`;
      return { elementId: elementIdOf(definition, id), ordinal, document: { id, type: 'area' } };
    });
    await insertStagedRows(client, key, rows);
    return key;
  });

/** Runs `work` while somebody else writes to the storage, so that a commit has to wait. */
const whileBusy = async (key: ImportKey, work: () => Promise<void>): Promise<void> => {
  await holder.query('begin');
  await lockStorage(holder, key);
  try {
    await work();
  } finally {
    await holder.query('rollback');
  }
};

/** Resolves when a connection of the service waits for a lock; answers its process. */
const waitingBackend = async (): Promise<number> => {
  let waiting: number | undefined;
  await waitUntil(async () => {
    const { rows } = await holder.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'content-repo-writes' and wait_event_type = 'Lock'`,
    );
    waiting = rows[0]?.pid;
    return waiting !== undefined;
  });
  return waiting ?? 0;
};

describe('a commit that outlasts its request', () => {
  it('continues in the background, is visible to every replica, and returns its counts at the end', async () => {
    const key = await staged('slow');
    const jobs = new ImportCommits(service.pools, service.source, noopEventPublishing);
    const otherReplica = new ImportHandler(
      service.pools,
      service.source,
      new ImportCommits(service.pools, service.source, noopEventPublishing),
    );
    await whileBusy(key, async () => {
      expect(await readJsonReply(jobs.commit(key, by, { waitMs: 50 }))).toEqual({
        importId: key.importId,
        state: 'committing',
      });
      await waitingBackend();
      expect(await otherReplica.read(key, context)).toMatchObject({ value: { state: 'committing', staged: 1 } });
      expect(await otherReplica.cancel(key, context)).toMatchObject({ failure: { code: 'CONTENT_CONFLICT' } });
      const batch = { firstOrdinal: 1, elements: [{ id: 'b', type: 'area' }] };
      expect(await otherReplica.stage({ ...key, batch }, context)).toMatchObject({
        failure: { code: 'CONTENT_CONFLICT' },
      });
    });
    await waitUntil(async () => {
      const read = await otherReplica.read(key, context);
      return read.ok && read.value.state !== 'committing';
    });
    expect(await otherReplica.read(key, context)).toMatchObject({
      ok: true,
      value: { state: 'committed', created: 1, versions: 1 },
    });
    expect(await readJsonReply(jobs.commit(key, by))).toMatchObject({ state: 'committed', created: 1 });
  });
});

describe('a commit whose database connection is lost', () => {
  it('stores nothing, reports an outage, and succeeds on retry', async () => {
    const key = await staged('cut');
    const handler = new ImportHandler(
      service.pools,
      service.source,
      new ImportCommits(service.pools, service.source, noopEventPublishing),
    );
    await whileBusy(key, async () => {
      const answer = handler.commit(key, context);
      await holder.query('select pg_terminate_backend($1)', [await waitingBackend()]);
      expect(await answer).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
    });
    expect(await handler.read(key, context)).toMatchObject({ value: { state: 'staged', staged: 1 } });
    expect(await readJsonReply(handler.commit(key, context))).toMatchObject({ created: 1 });
  });
});

describe('old imports', () => {
  it('are deleted with what was staged, of teams that begin no other, and younger ones stay', async () => {
    const [abandoned, young] = [await staged('abandoned', 3), await staged('young')];
    await holder.query(
      `update content_repo.import set begun_at = now() - interval '25 hours' where tenant = 'abandoned'`,
    );
    const failures: unknown[] = [];
    const { signal } = new AbortController();
    await deleteOldImportsOfTeams(service.pools.writes, signal, (error) => failures.push(error));
    const { rows } = await holder.query(
      `select tenant, count(*)::int as elements from content_repo.import_element
       where import_id in ($1, $2) group by tenant`,
      [abandoned.importId, young.importId],
    );
    expect([rows, failures]).toEqual([[{ tenant: 'young', elements: 1 }], []]);
  });
});

describe('an import that is being committed', () => {
  it('is not deleted even when it is older than the retention time', async () => {
    const key = await staged('old');
    const other = await staged('old');
    await holder.query(`update content_repo.import set begun_at = now() - interval '2 days' where tenant = 'old'`);
    await holder.query('begin');
    await lockImport(holder, key);
    await runInTenantTransaction(service.pools.writes, 'old', (client) => deleteOldImports(client, 'old'));
    await holder.query('rollback');
    const handler = new ImportHandler(
      service.pools,
      service.source,
      new ImportCommits(service.pools, service.source, noopEventPublishing),
    );
    expect(await handler.read(key, context)).toMatchObject({ value: { state: 'staged', staged: 1 } });
    expect(await handler.read(other, context)).toMatchObject({ failure: { code: 'CONTENT_NOTFOUND' } });
  });

  it('keeps its staged elements when a concurrent commit fails', async () => {
    const key = await staged('again');
    await holder.query(
      `update content_repo.import_element set document = document || '{"parent": "nowhere"}' where tenant = 'again'`,
    );
    await holder.query('begin');
    await lockStorage(holder, key);
    const refusal = new ImportCommits(service.pools, service.source, noopEventPublishing).commit(key, by);
    const first = await waitingBackend();
    const next = new pg.Client({ connectionString: service.adminUrl });
    await next.connect();
    await next.query('begin');
    const locked = lockImport(next, key);
    await waitUntil(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where locktype = 'advisory' and not granted and pid <> $1`,
        [first],
      );
      return rows.length > 0;
    });
    await holder.query('rollback');
    await locked;
    expect(await refusal).toMatchObject({ failure: { code: 'GENERAL_CONSTRAINT_VIOLATION' } });
    expect(
      (await next.query('select from content_repo.import_element where import_id = $1', [key.importId])).rows,
    ).toHaveLength(1);
    await next.query('rollback');
    await next.end();
  });
});

describe('after the commit of an import', () => {
  it('table statistics are current, so that lookups by id use the index', async () => {
    for (const team of ['known', 'unknown', 'third']) {
      await new ImportCommits(service.pools, service.source, noopEventPublishing).commit(await staged(team, 1_500), by);
      const { rows } = await holder.query<{ storage_id: string }>(
        'select storage_id from content_repo.storage where tenant = $1',
        [team],
      );
      const { rows: plan } = await holder.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
        'explain (format json) select from content_repo.rendition where tenant = $1 and storage_id = $2',
        [team, rows[0]?.storage_id],
      );
      expect(plan[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows']).toBeGreaterThan(100);
    }
  });
});
