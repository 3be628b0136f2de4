/** The engine that differential specs compare with PostgreSQL: DuckDB in every run, and `npm run differential -- clickhouse` by command. */
import { isDifferentialEngine } from '@tessera/testing';
import { startClickhouse } from '@tessera/testing/clickhouse';
import { clickhouseDates } from '../../columnar/print-clickhouse.js';
import { openClickhouseTables } from './clickhouse-tables.js';
import type { DateRange, EngineTables } from './copied-rows.js';
import { duckdbDates, openDuckDbTables } from './duckdb-tables.js';

export type TestedEngine = {
  readonly dates: DateRange;
  readonly open: () => Promise<EngineTables>;
};

const duckdb: TestedEngine = { dates: duckdbDates, open: openDuckDbTables };
const clickhouse: TestedEngine = {
  dates: clickhouseDates,
  open: async () => {
    const { url, stop } = await startClickhouse();
    return openClickhouseTables(url, stop);
  },
};

export const testedEngine = isDifferentialEngine('clickhouse') ? clickhouse : duckdb;
