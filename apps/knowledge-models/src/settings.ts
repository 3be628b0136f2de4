/** The settings of this service. Refuses: standards for what has none (the address of the database). */
import { commonSettings, databaseSettings, eventSettings, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';
import { externalDatabasesSetting } from './external/external-settings.js';

export const settings = z.object({
  ...commonSettings,
  ...databaseSettings,
  ...eventSettings,
  LIGHT_CONNECTIONS: wholeNumber(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for definitions and revisions.'),
  QUERY_CONNECTIONS: wholeNumber(1, 200, 'connections')
    .default(10)
    .describe('Connections to the database for queries, each held as long as its rows are read.'),
  LOAD_CONNECTIONS: wholeNumber(2, 200, 'connections').default(4).describe('Connections to the database for loads.'),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000, 'milliseconds')
    .default(10_000)
    .describe('PostgreSQL ends a statement that takes longer.'),
  LOAD_STATEMENT_TIMEOUT_MS: wholeNumber(100, 3_600_000, 'milliseconds')
    .default(1_800_000)
    .describe('The same for loads: indexes of a large table are made by few long statements.'),
  RESULT_CACHE_BYTES: wholeNumber(0, 2_000_000_000, 'bytes')
    .default(64 * 1024 * 1024)
    .describe('What each replica keeps of results; 0 keeps none.'),
  EXTERNAL_DATABASES: externalDatabasesSetting().meta({
    description: 'PostgreSQL databases beside the own one that models of the named teams may read.',
    secret: true,
  }),
});
export type Settings = Readonly<z.output<typeof settings>>;
