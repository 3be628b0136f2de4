/** The settings of this service. Refuses: standards for what has none (the address of the database). */
import { commonSettings, databaseSettings, flag, wholeNumber } from '@tessera/service-kit';
import { callsPerMinuteMax } from '@tessera/contracts/tool-gateway';
import { z } from 'zod';
import { requestSettings } from './http-request/request-settings.js';

export const settings = z.object({
  ...commonSettings,
  ...databaseSettings,
  ...requestSettings,
  /** Connections for revisions, definitions and limits. */
  LIGHT_CONNECTIONS: wholeNumber(1, 200).default(4),
  /** Connections for the log of calls; each team's rows go one statement at a time. */
  LOG_CONNECTIONS: wholeNumber(1, 200).default(4),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  /** Calls of all tools of an asset in a minute, unless the asset says otherwise. */
  TOOL_CALLS_PER_MINUTE: wholeNumber(1, callsPerMinuteMax).default(500),
  /** For how many days the log of calls is kept. */
  TOOL_CALLS_KEPT_DAYS: wholeNumber(1, 3_650).default(90),
  /** Whether every team has the asset that tests of the Model Context Protocol ask. */
  MCP_FIXTURE_ASSET: flag().default(false),
});
export type Settings = Readonly<z.output<typeof settings>>;
