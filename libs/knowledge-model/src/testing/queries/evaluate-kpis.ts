/**
 * KPIs a second time: each aggregate goes over the rows of its own record, one by one, and a row counts once in each
 * group that it is in.
 */
import type { Formula } from '../../expression/formula.js';
import { namesIn, partsOfFormula } from '../../expression/parts-of-formula.js';
import { evaluate, order, type Value } from '../evaluate.js';
import * as numbers from '../rational.js';
import { fieldNamed } from './evaluate-view.js';
import { expand, isOneRow, type Scene, startOf, valueIn, pathBetween } from './evaluate-join-paths.js';
import { keyOf, readFormula, type StoredRow, type World } from './sample-world.js';

type Aggregate = Formula & { readonly kind: 'aggregate' };
/** The rows of a record that are in a group. */
type Members = (grain: string) => readonly StoredRow[];

const formulaOfKpi = ({ definition }: World, id: string): Formula =>
  readFormula(definition.kpis?.find((kpi) => kpi.id === id)?.expression ?? '');

/** Of a KPI, also by way of other KPIs. */
export const aggregatesOf = (world: World, kpi: string): readonly Aggregate[] =>
  aggregatesIn(world, formulaOfKpi(world, kpi));

const aggregatesIn = (world: World, formula: Formula | undefined): readonly Aggregate[] => {
  if (!formula) return [];
  if (formula.kind === 'aggregate') return [formula];
  if (formula.kind === 'name') return aggregatesOf(world, formula.id);
  return partsOfFormula(formula).flatMap((part) => aggregatesIn(world, part));
};

/** The record whose rows it is over: that from which every other one that it reads is one row away. */
export const grainOf = (world: World, aggregate: Aggregate): string => {
  const { argument, filter } = aggregate;
  const counted = argument.kind === 'rows' ? [argument.record] : [];
  const named = [argument, filter].flatMap(namesIn).map(({ record = '' }) => record);
  const records = [...new Set([...counted, ...named])];
  const grain = records.find((from) => records.every((to) => isOneRow(pathBetween(world, from, to))));
  if (grain === undefined) throw new Error(`The grain of ${records.join(', ')} is not clear.`);
  return grain;
};

export const valueOfKpi = (scene: Scene, kpi: string, members: Members): Value =>
  evaluate(formulaOfKpi(scene.world, kpi), {
    get: (id) => valueOfKpi(scene, id, members),
    ofRows: (part) =>
      part.kind === 'parameter' ? parameterOf(scene.world, kpi, part.id) : aggregated(scene, part, members),
  });

const parameterOf = ({ definition }: World, kpi: string, id: string): Value => {
  const parameters = definition.kpis?.find((one) => one.id === kpi)?.parameters ?? [];
  const text = parameters.find((parameter) => parameter.id === id)?.value ?? '';
  return /^-?\d+(\.\d+)?$/.test(text) ? numbers.readRational(text) : text;
};

const aggregated = (scene: Scene, aggregate: Aggregate, members: Members): Value => {
  const grain = grainOf(scene.world, aggregate);
  const valueOf = (formula: Formula, row: StoredRow): Value => {
    const names = namesIn(formula).map(({ record = '', id }) => ({ record, field: id }));
    const [combination] = expand(
      scene,
      grain,
      startOf(row),
      names.map(({ record }) => record),
    );
    return combination
      ? evaluate(formula, { get: (name) => valueIn(scene, grain, combination, fieldNamed(name)) })
      : null;
  };
  const { argument, filter } = aggregate;
  const kept = members(grain).filter((row) => filter === undefined || valueOf(filter, row) === true);
  if (argument.kind === 'rows') return numbers.rational(BigInt(kept.length));
  return fold(
    aggregate,
    kept.map((row) => valueOf(argument, row)).filter((value) => value !== null),
  );
};

const fold = ({ function: name, distinct }: Aggregate, values: readonly Value[]): Value => {
  if (name === 'count') return numbers.rational(BigInt(distinct ? new Set(values.map(keyOf)).size : values.length));
  const [first] = values;
  if (first === undefined) return null;
  if (name === 'min' || name === 'max') return [...values].sort(order).at(name === 'min' ? 0 : -1) ?? null;
  const sum = values.map(numberOf).reduce(numbers.add);
  return name === 'sum' ? sum : numbers.divide(sum, numbers.rational(BigInt(values.length)));
};

const numberOf = (value: Value): numbers.Rational => {
  if (typeof value === 'object' && value !== null && 'over' in value) return value;
  throw new Error('Only numbers are added.');
};
