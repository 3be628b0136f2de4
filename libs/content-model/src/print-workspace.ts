/**
 * The text of workspace files in the canonical layout: YAML with cultures as numbers and what is short on one line, or
 * one JSON document a line.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ElementDocument, StorageDefinition } from '@tessera/contracts';
import { AgentDefinition } from '@tessera/contracts/agents';
import { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { Document, isMap, isPair, isScalar, visit, type YAMLMap, type YAMLSeq } from 'yaml';

/** With more elements than this a facet is a file of JSON Lines. */
export const maxYamlElements = 1_000;

type WorkspaceDocument = {
  readonly kind: 'Workspace';
  readonly team: string;
  readonly name: string;
  /** `collection/storage`, in the order in which they are applied. */
  readonly storages: readonly string[];
};

export const printWorkspace = (workspace: WorkspaceDocument): string =>
  printYaml({ kind: 'Workspace', team: workspace.team, name: workspace.name, storages: workspace.storages });

/** With its members in the order of the schema. */
export const printKnowledgeModel = (definition: KnowledgeModelDefinition): string =>
  printYaml(KnowledgeModelDefinition.parse(definition), isShortMap);

export const printTable = (definition: TableDefinition): string =>
  printYaml(TableDefinition.parse(definition), isShortMap);

export const printAsset = (definition: AgentToolsAssetDefinition): string =>
  printYaml(AgentToolsAssetDefinition.parse(definition), isShortMap);

/** Without what the schema fills in. */
export const printAgent = (definition: AgentDefinition): string => {
  const whole = AgentDefinition.parse(definition);
  const isSame = (shorter: object): boolean => isDeepStrictEqual(AgentDefinition.safeParse(shorter).data, whole);
  const own = withoutStandards(whole, isSame);
  const model = withoutStandards(whole.model, (shorter) => isSame({ ...whole, model: shorter }));
  const limits = withoutStandards(whole.limits ?? {}, (shorter) => isSame({ ...whole, limits: shorter }));
  return printYaml({ ...own, ...('model' in own && { model }), ...('limits' in own && { limits }) }, isShortMap);
};

/** The members without which it would not be the same. */
const withoutStandards = (whole: object, isSame: (shorter: object) => boolean): object => {
  const members = Object.entries(whole);
  return Object.fromEntries(
    members.filter((member) => !isSame(Object.fromEntries(members.filter((other) => other !== member)))),
  );
};

export const printStorageDefinition = (definition: StorageDefinition): string => printYaml(definition);

export const printElements = (elements: readonly ElementDocument[]): string =>
  printYaml({ kind: 'Elements', elements });

export const printElementLine = (element: ElementDocument): string => `${JSON.stringify(element)}\n`;

const lineWidth = 110;

/** `standsOnOneLine`: which maps do, as far as their members allow. */
const printYaml = (value: unknown, standsOnOneLine: (map: YAMLMap) => boolean = () => false): string => {
  const document = new Document(numberedCultures(value));
  visit(document, {
    Seq: (_, list) => {
      if (isShort(list)) list.flow = true;
    },
    Map: (key, map) => {
      if (key !== null && standsOnOneLine(map)) map.flow = true;
    },
    Pair: (_, pair) => {
      if (isMap(pair.value) && pair.value.items.length === 0) pair.value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
};

const isShort = (list: YAMLSeq): boolean => lengthOf(list) < lineWidth;

const isShortMap = (map: YAMLMap): boolean => lengthOf(map) < lineWidth;

/** What a list or map of plain values takes on one line; of anything else more than a line has. */
const lengthOf = (collection: YAMLSeq | YAMLMap): number =>
  collection.items.reduce<number>((length, item) => length + 2 + lengthOfItem(item), 0);

const lengthOfItem = (item: unknown): number => {
  if (isScalar(item)) return String(item.value).length;
  return isPair(item) && isScalar(item.key) && isScalar(item.value)
    ? String(item.key.value).length + String(item.value.value).length + 2
    : Infinity;
};

/** Objects keyed by cultures as maps with numeric keys, so that they print without quotes. */
const numberedCultures = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(numberedCultures);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length > 0 && members.every(([name]) => /^[1-9]\d{0,4}$/.test(name)))
    return new Map(members.map(([name, member]) => [Number(name), numberedCultures(member)]));
  return Object.fromEntries(members.map(([name, member]) => [name, numberedCultures(member)]));
};
