/**
 * The rows of a record with all that is read beside them: which records are joined, by which way and under which name,
 * and which are only looked at by conditions.
 */
import { type Result, succeed } from '@tessera/failures';
import type { CallerView } from '../query/caller-view.js';
import {
  type JoinedRecord,
  requiresRowOf,
  type PlannedRecord,
  recordsOfCondition,
  type RowCondition,
  type RowSource,
  type SemiJoin,
} from './query-plan.js';
import { failUnrelatedRecords, findJoinPath, type JoinStep } from './join-paths.js';

/** One for each beginning of a way. */
type Node = PlannedRecord & {
  readonly way: string;
  readonly parent?: Node;
  readonly step?: JoinStep;
  /** Where on its way what is only looked at begins: at the first that would multiply rows and is not asked for. */
  readonly head?: string;
};

type PlanContext = {
  readonly view: CallerView;
  readonly root: Node;
  /** By way, each after its parent. */
  readonly nodes: Map<string, Node>;
  readonly places: Map<string, Node>;
};

/** `asked`: the records whose related rows are joined, even if they multiply the rows of `root`. */
export const planSource = (
  view: CallerView,
  root: string,
  asked: readonly string[],
  conditions: readonly RowCondition[],
): Result<RowSource> => {
  const start: Node = { ...rowsOf(view, root, root.slice(0, nameBytesMax)), way: '' };
  const building: PlanContext = { view, root: start, nodes: new Map(), places: new Map([[root, start]]) };
  const read = conditions.flatMap((condition) => [...recordsOfCondition(condition)]);
  const unrelated = [
    ...asked.filter((record) => !placeRecord(building, record, true)),
    ...read.filter((record) => !placeRecord(building, record, false)),
  ];
  if (unrelated.length > 0) return failUnrelatedRecords(view.model, root, unrelated);
  const { plain, looked } = divideConditions(building, conditions);
  return succeed({
    root: rowsOf(view, root, start.alias),
    joins: [...building.nodes.values()].flatMap((node) => (node.head ? [] : joinedRecord(node, true))),
    places: new Map([...building.places].map(([record, { alias }]) => [record, alias])),
    conditions: plain,
    semiJoins: looked.map((part) => semiJoinOf(building, part)),
  });
};

const rowsOf = ({ policies }: CallerView, record: string, alias: string): PlannedRecord => ({
  record,
  alias,
  policies: policies.get(record) ?? [],
});

/** False when no way leads to the record. */
const placeRecord = (building: PlanContext, record: string, mayMultiply: boolean): boolean => {
  if (building.places.has(record)) return true;
  const way = findJoinPath(building.view.model.relationships, building.root.record, record);
  const end = way?.reduce((node, step) => followStep(building, node, step, mayMultiply), building.root);
  if (end) building.places.set(record, end);
  return end !== undefined;
};

const followStep = (building: PlanContext, parent: Node, step: JoinStep, mayMultiply: boolean): Node => {
  const { view, nodes } = building;
  const way = `${parent.way}${step.id}`;
  const known = nodes.get(way);
  if (known) return known;
  const head = parent.head ?? (step.isToMany && !mayMultiply ? way : undefined);
  const node: Node = {
    ...rowsOf(view, step.to, freeAlias(building, step.to)),
    way,
    parent,
    step,
    ...(head && { head }),
  };
  nodes.set(way, node);
  return node;
};

/** PostgreSQL cuts longer names. */
const nameBytesMax = 63;

/** The id of the record unless it is taken; an id has no space in it. */
const freeAlias = ({ root, nodes }: PlanContext, record: string): string => {
  const alias = record.slice(0, nameBytesMax);
  const isTaken = alias === root.alias || [...nodes.values()].some((node) => node.alias === alias);
  return isTaken ? `${record.slice(0, nameBytesMax - 5)} ${nodes.size + 2}` : alias;
};

const joinedRecord = ({ record, alias, policies, parent, step }: Node, isOptional: boolean): readonly JoinedRecord[] =>
  parent && step
    ? [{ record, alias, policies, parent: parent.alias, on: step.on, isToMany: step.isToMany, isOptional }]
    : [];

/** Conditions that look at related rows together, and where these begin. */
type RequiredRecords = { readonly heads: ReadonlySet<string>; readonly conditions: readonly RowCondition[] };

const divideConditions = (
  { places }: PlanContext,
  conditions: readonly RowCondition[],
): { readonly plain: readonly RowCondition[]; readonly looked: readonly RequiredRecords[] } => {
  const plain: RowCondition[] = [];
  let looked: readonly RequiredRecords[] = [];
  for (const condition of conditions) {
    const heads = new Set([...recordsOfCondition(condition)].flatMap((record) => places.get(record)?.head ?? []));
    if (heads.size === 0) plain.push(condition);
    else {
      const isShared = (part: RequiredRecords): boolean => [...heads].some((head) => part.heads.has(head));
      const shared = looked.filter(isShared);
      looked = [
        ...looked.filter((part) => !isShared(part)),
        {
          heads: new Set([...shared.flatMap((part) => [...part.heads]), ...heads]),
          conditions: [...shared.flatMap((part) => part.conditions), condition],
        },
      ];
    }
  }
  return { plain, looked };
};

/** A row without related rows stays only if the conditions hold without them. */
const semiJoinOf = ({ nodes, places }: PlanContext, { heads, conditions }: RequiredRecords): SemiJoin => {
  const isOptional = (head: string): boolean =>
    !conditions.some((condition) => requiresRowOf(condition, (record) => places.get(record)?.head === head));
  const optional = new Map([...heads].map((head) => [head, isOptional(head)]));
  const records = [...nodes.values()].flatMap((node) =>
    node.head !== undefined && heads.has(node.head)
      ? joinedRecord(node, node.way !== node.head || (optional.get(node.head) ?? true))
      : [],
  );
  return { records: records.toSorted((left, right) => Number(left.isOptional) - Number(right.isOptional)), conditions };
};
