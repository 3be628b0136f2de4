/** The settings of this service. Refuses: standards for what has none (the address of the database). */
import { commonSettings, databaseSettings, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';
import { modelSettings } from './models/model-settings.js';

export const settings = z.object({
  ...commonSettings,
  ...databaseSettings,
  ...modelSettings,
  /** Connections for definitions that are read. */
  LIGHT_CONNECTIONS: wholeNumber(1, 200).default(4),
  /** Connections for turns that begin, go on and end. */
  TURN_CONNECTIONS: wholeNumber(1, 200).default(8),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  /** Turns that run at the same time in this process; those of one team are half of them at most. */
  TURNS_MAX: wholeNumber(1, 100_000).default(200),
  /** For how many days after its last turn a conversation is kept, unless its agent says otherwise. */
  CONVERSATIONS_KEPT_DAYS: wholeNumber(1, 3_650).default(90),
});
export type Settings = Readonly<z.output<typeof settings>>;

/** How long turns may still run when the service stops: what is left of the stop has room to store and to answer. */
export const graceMsOf = ({ STOP_TIMEOUT_MS, DRAIN_DELAY_MS }: Settings): number =>
  Math.max(0, STOP_TIMEOUT_MS - DRAIN_DELAY_MS - 2_000);
