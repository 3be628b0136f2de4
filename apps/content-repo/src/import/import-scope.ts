/**
 * Whose storage an import writes to, and the two ways in which its statements run: batch by batch, or over all of it.
 * Refuses: statements themselves.
 */
import type { StorageModel } from '@tessera/content-model';
import type pg from 'pg';

export type ImportScope = {
  readonly client: pg.PoolClient;
  readonly tenant: string;
  readonly storageId: string;
  readonly importId: string;
  readonly model: StorageModel;
};

/** The first two parameters of every statement. */
export const storageKey = ({
  tenant,
  storageId,
}: Pick<ImportScope, 'tenant' | 'storageId'>): readonly [string, string] => [tenant, storageId];

/**
 * Runs statements that look at the whole storage. The tables may have been filled a moment ago, without statistics yet, and
 * a plan for the one row that the planner then expects would compare everything with everything.
 */
export const overAll = async <T>({ client }: Pick<ImportScope, 'client'>, work: () => Promise<T>): Promise<T> => {
  await client.query(`set local enable_nestloop = off`);
  const value = await work();
  await client.query(`set local enable_nestloop = on`);
  return value;
};
