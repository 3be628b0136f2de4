/** Stored elements as the documents that would store them again, in canonical form. */
import {
  toDocumentAttributes,
  toCanonicalElement,
  omitComputedAttributes,
  findType,
  type StorageModel,
} from '@tessera/content-model';
import type { ContentDocument, ElementDocument, RelationTargets, VersionDocument } from '@tessera/contracts';
import type { ElementPartRows, ContentRow, ElementRow, RelationRow, VersionRow } from './export-rows.js';

export const toElementDocument = (
  model: StorageModel,
  element: ElementRow,
  parts: ElementPartRows,
): ElementDocument => {
  const originals = new Map<string, string>();
  const versions = parts.versions.get(element.element_id) ?? [];
  const document: ElementDocument = {
    id: element.id,
    type: element.type,
    ...(element.stereotype !== null && { stereotype: element.stereotype }),
    ...(element.parent !== null && { parent: element.parent }),
    ...(element.creation !== null && { creationId: element.creation }),
  };
  const exported = versions.map((version) => versionDocument(model, element, version, parts, originals));
  const [only] = exported;
  if (findType(model, element.type)?.versioned || !only)
    return toCanonicalElement(model, { ...document, versions: exported });
  const { version: _internal, ...members } = only;
  return toCanonicalElement(model, { ...document, ...members });
};

const versionDocument = (
  model: StorageModel,
  element: ElementRow,
  version: VersionRow,
  parts: ElementPartRows,
  originals: Map<string, string>,
): VersionDocument => {
  const facts = { createdAt: version.created_at, changedAt: version.changed_at };
  const content = parts.content.get(version.version_id) ?? [];
  return {
    version: version.version,
    state: version.state,
    attributes: toDocumentAttributes(findType(model, element.type), omitComputedAttributes(version.attributes, facts)),
    relations: targetsOf(parts.relations.get(version.version_id)),
    content: content.map((row) => contentDocument(model, row, parts.relations.get(row.content_id), originals)),
  };
};

/** The first version that has an id is its original; only another one has to be told. */
const contentDocument = (
  model: StorageModel,
  row: ContentRow,
  relations: readonly RelationRow[] | undefined,
  originals: Map<string, string>,
): ContentDocument => {
  if (!originals.has(row.id)) originals.set(row.id, row.content_id);
  return {
    id: row.id,
    type: row.type,
    ...(row.stereotype !== null && { stereotype: row.stereotype }),
    ...(originals.get(row.id) !== row.creation_id && { creationId: row.creation_id }),
    state: row.state,
    attributes: toDocumentAttributes(findType(model, row.type), row.attributes),
    relations: targetsOf(relations),
  };
};

const targetsOf = (rows: readonly RelationRow[] = []): RelationTargets =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ relation }) => relation)].map(([name, list]) => [name, list.map(({ target }) => target)]),
  );
