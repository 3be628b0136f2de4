/**
 * What a question to a model means (docs/decisions/0017-queries.md), in plain TypeScript over rows in memory: the
 * independent second opinion on what the compiled statements answer. It makes every combination of related rows and
 * looks.
 */
import type { DataExpression } from '@tessera/filter';
import type { DataQuery, QueryCaller } from '../../query/data-query.js';
import { compareValues, type FormulaValue } from '../evaluate.js';
import { isConditionMet, typeOfValue } from './evaluate-condition.js';
import { aggregatesOfKpi, grainOfAggregate, evaluateKpi } from './evaluate-kpis.js';
import { type RequestedNames, resolveRequestedNames, findNameRefusals } from './evaluate-names.js';
import { toFieldName, visibleDataFor } from './evaluate-view.js';
import {
  type RowCombination,
  joinRecords,
  readIdentifiers,
  isSingleRowPath,
  type VisibleWorld,
  createStartCombinations,
  readFieldValue,
  findJoinSteps,
} from './evaluate-join-paths.js';
import { type FieldName, createValueListKey, type StoredRow, typeOfField, type SampleWorld } from './sample-world.js';

type ExpectedColumn = { readonly id: string; readonly aggregation: boolean };
export type ExpectedAnswer =
  | {
      readonly ok: true;
      readonly columns: readonly ExpectedColumn[];
      readonly rows: readonly (readonly FormulaValue[])[];
      readonly total: number;
    }
  /** Any of these codes: which fault is told first is not decided. */
  | { readonly ok: false; readonly codes: readonly string[] };

/** A row of the answer, and what its place depends on when the sort leaves it open. */
type FoundRow = { readonly values: readonly FormulaValue[]; readonly identity: readonly FormulaValue[] };

export const evaluateQuery = (world: SampleWorld, query: DataQuery, caller: QueryCaller): ExpectedAnswer => {
  const visible = visibleDataFor(world, caller);
  const codes = findNameRefusals(world, visible, query);
  if (codes.length > 0) return { ok: false, codes };
  const asked = resolveRequestedNames(world, visible, query);
  const scene: VisibleWorld = { world, rows: visible.rows };
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
const rootOf = (world: SampleWorld, asked: RequestedNames): string => {
  const records = asked.level === undefined ? askedRecords(asked) : [asked.level];
  const root =
    records.find((from) => records.every((to) => isSingleRowPath(findJoinSteps(world, from, to)))) ?? records[0];
  if (root === undefined) throw new Error('Nothing is asked for.');
  return root;
};

const grainsOf = (world: SampleWorld, asked: RequestedNames): readonly string[] => [
  ...new Set(
    [...asked.kpis, ...asked.conditionKpis]
      .flatMap((id) => aggregatesOfKpi(world, id))
      .map((one) => grainOfAggregate(world, one)),
  ),
];

const isConnected = ({ world }: VisibleWorld, asked: RequestedNames): boolean => {
  const roots = isAggregated(asked) ? grainsOf(world, asked) : [rootOf(world, asked)];
  const records = [...askedRecords(asked), ...recordsOf(asked.conditionFields)];
  return roots.every((root) => records.every((to) => findJoinSteps(world, root, to) !== undefined));
};

/** The combinations in which everything that is asked of rows holds. */
const combinationsOf = (
  scene: VisibleWorld,
  root: string,
  start: readonly RowCombination[],
  asked: RequestedNames,
): readonly RowCombination[] =>
  joinRecords(scene, root, start, recordsOf(asked.conditionFields)).filter((combination) => {
    const valueOf = (name: FieldName): FormulaValue => readFieldValue(scene, root, combination, name);
    return (
      asked.rowConditions.every((condition) => isHolding(scene, asked, condition, valueOf)) && isFound(asked, valueOf)
    );
  });

const isHolding = (
  { world }: VisibleWorld,
  { level }: RequestedNames,
  condition: DataExpression,
  valueOf: (name: FieldName) => FormulaValue,
): boolean =>
  isConditionMet(condition, {
    valueOf: (name) => valueOf(toFieldName(name, level)),
    typeOf: (name) => typeOfField(world, toFieldName(name, level)),
  });

const isFound = ({ search }: RequestedNames, valueOf: (name: FieldName) => FormulaValue): boolean =>
  search === undefined || search.fields.some((name) => contains(valueOf(name), search.term));

const contains = (value: FormulaValue, term: string): boolean =>
  typeof value === 'string' && value.toLowerCase().includes(term.toLowerCase());

const rowsFound = (scene: VisibleWorld, asked: RequestedNames): readonly FoundRow[] => {
  const root = rootOf(scene.world, asked);
  const records = askedRecords(asked);
  const found = (scene.rows.get(root) ?? [])
    .flatMap((row) => joinRecords(scene, root, createStartCombinations(row), records))
    .filter((combination) => combinationsOf(scene, root, [combination], asked).length > 0)
    .map((combination) => ({
      values: asked.fields.map((name) => readFieldValue(scene, root, combination, name)),
      identity: readIdentifiers(scene, root, combination, records),
    }));
  return asked.distinct ? withoutRepeats(found) : found;
};

const withoutRepeats = (found: readonly FoundRow[]): readonly FoundRow[] =>
  [...new Map(found.map(({ values }) => [createValueListKey(values), values])).values()].map((values) => ({
    values,
    identity: values,
  }));

type Group = { readonly values: readonly FormulaValue[]; readonly rows: Map<string, StoredRow[]> };

const groupsFound = (scene: VisibleWorld, asked: RequestedNames): readonly FoundRow[] => {
  const groups = new Map<string, Group>();
  if (asked.fields.length === 0) groups.set(createValueListKey([]), { values: [], rows: new Map() });
  for (const grain of grainsOf(scene.world, asked))
    for (const row of scene.rows.get(grain) ?? [])
      for (const values of groupsOfRow(scene, grain, row, asked)) {
        const key = createValueListKey(values);
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
  scene: VisibleWorld,
  grain: string,
  row: StoredRow,
  asked: RequestedNames,
): readonly (readonly FormulaValue[])[] => {
  const all = combinationsOf(
    scene,
    grain,
    joinRecords(scene, grain, createStartCombinations(row), askedRecords(asked)),
    asked,
  ).map((combination) => asked.fields.map((name) => readFieldValue(scene, grain, combination, name)));
  return [...new Map(all.map((values) => [createValueListKey(values), values])).values()];
};

const kpiOf = (scene: VisibleWorld, id: string, { rows }: Group): FormulaValue =>
  evaluateKpi(scene, id, (grain) => rows.get(grain) ?? []);

const isKept = (scene: VisibleWorld, asked: RequestedNames, group: Group): boolean =>
  asked.groupConditions.every((condition) => {
    const valueOf = (name: string): FormulaValue => {
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

const nullFirst = (left: FormulaValue, right: FormulaValue): number => {
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  return compareValues(left, right);
};
