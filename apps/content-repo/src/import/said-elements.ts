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
  /** The content of each version, by the identifier of the version, in order. */
  readonly content: ReadonlyMap<string, readonly SaidContent[]>;
};

/** `id`: a key or a UUID, as files name it. */
export type SaidContent = { readonly id: string; readonly content_id: string; readonly creation_id: string };

export const readSaid = async (
  scope: ImportScope,
  elementIds: readonly string[],
): Promise<ReadonlyMap<string, SaidElement>> => {
  if (elementIds.length === 0) return new Map();
  const elements = await readElements(scope, elementIds);
  const parts = await readParts(scope, elementIds);
  return new Map(
    elements.flatMap((element) => {
      const type = typeNamed(scope.model, element.type);
      if (!type) return [];
      const plan = planElement(scope.model, type, exportDocument(scope.model, element, parts));
      return [[element.element_id, { plan, content: parts.content }]];
    }),
  );
};
