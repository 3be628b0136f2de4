import {
  commonSettingsShape,
  databaseSettingsShape,
  eventSettingsShape,
  wholeNumberSetting,
  addressSetting,
  jsonByNameSetting,
} from '@tessera/service-kit';
import { z } from 'zod';

const databaseName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const ExternalDatabase = z.strictObject({
  url: addressSetting('postgres', 'postgresql'),
  teams: z.array(z.string('a team').min(1, 'a team'), 'a list of teams').min(1, 'at least one team'),
  /** How long an answer may be old, since nobody tells when the data change. */
  freshnessSeconds: z.int('a whole number').min(1, 'at least 1').max(86_400, 'at most 86400').default(60),
  connectionsMax: z.int('a whole number').min(1, 'at least 1').max(100, 'at most 100').default(4),
});
export type ExternalDatabase = Readonly<z.output<typeof ExternalDatabase>>;

const expectedShape =
  'a JSON object like {"erp": {"url": "postgres://...", "teams": ["meridian"], "freshnessSeconds": 60}}';

/** PostgreSQL databases beside the own one, by name. */
const externalDatabases = jsonByNameSetting(
  expectedShape,
  z.string().regex(databaseName, 'of letters, digits, _ and -'),
  ExternalDatabase,
);

export const knowledgeModelsSettings = z.object({
  ...commonSettingsShape,
  ...databaseSettingsShape,
  ...eventSettingsShape,
  LIGHT_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for definitions and revisions.'),
  QUERY_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(10)
    .describe('Connections to the database for queries, each held as long as its rows are read.'),
  LOAD_CONNECTIONS: wholeNumberSetting(2, 200, 'connections')
    .default(4)
    .describe('Connections to the database for loads.'),
  STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 600_000, 'milliseconds')
    .default(10_000)
    .describe('PostgreSQL ends a statement that takes longer.'),
  LOAD_STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 3_600_000, 'milliseconds')
    .default(1_800_000)
    .describe('The same for loads: indexes of a large table are made by few long statements.'),
  RESULT_CACHE_BYTES: wholeNumberSetting(0, 2_000_000_000, 'bytes')
    .default(64 * 1024 * 1024)
    .describe('What each replica keeps of results; 0 keeps none.'),
  EVIDENCE_KEPT_DAYS: wholeNumberSetting(1, 36_500, 'days')
    .default(365)
    .describe('How long records of evidence are kept.'),
  EXTERNAL_DATABASES: externalDatabases.meta({
    description: 'PostgreSQL databases beside the own one that models of the named teams may read.',
    secret: true,
  }),
});
export type Settings = Readonly<z.output<typeof knowledgeModelsSettings>>;
