/**
 * The tree of a filter and the fields of its owner -> the typed filter. The type of the field decides what a literal is;
 * a fault has its position and what would fit, and a few faults are returned at once.
 */
import { findNearestName } from '@tessera/failures';
import type { DataExpression, DataField, DataLiteral, ListMatchOptions, ValueFunction } from '../expression.js';
import { type ExpressionFault, createExpressionFault } from '../parser.js';
import { explainMoment } from './moment.js';
import { toTypedValue } from './type-literal.js';
import type {
  FieldDeclaration,
  FieldLookup,
  FieldType,
  TypedCondition,
  TypedFilter,
  TypedOperand,
  TypedValue,
} from './typed-filter.js';

export type TypingOptions = {
  /** Record level has no KPIs, model level filters by them after aggregation. */
  readonly kpis?: boolean;
  /** The values of an attribute of the caller. Without a fitting value for each, the whole filter matches nothing. */
  readonly callerValues?: (attribute: string) => readonly string[] | undefined;
};

type FilterTyping<Field extends FieldDeclaration> =
  | { readonly ok: true; readonly value: TypedFilter<Field> }
  | { readonly ok: false; readonly faults: readonly ExpressionFault[] };

const faultsMax = 5;
const alwaysFalse = { kind: 'constant', value: false } as const;

/** What is known while a filter is typed. */
type Typing<Field extends FieldDeclaration> = {
  readonly fields: FieldLookup<Field>;
  readonly options: TypingOptions;
  readonly faults: ExpressionFault[];
  /** An attribute of the caller has no value that fits: nobody is let in by what is not known. */
  isCallerUnknown: boolean;
};

export const typeCheckFilter = <Field extends FieldDeclaration>(
  expression: DataExpression,
  fields: FieldLookup<Field>,
  options: TypingOptions = {},
): FilterTyping<Field> => {
  const typing: Typing<Field> = { fields, options, faults: [], isCallerUnknown: false };
  const value = typeLogic(typing, expression);
  if (typing.faults.length > 0) return { ok: false, faults: typing.faults.slice(0, faultsMax) };
  return { ok: true, value: typing.isCallerUnknown ? alwaysFalse : value };
};

const typeLogic = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  expression: DataExpression,
): TypedFilter<Field> => {
  // No more are told, and each unknown name costs a search for the nearest one.
  if (typing.faults.length >= faultsMax) return alwaysFalse;
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, operands: expression.operands.map((operand) => typeLogic(typing, operand)) };
    case 'not':
      return { kind: 'not', operand: typeLogic(typing, expression.operand) };
    case 'compare':
    case 'in':
    case 'match': {
      const operand = operandOf(typing, expression.field);
      return operand ? typeCondition(typing, operand, expression) : alwaysFalse;
    }
    case 'any': {
      const { range, operand, path, start } = expression;
      if (!range) return addFault(typing, createExpressionFault(start, 'type', `${path} leads to no rows here.`));
      return { kind: 'any', range, ...(operand && { condition: typeLogic(typing, operand) }) };
    }
  }
};

const operandOf = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  field: DataField,
): TypedOperand<Field> | undefined => {
  const operand = typeOperand(field, typing.fields, typing.options.kpis ?? false);
  if (!('rule' in operand)) return operand;
  addFault(typing, operand);
  return undefined;
};

const addFault = (typing: { readonly faults: ExpressionFault[] }, fault: ExpressionFault): typeof alwaysFalse => {
  typing.faults.push(fault);
  return alwaysFalse;
};

const typeCondition = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  operand: TypedOperand<Field>,
  expression: DataExpression & { kind: 'compare' | 'in' | 'match' },
): TypedFilter<Field> => {
  switch (expression.kind) {
    case 'compare':
      return typeComparison(typing, operand, expression);
    case 'in': {
      const { field, literals, likeness } = expression;
      if (likeness && operand.type !== 'string')
        return addFault(typing, wrongOperator(operand, field.start, 'only texts are like others'));
      const values = literals.flatMap((literal) => valuesOf(typing, operand, literal, true));
      return likeness ? isLike(operand, values, likeness) : isAmong(operand, values);
    }
    case 'match': {
      const { field, literal } = expression;
      if (operand.type !== 'string')
        return addFault(typing, wrongOperator(operand, field.start, `${expression.function} takes a string`));
      const [value] = valuesOf(typing, operand, literal, false);
      return value?.kind === 'string'
        ? { kind: 'match', function: expression.function, operand, text: value.text }
        : alwaysFalse;
    }
  }
};

const typeComparison = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  operand: TypedOperand<Field>,
  { operator, field, literal }: DataExpression & { kind: 'compare' },
): TypedFilter<Field> => {
  const isOrder = operator !== 'eq' && operator !== 'ne';
  if (isOrder && operand.type === 'boolean')
    return addFault(typing, wrongOperator(operand, field.start, 'use eq, ne or in'));
  // The order of anything and null is false, as OData has it.
  if (literal.kind === 'null')
    return isOrder ? { ...alwaysFalse, operand } : negatedIf(operator === 'ne', { kind: 'isNull', operand });
  const values = valuesOf(typing, operand, literal, !isOrder);
  const [value] = values;
  if (isOrder) return value ? { kind: 'compare', operator, operand, value } : alwaysFalse;
  return negatedIf(operator === 'ne', isAmong(operand, values));
};

const isAmong = <Field extends FieldDeclaration>(
  operand: TypedOperand<Field>,
  values: readonly TypedValue[],
): TypedCondition<Field> => {
  const [value] = values;
  if (!value) return alwaysFalse;
  return values.length === 1 ? { kind: 'compare', operator: 'eq', operand, value } : { kind: 'in', operand, values };
};

const isLike = <Field extends FieldDeclaration>(
  operand: TypedOperand<Field>,
  values: readonly TypedValue[],
  likeness: ListMatchOptions,
): TypedCondition<Field> => {
  const texts = values.flatMap((value) => (value.kind === 'string' ? value.text : []));
  return texts.length > 0 ? { kind: 'like', operand, texts, likeness } : alwaysFalse;
};

const negatedIf = <Field extends FieldDeclaration>(
  isNegated: boolean,
  operand: TypedFilter<Field>,
): TypedFilter<Field> => (isNegated ? { kind: 'not', operand } : operand);

/** The value of a literal, or those of an attribute of the caller; none after a fault. */
const valuesOf = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  operand: TypedOperand<Field>,
  literal: DataLiteral,
  areSeveralTaken: boolean,
): readonly TypedValue[] => {
  if (literal.kind === 'caller') {
    const texts = typing.options.callerValues?.(literal.text);
    const values = texts?.flatMap((text) => toTypedValue(operand.type, { ...literal, kind: 'string', text }) ?? []);
    if (values && values.length === texts?.length && (areSeveralTaken || values.length === 1)) return values;
    typing.isCallerUnknown = true;
    return [];
  }
  const value = toTypedValue(operand.type, literal);
  const isField = literal.kind === 'word' && typing.fields.get(literal.text) !== undefined;
  if (value && !isField) return [{ ...value, origin: { literal, type: operand.type } }];
  addFault(typing, isField ? fieldAsValue(literal) : wrongLiteral(operand, literal));
  return [];
};

const dayTypes: readonly FieldType[] = ['date', 'datetime', 'timestamp'];
const momentTypes: readonly FieldType[] = [...dayTypes, 'time'];
const functionSignatures: Readonly<
  Record<ValueFunction, { readonly takes: readonly FieldType[]; readonly gives: FieldType; readonly named: string }>
> = {
  tolower: { takes: ['string'], gives: 'string', named: 'a string' },
  toupper: { takes: ['string'], gives: 'string', named: 'a string' },
  length: { takes: ['string'], gives: 'integer', named: 'a string' },
  year: { takes: dayTypes, gives: 'integer', named: 'a date, a datetime or a timestamp' },
  month: { takes: dayTypes, gives: 'integer', named: 'a date, a datetime or a timestamp' },
  day: { takes: dayTypes, gives: 'integer', named: 'a date, a datetime or a timestamp' },
};

const typeOperand = <Field extends FieldDeclaration>(
  { name, shown = name, applied, start, end, value }: DataField,
  fields: FieldLookup<Field>,
  areKpisTaken: boolean,
): TypedOperand<Field> | ExpressionFault => {
  const computed = value && (fields.compute?.({ name, applied, start, end, value }) ?? notComputed(start));
  if (computed?.ok === false) return computed.fault;
  const field = computed ? computed.value : fields.get(name);
  if (!field)
    return createExpressionFault(start, 'field', `There is no field ${name}.`, findNearestName(name, fields.keys()));
  if (field.isKpi === true && !areKpisTaken)
    return createExpressionFault(
      start,
      'type',
      `${name} is a KPI; KPIs can be filtered at the level of the model only.`,
    );
  let operand: TypedOperand<Field> = { name: shown, field, applied: [], type: field.type };
  for (const called of applied) {
    const { takes, gives, named } = functionSignatures[called];
    if (!takes.includes(operand.type)) return wrongOperator(operand, start, `${called} takes ${named}`);
    operand = { ...operand, applied: [...operand.applied, called], type: gives };
  }
  return operand;
};

const notComputed = (position: number) => {
  const message = 'Conditions on groups compare what is answered with values; nothing is computed in them.';
  return { ok: false, fault: createExpressionFault(position, 'type', message) } as const;
};

/** `what` says what could be asked instead. */
const wrongOperator = (operand: TypedOperand, position: number, what: string): ExpressionFault =>
  createExpressionFault(position, 'type', `${nameOperand(operand)} is ${typeNames[operand.type]}; ${what}.`);

const wrongLiteral = (operand: TypedOperand, literal: DataLiteral): ExpressionFault => {
  const name = nameOperand(operand);
  const wanted = `${name} is ${typeNames[operand.type]}; expected ${valuesThatFit[operand.type]}`;
  if (literal.kind === 'null')
    return createExpressionFault(
      literal.start,
      'type',
      `${wanted}, but there is null, for which ${name} eq null asks.`,
    );
  const impossible = momentTypes.includes(operand.type) ? explainMoment(literal.text) : undefined;
  if (impossible !== undefined) {
    const what = `${name} is ${typeNames[operand.type]}; ${shortenLiteral(literal.text)} is none`;
    return createExpressionFault(literal.start, 'type', `${what}: ${impossible}.`);
  }
  const quoted = operand.type === 'string' ? `'${literal.text}'` : undefined;
  return createExpressionFault(literal.start, 'type', `${wanted}, but there is ${nameLiteral(literal)}.`, quoted);
};

/** An unquoted string that is the name of a field was surely not meant as a string. */
const fieldAsValue = ({ text, start: position }: DataLiteral): ExpressionFault => {
  const message = `${text} is a field; fields compare with values. Write '${text}' for the text.`;
  return { position, message, rule: 'type', suggestion: `'${text}'` };
};

const nameOperand = ({ name, applied }: TypedOperand): string =>
  applied.reduce((inner, called) => `${called}(${inner})`, name);

const typeNames: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  integer: 'an integer',
  float: 'a float',
  boolean: 'a boolean',
  date: 'a date',
  time: 'a time',
  datetime: 'a datetime',
  timestamp: 'a timestamp',
};

const valuesThatFit: Readonly<Record<FieldType, string>> = {
  string: "a string in single quotes such as 'value'",
  integer: 'a number such as 12',
  float: 'a number such as 12.5',
  boolean: 'true or false',
  date: 'a date such as 2015-05-07',
  time: 'a time such as 12:30:00',
  datetime: 'a date or a datetime such as 2015-05-07T08:30:00',
  timestamp: 'a date or a datetime such as 2015-05-07T08:30:00Z',
};

/** What a literal is in words, with its text as far as it helps. */
const nameLiteral = ({ kind, text }: DataLiteral): string => {
  const shown = shortenLiteral(text);
  return kind === 'string' ? `the string '${shown}'` : kind === 'null' ? 'null' : `the ${kind} ${shown}`;
};

const shortenLiteral = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);
