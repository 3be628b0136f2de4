/**
 * Random formulas for the fields and KPIs of a shape, as text. Numbers stay exact but for the outermost division of a KPI,
 * so that two ways to compute them agree on what is equal.
 */
import type { KpiDefinition } from '@tessera/contracts/knowledge-models';
import type { RandomChoices } from './choices.js';
import type { SampleRecord, SampleType } from './random-model.js';
import { printFormulaName } from './random-names.js';

/** `name`: as formulas name it. */
type Operand = { readonly name: string; readonly type: SampleType };
export type SampleField = { readonly record: string; readonly id: string; readonly type: SampleType };
/** `isExact`: two values that should be the same are. */
export type SampleKpi = { readonly definition: KpiDefinition; readonly type: SampleType; readonly isExact: boolean };

const literals: Readonly<Record<SampleType, readonly string[]>> = {
  integer: ['1', '2', '0', '7'],
  float: ['0.5', '2.25', '4'],
  string: ["'none'", "'a'", "'it''s'", "''"],
  boolean: ['true', 'false'],
  date: ["date '2024-02-29'", "date '2023-12-31'"],
};

type Pick = (type: SampleType) => string;
const pickOperand =
  (choices: RandomChoices, operands: readonly Operand[]): Pick =>
  (type) => {
    const fitting = operands.filter((operand) => operand.type === type);
    return fitting.length === 0 || choices.chance(10) ? choices.oneOf(literals[type]) : choices.oneOf(fitting).name;
  };

const forms: Readonly<Record<SampleType, (pick: Pick) => readonly string[]>> = {
  integer: (pick) => [
    ...[pick('integer'), `coalesce(${pick('integer')}, 0)`, `${pick('integer')} + ${pick('integer')}`],
    ...[`${pick('integer')} * 2`, `-${pick('integer')}`, `nullif(${pick('integer')}, 2)`, `length(${pick('string')})`],
    ...[`case when ${pick('boolean')} then ${pick('integer')} else 3 end`, `year(${pick('date')})`],
    ...[`cast(${pick('boolean')} as integer)`, '1'],
  ],
  float: (pick) => [
    ...[pick('float'), `${pick('float')} / 4`, `${pick('float')} * ${pick('integer')}`, `${pick('integer')} / 2`],
    ...[`coalesce(${pick('float')}, ${pick('integer')})`, `greatest(${pick('float')}, 0.5)`, `${pick('float')} / 0`],
  ],
  string: (pick) => [
    ...[pick('string'), `coalesce(${pick('string')}, 'none')`, `${pick('string')} || '-'`, `lower(${pick('string')})`],
    ...[`case when ${pick('boolean')} then 'large' else 'small' end`, `concat(${pick('string')}, ${pick('integer')})`],
    ...[`substring(${pick('string')}, 1, 1)`, "'always'", `greatest(${pick('string')}, 'B')`],
  ],
  boolean: (pick) => [
    ...[`${pick('integer')} > 2`, `${pick('string')} = 'a'`, `${pick('integer')} is null`, `not ${pick('boolean')}`],
    ...[`${pick('boolean')} or ${pick('string')} is not null`, `${pick('string')} in ('a', 'b', '')`, 'true'],
    ...[`${pick('integer')} between 1 and 3`, `${pick('string')} like 'a%'`, `${pick('date')} > date '2024-01-31'`],
    `coalesce(${pick('boolean')}, true)`,
    `${pick('string')} > 'B'`,
  ],
  date: (pick) => [
    ...[
      pick('date'),
      `${pick('date')} + 1`,
      `coalesce(${pick('date')}, date '2024-01-31')`,
      `date_trunc('year', ${pick('date')})`,
    ],
    `least(${pick('date')}, date '2024-02-29')`,
  ],
};

const randomFormula = (choices: RandomChoices, operands: readonly Operand[], type: SampleType): string =>
  choices.oneOf(forms[type](pickOperand(choices, operands)));

/** The fields of the record that are formulas, each over those before it as well. */
export const createRandomDerivedFields = (
  choices: RandomChoices,
  record: SampleRecord,
  ids: () => string,
): readonly (SampleField & { readonly expression: string })[] => {
  const made: (SampleField & { expression: string })[] = [];
  for (let left = choices.below(4); left > 0; left--) {
    const operands = [...record.attributes, ...made].map(({ id, type }) => ({ name: printFormulaName(id), type }));
    const type = choices.oneOf<SampleType>(['integer', 'string', 'boolean', 'boolean', 'float', 'date']);
    made.push({ record: record.id, id: ids(), type, expression: randomFormula(choices, operands, type) });
  }
  return made;
};

const named = ({ record, id, type }: SampleField): Operand => ({
  name: `${printFormulaName(record)}.${printFormulaName(id)}`,
  type,
});

/** `own`: of the record whose rows are aggregated; `others`: of records that are one row away from it. */
export type AggregatableFields = { readonly own: readonly SampleField[]; readonly others: readonly SampleField[] };

const randomAggregate = (
  choices: RandomChoices,
  { own, others }: AggregatableFields,
): { readonly text: string; readonly type: SampleType; readonly isExact: boolean } => {
  const [ownNames, all] = [own.map(named), [...own, ...others].map(named)];
  const [first] = own;
  const [anchor] = ownNames;
  if (!first || !anchor) throw new Error('A record has fields.');
  const filter = choices.chance(30) ? ` filter (where ${randomFormula(choices, all, 'boolean')})` : '';
  // What is added names the record whose rows are meant; a formula of literals alone would be over nothing.
  const anchored = (value: string): string => `case when ${anchor.name} is null then ${value} else ${value} end`;
  const number = (): string => anchored(randomFormula(choices, all, choices.oneOf(['integer', 'float'])));
  const name = choices.oneOf(['count', 'sum', 'rows', 'distinct', 'min', 'max', 'avg']);
  const type = choices.oneOf(own).type;
  switch (name) {
    case 'count':
      return { text: `count(${choices.oneOf(ownNames).name})${filter}`, type: 'integer', isExact: true };
    case 'rows':
      return { text: `count(${printFormulaName(first.record)}.*)${filter}`, type: 'integer', isExact: true };
    case 'distinct':
      return {
        text: `count(distinct ${anchored(randomFormula(choices, all, type))})${filter}`,
        type: 'integer',
        isExact: true,
      };
    case 'sum':
      return { text: `sum(${number()})${filter}`, type: 'float', isExact: true };
    case 'avg':
      return { text: `avg(${number()})${filter}`, type: 'float', isExact: false };
    default: {
      const of = type === 'boolean' ? 'integer' : type;
      return { text: `${name}(${anchored(randomFormula(choices, all, of))})${filter}`, type: of, isExact: true };
    }
  }
};

const isNumber = (type: SampleType): boolean => type === 'integer' || type === 'float';

export const createRandomKpi = (
  choices: RandomChoices,
  id: string,
  grains: readonly AggregatableFields[],
  known: readonly SampleKpi[],
): SampleKpi => {
  const one = randomAggregate(choices, choices.oneOf(grains));
  const other = randomAggregate(choices, choices.oneOf(grains));
  const numbers = known.filter(({ type, isExact }) => isNumber(type) && isExact);
  const kpi = (expression: string, isExact: boolean, type: SampleType = 'float'): SampleKpi => ({
    definition: { id, expression, ...(choices.chance(20) && { exact: isNumber(type) }) },
    type,
    isExact,
  });
  const form = choices.below(10);
  if (form < 5 || !isNumber(one.type)) return kpi(one.text, one.isExact, one.type);
  if (form === 5 && numbers.length > 0) {
    const [left, right] = [choices.oneOf(numbers), choices.oneOf(numbers)].map(({ definition }) =>
      printFormulaName(definition.id),
    );
    return kpi(
      choices.oneOf([`${left} + coalesce(${right}, 1)`, `${left} / ${right}`, `round(${left} / ${right}, 3)`]),
      false,
    );
  }
  if (form === 6 && one.isExact) return kpi(`coalesce(${one.text}, -1)`, true);
  if (form === 7) {
    const made = kpi(`:factor * ${one.text}`, one.isExact);
    return { ...made, definition: { ...made.definition, parameters: [{ id: 'factor', value: '2.5' }] } };
  }
  if (!isNumber(other.type) || !one.isExact || !other.isExact) return kpi(one.text, one.isExact, one.type);
  if (form === 8) return kpi(`${one.text} - ${other.text}`, true);
  return choices.chance(50)
    ? kpi(`${one.text} / ${other.text}`, false)
    : kpi(`round(${one.text} / ${other.text}, 3)`, true);
};
