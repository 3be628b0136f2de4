/**
 * Loads that nobody needs any more, with the rows that they staged: cancelled ones, and those that are older than a day.
 * Refuses: one that is being committed.
 */
import { inTenantTransaction, type Pool, type PoolClient } from '@tessera/persistence';
import { dropGeneration, stagingTable } from './generation.js';
import {
  deleteLoad,
  findLoad,
  isTableBusy,
  oldLoads,
  openSchema,
  takeDroppingTurn,
  type LoadKey,
} from './load.repository.js';

/** In a transaction that holds the load. Of one that was committed its generation stays. */
export const forgetLoad = async (client: PoolClient, key: LoadKey): Promise<void> => {
  await dropGeneration(client, stagingTable(await openSchema(client, key), key));
  await deleteLoad(client, key);
};

const keptHours = 24;
/** No team is all of them. */
const nobody = '';

export type ForgettingTurn = {
  readonly signal: AbortSignal;
  /** Told what stood against a load; the others are forgotten all the same. */
  readonly onFailure: (reason: unknown) => void;
};

/** Of all teams; nothing when another replica is at it. */
export const forgetOldLoads = (pool: Pool, { signal, onFailure }: ForgettingTurn): Promise<void> =>
  inTenantTransaction(pool, nobody, async (turn) => {
    if (!(await takeDroppingTurn(turn))) return;
    for (const key of await oldLoads(turn, keptHours)) {
      if (signal.aborted) return;
      try {
        await inTenantTransaction(pool, key.team, (client) => forgetOldLoad(client, key));
      } catch (error) {
        onFailure(error);
      }
    }
  });

const forgetOldLoad = async (client: PoolClient, key: LoadKey): Promise<void> => {
  if (await isTableBusy(client, key)) return;
  if (await findLoad(client, key, 'update')) await forgetLoad(client, key);
};
