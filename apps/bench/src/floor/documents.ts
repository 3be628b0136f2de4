/**
 * Rows -> the documents that the product returns: an element with its parts, or the tree of a facet. The benchmark
 * compares them with the product's before it measures.
 */
import type {
  Attributes,
  ContentRow,
  ElementRow,
  ElementWithParts,
  ElementVersionRow,
  RelationRow,
} from './element-rows.js';

export type StorageDefinition = {
  readonly collection: string;
  readonly id: string;
  readonly types: readonly {
    readonly name: string;
    readonly facet: string;
    readonly versioned?: boolean;
    readonly displayNames: Readonly<Record<string, string>>;
  }[];
};

type Type = StorageDefinition['types'][number];

/** What documents of one storage have in common. */
export type StorageContext = {
  readonly publicUrl: string;
  /** Public address of the storage. */
  readonly prefix: string;
  readonly types: ReadonlyMap<string, Type>;
};

/** Below it the floor answers an element from the text that the product has stored of it. */
export const storedFloorPrefix = '/stored';

type Document = Record<string, unknown>;

/** Stands for the public address in stored values. */
export const publicUrlPlaceholder = '\u0001';

export const createStorageContext = (definition: StorageDefinition, publicUrl: string): StorageContext => ({
  publicUrl,
  prefix: `${publicUrl}/${encodeURIComponent(definition.collection)}/${encodeURIComponent(definition.id)}/_api/rest`,
  types: new Map(definition.types.map((type) => [type.name, type])),
});

const detailUri = ({ prefix }: StorageContext, facet: string, id: string): string =>
  `${prefix}/facets/${encodeURIComponent(facet)}/views/detail/elements/${id}`;

const withAddress = (attributes: Attributes, publicUrl: string): Attributes => {
  const address = attributes['gotoUrl']?.['127'];
  return typeof address === 'string'
    ? { ...attributes, gotoUrl: { '127': address.replace(publicUrlPlaceholder, publicUrl) } }
    : attributes;
};

const hasMembers = (object: object): boolean => Object.keys(object).length > 0;

type Common = Pick<ElementRow, 'type' | 'state' | 'stereotype' | 'attributes' | 'creation_id'>;

/** What elements and content elements begin with. */
const commonMembers = (
  around: StorageContext,
  row: Common,
  facet: string,
  id: string,
  versionId: string | undefined,
): Document => {
  const type = around.types.get(row.type);
  return {
    facetName: facet,
    id,
    ...(versionId !== undefined && type?.versioned && { versionId }),
    creationId: row.creation_id,
    type: row.type,
    state: row.state,
    ...(row.stereotype && { stereotype: row.stereotype }),
    ...(type && hasMembers(type.displayNames) && { displayNames: type.displayNames }),
    ...(hasMembers(row.attributes) && { attributes: withAddress(row.attributes, around.publicUrl) }),
  };
};

const reference = (around: StorageContext, row: RelationRow): Document => ({
  facetName: row.facet,
  id: row.target_id,
  ...(row.target_version_id && { versionId: row.target_version_id }),
  creationId: row.creation_id,
  type: row.type,
  ...(row.target_state && { state: row.target_state }),
  expandUri: detailUri(around, row.facet, row.target_version_id ?? row.target_id),
});

const versionReference = (around: StorageContext, element: ElementRow, version: ElementVersionRow): Document => ({
  facetName: element.facet,
  id: element.element_id,
  versionId: version.version_id,
  creationId: element.creation_id,
  type: element.type,
  state: version.state,
  expandUri: detailUri(around, element.facet, version.version_id),
});

const related = (
  around: StorageContext,
  rows: readonly RelationRow[] = [],
  releaseHistory: readonly Document[] = [],
): Document => {
  const lists: Record<string, readonly Document[]> = {};
  for (const [relation, list] of groupByType(rows, (row) => row.relation))
    lists[relation] = list.map((row) => reference(around, row));
  if (releaseHistory.length > 0) lists['releaseHistory'] = releaseHistory;
  return hasMembers(lists) ? { related: lists } : {};
};

const contentElement = (
  around: StorageContext,
  row: ContentRow,
  relations: readonly RelationRow[] | undefined,
): Document => {
  const facet = around.types.get(row.type)?.facet ?? '';
  return {
    ...commonMembers(around, row, facet, row.content_id, undefined),
    ...related(around, relations),
    expandUri: detailUri(around, facet, row.content_id),
  };
};

const groupByType = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
};

/** The part of an element's own address before its id. */
export const getReportingUriPrefix = ({ prefix }: StorageContext, facet: string): string =>
  `${prefix}/facets/${encodeURIComponent(facet)}/reporting/`;

const ownUri = (around: StorageContext, facet: string, id: string): string => getReportingUriPrefix(around, facet) + id;

/** The same list from stored text, which has a mark in place of the public address. */
export const toStoredElementJson = ({ publicUrl }: StorageContext, text: string): string =>
  `{"count":1,"elements":[${text.replaceAll(publicUrlPlaceholder, publicUrl)}]}`;

/** The list with this one element. */
export const toElementDocument = (around: StorageContext, row: ElementWithParts): Document => {
  const content = (row.content ?? []).map((part) => contentElement(around, part, part.relations ?? []));
  const children = (row.children ?? []).map((child) => ({
    ...commonMembers(around, child, child.facet, child.element_id, child.version_id),
    expandUri: ownUri(around, child.facet, child.element_id),
  }));
  const element = {
    ...commonMembers(around, row, row.facet, row.element_id, row.version_id),
    ...related(
      around,
      row.relations ?? [],
      row.history?.map((version) => versionReference(around, row, version)),
    ),
    ...(children.length > 0 && { children }),
    ...(content.length > 0 && { content }),
    expandUri: ownUri(around, row.facet, row.element_id),
  };
  return { count: 1, elements: [element] };
};

type FacetRows = {
  readonly elements: readonly ElementRow[];
  readonly content: readonly ContentRow[];
  readonly relations: readonly RelationRow[];
  readonly history: readonly ElementVersionRow[];
};

/** The report of a facet: its roots, children nested to any depth. */
export const toFacetDocument = (around: StorageContext, rows: FacetRows): Document => {
  const elements = [...rows.elements].sort((left, right) => (left.position ?? 0) - (right.position ?? 0));
  const children = groupByType(elements, ({ parent_id }) => parent_id ?? '');
  const content = groupByType(rows.content, ({ version_id }) => version_id);
  const relations = groupByType(rows.relations, ({ owner_id }) => owner_id);
  const history = groupByType(rows.history, ({ element_id }) => element_id);
  const present = (row: ElementRow): Document => {
    const below = children.get(row.element_id)?.map(present);
    const parts = content
      .get(row.version_id)
      ?.map((part) => contentElement(around, part, relations.get(part.content_id)));
    return {
      ...commonMembers(around, row, row.facet, row.element_id, row.version_id),
      ...related(
        around,
        relations.get(row.version_id),
        history.get(row.element_id)?.map((version) => versionReference(around, row, version)),
      ),
      ...(below && { children: below }),
      ...(parts && { content: parts }),
      expandUri: ownUri(around, row.facet, row.element_id),
    };
  };
  const known = new Set(elements.map(({ element_id }) => element_id));
  const roots = elements.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  const values = roots.map(present);
  return { count: values.length, values };
};
