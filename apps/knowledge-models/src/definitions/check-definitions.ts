/**
 * The faults of all definitions of a request at once, each at `definitions.<index>.<member>`. Models may build on each
 * other, whatever their order, and on what is stored.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { KnowledgeModelDefinition, applyModelDefinitions } from '@tessera/contracts/knowledge-models';
import { createFaultList, type Fault } from '@tessera/failures';
import { runInSlices } from '@tessera/fair-queue';
import {
  checkModelInSteps,
  checkTable,
  findOpenRecords,
  publicationFaultsOf,
  type CheckedModel,
  type KnowledgeModelDefinitions,
} from '@tessera/knowledge-model';
import type { ReplyOf } from '@tessera/contracts';
import type { StoredTable } from './definitions.repository.js';
import { nameOfDefinition, type Definition } from './stored-definitions.js';

type CheckedDefinitions = {
  /** By id; of what was given twice the first. */
  readonly models: ReadonlyMap<string, CheckedModel>;
  /** What the models of the request were checked with: they themselves, and what is stored. */
  readonly definitions: KnowledgeModelDefinitions;
  readonly faults: readonly Fault[];
};

type CheckOptions = {
  readonly team: string;
  /** What the models of the request may extend. */
  readonly stored: KnowledgeModelDefinitions;
  /** External databases that models of the team may read. */
  readonly databases: readonly string[];
  /** As they are stored, by `schema.id`. */
  readonly tables: ReadonlyMap<string, StoredTable>;
};

export const checkDefinitions = async (
  asked: readonly Definition[],
  { team, stored, databases, tables }: CheckOptions,
): Promise<CheckedDefinitions> => {
  const own = new Map(modelsIn(asked).toReversed());
  const definitions = new Map([...stored, ...own]);
  const models = new Map<string, CheckedModel>();
  for (const [id, definition] of own) {
    models.set(id, await runInSlices(checkModelInSteps(definition, definitions), team));
  }
  const names = new Set<string>();
  const faults = asked.flatMap((definition, index) => {
    const name = `${definition.kind} ${nameOfDefinition(definition)}`;
    if (names.has(name)) return [duplicateFault(definition, index)];
    names.add(name);
    if (definition.kind === 'Table') {
      const before = tables.get(nameOfDefinition(definition))?.definition;
      return prefixFaultsWithDefinitionIndex(index, checkTable(definition, before));
    }
    return prefixFaultsWithDefinitionIndex(index, [
      ...ownFaults(definition, models),
      ...sourceFaults(definition, databases),
    ]);
  });
  return { models, definitions, faults };
};

/** Faults of a base are reported there, not again for each model that extends it. */
const ownFaults = (
  definition: KnowledgeModelDefinition,
  models: ReadonlyMap<string, CheckedModel>,
): readonly Fault[] => {
  const checked = models.get(definition.id);
  if (!checked) return [];
  const parent = definition.extends ? models.get(definition.extends) : undefined;
  if (checked.ok) return newFaults(checked.openRecords, parent?.ok ? parent.openRecords : []);
  const isFollowing = parent !== undefined && !parent.ok;
  return isFollowing
    ? checked.faults.filter(({ path, rule }) => path !== 'extends' || rule === 'circle')
    : checked.faults;
};

export const newFaults = (faults: readonly Fault[], known: readonly Fault[]): readonly Fault[] =>
  faults.filter(({ message }) => !known.some((other) => other.message === message));

const sourceFaults = ({ source }: KnowledgeModelDefinition, databases: readonly string[]): readonly Fault[] => {
  if (source?.database === undefined || databases.includes(source.database)) return [];
  const list = createFaultList('definition');
  list.unknown(['source', 'database'], 'database', source.database, databases);
  return list.faults;
};

const modelsIn = (asked: readonly Definition[]): readonly (readonly [string, KnowledgeModelDefinition])[] =>
  asked.flatMap((definition) => (definition.kind === 'KnowledgeModel' ? [[definition.id, definition]] : []));

const duplicateFault = (definition: Definition, index: number): Fault => ({
  in: 'body',
  path: `definitions.${index}.id`,
  message: `${nameOfDefinition(definition)} is given twice`,
  rule: 'twice',
});

/** Where the member of a definition stands in the request. */
export const prefixFaultsWithDefinitionIndex = (index: number, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({
    ...fault,
    in: 'body',
    path: ['definitions', index, ...(fault.path === '' ? [] : [fault.path])].join('.'),
  }));

export type BrokenModel = ReplyOf<typeof applyModelDefinitions>['breaks'][number];

/** `changed`: the ids of the models that differ between `before` and `after`. */
export const findBrokenChildren = async (
  before: KnowledgeModelDefinitions,
  after: KnowledgeModelDefinitions,
  changed: ReadonlySet<string>,
  team: string,
): Promise<readonly BrokenModel[]> => {
  const check = (definition: KnowledgeModelDefinition, all: KnowledgeModelDefinitions): Promise<CheckedModel> =>
    runInSlices(checkModelInSteps(definition, all), team);
  const broken: BrokenModel[] = [];
  for (const definition of before.values()) {
    if (changed.has(definition.id) || !extendsAny(definition, after, changed)) continue;
    const faults = publicationFaultsOf(await check(definition, after));
    const known = faults.length > 0 ? await check(definition, before) : undefined;
    const added = known?.ok ? newFaults(faults, known.openRecords) : [];
    if (added.length > 0) broken.push(modelWithFaults(definition.id, added));
  }
  return broken;
};

export const modelWithFaults = (id: string, faults: readonly Fault[]): BrokenModel => {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more faults` : '';
  return { id, message: `${first?.path}: ${first?.message}${more}` };
};

/** Published before this was refused, and not in the request. */
export const findOpenModels = async (
  stored: KnowledgeModelDefinitions,
  asked: readonly Definition[],
): Promise<readonly BrokenModel[]> => {
  const ids = new Set(modelsIn(asked).map(([id]) => id));
  const open: BrokenModel[] = [];
  for (const definition of stored.values()) {
    const faults = ids.has(definition.id) ? [] : findOpenRecords(definition, stored);
    if (faults.length > 0) open.push(modelWithFaults(definition.id, faults));
    await eventLoopTurn();
  }
  return open;
};

const extendsAny = (
  definition: KnowledgeModelDefinition,
  all: KnowledgeModelDefinitions,
  ids: ReadonlySet<string>,
): boolean => {
  const seen = new Set<string>();
  for (let id = definition.extends; id && !seen.has(id); id = all.get(id)?.extends) {
    if (ids.has(id)) return true;
    seen.add(id);
  }
  return false;
};
