/** The settings of this service. */
import {
  commonSettingsShape,
  databaseSettingsShape,
  eventSettingsShape,
  wholeNumberSetting,
} from '@tessera/service-kit';
import { z } from 'zod';

export const contentRepoSettings = z.object({
  ...commonSettingsShape,
  ...databaseSettingsShape,
  ...eventSettingsShape,
  LIGHT_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(8)
    .describe('Connections to the database for single reads.'),
  REPORT_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(12)
    .describe('Connections to the database for reports and lists, each held as long as one is read.'),
  WRITE_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for imports and exports.'),
  CHANGE_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(6)
    .describe('Connections to the database for changes of single elements.'),
  STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 600_000, 'milliseconds')
    .default(10_000)
    .describe('PostgreSQL ends a statement that takes longer.'),
  WRITE_STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 600_000, 'milliseconds')
    .default(120_000)
    .describe('The same for imports and exports: a whole import is applied by few long statements.'),
  REPORT_CACHE_BYTES: wholeNumberSetting(0, 2_000_000_000, 'bytes')
    .default(64 * 1024 * 1024)
    .describe(
      'What each replica keeps of reports for those who ask for the same again, half of it of those read to their end; 0 keeps none.',
    ),
  CONTENT_RETENTION_DAYS: wholeNumberSetting(1, 36_500, 'days')
    .default(90)
    .describe('What was deleted can be restored for so long.'),
});
export type Settings = Readonly<z.output<typeof contentRepoSettings>>;
