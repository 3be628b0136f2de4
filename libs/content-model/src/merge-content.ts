/**
 * What an update makes of the content of a version: the list that is asked for, in its order. What the version has
 * already keeps its identifier and what is not named of it; the rest is new.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContentDocument } from '@tessera/contracts';
import type { SlicedWork } from '@tessera/fair-queue';
import type { WrittenContent } from '@tessera/contracts/content-repo';
import type { FaultList } from '@tessera/failures';
import { contentIdOf } from './element-ids.js';
import type { ContentRow } from './element-rows.js';
import { mergeAttributes, mergeRelations, type RequestedReference, type RelationChange } from './merge-values.js';
import type { StoredContent } from './new-version.js';
import { systemAttributes } from './system-attributes.js';
import { initialState } from './states.js';
import { findType, type StorageModel, type TypeModel } from './storage-model.js';

type Path = readonly (string | number)[];

export type ContentChange = {
  readonly rows: readonly ContentRow[];
  /** By the content element that has the relation. */
  readonly relations: readonly (RelationChange & { readonly ownerId: string })[];
  /** Content elements that the version has no more. */
  readonly goneIds: readonly string[];
};

type MergedContent = {
  /** To be checked. */
  readonly documents: readonly ContentDocument[];
  readonly references: readonly RequestedReference[];
  /** Undefined when everything stays as it is. */
  readonly change: ContentChange | undefined;
  readonly ignored: readonly Path[];
};

type ContentToMerge = {
  readonly versionId: string;
  readonly stored: readonly StoredContent[];
  readonly requested: readonly WrittenContent[];
  /** Text that no other change has: the identifiers of what has no key are made of it. */
  readonly seed: string;
};

export function* mergeContent(
  list: FaultList,
  path: Path,
  storage: StorageModel,
  { versionId, stored, requested, seed }: ContentToMerge,
): SlicedWork<MergedContent> {
  const items: MergedItem[] = [];
  for (const [index, element] of requested.entries()) {
    if (list.isFull) break;
    yield;
    const placeOf = (key: string | undefined): ContentPlace => ({
      versionId,
      position: index,
      contentId: contentIdOf(versionId, key ?? `${seed} ${index}`),
    });
    const at = { list, path: [...path, index], storage };
    items.push(yield* mergeItem(at, findStored(stored, element), element, placeOf));
  }
  const rows = items.map(({ row }) => row);
  const relations = items.flatMap((item) => item.relations);
  const left = new Set(rows.map(({ contentId }) => contentId));
  const goneIds = stored.map(({ contentId }) => contentId).filter((contentId) => !left.has(contentId));
  const isChanged =
    relations.length > 0 || !isDeepStrictEqual(rows.map(comparableMembers), stored.map(comparableMembers));
  return {
    documents: items.map(({ document }) => document),
    references: items.flatMap(({ references }) => references),
    change: isChanged ? { rows, relations, goneIds } : undefined,
    ignored: items.flatMap((item) => item.ignored),
  };
}

const findStored = (stored: readonly StoredContent[], { id, key }: WrittenContent): StoredContent | undefined =>
  stored.find(({ contentId }) => contentId === id?.toLowerCase()) ??
  (key === undefined ? undefined : stored.find((element) => element.key === key));

const comparableMembers = ({ contentId, type, stereotype, state, attributes }: Omit<ContentRow, 'versionId'>) => [
  contentId,
  type,
  stereotype ?? null,
  state,
  attributes,
];

type ContentContext = { readonly list: FaultList; readonly path: Path; readonly storage: StorageModel };
type ContentPlace = Pick<ContentRow, 'contentId' | 'versionId' | 'position'>;

type MergedItem = {
  readonly row: ContentRow;
  readonly document: ContentDocument;
  readonly references: readonly RequestedReference[];
  readonly relations: ContentChange['relations'];
  readonly ignored: readonly Path[];
};

function* mergeItem(
  { list, path, storage }: ContentContext,
  stored: StoredContent | undefined,
  requested: WrittenContent,
  placeOf: (key: string | undefined) => ContentPlace,
): SlicedWork<MergedItem> {
  const type = findType(storage, stored?.type ?? requested.type);
  checkUnchangeable({ list, path, storage }, type, stored, requested);
  const place = { ...placeOf(requested.key), ...(stored && { contentId: stored.contentId }) };
  const merged = type && mergeAttributes(list, [...path, 'attributes'], type && valuesOf(type, stored, requested));
  const relations = yield* mergeRelations(list, [...path, 'related'], storage, {
    stored: stored?.relations ?? [],
    requested: requested.related,
    kept: new Map(),
  });
  const { contentId } = place;
  const state = requested.state ?? stored?.state ?? initialState(false);
  const row: ContentRow = {
    ...place,
    key: stored ? (stored.key ?? undefined) : requested.key,
    creationId: stored?.creationId ?? requested.creationId?.toLowerCase() ?? contentId,
    type: type?.name ?? requested.type,
    stereotype: (requested.stereotype === undefined ? stored?.stereotype : requested.stereotype) ?? undefined,
    state,
    attributes: merged?.attributes ?? {},
  };
  return {
    row,
    document: { id: contentId, type: row.type, state, attributes: merged?.given ?? {}, relations: relations.targets },
    references: relations.references,
    relations: relations.changes.map((change) => ({ ...change, ownerId: contentId })),
    ignored: merged?.ignored ?? [],
  };
}

const valuesOf = (type: TypeModel, stored: StoredContent | undefined, requested: WrittenContent) => ({
  type,
  stored: stored?.attributes ?? {},
  requested: requested.attributes,
  isKept: (name: string) => computedNames.has(name),
});

/** The server fills in nothing of content; these attributes nobody writes there. */
const computedNames: ReadonlySet<string> = new Set(
  systemAttributes.filter(({ given }) => !given).map(({ name }) => name),
);

const checkUnchangeable = (
  { list, path }: ContentContext,
  type: TypeModel | undefined,
  stored: StoredContent | undefined,
  requested: WrittenContent,
): void => {
  if (requested.facetName !== undefined && type && requested.facetName.toLowerCase() !== type.facet.toLowerCase())
    list.add(
      [...path, 'facetName'],
      'facet',
      `content of the type "${type.name}" belongs to the facet "${type.facet}"`,
    );
  if (!stored) return;
  if (requested.type.toLowerCase() !== stored.type.toLowerCase())
    list.add([...path, 'type'], 'kept', `a content element keeps its type, "${stored.type}"`);
  if (requested.key !== undefined && requested.key !== stored.key)
    list.add([...path, 'key'], 'kept', 'a content element keeps the key that it was made with');
  if (requested.creationId !== undefined && requested.creationId.toLowerCase() !== stored.creationId)
    list.add([...path, 'creationId'], 'kept', `a content element keeps its creationId, "${stored.creationId}"`);
};
