/**
 * What stored elements say, as the plan of the document that an export would write of them: comparable with the plan of a
 * file, whoever wrote the element. Refuses: elements of a type that the definition has no more.
 */
import { planElement, typeNamed, type ElementPlan } from '@tessera/content-model';
import { exportDocument } from '../export/export-documents.js';
import { readElements, readParts } from '../export/export-rows.js';
import type { ImportScope } from './import-scope.js';

export type SaidElement = {
  readonly plan: ElementPlan;
  /** What the content of a version was copied from, by the identifier of the version, in order. */
  readonly originals: ReadonlyMap<string, readonly string[]>;
};

export const readSaid = async (
  scope: ImportScope,
  elementIds: readonly string[],
): Promise<ReadonlyMap<string, SaidElement>> => {
  if (elementIds.length === 0) return new Map();
  const elements = await readElements(scope, elementIds);
  const parts = await readParts(scope, elementIds);
  const originals = new Map(
    [...parts.content].map(([versionId, content]) => [versionId, content.map((row) => row.creation_id)]),
  );
  return new Map(
    elements.flatMap((element) => {
      const type = typeNamed(scope.model, element.type);
      if (!type) return [];
      const plan = planElement(scope.model, type, exportDocument(scope.model, element, parts));
      return [[element.element_id, { plan, originals }]];
    }),
  );
};
