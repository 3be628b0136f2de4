/** Changes the definitions of a team and returns when no replica serves the previous ones any more. */
import { setTimeout as passed } from 'node:timers/promises';
import type { Result } from '@tessera/failures';
import { attemptInTenantTransaction, mapDatabaseErrors, type Pool, type PoolClient } from '@tessera/persistence';
import type { EventPublishing } from '@tessera/service-kit';
import { definitionsFreshMs } from './definition-reader.js';

type ChangeOptions = {
  readonly pool: Pool;
  readonly team: string;
  /** Woken when what `work` wrote is committed. */
  readonly events: EventPublishing;
};

/** One transaction of the team. Failures: those of `work`, and an outage of the database. */
export const changeDefinitions = async <T>(
  { pool, team, events }: ChangeOptions,
  work: (client: PoolClient) => Promise<Result<T>>,
): Promise<Result<T>> => {
  const done = await mapDatabaseErrors(() => attemptInTenantTransaction(pool, team, work));
  if (!done.ok) return done;
  events.wake();
  // Timers may be early by a millisecond.
  await passed(definitionsFreshMs + 2);
  return done;
};
