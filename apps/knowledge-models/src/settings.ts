/** The settings of this service. Refuses: standards for what has none (the address of the database). */
import { commonSettings, databaseSettings, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';
import { externalDatabasesSetting } from './external/external-settings.js';

export const settings = z.object({
  ...commonSettings,
  ...databaseSettings,
  /** Connections for definitions and revisions. */
  LIGHT_CONNECTIONS: wholeNumber(1, 200).default(4),
  /** Connections for queries, each held as long as its rows are read. */
  QUERY_CONNECTIONS: wholeNumber(1, 200).default(10),
  /** Connections for loads. */
  LOAD_CONNECTIONS: wholeNumber(1, 200).default(4),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  /** Indexes of a large table are made by few long statements. */
  LOAD_STATEMENT_TIMEOUT_MS: wholeNumber(100, 3_600_000).default(1_800_000),
  /** Bytes of results that each replica keeps; 0 keeps none. */
  RESULT_CACHE_BYTES: wholeNumber(0, 2_000_000_000).default(64 * 1024 * 1024),
  /** PostgreSQL databases that models of some teams may read, as JSON by name. */
  EXTERNAL_DATABASES: externalDatabasesSetting(),
});
export type Settings = Readonly<z.output<typeof settings>>;
