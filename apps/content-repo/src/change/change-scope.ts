/**
 * Where a change writes: one storage of one tenant, in one transaction.
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
