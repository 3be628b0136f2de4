import {
  commonSettingsShape,
  databaseSettingsShape,
  eventSettingsShape,
  wholeNumberSetting,
} from '@tessera/service-kit';
import { z } from 'zod';
import { modelSettingsShape } from './models/model-settings.js';

export const agentsSettings = z.object({
  ...commonSettingsShape,
  ...databaseSettingsShape,
  ...eventSettingsShape,
  ...modelSettingsShape,
  LIGHT_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(4)
    .describe('Connections to the database for definitions that are read.'),
  TURN_CONNECTIONS: wholeNumberSetting(1, 200, 'connections')
    .default(8)
    .describe('Connections to the database for turns that begin, go on and end.'),
  STATEMENT_TIMEOUT_MS: wholeNumberSetting(100, 600_000, 'milliseconds')
    .default(10_000)
    .describe('PostgreSQL ends a statement that takes longer.'),
  TURNS_MAX: wholeNumberSetting(1, 100_000, 'turns')
    .default(200)
    .describe('Turns that run at the same time in a replica; those of one team are half of them at most.'),
  CONVERSATIONS_KEPT_DAYS: wholeNumberSetting(1, 3_650, 'days')
    .default(90)
    .describe('How long a conversation is kept after its last turn, unless its agent says otherwise.'),
});
export type Settings = Readonly<z.output<typeof agentsSettings>>;

/** How long turns may still run when the service stops: what is left of the stop has room to store and to answer. */
export const getShutdownGraceMs = ({ STOP_TIMEOUT_MS, DRAIN_DELAY_MS }: Settings): number =>
  Math.max(0, STOP_TIMEOUT_MS - DRAIN_DELAY_MS - 2_000);
