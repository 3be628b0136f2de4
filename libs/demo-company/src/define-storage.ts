/**
 * The definition of a demo storage, from the names in data/: facets, views, types with attributes and states,
 * relations.
 */
import type { AttributeDefinition, LocalisedText, StorageDefinition, TypeDefinition } from '@tessera/contracts';
import { structureStates, versionStates } from '@tessera/content-model';
import { StorageDefinition as StorageSchema } from '@tessera/contracts';
import { attributeRows, facetRows, relationRows, typeRows, viewRows } from './data/type-names.js';
import { toLocalisedText } from './draft.js';
import { getCell, splitCommaList, readRows, getTranslations, type TextRow } from './text-table.js';

export type StorageOutline = {
  readonly collection: string;
  readonly title: string;
  readonly cultures: readonly number[];
  /** All when absent. */
  readonly facets?: readonly string[];
};

const storageId = 'p2p';

export const defineStorage = (outline: StorageOutline): StorageDefinition => {
  const facets = readRows(facetRows).filter((row) => outline.facets?.includes(getCell(row, 0)) ?? true);
  const facetNames = facets.map((row) => getCell(row, 0));
  const types = readRows(typeRows).filter((row) => facetNames.includes(getCell(row, 1)));
  const typeNames = types.map((row) => getCell(row, 0));
  const texts = (row: TextRow, index: number) =>
    inCultures(toLocalisedText(getTranslations(row, index)), outline.cultures);
  return StorageSchema.parse({
    kind: 'Storage',
    collection: outline.collection,
    id: storageId,
    title: outline.title,
    cultures: outline.cultures,
    defaultCulture: 1033,
    facets: facets.map((row) => ({
      name: getCell(row, 0),
      displayNames: texts(row, 1),
      views: readRows(viewRows)
        .filter((view) => getCell(view, 0) === getCell(row, 0))
        .map((view) => ({
          name: getCell(view, 1),
          displayNames: texts(view, 2),
          isHierarchical: getCell(view, 5) === 'tree',
          types: splitCommaList(getCell(view, 6)),
        })),
    })),
    types: types.map((row) => defineType(row, texts(row, 2), types)),
    relations: readRows(relationRows).flatMap((row) => defineRelation(row, texts(row, 1), typeNames)),
    ...(typeNames.includes(userType) && { userType }),
  });
};

/** Its elements stand for those who write. */
const userType = 'user';

const defineType = (row: TextRow, displayNames: LocalisedText, types: readonly TextRow[]): TypeDefinition => {
  const [name, facet, kind] = [getCell(row, 0), getCell(row, 1), getCell(row, 6)];
  const childTypes = splitCommaList(getCell(row, 5));
  const symbols = types
    .filter((other) => getCell(other, 6) === 'symbol' && getCell(other, 1) === facet)
    .map((other) => getCell(other, 0));
  const versioned = kind === 'versioned';
  return {
    name,
    facet,
    displayNames,
    ...(versioned && { versioned }),
    attributes: defineAttributes(name, kind),
    states: versioned ? [...versionStates] : [...structureStates],
    transitions: versioned ? versionTransitions : structureTransitions,
    ...(childTypes.length > 0 && { childTypes: [...childTypes] }),
    ...((name === 'process' || name === 'organizationChart') && { contentTypes: symbols }),
  };
};

const defineAttributes = (type: string, kind: string): AttributeDefinition[] => [
  { name: 'name', localised: true, ...(kind !== 'symbol' && { mandatory: true, mandatoryCultures: [1033] }) },
  { name: 'description', localised: true },
  ...readRows(attributeRows)
    .filter((row) => splitCommaList(getCell(row, 0)).includes(type))
    .map((row) => defineAttribute(getCell(row, 1), getCell(row, 2))),
];

const defineAttribute = (name: string, words: string): AttributeDefinition => {
  const kind = attributeKinds.find((candidate) => words.split(' ').includes(candidate));
  return { name, ...(kind && { type: kind }), ...(words.includes('localised') && { localised: true }) };
};

/** `string` is the standard and is left out. */
const attributeKinds = ['number', 'boolean', 'date-time', 'file', 'link'] as const;

const versionTransitions = [
  { from: 'inProcess', to: 'inReview' },
  { from: 'inProcess', to: 'released' },
  { from: 'inReview', to: 'inProcess' },
  { from: 'inReview', to: 'readyForQa' },
  { from: 'readyForQa', to: 'inProcess' },
  { from: 'readyForQa', to: 'readyForRelease' },
  { from: 'readyForRelease', to: 'inProcess' },
  { from: 'readyForRelease', to: 'released' },
  { from: 'released', to: 'requestToExpire' },
  { from: 'requestToExpire', to: 'released' },
  { from: 'requestToExpire', to: 'expired' },
];

const structureTransitions = [
  { from: 'show', to: 'hide' },
  { from: 'hide', to: 'show' },
];

/** A relation whose types a small storage does not have is left out. */
const defineRelation = (row: TextRow, displayNames: LocalisedText, types: readonly string[]): unknown[] => {
  const [from, to] = [splitCommaList(getCell(row, 4)), splitCommaList(getCell(row, 5))];
  const [knownFrom, knownTo] = [from, to].map((names) => names.filter((name) => types.includes(name)));
  if ((from.length > 0 && knownFrom?.length === 0) || knownTo?.length === 0) return [];
  return [
    {
      name: getCell(row, 0),
      displayNames,
      ...(from.length > 0 && { from: knownFrom }),
      to: knownTo,
      many: getCell(row, 6) === 'many',
    },
  ];
};

const inCultures = (texts: LocalisedText, cultures: readonly number[]): LocalisedText =>
  Object.fromEntries(Object.entries(texts).filter(([culture]) => cultures.includes(Number(culture))));
