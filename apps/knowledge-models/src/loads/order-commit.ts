/**
 * The first step of a commit: from here on no batch is added.
 * Refuses: a load of which a batch is missing.
 */
import type { LoadStatus } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import type { PoolClient } from '@tessera/persistence';
import { countBatches, findLoad, missingOrdinals, startCommit, type LoadKey } from './load.repository.js';
import { loadNotFound, rowsRefused } from './tell-load.js';

const toldMax = 10;

/** Answers the state of the load afterwards; it may have been committed before. */
export const orderCommit = async (
  client: PoolClient,
  key: LoadKey,
  batches: number,
): Promise<Result<LoadStatus['state']>> => {
  const load = await findLoad(client, key, 'update');
  if (!load) return loadNotFound;
  if (load.state === 'refused') return rowsRefused(load.faults ?? []);
  if (load.state !== 'loading') return succeed(load.state);
  const staged = await countBatches(client, key);
  if (staged.ordinalMax >= batches)
    return fail(
      'GENERAL_CONFLICT',
      `The load has a batch ${staged.ordinalMax}, which is more than ${batches} batches.`,
    );
  if (staged.count < batches) {
    const missing = await missingOrdinals(client, key, { batches, atMost: toldMax });
    const more = batches - staged.count > missing.length ? ', …' : '';
    return fail('GENERAL_CONFLICT', `Batches are missing: ${missing.join(', ')}${more}; send them and commit again.`);
  }
  await startCommit(client, key, staged.rows);
  return succeed('committing');
};
