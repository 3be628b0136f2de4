/**
 * Rows -> the documents that the product returns: an element with its parts, or the tree of a facet. The benchmark
 * compares them with the product's before it measures.
 */

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Common = {
  readonly creation_id: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly state: string;
  readonly attributes: Attributes;
};

/** An element with its released version, else its newest. */
export type ElementRow = Common & {
  readonly element_id: string;
  readonly parent_id: string | null;
  readonly facet: string;
  readonly version_id: string;
  /** Among siblings; left out where the statement sorts. */
  readonly position?: number;
};

export type RelationRow = {
  readonly owner_id: string;
  readonly relation: string;
  readonly target_id: string;
  readonly target_version_id: string | null;
  readonly target_state: string | null;
  readonly facet: string;
  readonly type: string;
  readonly creation_id: string;
};

export type ContentRow = Common & {
  readonly content_id: string;
  readonly version_id: string;
  /** Only where the statement brings them along. */
  readonly relations?: readonly RelationRow[] | null;
};

/** A version that is or was released. */
export type ElementVersionRow = { readonly element_id: string; readonly version_id: string; readonly state: string };

/** One element with all that belongs to it. */
export type ElementWithParts = ElementRow & {
  readonly relations: readonly RelationRow[] | null;
  readonly content: readonly ContentRow[] | null;
  readonly children: readonly ElementRow[] | null;
  readonly history: readonly ElementVersionRow[] | null;
};

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

/** What documents of one storage have in common. */
export type StorageContext = {
  readonly publicUrl: string;
  readonly facetsUrl: string;
  readonly types: ReadonlyMap<string, StorageDefinition['types'][number]>;
};

type Document = Record<string, unknown>;

/** Stands for the public address in stored values. */
export const publicUrlPlaceholder = '\u0001';

export const createStorageContext = (
  { collection, id, types }: StorageDefinition,
  publicUrl: string,
): StorageContext => ({
  publicUrl,
  facetsUrl: `${publicUrl}/${encodeURIComponent(collection)}/${encodeURIComponent(id)}/_api/rest/facets`,
  types: new Map(types.map((type) => [type.name, type])),
});

const detailUrl = ({ facetsUrl }: StorageContext, facet: string, id: string): string =>
  `${facetsUrl}/${encodeURIComponent(facet)}/views/detail/elements/${id}`;

/** The address of an element itself, before its id. */
export const ownUrlPrefix = ({ facetsUrl }: StorageContext, facet: string): string =>
  `${facetsUrl}/${encodeURIComponent(facet)}/reporting/`;

const hasMembers = (object: object): boolean => Object.keys(object).length > 0;

const withAddress = (attributes: Attributes, publicUrl: string): Attributes => {
  const address = attributes['gotoUrl']?.['127'];
  if (typeof address !== 'string') return attributes;
  return { ...attributes, gotoUrl: { '127': address.replace(publicUrlPlaceholder, publicUrl) } };
};

/** What elements and content elements begin with. */
const commonMembers = (
  around: StorageContext,
  row: ElementRow | ContentRow,
  [facet, id, versionId]: readonly [string, string, string?],
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

const elementMembers = (around: StorageContext, row: ElementRow): Document =>
  commonMembers(around, row, [row.facet, row.element_id, row.version_id]);
const ownUrl = (around: StorageContext, { facet, element_id }: ElementRow): string =>
  ownUrlPrefix(around, facet) + element_id;

const reference = (around: StorageContext, row: RelationRow): Document => ({
  facetName: row.facet,
  id: row.target_id,
  ...(row.target_version_id && { versionId: row.target_version_id }),
  creationId: row.creation_id,
  type: row.type,
  ...(row.target_state && { state: row.target_state }),
  expandUri: detailUrl(around, row.facet, row.target_version_id ?? row.target_id),
});

const versionReference =
  (around: StorageContext, element: ElementRow) =>
  (version: ElementVersionRow): Document => ({
    facetName: element.facet,
    id: element.element_id,
    versionId: version.version_id,
    creationId: element.creation_id,
    type: element.type,
    state: version.state,
    expandUri: detailUrl(around, element.facet, version.version_id),
  });

const related = (
  around: StorageContext,
  rows: readonly RelationRow[] | null = [],
  releaseHistory: readonly Document[] = [],
): Document => {
  const lists: Document = {};
  for (const [relation, list] of Map.groupBy(rows ?? [], (row) => row.relation))
    lists[relation] = list.map((row) => reference(around, row));
  if (releaseHistory.length > 0) lists['releaseHistory'] = releaseHistory;
  return hasMembers(lists) ? { related: lists } : {};
};

const contentElement = (
  around: StorageContext,
  row: ContentRow,
  relations: readonly RelationRow[] | null | undefined,
): Document => {
  const facet = around.types.get(row.type)?.facet ?? '';
  return {
    ...commonMembers(around, row, [facet, row.content_id]),
    ...related(around, relations),
    expandUri: detailUrl(around, facet, row.content_id),
  };
};

/** The list with this one element. */
export const toElementDocument = (around: StorageContext, row: ElementWithParts): Document => {
  const content = (row.content ?? []).map((part) => contentElement(around, part, part.relations));
  const children = (row.children ?? []).map((child) => ({
    ...elementMembers(around, child),
    expandUri: ownUrl(around, child),
  }));
  const element = {
    ...elementMembers(around, row),
    ...related(around, row.relations, row.history?.map(versionReference(around, row))),
    ...(children.length > 0 && { children }),
    ...(content.length > 0 && { content }),
    expandUri: ownUrl(around, row),
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
  const children = Map.groupBy(elements, ({ parent_id }) => parent_id ?? '');
  const content = Map.groupBy(rows.content, ({ version_id }) => version_id);
  const relations = Map.groupBy(rows.relations, ({ owner_id }) => owner_id);
  const history = Map.groupBy(rows.history, ({ element_id }) => element_id);
  const present = (row: ElementRow): Document => {
    const below = children.get(row.element_id)?.map(present);
    const parts = content.get(row.version_id);
    const versions = history.get(row.element_id)?.map(versionReference(around, row));
    return {
      ...elementMembers(around, row),
      ...related(around, relations.get(row.version_id), versions),
      ...(below && { children: below }),
      ...(parts && { content: parts.map((part) => contentElement(around, part, relations.get(part.content_id))) }),
      expandUri: ownUrl(around, row),
    };
  };
  const known = new Set(elements.map(({ element_id }) => element_id));
  const values = elements.filter(({ parent_id }) => parent_id === null || !known.has(parent_id)).map(present);
  return { count: values.length, values };
};
