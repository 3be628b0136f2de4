/** A replica that keeps its copies by columns in a ClickHouse, over the tables of a fixture. */
import type { ColumnarReader, ColumnarTable } from '@tessera/knowledge-model';
import { runInTenantTransaction } from '@tessera/persistence';
import { ClickhouseConnection } from '../columnar/clickhouse.repository.js';
import { ClickhouseReader, type ClickhouseReaderOptions } from '../columnar/clickhouse-reader.js';
import { ClickhouseTables, type ClickhouseTablesOptions } from '../columnar/clickhouse-tables.js';
import type { Fixture } from './fixture.js';

const megabyte = 1024 * 1024;

type ClusterOptions = {
  readonly tables?: Partial<ClickhouseTablesOptions>;
  readonly reader?: Partial<ClickhouseReaderOptions>;
};

export type ClusterClient = {
  readonly files: ClickhouseTables;
  readonly reader: ColumnarReader;
  readonly connection: ClickhouseConnection;
  /** How makings and questions ended. */
  readonly outcomes: string[];
  /** What the log was told. */
  readonly lines: string[];
  /** The table as it can be asked at this moment. */
  readonly table: (team: string, schema: string, table: string) => Promise<ColumnarTable | undefined>;
  readonly end: () => Promise<void>;
};

/** `url`: with user, password and database. */
export const openClusterClient = (
  { pools, catalogs }: Pick<Fixture, 'pools' | 'catalogs'>,
  url: string,
  options: ClusterOptions = {},
): ClusterClient => {
  const [outcomes, lines]: [string[], string[]] = [[], []];
  const connection = new ClickhouseConnection({ url, connectionsMax: 4 });
  const write = (_fields: object, line = ''): void => void lines.push(line);
  const files = new ClickhouseTables({
    ...{ connection, pools, catalogs, timeoutMs: 60_000, rowsMin: 1 },
    log: { info: write, warn: write },
    onMade: (outcome) => outcomes.push(outcome),
    ...options.tables,
  });
  const reader = new ClickhouseReader({
    ...{ connection, tables: files, concurrency: 4, timeoutMs: 60_000, waitMs: 60_000, memoryBytes: 256 * megabyte },
    onAsked: (outcome) => outcomes.push(outcome),
    ...options.reader,
  });
  files.start();
  return {
    ...{ files, reader, connection, outcomes, lines },
    table: async (team, schema, table) => {
      const dataVersion = (await catalogs.of(team)).tables.get(`${schema}.${table}`)?.dataVersion ?? '';
      return files.find({ team, schema, table, dataVersion });
    },
    end: async () => {
      await files.stop();
      await connection.close();
    },
  };
};

/** As loads of the product say it; what has no time is not told apart after a backup came back, and not kept in a cluster. */
export const markAsLoaded = ({ pools }: Pick<Fixture, 'pools'>, team: string): Promise<unknown> =>
  runInTenantTransaction(pools.loads, team, (client) =>
    client.query('update knowledge_models.team_table set loaded_at = clock_timestamp() where loaded_at is null'),
  );
