/**
 * What a question to a model means (docs/decisions/0017-queries.md), in plain TypeScript over rows in memory: the
 * independent second opinion on what the compiled statements answer. It makes every combination of related rows and
 * looks.
 */
import type { DataExpression } from '@tessera/filter';
import type { DataQuery, QueryCaller } from '../../query/data-query.js';
import { order, type Value } from '../evaluate.js';
import { isConditionMet, typeOfValue } from './evaluate-condition.js';
import { aggregatesOf, grainOf, valueOfKpi } from './evaluate-kpis.js';
import { type RequestedNames, readQuestion, refusalsOfNames } from './evaluate-names.js';
import { fieldNamed, visibleTo } from './evaluate-view.js';
import {
  type Combination,
  expand,
  identifiersIn,
  isOneRow,
  type Scene,
  startOf,
  valueIn,
  pathBetween,
} from './evaluate-join-paths.js';
import { type FieldName, keyOfAll, type StoredRow, typeOfField, type World } from './sample-world.js';

type ExpectedColumn = { readonly id: string; readonly aggregation: boolean };
export type ExpectedAnswer =
  | {
      readonly ok: true;
      readonly columns: readonly ExpectedColumn[];
      readonly rows: readonly (readonly Value[])[];
      readonly total: number;
    }
  /** Any of these codes: which fault is told first is not decided. */
  | { readonly ok: false; readonly codes: readonly string[] };

/** A row of the answer, and what its place depends on when the sort leaves it open. */
type FoundRow = { readonly values: readonly Value[]; readonly identity: readonly Value[] };

export const evaluateQuery = (world: World, query: DataQuery, caller: QueryCaller): ExpectedAnswer => {
  const visible = visibleTo(world, caller);
  const codes = refusalsOfNames(world, visible, query);
  if (codes.length > 0) return { ok: false, codes };
  const asked = readQuestion(world, visible, query);
  const scene: Scene = { world, rows: visible.rows };
  if (!isConnected(scene, asked)) return { ok: false, codes: ['KM_JOIN_NOTFOUND'] };
  const found = isAggregated(asked) ? groupsFound(scene, asked) : rowsFound(scene, asked);
  const sorted = [...found].sort((left, right) => inOrder(asked, left, right));
  const begin = query.page * query.pageSize;
  return {
    ok: true,
    columns: [
      ...asked.fields.map(({ id }) => ({ id, aggregation: false })),
      ...asked.kpis.map((id) => ({ id, aggregation: true })),
    ],
    rows: sorted.slice(begin, begin + query.pageSize).map(({ values }) => values),
    total: sorted.length,
  };
};

const isAggregated = ({ kpis, groupConditions }: RequestedNames): boolean =>
  kpis.length > 0 || groupConditions.length > 0;

const recordsOf = (names: readonly FieldName[]): readonly string[] => [...new Set(names.map(({ record }) => record))];
const askedRecords = (asked: RequestedNames): readonly string[] => recordsOf(asked.fields);

/** The record whose rows, multiplied by those of others at the most, are the rows of the answer. */
const rootOf = (world: World, asked: RequestedNames): string => {
  const records = asked.level === undefined ? askedRecords(asked) : [asked.level];
  const root = records.find((from) => records.every((to) => isOneRow(pathBetween(world, from, to)))) ?? records[0];
  if (root === undefined) throw new Error('Nothing is asked for.');
  return root;
};

const grainsOf = (world: World, asked: RequestedNames): readonly string[] => [
  ...new Set(
    [...asked.kpis, ...asked.conditionKpis].flatMap((id) => aggregatesOf(world, id)).map((one) => grainOf(world, one)),
  ),
];

const isConnected = ({ world }: Scene, asked: RequestedNames): boolean => {
  const roots = isAggregated(asked) ? grainsOf(world, asked) : [rootOf(world, asked)];
  const records = [...askedRecords(asked), ...recordsOf(asked.conditionFields)];
  return roots.every((root) => records.every((to) => pathBetween(world, root, to) !== undefined));
};

/** The combinations in which everything that is asked of rows holds. */
const combinationsOf = (
  scene: Scene,
  root: string,
  start: readonly Combination[],
  asked: RequestedNames,
): readonly Combination[] =>
  expand(scene, root, start, recordsOf(asked.conditionFields)).filter((combination) => {
    const valueOf = (name: FieldName): Value => valueIn(scene, root, combination, name);
    return (
      asked.rowConditions.every((condition) => isHolding(scene, asked, condition, valueOf)) && isFound(asked, valueOf)
    );
  });

const isHolding = (
  { world }: Scene,
  { level }: RequestedNames,
  condition: DataExpression,
  valueOf: (name: FieldName) => Value,
): boolean =>
  isConditionMet(condition, {
    valueOf: (name) => valueOf(fieldNamed(name, level)),
    typeOf: (name) => typeOfField(world, fieldNamed(name, level)),
  });

const isFound = ({ search }: RequestedNames, valueOf: (name: FieldName) => Value): boolean =>
  search === undefined || search.fields.some((name) => contains(valueOf(name), search.term));

const contains = (value: Value, term: string): boolean =>
  typeof value === 'string' && value.toLowerCase().includes(term.toLowerCase());

const rowsFound = (scene: Scene, asked: RequestedNames): readonly FoundRow[] => {
  const root = rootOf(scene.world, asked);
  const records = askedRecords(asked);
  const found = (scene.rows.get(root) ?? [])
    .flatMap((row) => expand(scene, root, startOf(row), records))
    .filter((combination) => combinationsOf(scene, root, [combination], asked).length > 0)
    .map((combination) => ({
      values: asked.fields.map((name) => valueIn(scene, root, combination, name)),
      identity: identifiersIn(scene, root, combination, records),
    }));
  return asked.distinct ? withoutRepeats(found) : found;
};

const withoutRepeats = (found: readonly FoundRow[]): readonly FoundRow[] =>
  [...new Map(found.map(({ values }) => [keyOfAll(values), values])).values()].map((values) => ({
    values,
    identity: values,
  }));

type Group = { readonly values: readonly Value[]; readonly rows: Map<string, StoredRow[]> };

const groupsFound = (scene: Scene, asked: RequestedNames): readonly FoundRow[] => {
  const groups = new Map<string, Group>();
  if (asked.fields.length === 0) groups.set(keyOfAll([]), { values: [], rows: new Map() });
  for (const grain of grainsOf(scene.world, asked))
    for (const row of scene.rows.get(grain) ?? [])
      for (const values of groupsOfRow(scene, grain, row, asked)) {
        const key = keyOfAll(values);
        const { rows, values: first } = groups.get(key) ?? { values, rows: new Map<string, StoredRow[]>() };
        groups.set(key, { values: first, rows: rows.set(grain, [...(rows.get(grain) ?? []), row]) });
      }
  return [...groups.values()]
    .filter((group) => isKept(scene, asked, group))
    .map((group) => ({
      values: [...group.values, ...asked.kpis.map((id) => kpiOf(scene, id, group))],
      identity: group.values,
    }));
};

/** Each once. */
const groupsOfRow = (
  scene: Scene,
  grain: string,
  row: StoredRow,
  asked: RequestedNames,
): readonly (readonly Value[])[] => {
  const all = combinationsOf(scene, grain, expand(scene, grain, startOf(row), askedRecords(asked)), asked).map(
    (combination) => asked.fields.map((name) => valueIn(scene, grain, combination, name)),
  );
  return [...new Map(all.map((values) => [keyOfAll(values), values])).values()];
};

const kpiOf = (scene: Scene, id: string, { rows }: Group): Value =>
  valueOfKpi(scene, id, (grain) => rows.get(grain) ?? []);

const isKept = (scene: Scene, asked: RequestedNames, group: Group): boolean =>
  asked.groupConditions.every((condition) => {
    const valueOf = (name: string): Value => {
      const at = asked.fields.findIndex(({ record, field }) => `${record}.${field}` === name);
      return at < 0 ? kpiOf(scene, name, group) : (group.values[at] ?? null);
    };
    return isConditionMet(condition, { valueOf, typeOf: (name) => typeOfValue(valueOf(name)) });
  });

/** The sort, then the identity in the direction of its last item; null is before everything. */
const inOrder = ({ sort }: RequestedNames, left: FoundRow, right: FoundRow): number => {
  for (const { at, isDescending } of sort) {
    const sign = nullFirst(left.values[at] ?? null, right.values[at] ?? null);
    if (sign !== 0) return isDescending ? -sign : sign;
  }
  const differing = left.identity.map((value, at) => nullFirst(value, right.identity[at] ?? null));
  const sign = differing.find((one) => one !== 0) ?? 0;
  return sort.at(-1)?.isDescending ? -sign : sign;
};

const nullFirst = (left: Value, right: Value): number => {
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  return order(left, right);
};
