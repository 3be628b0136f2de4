/**
 * Checks the files of tables, knowledge models, assets and agents: their form, their content and their references. What
 * only the services know (columns of tables defined elsewhere, models that tools name) is not checked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith, type Parsed } from '@tessera/contracts';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import type { Fault } from '@tessera/failures';
import { checkModel, checkTable, parseKnowledgeModel, parseTable, type Definitions } from '@tessera/knowledge-model';
import type { Position } from '../files/placed-node.js';
import { readYamlTexts } from '../files/yaml-text.js';
import { checkAgentTools, checkTools } from './check-tools.js';
import type { FaultBook } from './fault-book.js';
import type { FoundFiles } from './find-files.js';
import { readPastFaults, type ReadPast } from './read-past-faults.js';

export type DataDefinition = KnowledgeModelDefinition | TableDefinition;

/** A definition with the way from its members to their places. */
export type PlacedDefinition<Definition = DataDefinition | AgentToolsAssetDefinition | AgentDefinition> = {
  readonly definition: Definition;
  readonly file: string;
  readonly placeOf: (path: string, message: string, position?: number) => Position;
};

type Check = { readonly root: string; readonly found: FoundFiles; readonly book: FaultBook };
type Read<Definition> = PlacedDefinition<Definition> & {
  readonly hasFaults: boolean;
  readonly asWritten: ReadPast<Definition>['asWritten'];
};
type ReadFiles<Definition> = {
  readonly read: readonly Read<Definition>[];
  /** Whether every document could be read, so that what is in none of them is nowhere. */
  readonly isWhole: boolean;
};

export type CheckedDefinitions = {
  /** Tables, then knowledge models. */
  readonly data: readonly PlacedDefinition<DataDefinition>[];
  readonly assets: readonly PlacedDefinition<AgentToolsAssetDefinition>[];
  readonly agents: readonly PlacedDefinition<AgentDefinition>[];
};

/** Faults go into the book. */
export const checkDefinitions = ({ root, found: { definitions: found }, book }: Check): CheckedDefinitions => {
  const tables = readDocuments(root, found.tables, parseTable, book);
  const models = readDocuments(root, found.models, parseKnowledgeModel, book);
  const assets = readDocuments(root, found.assets, parseAsset, book);
  const agents = readDocuments(root, found.agents, parseAgent, book);
  checkTwice(tables.read, ({ schema, id }) => `${schema}.${id}`, 'table', book);
  checkTwice(models.read, ({ id }) => id, 'knowledge model', book);
  for (const table of tables.read) placeFaults(book, table, table.asWritten(checkTable(table.definition)));
  checkModels(models, book);
  checkTwice(assets.read, ({ id }) => id, 'asset', book);
  for (const asset of assets.read) placeFaults(book, asset, asset.asWritten(checkTools(asset.definition)));
  checkTwice(agents.read, ({ id }) => id, 'agent', book);
  const whole = new Map(
    assets.read.flatMap(({ definition, hasFaults }) => (hasFaults ? [] : [[definition.id, definition]])),
  );
  for (const agent of agents.read) placeFaults(book, agent, agent.asWritten(checkAgentTools(agent.definition, whole)));
  return { data: [...tables.read, ...models.read], assets: assets.read, agents: agents.read };
};

const parseAsset = (value: unknown): Parsed<AgentToolsAssetDefinition> =>
  parseWith(AgentToolsAssetDefinition, value, 'definition');

const parseAgent = (value: unknown): Parsed<AgentDefinition> => parseWith(AgentDefinition, value, 'definition');

/** Puts faults of a definition into the book. */
export const placeFaults = (
  book: FaultBook,
  { file, placeOf }: PlacedDefinition<unknown>,
  faults: readonly Fault[],
): void => {
  for (const fault of faults) book.addOf(file, placeOf, fault);
};

const readDocuments = <Definition extends { readonly id: string }>(
  root: string,
  files: readonly string[],
  parse: (value: unknown) => Parsed<Definition>,
  book: FaultBook,
): ReadFiles<Definition> => {
  const read: Read<Definition>[] = [];
  let isWhole = true;
  for (const file of files)
    for (const { value: document, faults: ofForm, placeOf } of readYamlTexts(readFileSync(join(root, file), 'utf8'))) {
      for (const fault of ofForm) book.add(file, fault, fault.message);
      const { value, faults, asWritten } = readPastFaults(document, parse);
      if (ofForm.length === 0) for (const fault of faults) book.addOf(file, placeOf, fault);
      if (value) read.push({ definition: value, file, placeOf, asWritten, hasFaults: faults.length > 0 });
      else isWhole = false;
    }
  return { read, isWhole };
};

const checkTwice = <Definition>(
  read: readonly Read<Definition>[],
  nameOf: (definition: Definition) => string,
  what: string,
  book: FaultBook,
): void => {
  const first = new Map<string, string>();
  for (const { definition, file, placeOf } of read) {
    const name = nameOf(definition);
    const earlier = first.get(name);
    const message = `the ${what} "${name}" is defined in ${earlier} as well`;
    if (earlier === undefined) first.set(name, file);
    else book.add(file, placeOf('id', ''), message);
  }
};

/** Each with the others as bases. */
const checkModels = ({ read, isWhole }: ReadFiles<KnowledgeModelDefinition>, book: FaultBook): void => {
  const definitions = new Map(read.toReversed().map(({ definition }) => [definition.id, definition]));
  const faulty = new Set(read.filter(({ hasFaults }) => hasFaults).map(({ definition }) => definition.id));
  for (const model of basesFirst(read, definitions)) {
    const { definition } = model;
    const checked = checkModel(definition, definitions);
    if (checked.ok) continue;
    faulty.add(definition.id);
    // What is wrong with a base is told there.
    const inherited = isFaulty(definition, definitions, faulty) ? faultsOfChild(definition, definitions) : new Set();
    const own = checked.faults.filter(
      ({ path, message, rule }) => !inherited.has(message) && (isWhole || path !== 'extends' || rule !== 'unknown'),
    );
    placeFaults(book, model, model.asWritten(own));
  }
};

type Model = Read<KnowledgeModelDefinition>;

const basesFirst = (read: readonly Model[], definitions: Definitions): readonly Model[] =>
  read.toSorted(
    (left, right) => basesOf(left.definition, definitions).length - basesOf(right.definition, definitions).length,
  );

/** Its bases, the nearest first, as far as they are there. */
const basesOf = (definition: KnowledgeModelDefinition, definitions: Definitions): readonly string[] => {
  const bases: string[] = [];
  for (let id = definition.extends; id && !bases.includes(id); id = definitions.get(id)?.extends) bases.push(id);
  return bases;
};

const isFaulty = (
  definition: KnowledgeModelDefinition,
  definitions: Definitions,
  faulty: ReadonlySet<string>,
): boolean => basesOf(definition, definitions).some((id) => faulty.has(id));

/** What would be wrong with a model that only inherits. */
const faultsOfChild = (
  { kind, id, extends: base }: KnowledgeModelDefinition,
  definitions: Definitions,
): ReadonlySet<unknown> => {
  const checked = checkModel({ kind, id, extends: base }, definitions);
  return new Set(checked.ok ? [] : checked.faults.map(({ message }) => message));
};
