/**
 * The rows of a record with all that is read beside them: which records are joined, by which way and under which name,
 * and which are only looked at by conditions.
 */
import { type Result, succeed } from '@tessera/failures';
import type { CallerView } from '../query/caller-view.js';
import { fieldsOfFilter } from '../query/conditions.js';
import type { RecordField } from '../query/query-field.js';
import { attributeOf } from './plan-links.js';
import { leadsToIdentifiers, planRecord, policyPathsOf } from './plan-policies.js';
import {
  type JoinedPolicy,
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

type SourceOptions = {
  /**
   * Whether what the policies of the root read beside it is joined to it, as what conditions read is, where no row can come twice
   * by it; else it is looked up all the same.
   */
  readonly joinsPolicies?: boolean;
};

/** `asked`: the records whose related rows are joined, even if they multiply the rows of `root`. */
export const planSource = (
  view: CallerView,
  root: string,
  asked: readonly string[],
  conditions: readonly RowCondition[],
  { joinsPolicies = false }: SourceOptions = {},
): Result<RowSource> => {
  const start: Node = { ...planRecord(view, root, root.slice(0, nameBytesMax)), way: '' };
  const building: PlanContext = { view, root: start, nodes: new Map(), places: new Map([[root, start]]) };
  const read = conditions.flatMap((condition) => [...recordsOfCondition(condition)]);
  const unrelated = [
    ...asked.filter((record) => !placeRecord(building, record, true)),
    ...read.filter((record) => !placeRecord(building, record, false)),
  ];
  if (unrelated.length > 0) return failUnrelatedRecords(view.model, root, unrelated);
  const { plain, looked } = divideConditions(building, conditions);
  const isJoining = joinsPolicies && leadsToIdentifiers(view, start);
  const joined = isJoining ? joinPolicies(building, start) : { policies: [], nodes: new Set<Node>() };
  const { record, alias, policies, parents } = start;
  return succeed({
    root: { record, alias, policies, ...(parents && !isJoining && { parents }) },
    joins: [...building.nodes.values()].flatMap((node) => {
      if (node.head) return [];
      return joinedRecord(joined.nodes.has(node) ? withoutPolicies(node) : node, true);
    }),
    places: new Map([...building.places].map(([placed, node]) => [placed, node.alias])),
    joinedPolicies: joined.policies,
    conditions: plain,
    semiJoins: looked.map((part) => semiJoinOf(building, part)),
  });
};

const withoutPolicies = ({ parents: _, ...node }: Node): Node => ({ ...node, policies: [] });

type JoinedPolicies = { readonly policies: readonly JoinedPolicy[]; readonly nodes: ReadonlySet<Node> };

/** `nodes`: those that have to be there, whose own policies are among the policies. */
const joinPolicies = (building: PlanContext, start: Node): JoinedPolicies => {
  const nodes = new Set<Node>();
  const policies: JoinedPolicy[] = [];
  const join = (node: Node): void => {
    const reading = (building.view.policies.get(node.record) ?? []).filter(({ parents }) => parents.length > 0);
    const places = new Map([[node.record, node.alias]]);
    for (const { record, steps } of policyPathsOf(building.view, node.record, reading)) {
      let place = node;
      for (const step of steps) {
        place = followStep(building, place, step, true);
        if (nodes.has(place)) continue;
        nodes.add(place);
        const own = new Map([[place.record, place.alias]]);
        policies.push(...place.policies.map((filter) => ({ filter, places: own })));
        join(place);
      }
      places.set(record, place.alias);
    }
    policies.push(...reading.map(({ filter }) => ({ filter, places })));
  };
  join(start);
  const last = [...nodes].filter((node) => ![...nodes].some(({ parent }) => parent === node));
  return { policies: [...policies, ...last.flatMap((node) => presenceOf(building, node, policies))], nodes };
};

/** That there is a row, where no policy says so. Rollups rather have a field that a policy reads than the key. */
const presenceOf = (
  { view }: PlanContext,
  { record, alias, step }: Node,
  policies: readonly JoinedPolicy[],
): readonly JoinedPolicy[] => {
  const isSaid = policies.some(({ filter, places }) =>
    requiresRowOf({ kind: 'filter', filter }, (other) => places.get(other) === alias),
  );
  if (isSaid) return [];
  const read = policies.flatMap(({ filter, places }) => (places.get(record) === alias ? fieldsOfFilter(filter) : []));
  const certain = read.find(
    (field) => field.record === record && field.expression.kind === 'column' && !field.expression.nullable,
  );
  const field: RecordField = certain ?? attributeOf(view, record, step?.on[0]?.to ?? '');
  const { type } = field;
  const operand = { name: `${record}.${field.field}`, field: { ...field, nullable: true }, applied: [], type };
  return [{ filter: { kind: 'not', operand: { kind: 'isNull', operand } }, places: new Map([[record, alias]]) }];
};

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
    ...planRecord(view, step.to, freeAlias(building, step.to)),
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

const joinedRecord = (
  { record, alias, policies, parents, parent, step }: Node,
  isOptional: boolean,
): readonly JoinedRecord[] =>
  parent && step
    ? [
        {
          ...{ record, alias, policies, parent: parent.alias, on: step.on, isToMany: step.isToMany, isOptional },
          ...(parents && { parents }),
        },
      ]
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
