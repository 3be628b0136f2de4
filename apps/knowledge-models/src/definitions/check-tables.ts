/**
 * Models against the tables that they read, as a request leaves them: the faults of its own models, and published ones that it would
 * break. A fault of a base is told there, not again for each model that extends it.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createFaultList, type Fault } from '@tessera/failures';
import {
  checkColumns,
  normaliseModel,
  resolveInheritance,
  type CheckedModel,
  type KnowledgeModel,
  type KnowledgeModelDefinitions,
  type ReadableSchema,
} from '@tessera/knowledge-model';
import { modelWithFaults, newFaults, prefixFaultsWithDefinitionIndex, type BrokenModel } from './check-definitions.js';
import type { ReadableTables } from './readable-tables.js';
import type { Definition } from './stored-definitions.js';

export type ExternalSource = Readonly<Record<'database' | 'schema', string>> & { readonly tables: readonly string[] };
/** Undefined when the database cannot be reached. */
export type ReadExternalSchema = (source: ExternalSource) => Promise<ReadableSchema | undefined>;

type CheckOptions = {
  readonly models: ReadonlyMap<string, CheckedModel>;
  readonly tables: ReadableTables;
  /** External ones that models of the team may read; a model of another one has that fault already. */
  readonly databases: readonly string[];
  readonly readExternal: ReadExternalSchema;
  /** True when the external database of this model is compared. */
  readonly isCompared: (definition: KnowledgeModelDefinition) => boolean;
};

/** The faults of the models of a request that have no others. */
export const findColumnFaults = async (
  asked: readonly Definition[],
  { models, tables, databases, readExternal, isCompared }: CheckOptions,
): Promise<readonly Fault[]> => {
  const faultsById = new Map<string, readonly Fault[]>();
  const faultsOf = async (definition: KnowledgeModelDefinition): Promise<readonly Fault[]> => {
    const checked = models.get(definition.id);
    if (!checked?.ok) return [];
    const { model } = checked;
    const { database, schema } = model.source;
    if (database === undefined) return checkColumns(definition, model, await tables.after(schema));
    if (!databases.includes(database) || !isCompared(definition)) return [];
    const read = await readExternal({ database, schema, tables: model.records.map(({ table }) => table) });
    return read ? checkColumns(definition, model, read) : [unreachableFault(database)];
  };
  const own = asked.filter((definition) => definition.kind === 'KnowledgeModel');
  for (const definition of own) faultsById.set(definition.id, await faultsOf(definition));
  return asked.flatMap((definition, index) => {
    if (definition.kind === 'Table') return [];
    const inherited = definition.extends ? (faultsById.get(definition.extends) ?? []) : [];
    return prefixFaultsWithDefinitionIndex(index, newFaults(faultsById.get(definition.id) ?? [], inherited));
  });
};

const unreachableFault = (database: string): Fault => ({
  in: 'definition',
  path: 'source.database',
  message: `the database "${database}" cannot be reached, so its tables were not compared; try again when it can`,
  rule: 'unreachable',
});

/** Those of these models that fit their tables before the request and would not fit them after it. */
export const findBrokenReaders = async (
  published: readonly KnowledgeModelDefinition[],
  {
    tables,
    before,
    after,
  }: Readonly<Record<'before' | 'after', KnowledgeModelDefinitions>> & Pick<CheckOptions, 'tables'>,
): Promise<readonly BrokenModel[]> => {
  const broken: BrokenModel[] = [];
  for (const definition of published) {
    await eventLoopTurn();
    const model = mergedModel(definition, after);
    if (!model || model.source.database !== undefined) continue;
    const faults = checkColumns(definition, model, await tables.after(model.source.schema));
    const known = faults.length > 0 ? mergedModel(definition, before) : undefined;
    if (!known) continue;
    const added = newFaults(faults, checkColumns(definition, known, await tables.before(known.source.schema)));
    if (added.length > 0) broken.push(modelWithFaults(definition.id, added));
  }
  return broken;
};

/** Undefined for one whose bases are not there. */
const mergedModel = (
  definition: KnowledgeModelDefinition,
  others: KnowledgeModelDefinitions,
): KnowledgeModel | undefined => {
  const whole = resolveInheritance(definition, others, createFaultList('definition'));
  return whole && normaliseModel(whole);
};

/** `schema.table` of all that these read in the schemas of the team. */
export const readTableNamesOf = (models: Iterable<CheckedModel>): readonly string[] =>
  [...models].flatMap((checked) => {
    if (!checked.ok || checked.model.source.database !== undefined) return [];
    const { records, source } = checked.model;
    return records.map(({ table }) => `${source.schema}.${table}`);
  });
