/**
 * Checks the files of tables, knowledge models, assets and agents: their form, their content and their references. What
 * only the services know (columns of tables defined elsewhere, models that tools name) is not checked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith, type ParseResult } from '@tessera/contracts';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import type { Fault } from '@tessera/failures';
import {
  checkModel,
  checkTable,
  parseKnowledgeModel,
  parseTable,
  publicationFaultsOf,
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
};

/** Faults go into the faultList. */
export const checkDefinitions = ({ root, found: { definitions: found }, faultList }: Check): CheckedDefinitions => {
  const tables = readDocuments(root, found.tables, parseTable, faultList);
  const models = readDocuments(root, found.models, parseKnowledgeModel, faultList);
  const assets = readDocuments(root, found.assets, parseAsset, faultList);
  const agents = readDocuments(root, found.agents, parseAgent, faultList);
  checkDuplicates(tables.read, ({ schema, id }) => `${schema}.${id}`, 'table', faultList);
  checkDuplicates(models.read, ({ id }) => id, 'knowledge model', faultList);
  for (const table of tables.read) addLocatedFaults(faultList, table, table.asWritten(checkTable(table.definition)));
  checkModels(models, faultList);
  checkDuplicates(assets.read, ({ id }) => id, 'asset', faultList);
  for (const asset of assets.read) addLocatedFaults(faultList, asset, asset.asWritten(checkTools(asset.definition)));
  checkDuplicates(agents.read, ({ id }) => id, 'agent', faultList);
  const whole = new Map(
    assets.read.flatMap(({ definition, hasFaults }) => (hasFaults ? [] : [[definition.id, definition]])),
  );
  for (const agent of agents.read)
    addLocatedFaults(faultList, agent, agent.asWritten(checkAgentTools(agent.definition, whole)));
  return { data: [...tables.read, ...models.read], assets: assets.read, agents: agents.read };
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

/** Each with the others as bases. */
const checkModels = ({ read, isWhole }: ReadFiles<KnowledgeModelDefinition>, faultList: FaultList): void => {
  const definitions = new Map(read.toReversed().map(({ definition }) => [definition.id, definition]));
  const faulty = new Set(read.filter(({ hasFaults }) => hasFaults).map(({ definition }) => definition.id));
  for (const model of basesFirst(read, definitions)) {
    const { definition } = model;
    const faults = publicationFaultsOf(checkModel(definition, definitions));
    if (faults.length === 0) continue;
    faulty.add(definition.id);
    // The faults of a base are reported at the base.
    const inherited = isFaulty(definition, definitions, faulty) ? inheritedFaults(definition, definitions) : new Set();
    const own = faults.filter(
      ({ path, message, rule }) => !inherited.has(message) && (isWhole || path !== 'extends' || rule !== 'unknown'),
    );
    addLocatedFaults(faultList, model, model.asWritten(own));
  }
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
): ReadonlySet<unknown> => {
  const faults = publicationFaultsOf(checkModel({ kind, id, extends: base }, definitions));
  return new Set(faults.map(({ message }) => message));
};
