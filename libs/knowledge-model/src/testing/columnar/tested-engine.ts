/** The engine that differential specs compare with PostgreSQL: DuckDB in every run, and `npm run differential -- clickhouse` by command. */
import { isDifferentialEngine } from '@tessera/testing';
import { startClickhouse } from '@tessera/testing/clickhouse';
import { clickhouseStorage, duckdbStorage, type StorageDialect } from '../../columnar/stored-columns.js';
import { openClickhouseTables } from './clickhouse-tables.js';
import type { EngineTables } from './copied-rows.js';
import { openDuckDbTables } from './duckdb-tables.js';

export type TestedEngine = {
  readonly dates: StorageDialect['dates'];
  readonly open: () => Promise<EngineTables>;
};

const duckdb: TestedEngine = { dates: duckdbStorage.dates, open: openDuckDbTables };
const clickhouse: TestedEngine = {
  dates: clickhouseStorage.dates,
  open: async () => {
    const { url, stop } = await startClickhouse();
    return openClickhouseTables(url, stop);
  },
};

export const testedEngine = isDifferentialEngine('clickhouse') ? clickhouse : duckdb;
