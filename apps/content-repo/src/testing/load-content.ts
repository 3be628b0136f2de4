/** Puts a storage and its elements into a test database, by the same commit that an import ends with. */
import { elementIdOf } from '@tessera/content-model';
import { ElementDocument, StorageDefinition } from '@tessera/contracts';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import type pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { Pools } from '../database.module.js';
import { commitImportInTransaction } from '../import/commit-import.js';
import { insertImport, insertStagedRows } from '../import/imports.repository.js';
import { refreshPlannerStatisticsAfterCommit } from '../import/statistics.js';

export type TestContent = {
  readonly team: string;
  readonly definition: z.input<typeof StorageDefinition>;
  readonly elements: readonly z.input<typeof ElementDocument>[];
};

const stageBatchSize = 500;

export const importTestContent = async (
  { pools: { writes: pool }, source }: { readonly pools: Pools; readonly source: DataSource },
  { team, definition, elements }: TestContent,
): Promise<void> => {
  const parsed = StorageDefinition.parse(definition);
  const names = { team, collection: parsed.collection, storage: parsed.id };
  const load = async (manager: EntityManager, client: pg.PoolClient): Promise<void> => {
    const key = { ...names, importId: await insertImport(client, names, parsed, 'test') };
    const staged = elements.map((element, ordinal) => ({
      elementId: elementIdOf(parsed, element.id),
      ordinal,
      document: ElementDocument.parse(element),
    }));
    for (let from = 0; from < staged.length; from += stageBatchSize)
      await insertStagedRows(client, key, staged.slice(from, from + stageBatchSize));
    const outcome = await commitImportInTransaction({ manager, client }, key, { subject: 'test', requestId: 'load' });
    if (outcome?.state !== 'committed') throw new Error(`The content was not loaded: ${JSON.stringify(outcome)}`);
  };
  await runInTenantEntityTransaction(source, team, load, { pool });
  await refreshPlannerStatisticsAfterCommit(pool, names, elements.length);
};
