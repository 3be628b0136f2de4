/**
 * Where a change writes: one storage of one tenant, in one transaction. Statements that do not need each other's answers
 * are sent at once, by `Promise.all`, and run in the order of the calls; each function sends its first ones before it waits.
 * Refuses: statements themselves.
 */
import type { StorageModel } from '@tessera/content-model';
import type pg from 'pg';

export type ChangeScope = {
  readonly client: pg.PoolClient;
  readonly tenant: string;
  readonly storageId: string;
  readonly model: StorageModel;
};

/** The first two parameters of every statement. */
export const storageKey = ({
  tenant,
  storageId,
}: Pick<ChangeScope, 'tenant' | 'storageId'>): readonly [string, string] => [tenant, storageId];
