/** The settings of this service. Refuses: standards for what has none (the address of the database). */
import { commonSettings, databaseSettings, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';

export const settings = z.object({
  ...commonSettings,
  ...databaseSettings,
  /** Connections for single reads. */
  LIGHT_CONNECTIONS: wholeNumber(1, 200).default(8),
  /** Connections for reports and lists, each held as long as one is read. */
  REPORT_CONNECTIONS: wholeNumber(1, 200).default(12),
  /** Connections for imports and exports. */
  WRITE_CONNECTIONS: wholeNumber(1, 200).default(4),
  /** Connections for changes of single elements. */
  CHANGE_CONNECTIONS: wholeNumber(1, 200).default(6),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  /** A whole import is applied by few long statements. */
  WRITE_STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(120_000),
  /** What was deleted can be restored for so long. */
  CONTENT_RETENTION_DAYS: wholeNumber(1, 36_500).default(90),
});
export type Settings = Readonly<z.output<typeof settings>>;
