/** What a spec of loads needs beside a fixture: tables with definitions, and loads through the handler as the gateway calls it. */
import { createHash } from 'node:crypto';
import type { ByteReply } from '@tessera/contracts';
import { beginLoad, type commitLoad, type LoadStatus, type TableDefinition } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { runInTenantTransaction } from '@tessera/persistence';
import pg from 'pg';
import { ChangeTablesHandler } from '../loads/change-tables.handler.js';
import { LoadHandler } from '../loads/load.handler.js';
import { LoadJobs } from '../loads/load-jobs.js';
import type { LoadKey } from '../loads/load.repository.js';
import { TableIndexes } from '../loads/table-indexes.js';
import { TableLocks } from '../loads/table-locks.js';
import type { Settings } from '../settings.js';
import { adminContextOf } from './definition-client.js';
import { readJsonAnswer, openFixture, type Fixture, noopEventPublishing } from './fixture.js';

type Definition = Omit<TableDefinition, 'kind' | 'schema'>;
type BeginOptions = Partial<(typeof beginLoad.request._input)['begin']>;

/** The schema of all tables of these specs. */
export const testSchema = 'p2p';

export type LoadClient = {
  readonly handler: LoadHandler;
  readonly tables: ChangeTablesHandler;
  readonly indexes: TableIndexes;
  readonly locks: TableLocks;
  /** As an application of its definition leaves it. */
  readonly define: (team: string, definition: Definition) => Promise<void>;
  readonly begin: (team: string, table: string, begin?: BeginOptions) => Promise<LoadKey>;
  readonly stage: (key: LoadKey, text: string, batch?: Batch) => Promise<Result<ByteReply>>;
  readonly commit: (key: LoadKey, batches?: number, options?: CommitOptions) => Promise<Result<ByteReply>>;
  readonly status: (key: LoadKey) => Promise<LoadStatus | undefined>;
  /** All of it at once, from the beginning to the end. */
  readonly load: (
    team: string,
    table: string,
    text: string,
    begin?: BeginOptions,
    options?: CommitOptions,
  ) => Promise<Result<ByteReply>>;
};

type CommitOptions = Omit<(typeof commitLoad.request._input)['commit'], 'batches'>;

type Batch = { readonly ordinal?: number; readonly firstLine?: number };

/** A replica of its own; several share what the fixture has. */
export const openLoadClient = (
  { source, pools, catalogs }: Fixture,
  settings: Pick<Settings, 'LOAD_HISTORY'> = { LOAD_HISTORY: 1 },
): LoadClient => {
  const locks = new TableLocks(source, pools);
  const indexes = new TableIndexes(source, pools, catalogs, locks);
  const handler = new LoadHandler(
    source,
    pools,
    new LoadJobs(pools, noopEventPublishing, indexes, locks, source, settings),
  );
  const tables = new ChangeTablesHandler(locks, noopEventPublishing, indexes);
  const stage: LoadClient['stage'] = (key, text, { ordinal = 0, firstLine = 2 } = {}) =>
    handler.stage({ ...key, batch: { ordinal, firstLine, text } }, adminContextOf(key.team));
  const commit: LoadClient['commit'] = (key, batches = 1, options = {}) =>
    handler.commit({ ...key, commit: { batches, ...options } }, adminContextOf(key.team));
  const begin: LoadClient['begin'] = async (team, table, said) => {
    const names = { team, schema: testSchema, table };
    const request = beginLoad.request.parse({ ...names, begin: { format: 'csv', ...said } });
    const { loadId } = await readJsonAnswer(handler.begin(request, adminContextOf(team)));
    return { ...names, loadId };
  };
  return {
    handler,
    tables,
    indexes,
    locks,
    define: (team, definition) =>
      runInTenantTransaction(pools.light, team, async (client) => {
        const text = JSON.stringify({ kind: 'Table', schema: testSchema, ...definition });
        await client.query(
          `insert into knowledge_models.team_table (tenant, schema_name, table_id, definition, digest)
           values ($1, $2, $3, $4, $5)
           on conflict (tenant, schema_name, table_id) do update set definition = excluded.definition`,
          [team, testSchema, definition.id, text, createHash('sha256').update(text).digest()],
        );
      }),
    begin,
    stage,
    commit,
    status: async (key) => {
      const read = await handler.read(key, adminContextOf(key.team));
      return read.ok ? read.value : undefined;
    },
    load: async (team, table, text, said, options) => {
      const key = await begin(team, table, said);
      const staged = await stage(key, text);
      return staged.ok ? commit(key, 1, options) : staged;
    },
  };
};

/** Beside it a client that may do everything, as nobody who is served can. */
export const openLoadFixture = async () => {
  const fixture = await openFixture();
  const loading = openLoadClient(fixture);
  const admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
  const end = async (): Promise<void> => {
    loading.locks.onModuleDestroy();
    await admin.end();
    await fixture.end();
  };
  return { fixture, loading, admin, end };
};
