/** The closed list of functions, what they take and give. Never let a function through that is not listed here. */
import { isDateType } from '@tessera/contracts/knowledge-models';
import {
  allDefinedOrUndefined,
  type CheckContext,
  type CheckResult,
  type CheckSubformula,
  expectType,
  refuseFormula,
  refuseUnknownName,
  unifyTypes,
  convertToType,
  withArticle,
} from './check-context.js';
import type { DatePart, Formula } from './formula.js';
import {
  isAnyNullable,
  type FormulaType,
  type ScalarFunction,
  scalarFunctions,
  truncationUnits,
  createTypedExpression,
  type TypedExpression,
} from './typed-expression.js';
import { isNumberOrNull, datePartsOf } from './types.js';

type FormulaOf<Kind extends Formula['kind']> = Formula & { readonly kind: Kind };
type Call = FormulaOf<'call'>;

const extractableParts = ['year', 'month', 'day'] as const satisfies readonly DatePart[];
const functionNames: readonly string[] = [...scalarFunctions, ...extractableParts, 'date_trunc'];

/** What each argument is; `?` behind those that may be left out. */
const textFunctionSignatures: Readonly<
  Partial<
    Record<
      ScalarFunction,
      { readonly takes: readonly ('string' | 'integer' | 'integer?')[]; readonly gives: FormulaType }
    >
  >
> = {
  lower: { takes: ['string'], gives: 'string' },
  upper: { takes: ['string'], gives: 'string' },
  trim: { takes: ['string'], gives: 'string' },
  length: { takes: ['string'], gives: 'integer' },
  replace: { takes: ['string', 'string', 'string'], gives: 'string' },
  substring: { takes: ['string', 'integer', 'integer?'], gives: 'string' },
};

export const checkCall = (context: CheckContext, formula: Call, check: CheckSubformula): CheckResult => {
  const name = scalarFunctions.find((candidate) => candidate === formula.function);
  const part = extractableParts.find((candidate) => candidate === formula.function);
  if (part) {
    const [operand] = takeCount(context, formula, 1, 1) ? formula.arguments : [];
    return operand && extractOf(context, operand, part, check(context, operand));
  }
  if (formula.function === 'date_trunc') return checkTruncate(context, formula, check);
  if (!name) {
    formula.arguments.forEach((argument) => check(context, argument));
    return refuseUnknownName(context, formula, 'function', formula.function, functionNames);
  }
  switch (name) {
    case 'coalesce':
    case 'greatest':
    case 'least':
    case 'nullif':
      return checkCommon(context, formula, name, check);
    case 'concat':
      return checkConcat(context, formula, check);
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'round':
      return checkNumber(context, formula, name, check);
    case 'lower':
    case 'upper':
    case 'trim':
    case 'length':
    case 'replace':
    case 'substring':
      return checkText(context, formula, name, check);
  }
};

const takeCount = (context: CheckContext, formula: Call, least: number, most: number): boolean => {
  const { length } = formula.arguments;
  if (length >= least && length <= most) return true;
  const wanted = least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  refuseFormula(
    context,
    formula,
    'type',
    `${formula.function} takes ${wanted} argument${wanted === '1' ? '' : 's'}, but there are ${length}.`,
  );
  return false;
};

const checkCommon = (
  context: CheckContext,
  formula: Call,
  name: ScalarFunction,
  check: CheckSubformula,
): CheckResult => {
  const [least, most] = name === 'nullif' ? [2, 2] : [1, Infinity];
  if (!takeCount(context, formula, least, most)) return undefined;
  const values = unifyTypes(
    context,
    formula.arguments,
    formula.arguments.map((part) => check(context, part)),
  );
  const [first] = values ?? [];
  if (!values || !first) return undefined;
  if (first.type === 'boolean' && (name === 'greatest' || name === 'least'))
    return refuseFormula(context, formula, 'type', `Booleans have no order, so there is no ${name} of them.`);
  const type = formula.arguments.length > 0 && values.some((value) => value.type === 'float') ? 'float' : first.type;
  const nullable = name === 'nullif' || values.every((value) => value.nullable);
  return createTypedExpression({ kind: 'call', function: name, arguments: values }, type, nullable, values);
};

const checkConcat = (context: CheckContext, formula: Call, check: CheckSubformula): CheckResult => {
  if (!takeCount(context, formula, 1, Infinity)) return undefined;
  const values = allDefinedOrUndefined(
    formula.arguments.map((part) => {
      const value = check(context, part);
      return value?.type === 'interval'
        ? refuseFormula(context, part, 'type', 'An interval has no text.')
        : value && asText(value);
    }),
  );
  return (
    values && createTypedExpression({ kind: 'call', function: 'concat', arguments: values }, 'string', false, values)
  );
};

const asText = (value: TypedExpression): TypedExpression => convertToType(value, 'string');

const checkNumber = (
  context: CheckContext,
  formula: Call,
  name: 'abs' | 'floor' | 'ceil' | 'round',
  check: CheckSubformula,
): CheckResult => {
  if (!takeCount(context, formula, 1, name === 'round' ? 2 : 1)) return undefined;
  const [first, places] = formula.arguments;
  const value = first && check(context, first);
  if (!value) return undefined;
  if (!isNumberOrNull(value.type))
    return refuseFormula(context, first, 'type', `${name} needs a number, but this is ${withArticle(value.type)}.`);
  if (places && !(places.kind === 'number' && /^(?:1?\d|20)$/.test(places.text)))
    return refuseFormula(context, places, 'type', 'round needs a written number of decimal places, 0 to 20.');
  const digits = places && check(context, places);
  const number = convertToType(value, value.type === 'null' ? 'integer' : value.type);
  const type = name === 'abs' ? number.type : digits ? 'float' : 'integer';
  const values = digits ? [number, digits] : [number];
  return createTypedExpression({ kind: 'call', function: name, arguments: values }, type, number.nullable, values);
};

const checkText = (context: CheckContext, formula: Call, name: ScalarFunction, check: CheckSubformula): CheckResult => {
  const signature = textFunctionSignatures[name];
  if (!signature) return undefined;
  const { takes, gives } = signature;
  if (!takeCount(context, formula, takes.filter((type) => type !== 'integer?').length, takes.length)) return undefined;
  const values = allDefinedOrUndefined(
    formula.arguments.map((part, at) =>
      expectType(context, part, takes[at] === 'string' ? 'string' : 'integer', name)(check(context, part)),
    ),
  );
  const growth = name === 'replace' ? growthOf(context, formula) : 1;
  if (growth === undefined) return undefined;
  // What grows counts as often as it may be there; else a few of them inside each other would fill the database's memory.
  const grown = values?.slice(0, 1).flatMap((value) => Array.from({ length: growth - 1 }, () => value)) ?? [];
  // A place that is no written number is compared with both ends of what is possible.
  const repeated = values?.filter(({ kind, type }) => type === 'integer' && kind !== 'literal') ?? [];
  const parts = values && [...values, ...grown, ...repeated, ...repeated];
  return (
    parts &&
    createTypedExpression({ kind: 'call', function: name, arguments: values }, gives, isAnyNullable(values), parts)
  );
};

/** How many times as long a text may become; undefined when only the values would tell. */
const growthOf = (context: CheckContext, formula: Call): number | undefined => {
  const [, pattern, replacement] = formula.arguments;
  if (replacement?.kind !== 'string')
    return refuseFormula(context, replacement ?? formula, 'type', "replace needs a written text to put in, e.g. ''.");
  const patternLength = pattern?.kind === 'string' ? pattern.text.length : 1;
  return Math.max(1, Math.ceil(replacement.text.length / Math.max(1, patternLength)));
};

const checkTruncate = (context: CheckContext, formula: Call, check: CheckSubformula): CheckResult => {
  if (!takeCount(context, formula, 2, 2)) return undefined;
  const [wanted, of] = formula.arguments;
  const operand = of && check(context, of);
  const part = truncationUnits.find((name) => wanted?.kind === 'string' && wanted.text === name);
  if (!part)
    return refuseFormula(
      context,
      wanted ?? formula,
      'type',
      `date_trunc needs one of '${truncationUnits.join("', '")}' first.`,
    );
  if (!operand) return undefined;
  if (!isDateType(operand.type))
    return refuseFormula(
      context,
      of,
      'type',
      `date_trunc needs a date, datetime or timestamp, but this is ${withArticle(operand.type)}.`,
    );
  return createTypedExpression({ kind: 'truncate', part, operand }, operand.type, operand.nullable, [operand]);
};

export const checkExtract = (
  context: CheckContext,
  formula: FormulaOf<'extract'>,
  check: CheckSubformula,
): CheckResult => extractOf(context, formula.operand, formula.part, check(context, formula.operand));

const extractOf = (context: CheckContext, formula: Formula, part: DatePart, operand: CheckResult): CheckResult => {
  if (!operand) return undefined;
  const possible = datePartsOf(operand.type);
  if (!possible.includes(part)) {
    const has = possible.length > 0 ? `; it has ${possible.join(', ')}` : '';
    return refuseFormula(
      context,
      formula,
      'type',
      `${withArticle(operand.type)} has no ${part}${has}.`.replace(/^./, (first) => first.toUpperCase()),
    );
  }
  const type = part === 'second' || part === 'epoch' ? 'float' : 'integer';
  return createTypedExpression({ kind: 'extract', part, operand }, type, operand.nullable, [operand]);
};
