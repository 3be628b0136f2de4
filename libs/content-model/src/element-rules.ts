/** The rules between two elements: what may stand under what, and where a relation may lead. */
import { findRelation, findType, type StorageModel } from './storage-model.js';

type RuleFault = { readonly message: string; readonly rule: string };

/** The other element, as much of it as the rules need; undefined when there is none. */
export type RelatedElement = { readonly type: string; readonly facet: string; readonly isDeleted: boolean } | undefined;

/** Why the child may not stand there; undefined when it may. `given` is the parent as it was named. */
export const checkParent = (
  storage: StorageModel,
  child: { readonly type: string; readonly facet: string },
  given: string,
  parent: RelatedElement,
): RuleFault | undefined => {
  if (!parent || parent.isDeleted) return missingElementFault(given, parent);
  if (parent.facet !== child.facet)
    return {
      message: `"${given}" belongs to the facet "${parent.facet}", expected one of "${child.facet}"`,
      rule: 'facet',
    };
  if (findType(storage, parent.type)?.childTypes.includes(child.type)) return undefined;
  return {
    message: `elements of the type "${child.type}" may not stand under "${given}", which is of the type "${parent.type}"`,
    rule: 'parent',
  };
};

/** `relation` in its defined spelling; `given` is the target as it was named. */
export const checkRelationTarget = (
  storage: StorageModel,
  relation: string,
  given: string,
  target: Omit<NonNullable<RelatedElement>, 'facet'> | undefined,
): RuleFault | undefined => {
  if (!target || target.isDeleted) return missingElementFault(given, target);
  const allowed = findRelation(storage, relation)?.to;
  if (!allowed || allowed.includes(target.type)) return undefined;
  const expected = allowed.map((name) => `"${name}"`).join(', ');
  return { message: `"${given}" is of the type "${target.type}"; "${relation}" leads to ${expected}`, rule: 'to' };
};

export const cycleFault: RuleFault = {
  message: 'stands in a circle: following its parents never ends at a root',
  rule: 'cycle',
};

const missingElementFault = (given: string, other: object | undefined): RuleFault =>
  other
    ? { message: `the element "${given}" was deleted; restore it first`, rule: 'deleted' }
    : { message: `there is no element "${given}"`, rule: 'unknown' };
