/**
 * Checks the files of tables, knowledge models, assets and agents: their form, their content and their references. What
 * only the services know (columns of tables that are not in the workspace, models that tools name) is not checked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith, type ParseResult } from '@tessera/contracts';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import type { Fault } from '@tessera/failures';
import {
  checkColumns,
  checkModel,
  checkTable,
  definedTable,
  parseKnowledgeModel,
  parseTable,
  publicationFaultsOf,
  type CheckedModel,
  type KnowledgeModelDefinitions,
} from '@tessera/knowledge-model';
import type { Position } from '../files/positioned-node.js';
import { readYamlDocuments } from '../files/yaml-text.js';
import { checkAgentTools, checkTools } from './check-tools.js';
import type { FaultList } from './fault-list.js';
import type { FoundFiles } from './find-files.js';
import { parseLeniently, type LenientResult } from './parse-leniently.js';

export type DataDefinition = KnowledgeModelDefinition | TableDefinition;

/** A definition with the way from its members to their places. */
export type LocatedDefinition<Definition = DataDefinition | AgentToolsAssetDefinition | AgentDefinition> = {
  readonly definition: Definition;
  readonly file: string;
  readonly placeOf: (path: string, message: string, position?: number) => Position;
};

type Check = { readonly root: string; readonly found: FoundFiles; readonly faultList: FaultList };
type Read<Definition> = LocatedDefinition<Definition> & {
  readonly hasFaults: boolean;
  readonly asWritten: LenientResult<Definition>['asWritten'];
};
type ReadFiles<Definition> = {
  readonly read: readonly Read<Definition>[];
  /** Whether every document could be read, so that what is in none of them is nowhere. */
  readonly isWhole: boolean;
};

export type CheckedDefinitions = {
  /** Tables, then knowledge models. */
  readonly data: readonly LocatedDefinition<DataDefinition>[];
  readonly assets: readonly LocatedDefinition<AgentToolsAssetDefinition>[];
  readonly agents: readonly LocatedDefinition<AgentDefinition>[];
  /** Tables that a model reads and that are not in the workspace, as `schema.table`, or its external database; by model. */
  readonly uncompared: ReadonlyMap<string, readonly string[]>;
};

/** Faults go into the faultList. */
export const checkDefinitions = ({ root, found: { definitions: found }, faultList }: Check): CheckedDefinitions => {
  const tables = readDocuments(root, found.tables, parseTable, faultList);
  const models = readDocuments(root, found.models, parseKnowledgeModel, faultList);
  const assets = readDocuments(root, found.assets, parseAsset, faultList);
  const agents = readDocuments(root, found.agents, parseAgent, faultList);
  checkDuplicates(tables.read, ({ schema, id }) => `${schema}.${id}`, 'table', faultList);
  checkDuplicates(models.read, ({ id }) => id, 'knowledge model', faultList);
  const sound: TableDefinition[] = [];
  for (const table of tables.read) {
    const faults = checkTable(table.definition);
    addLocatedFaults(faultList, table, table.asWritten(faults));
    if (faults.length === 0 && !table.hasFaults) sound.push(table.definition);
  }
  const uncompared = checkModels(models, sound, faultList);
  checkDuplicates(assets.read, ({ id }) => id, 'asset', faultList);
  for (const asset of assets.read) addLocatedFaults(faultList, asset, asset.asWritten(checkTools(asset.definition)));
  checkDuplicates(agents.read, ({ id }) => id, 'agent', faultList);
  const whole = new Map(
    assets.read.flatMap(({ definition, hasFaults }) => (hasFaults ? [] : [[definition.id, definition]])),
  );
  for (const agent of agents.read)
    addLocatedFaults(faultList, agent, agent.asWritten(checkAgentTools(agent.definition, whole)));
  return { data: [...tables.read, ...models.read], assets: assets.read, agents: agents.read, uncompared };
};

const parseAsset = (value: unknown): ParseResult<AgentToolsAssetDefinition> =>
  parseWith(AgentToolsAssetDefinition, value, 'definition');

const parseAgent = (value: unknown): ParseResult<AgentDefinition> => parseWith(AgentDefinition, value, 'definition');

/** Puts faults of a definition into the faultList. */
export const addLocatedFaults = (
  faultList: FaultList,
  { file, placeOf }: LocatedDefinition<unknown>,
  faults: readonly Fault[],
): void => {
  for (const fault of faults) faultList.addOf(file, placeOf, fault);
};

const readDocuments = <Definition extends { readonly id: string }>(
  root: string,
  files: readonly string[],
  parse: (value: unknown) => ParseResult<Definition>,
  faultList: FaultList,
): ReadFiles<Definition> => {
  const read: Read<Definition>[] = [];
  let isWhole = true;
  for (const file of files)
    for (const { value: document, faults: ofForm, placeOf } of readYamlDocuments(
      readFileSync(join(root, file), 'utf8'),
    )) {
      for (const fault of ofForm) faultList.add(file, fault, fault.message);
      const { value, faults, asWritten } = parseLeniently(document, parse);
      if (ofForm.length === 0) for (const fault of faults) faultList.addOf(file, placeOf, fault);
      if (value) read.push({ definition: value, file, placeOf, asWritten, hasFaults: faults.length > 0 });
      else isWhole = false;
    }
  return { read, isWhole };
};

const checkDuplicates = <Definition>(
  read: readonly Read<Definition>[],
  nameOf: (definition: Definition) => string,
  what: string,
  faultList: FaultList,
): void => {
  const first = new Map<string, string>();
  for (const { definition, file, placeOf } of read) {
    const name = nameOf(definition);
    const earlier = first.get(name);
    const message = `the ${what} "${name}" is defined in ${earlier} as well`;
    if (earlier === undefined) first.set(name, file);
    else faultList.add(file, placeOf('id', ''), message);
  }
};

type Tables = ReadonlyMap<string, TableDefinition>;

/** Each with the others as bases. Answers what was not compared with a table. */
const checkModels = (
  { read, isWhole }: ReadFiles<KnowledgeModelDefinition>,
  soundTables: readonly TableDefinition[],
  faultList: FaultList,
): CheckedDefinitions['uncompared'] => {
  const definitions = new Map(read.toReversed().map(({ definition }) => [definition.id, definition]));
  const tables: Tables = new Map(soundTables.map((table) => [`${table.schema}.${table.id}`, table]));
  const faulty = new Set(read.filter(({ hasFaults }) => hasFaults).map(({ definition }) => definition.id));
  const uncompared = new Map<string, readonly string[]>();
  for (const model of basesFirst(read, definitions)) {
    const { definition } = model;
    const checked = checkModel(definition, definitions);
    const left = uncomparedTables(checked, tables);
    if (left.length > 0) uncompared.set(definition.id, left);
    const faults = faultsOf(definition, checked, tables);
    if (faults.length === 0) continue;
    faulty.add(definition.id);
    // The faults of a base are reported at the base.
    const inherited = isFaulty(definition, definitions, faulty)
      ? inheritedFaults(definition, definitions, tables)
      : new Set();
    const own = faults.filter(
      ({ path, message, rule }) => !inherited.has(message) && (isWhole || path !== 'extends' || rule !== 'unknown'),
    );
    addLocatedFaults(faultList, model, model.asWritten(own));
  }
  return uncompared;
};

const faultsOf = (definition: KnowledgeModelDefinition, checked: CheckedModel, tables: Tables): readonly Fault[] => {
  const faults = publicationFaultsOf(checked);
  if (!checked.ok || checked.model.source.database !== undefined) return faults;
  const { schema } = checked.model.source;
  const ofSchema = [...tables.values()].filter((table) => table.schema === schema);
  const readable = { tables: new Map(ofSchema.map((table) => [table.id, definedTable(table)])), isWhole: false };
  return [...faults, ...checkColumns(definition, checked.model, readable)];
};

const uncomparedTables = (checked: CheckedModel, tables: Tables): readonly string[] => {
  if (!checked.ok) return [];
  const { source, records } = checked.model;
  if (source.database !== undefined) return [`database ${source.database}`];
  return records.map(({ table }) => `${source.schema}.${table}`).filter((name) => !tables.has(name));
};

type Model = Read<KnowledgeModelDefinition>;

const basesFirst = (read: readonly Model[], definitions: KnowledgeModelDefinitions): readonly Model[] =>
  read.toSorted(
    (left, right) => basesOf(left.definition, definitions).length - basesOf(right.definition, definitions).length,
  );

/** Its bases, the nearest first, as far as they are there. */
const basesOf = (definition: KnowledgeModelDefinition, definitions: KnowledgeModelDefinitions): readonly string[] => {
  const bases: string[] = [];
  for (let id = definition.extends; id && !bases.includes(id); id = definitions.get(id)?.extends) bases.push(id);
  return bases;
};

const isFaulty = (
  definition: KnowledgeModelDefinition,
  definitions: KnowledgeModelDefinitions,
  faulty: ReadonlySet<string>,
): boolean => basesOf(definition, definitions).some((id) => faulty.has(id));

/** What would be wrong with a model that only inherits. */
const inheritedFaults = (
  { kind, id, extends: base }: KnowledgeModelDefinition,
  definitions: KnowledgeModelDefinitions,
  tables: Tables,
): ReadonlySet<unknown> => {
  const definition = { kind, id, extends: base };
  const faults = faultsOf(definition, checkModel(definition, definitions), tables);
  return new Set(faults.map(({ message }) => message));
};
