/** The tables of the models of a team; reads and writes its definitions of tables, in its transaction. */
import { TableDefinition } from '@tessera/contracts/knowledge-models';
import { VersionedDefinitions } from '@tessera/persistence';
import { Model, ModelVersion, TeamTable } from '@tessera/persistence/knowledge-models';
import type { EntityManager } from 'typeorm';

export const versionedModelDefinitions = new VersionedDefinitions('knowledge_models', 'model', {
  definition: Model,
  version: ModelVersion,
});

export type StoredTable = { readonly digest: string; readonly definition?: TableDefinition };

/** By `schema.id`. */
export const readTables = async (manager: EntityManager, team: string): Promise<ReadonlyMap<string, StoredTable>> =>
  new Map(
    (await manager.findBy(TeamTable, { tenant: team })).map(({ schemaName, tableId, digest, definition }) => {
      const parsed = TableDefinition.safeParse(definition);
      const table = { digest: digest.toString('hex'), ...(parsed.success && { definition: parsed.data }) };
      return [`${schemaName}.${tableId}`, table];
    }),
  );

export type TableToWrite = { readonly definition: TableDefinition; readonly digest: string };

/** Rows stay as they are. */
export const writeTables = async (
  manager: EntityManager,
  team: string,
  tables: readonly TableToWrite[],
): Promise<void> => {
  const written = tables.map(({ definition, digest }) => ({
    ...{ tenant: team, schemaName: definition.schema, tableId: definition.id },
    ...{ definition, digest: Buffer.from(digest, 'hex') },
  }));
  await manager.upsert(TeamTable, written, ['tenant', 'schemaName', 'tableId']);
};

/** What is published and drafted of the models, and the tables with what was loaded; as the operation answers it. */
export const readDefinitionsExport = async (manager: EntityManager, team: string) => {
  const models = await versionedModelDefinitions.readExport(manager, team);
  const tables = await manager.findBy(TeamTable, { tenant: team });
  return {
    models: models.map(({ digest: _digest, ...model }) => model),
    tables: tables.toSorted(byName).map(({ definition, dataVersion, rowCount, loadedAt }) => ({
      ...{ definition, dataVersion: Number(dataVersion), rows: Number(rowCount) },
      ...(loadedAt && { loadedAt: loadedAt.toISOString() }),
    })),
  };
};

const byName = (one: TeamTable, other: TeamTable): number =>
  compareTexts(one.schemaName, other.schemaName) || compareTexts(one.tableId, other.tableId);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
