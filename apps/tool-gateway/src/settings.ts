import {
  commonSettingsShape,
  databaseSettingsShape,
  eventSettingsShape,
  booleanSetting,
  wholeNumberSetting,
} from '@tessera/service-kit';
import { maxCallsPerMinute } from '@tessera/contracts/tool-gateway';
import { z } from 'zod';
import { requestSettingsShape } from './http-request/request-settings.js';

export const toolGatewaySettings = z.object({
  ...commonSettingsShape,
  ...databaseSettingsShape,
  ...eventSettingsShape,
  ...requestSettingsShape,
  LIGHT_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for revisions, definitions and limits.'),
  LOG_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for the log of calls; rows of a team are written together.'),
  STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 600_000, 'milliseconds')
    .default(10_000)
    .describe('PostgreSQL ends a statement that takes longer.'),
  TOOL_CALLS_PER_MINUTE: wholeNumberSetting(1, maxCallsPerMinute, 'calls')
    .default(500)
    .describe('Calls of all tools of an asset in a minute, unless the asset says otherwise.'),
  TOOL_CALLS_KEPT_DAYS: wholeNumberSetting(1, 3_650, 'days').default(90).describe('How long the log of calls is kept.'),
  MCP_FIXTURE_ASSET: booleanSetting()
    .default(false)
    .describe('Whether every team has the asset that tests of the Model Context Protocol ask.'),
});
export type Settings = Readonly<z.output<typeof toolGatewaySettings>>;
