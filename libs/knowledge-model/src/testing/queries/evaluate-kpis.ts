/**
 * KPIs a second time: each aggregate goes over the rows of its own record, one by one, and a row counts once in each
 * group that it is in.
 */
import type { Formula } from '../../expression/formula.js';
import { findNameNodes, subformulasOf } from '../../expression/parts-of-formula.js';
import { evaluateFormula, compareValues, type FormulaValue } from '../evaluate.js';
import * as numbers from '../rational.js';
import { toFieldName } from './evaluate-view.js';
import {
  joinRecords,
  isSingleRowPath,
  type VisibleWorld,
  createStartCombinations,
  readFieldValue,
  findJoinSteps,
} from './evaluate-join-paths.js';
import { createValueKey, parseSampleFormula, type StoredRow, type SampleWorld } from './sample-world.js';

type Aggregate = Formula & { readonly kind: 'aggregate' };
/** The rows of a record that are in a group. */
type Members = (grain: string) => readonly StoredRow[];

const formulaOfKpi = ({ definition }: SampleWorld, id: string): Formula =>
  parseSampleFormula(definition.kpis?.find((kpi) => kpi.id === id)?.expression ?? '');

/** Of a KPI, also by way of other KPIs. */
export const aggregatesOfKpi = (world: SampleWorld, kpi: string): readonly Aggregate[] =>
  aggregatesIn(world, formulaOfKpi(world, kpi));

const aggregatesIn = (world: SampleWorld, formula: Formula | undefined): readonly Aggregate[] => {
  if (!formula) return [];
  if (formula.kind === 'aggregate') return [formula];
  if (formula.kind === 'name') return aggregatesOfKpi(world, formula.id);
  return subformulasOf(formula).flatMap((part) => aggregatesIn(world, part));
};

/** The record whose rows it is over: that from which every other one that it reads is one row away. */
export const grainOfAggregate = (world: SampleWorld, aggregate: Aggregate): string => {
  const { argument, filter } = aggregate;
  const counted = argument.kind === 'rows' ? [argument.record] : [];
  const named = [argument, filter].flatMap(findNameNodes).map(({ record = '' }) => record);
  const records = [...new Set([...counted, ...named])];
  const grain = records.find((from) => records.every((to) => isSingleRowPath(findJoinSteps(world, from, to))));
  if (grain === undefined) throw new Error(`The grain of ${records.join(', ')} is not clear.`);
  return grain;
};

export const evaluateKpi = (scene: VisibleWorld, kpi: string, members: Members): FormulaValue =>
  evaluateFormula(formulaOfKpi(scene.world, kpi), {
    get: (id) => evaluateKpi(scene, id, members),
    ofRows: (part) =>
      part.kind === 'parameter' ? parameterOf(scene.world, kpi, part.id) : aggregated(scene, part, members),
  });

const parameterOf = ({ definition }: SampleWorld, kpi: string, id: string): FormulaValue => {
  const parameters = definition.kpis?.find((one) => one.id === kpi)?.parameters ?? [];
  const text = parameters.find((parameter) => parameter.id === id)?.value ?? '';
  return /^-?\d+(\.\d+)?$/.test(text) ? numbers.parseRational(text) : text;
};

const aggregated = (scene: VisibleWorld, aggregate: Aggregate, members: Members): FormulaValue => {
  const grain = grainOfAggregate(scene.world, aggregate);
  const valueOf = (formula: Formula, row: StoredRow): FormulaValue => {
    const names = findNameNodes(formula).map(({ record = '', id }) => ({ record, field: id }));
    const [combination] = joinRecords(
      scene,
      grain,
      createStartCombinations(row),
      names.map(({ record }) => record),
    );
    return combination
      ? evaluateFormula(formula, { get: (name) => readFieldValue(scene, grain, combination, toFieldName(name)) })
      : null;
  };
  const { argument, filter } = aggregate;
  const kept = members(grain).filter((row) => filter === undefined || valueOf(filter, row) === true);
  if (argument.kind === 'rows') return numbers.createRational(BigInt(kept.length));
  return fold(
    aggregate,
    kept.map((row) => valueOf(argument, row)).filter((value) => value !== null),
  );
};

const fold = ({ function: name, distinct }: Aggregate, values: readonly FormulaValue[]): FormulaValue => {
  if (name === 'count')
    return numbers.createRational(BigInt(distinct ? new Set(values.map(createValueKey)).size : values.length));
  const [first] = values;
  if (first === undefined) return null;
  if (name === 'min' || name === 'max') return [...values].sort(compareValues).at(name === 'min' ? 0 : -1) ?? null;
  const sum = values.map(numberOf).reduce(numbers.add);
  return name === 'sum' ? sum : numbers.divide(sum, numbers.createRational(BigInt(values.length)));
};

const numberOf = (value: FormulaValue): numbers.Rational => {
  if (typeof value === 'object' && value !== null && 'over' in value) return value;
  throw new Error('Only numbers are added.');
};
