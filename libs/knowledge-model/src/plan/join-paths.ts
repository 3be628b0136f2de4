/**
 * The join paths between the records of a model: the shortest that leads to one row at every step, else the shortest of
 * all; of equal length the one whose relationships are defined first. Found once for each model and start record.
 */
import { fail } from '@tessera/failures';
import type { KnowledgeModel, RelationshipModel } from '../model/knowledge-model.js';

/** A relationship in the direction in which it is gone. */
export type JoinStep = {
  /** The same for the same relationship in the same direction. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Attributes of both records. */
  readonly on: readonly { readonly from: string; readonly to: string }[];
  readonly isToMany: boolean;
};

type JoinPath = readonly JoinStep[];

type Relationships = readonly RelationshipModel[];
type JoinPaths = ReadonlyMap<string, JoinPath>;
/** Steps by the record that they begin at, and the ways that were asked for, by the same. */
type Graph = { readonly steps: ReadonlyMap<string, readonly JoinStep[]>; readonly ways: Map<string, JoinPaths> };

/** By the relationships of a model, which all views of it share. */
const graphByRelationships = new WeakMap<Relationships, Graph>();

/** Undefined when the records are not related; no step from a record to itself. */
export const findJoinPath = (relationships: Relationships, from: string, to: string): JoinPath | undefined => {
  const graph = graphOf(relationships);
  const known = graph.ways.get(from);
  if (known) return known.get(to);
  const toOne = pathsFrom(graph, from, (step) => !step.isToMany);
  const ways = new Map([...pathsFrom(graph, from, () => true), ...toOne]);
  graph.ways.set(from, ways);
  return ways.get(to);
};

export const isToOnePath = (way: JoinPath | undefined): boolean => way?.every(({ isToMany }) => !isToMany) ?? false;

const graphOf = (relationships: Relationships): Graph => {
  const known = graphByRelationships.get(relationships);
  if (known) return known;
  const steps = Map.groupBy(relationships.flatMap(stepsOf), ({ from }) => from);
  const graph = { steps, ways: new Map<string, JoinPaths>() };
  graphByRelationships.set(relationships, graph);
  return graph;
};

const stepsOf = ({ from, to, on, cardinality }: RelationshipModel, index: number): readonly JoinStep[] => {
  if (from === to) return [];
  const [many, one] = [cardinality.endsWith('to-many'), cardinality.startsWith('one-to')];
  const back = on.map((pair) => ({ from: pair.to, to: pair.from }));
  return [
    { id: `${index}>`, from, to, on, isToMany: many },
    { id: `${index}<`, from: to, to: from, on: back, isToMany: !one },
  ];
};

/** Breadth first and in the order of the definition, so that the first way to a record is the one that counts. */
const pathsFrom = (graph: Graph, start: string, takes: (step: JoinStep) => boolean): Map<string, JoinPath> => {
  const ways = new Map<string, JoinPath>([[start, []]]);
  // A map can grow while it is gone through.
  for (const [record, way] of ways)
    for (const step of graph.steps.get(record) ?? [])
      if (takes(step) && !ways.has(step.to)) ways.set(step.to, [...way, step]);
  return ways;
};

const namesMax = 5;

export const failUnrelatedRecords = (
  { records, relationships }: KnowledgeModel,
  from: string,
  to: readonly string[],
) => {
  const unrelated = [...new Set(to)];
  const related = (record: string): readonly string[] =>
    records.map(({ id }) => id).filter((id) => findJoinPath(relationships, record, id) !== undefined);
  const [first = from] = unrelated;
  return fail(
    'KM_JOIN_NOTFOUND',
    `${from} and ${joinNames(unrelated, 'and')} are not related. A relationship would be needed ` +
      `between ${joinNames(related(from), 'or')} and ${joinNames(related(first), 'or')}.`,
  );
};

const joinNames = (names: readonly string[], word: 'and' | 'or'): string => {
  const shown =
    names.length > namesMax ? [...names.slice(0, namesMax - 1), `${names.length - namesMax + 1} others`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${word} ${last}` : last;
};
