/**
 * Which records hold at most one row for each row of another, by whatever relationships lead there one row at a time.
 */
import type { KnowledgeModel, RelationshipModel } from './knowledge-model.js';

/** Record -> the records that are one row away, itself among them. */
export type FindToOneRecords = (record: string) => ReadonlySet<string>;

export const createToOneLookup = ({ relationships }: Pick<KnowledgeModel, 'relationships'>): FindToOneRecords => {
  const steps = new Map<string, string[]>();
  for (const { from, to } of relationships.flatMap(singleSteps)) steps.set(from, [...(steps.get(from) ?? []), to]);
  return (record) => {
    const reached = new Set([record]);
    for (const place of reached) for (const next of steps.get(place) ?? []) reached.add(next);
    return reached;
  };
};

type Step = { readonly from: string; readonly to: string };

const singleSteps = ({ from, to, cardinality }: RelationshipModel): readonly Step[] => {
  switch (cardinality) {
    case 'one-to-one':
      return [
        { from, to },
        { from: to, to: from },
      ];
    case 'many-to-one':
      return [{ from, to }];
    case 'one-to-many':
      return [{ from: to, to: from }];
    case 'many-to-many':
      return [];
  }
};
