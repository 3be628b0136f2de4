/**
 * Who can be responsible for an element, by the definition of its storage and not by names: the elements that stand for users (`userType`),
 * and roles. A role is what users fill and what does something: a relation of users alone leads to its type, and a relation of its type leads
 * to types that have versions. A unit that users belong to does nothing, and is no role. A storage without `userType` has neither.
 */
import { findType, type RelationModel, type StorageModel } from '@tessera/content-model';

export type ResponsibleLinks = {
  /** Of users and roles. */
  readonly types: readonly string[];
  /** Relations that lead from users and roles to elements, as `executes` does; `to`: every type when absent. */
  readonly leading: readonly Pick<RelationModel, 'name' | 'to'>[];
};

export const findResponsibleLinks = (model: StorageModel): ResponsibleLinks => {
  const { userType, relations } = model;
  if (!userType) return { types: [], leading: [] };
  const filled = relations.flatMap(({ from, to = [] }) =>
    from?.length === 1 && from[0] === userType.name ? to.filter((type) => type !== userType.name) : [],
  );
  const types = [userType.name, ...new Set(filled.filter((type) => actsOnVersions(model, type)))];
  // What every type may have, as an owner, says nothing of whoever it leads to.
  const leading = relations.filter(({ from }) => from?.some((type) => types.includes(type)) ?? false);
  return { types, leading };
};

const actsOnVersions = (model: StorageModel, type: string): boolean =>
  model.relations.some(
    ({ from, to }) =>
      (from?.includes(type) ?? false) && (to?.some((name) => findType(model, name)?.versioned ?? false) ?? true),
  );
