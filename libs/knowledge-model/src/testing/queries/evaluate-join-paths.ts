/**
 * How rows of different records belong together, a second time and in another way: all ways between two records are
 * written down and the best is taken; related rows are looked for one by one.
 */
import type { RelationshipDefinition } from '@tessera/contracts/knowledge-models';
import type { FormulaValue } from '../evaluate.js';
import {
  columnOfField,
  type FieldName,
  createValueKey,
  findRecordDefinition,
  type StoredRow,
  valueOfField,
  type SampleWorld,
} from './sample-world.js';

/** `number`: the place of the relationship in the definition. */
type Step = {
  readonly number: number;
  readonly to: string;
  readonly isMany: boolean;
  /** Columns that are equal: of the row that one comes from, of the row that one comes to. */
  readonly on: readonly (readonly [string, string])[];
};
type JoinSteps = readonly Step[];

/** The rows that are there for a caller. */
export type VisibleRows = ReadonlyMap<string, readonly StoredRow[]>;
export type VisibleWorld = { readonly world: SampleWorld; readonly rows: VisibleRows };

/** A row of the root with one row, or none, at each way that was gone; the root is at the way of no steps. */
export type RowCombination = ReadonlyMap<string, StoredRow | null>;

const known = new WeakMap<SampleWorld, Map<string, JoinSteps | undefined>>();

/** Undefined when no relationships lead there. */
export const findJoinSteps = (world: SampleWorld, from: string, to: string): JoinSteps | undefined => {
  const ways = known.get(world) ?? new Map<string, JoinSteps | undefined>();
  known.set(world, ways);
  const key = JSON.stringify([from, to]);
  if (!ways.has(key)) ways.set(key, pathsFrom(world, from, to, [from]).sort(comparePaths)[0]);
  return ways.get(key);
};

export const isSingleRowPath = (way: JoinSteps | undefined): boolean =>
  way !== undefined && way.every(({ isMany }) => !isMany);

const pathsFrom = (world: SampleWorld, from: string, to: string, seen: readonly string[]): JoinSteps[] => {
  if (from === to) return [[]];
  return stepsFrom(world, from)
    .filter((step) => !seen.includes(step.to))
    .flatMap((step) => pathsFrom(world, step.to, to, [...seen, step.to]).map((rest) => [step, ...rest]));
};

const comparePaths = (left: JoinSteps, right: JoinSteps): number => {
  if (isSingleRowPath(left) !== isSingleRowPath(right)) return isSingleRowPath(left) ? -1 : 1;
  if (left.length !== right.length) return left.length - right.length;
  const differing = left.findIndex((step, at) => step.number !== right[at]?.number);
  return (left[differing]?.number ?? 0) - (right[differing]?.number ?? 0);
};

const stepsFrom = (world: SampleWorld, record: string): readonly Step[] =>
  (world.definition.relationships ?? []).flatMap((relationship, number) => {
    const { from, to, cardinality } = relationship;
    const columns = columnPairs(world, relationship);
    const back = columns.map(([left, right]) => [right, left] as const);
    return [
      ...(from === record ? [{ number, to, isMany: cardinality.endsWith('to-many'), on: columns }] : []),
      ...(to === record ? [{ number, to: from, isMany: cardinality.startsWith('many-to'), on: back }] : []),
    ];
  });

const columnPairs = (
  world: SampleWorld,
  { from, to, on }: RelationshipDefinition,
): readonly (readonly [string, string])[] =>
  Object.entries(on).map(([left, right]) => [
    columnOfField(world, { record: from, field: left }),
    columnOfField(world, { record: to, field: right }),
  ]);

const placeOf = (way: JoinSteps): string => way.map(({ number }) => number).join('/');

/** All combinations in which the records have their rows as well. */
export const joinRecords = (
  scene: VisibleWorld,
  root: string,
  start: readonly RowCombination[],
  records: readonly string[],
): readonly RowCombination[] => {
  let all = start;
  for (const record of records) {
    const way = pathTo(scene, root, record);
    for (const [at, step] of way.entries()) {
      const [before, place] = [placeOf(way.slice(0, at)), placeOf(way.slice(0, at + 1))];
      all = all.flatMap((one) => (one.has(place) ? [one] : oneMore(scene, one, step, before, place)));
    }
  }
  return all;
};

export const createStartCombinations = (row: StoredRow): readonly RowCombination[] => [new Map([['', row]])];

const pathTo = ({ world }: VisibleWorld, root: string, record: string): JoinSteps => {
  const way = findJoinSteps(world, root, record);
  if (!way) throw new Error(`No way leads from ${root} to ${record}.`);
  return way;
};

const oneMore = (
  scene: VisibleWorld,
  combination: RowCombination,
  step: Step,
  before: string,
  place: string,
): readonly RowCombination[] => {
  const from = combination.get(before) ?? null;
  const found = from === null ? [] : relatedRows(scene, from, step);
  return (found.length === 0 ? [null] : found).map((row) => new Map([...combination, [place, row]]));
};

const relatedRows = ({ rows }: VisibleWorld, from: StoredRow, { to, on }: Step): readonly StoredRow[] =>
  (rows.get(to) ?? []).filter((row) => on.every(([left, right]) => isSame(from.get(left), row.get(right))));

/** Nothing is related by not being there. */
const isSame = (left: FormulaValue | undefined, right: FormulaValue | undefined): boolean =>
  left !== undefined &&
  right !== undefined &&
  left !== null &&
  right !== null &&
  createValueKey(left) === createValueKey(right);

export const hasRow = (scene: VisibleWorld, root: string, combination: RowCombination, record: string): boolean =>
  (combination.get(placeOf(pathTo(scene, root, record))) ?? null) !== null;

/** Null where no row is. */
export const readFieldValue = (
  scene: VisibleWorld,
  root: string,
  combination: RowCombination,
  name: FieldName,
): FormulaValue => {
  const row = combination.get(placeOf(pathTo(scene, root, name.record))) ?? null;
  return row === null ? null : valueOfField(scene.world, row, name);
};

/** The values that tell the rows of combinations apart: the identifiers of the root and of all that multiplied it. */
export const readIdentifiers = (
  scene: VisibleWorld,
  root: string,
  combination: RowCombination,
  records: readonly string[],
): readonly FormulaValue[] => {
  const places = new Map<string, string>([['', root]]);
  for (const record of records)
    for (const [at, step] of pathTo(scene, root, record).entries())
      if (step.isMany) places.set(placeOf(pathTo(scene, root, record).slice(0, at + 1)), step.to);
  return [...places].flatMap(([place, record]) => {
    const row = combination.get(place) ?? null;
    const identifier = findRecordDefinition(scene.world, record).identifier ?? [];
    return identifier.map((field) => (row === null ? null : valueOfField(scene.world, row, { record, field })));
  });
};
