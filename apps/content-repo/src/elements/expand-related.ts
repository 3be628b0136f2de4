/**
 * `$expandRelated`: references of the named relations become the elements they lead to, one level, in an element and in
 * its content. Refuses: to read; the targets are read for many elements at once.
 */
import { parseElement, type ElementJson } from './element-json.js';
import { referenceKey, type ReferenceTarget } from './reference.repository.js';

/** The targets that the named relations (lower case) of these elements lead to, each once. */
export const referencedTargets = (
  elements: readonly ElementJson[],
  relations: ReadonlySet<string>,
): ReadonlyMap<string, ReferenceTarget> => {
  const targets = new Map<string, ReferenceTarget>();
  for (const element of elements) {
    for (const [relation, references] of Object.entries(element.related ?? {}))
      if (relations.has(relation.toLowerCase()))
        for (const reference of references) {
          const target = targetOf(reference);
          if (target) targets.set(referenceKey(target), target);
        }
    for (const [key, target] of referencedTargets(element.content ?? [], relations)) targets.set(key, target);
  }
  return targets;
};

/** What is not among `found` stays a reference. */
export const expandRelated = (
  element: ElementJson,
  relations: ReadonlySet<string>,
  found: ReadonlyMap<string, ElementJson>,
): ElementJson => {
  const related =
    element.related &&
    Object.fromEntries(
      Object.entries(element.related).map(([relation, references]) => [
        relation,
        relations.has(relation.toLowerCase()) ? references.map((reference) => expand(reference, found)) : references,
      ]),
    );
  const content = element.content?.map((item) => expandRelated(item, relations, found));
  return { ...element, ...(related && { related }), ...(content && { content }) };
};

/** Stored texts -> elements, complete but for their address. */
export const parseTargets = (texts: ReadonlyMap<string, string>, publicUrl: string): ReadonlyMap<string, ElementJson> =>
  new Map([...texts].map(([key, text]) => [key, parseElement(`${text}}`, publicUrl)]));

const expand = (reference: ElementJson, found: ReadonlyMap<string, ElementJson>): ElementJson => {
  const target = targetOf(reference);
  const element = target && found.get(referenceKey(target));
  return element ? { ...element, ...(reference.expandUri && { expandUri: reference.expandUri }) } : reference;
};

const targetOf = ({ id, versionId }: ElementJson): ReferenceTarget | undefined =>
  id ? { elementId: id, versionId } : undefined;
