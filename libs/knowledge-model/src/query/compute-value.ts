/**
 * A value that OData computes from fields -> a field of the question, with a formula of its own. Types are as strict as those
 * of formulas; null in, null out, and what divides by zero is null, as in formulas.
 */
import {
  type ComputedField,
  type ComputedFieldResult,
  type DataFunction,
  type DataLiteral,
  type DataValue,
  type ExpressionFault,
  faultAt,
  type FieldLookup,
} from '@tessera/filter';
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { widen, withArticle } from '../expression/check-context.js';
import { readMoment } from '../expression/moments.js';
import {
  anyNullable,
  type FormulaType,
  literal,
  mayBeZero,
  typedExpression,
  type TypedExpression,
  type TypedNode,
} from '../expression/typed-expression.js';
import { commonType } from '../expression/types.js';
import { isRecordField, noRecord, type QueryField, type RecordField, valueTypeOf } from './query-field.js';

type Fields = Pick<FieldLookup<QueryField>, 'get'>;

type Computing = { readonly fields: Fields; readonly records: Set<string>; fault?: ExpressionFault };

type Step = TypedExpression | undefined;

export const computeField = ({ name, value }: ComputedField, fields: Fields): ComputedFieldResult<RecordField> => {
  const computing: Computing = { fields, records: new Set() };
  const expression = compute(computing, value);
  if (!expression) return { ok: false, fault: computing.fault ?? faultAt(value.start, 'type', `${name} has no type.`) };
  const type = valueTypeOf(expression.type);
  if (!type)
    return { ok: false, fault: faultAt(value.start, 'type', 'null has no type here; compare with a property.') };
  const [first = noRecord, ...others] = computing.records;
  const made = { isKpi: false, type, nullable: expression.nullable, record: first, field: name, expression } as const;
  return { ok: true, value: others.length > 0 ? { ...made, others } : made };
};

const refuse = (
  computing: Computing,
  { start }: { readonly start: number },
  message: string,
  rule = 'type',
): undefined => {
  computing.fault ??= faultAt(start, rule, message);
  return undefined;
};

const compute = (computing: Computing, value: DataValue): Step => {
  switch (value.kind) {
    case 'literal':
      return computeLiteral(computing, value.literal);
    case 'field':
      return computeName(computing, value);
    case 'negate': {
      const operand = valueIn(computing, value.operand, numbers, 'A minus');
      return operand && make({ kind: 'negate', operand }, operand.type, [operand]);
    }
    case 'arithmetic':
      return computeArithmetic(computing, value);
    case 'call':
      return computeCall(computing, value);
    case 'comparison':
      return computeComparison(computing, value);
  }
};

const make = (node: TypedNode, type: FormulaType, parts: readonly TypedExpression[], nullable = anyNullable(parts)) =>
  typedExpression(node, type, nullable, parts);

const momentTypes = { date: 'date', datetime: 'timestamp', time: 'time' } as const;

const computeLiteral = (computing: Computing, { kind, text, start }: DataLiteral): Step => {
  switch (kind) {
    case 'null':
      return literal(null, 'null');
    case 'boolean':
      return literal(text === 'true', 'boolean');
    case 'number':
      return literal(text.replace(/^\+/, ''), /^[+-]?\d+$/.test(text) ? 'integer' : 'float');
    case 'date':
    case 'datetime':
    case 'time': {
      const read = readMoment(momentTypes[kind], text);
      return read === undefined
        ? refuse(computing, { start }, `There is no ${kind} ${text}.`)
        : literal(read, momentTypes[kind]);
    }
    case 'string':
    case 'word':
      return literal(text, 'string');
    case 'caller':
      return refuse(computing, { start }, 'Nothing is computed of attributes of the caller.');
  }
};

/** What is null where no row is related is so here too. */
const computeName = (computing: Computing, { name, start }: DataValue & { readonly kind: 'field' }): Step => {
  const field = computing.fields.get(name);
  // Its own fault, in the words of the question, is told where names are looked up.
  if (!field) return refuse(computing, { start }, `There is no field ${name}.`, 'field');
  if (!isRecordField(field))
    return refuse(computing, { start }, `${name} is a KPI; KPIs can be filtered at the level of the model only.`);
  computing.records.add(field.record);
  return { ...field.expression, nullable: field.nullable };
};

/** The value as one of these types; `what` says for what it stands. */
const valueIn = (computing: Computing, value: DataValue, types: readonly ValueType[], what: string): Step => {
  const found = compute(computing, value);
  if (!found) return undefined;
  const [first = 'string'] = types;
  if (found.type === 'null') return widen(found, first);
  if (types.some((type) => type === found.type)) return found;
  const wanted = types.map(withArticle).join(' or ');
  return refuse(computing, value, `${what} takes ${wanted}, but this is ${withArticle(found.type)}.`);
};

const numbers = ['integer', 'float'] as const;
const days = ['date', 'datetime', 'timestamp'] as const;
const clocks = ['time', 'datetime', 'timestamp'] as const;

const computeArithmetic = (computing: Computing, value: DataValue & { readonly kind: 'arithmetic' }): Step => {
  const { operator } = value;
  const left = valueIn(computing, value.left, numbers, operator);
  const right = left && valueIn(computing, value.right, numbers, operator);
  if (!left || !right) return undefined;
  const areIntegers = left.type === 'integer' && right.type === 'integer';
  const parts = [left, right];
  const nullable = anyNullable(parts) || (['div', 'divby', 'mod'].includes(operator) && mayBeZero(right));
  if (operator === 'div' && areIntegers)
    return typedExpression({ kind: 'call', function: 'div', arguments: parts }, 'integer', nullable, parts);
  const type = areIntegers && operator !== 'divby' ? 'integer' : 'float';
  return typedExpression({ kind: 'arithmetic', operator: symbols[operator], left, right }, type, nullable, parts);
};

const symbols = { add: '+', sub: '-', mul: '*', div: '/', divby: '/', mod: '%' } as const;

/** What each argument is, and what it gives; of `same` type as the first. */
const signatures: Readonly<
  Record<DataFunction, { readonly takes: readonly (readonly ValueType[])[]; readonly gives: ValueType | 'same' }>
> = {
  tolower: { takes: [['string']], gives: 'string' },
  toupper: { takes: [['string']], gives: 'string' },
  trim: { takes: [['string']], gives: 'string' },
  length: { takes: [['string']], gives: 'integer' },
  concat: { takes: [['string'], ['string']], gives: 'string' },
  indexof: { takes: [['string'], ['string']], gives: 'integer' },
  substring: { takes: [['string'], ['integer'], ['integer']], gives: 'string' },
  year: { takes: [days], gives: 'integer' },
  month: { takes: [days], gives: 'integer' },
  day: { takes: [days], gives: 'integer' },
  hour: { takes: [clocks], gives: 'integer' },
  minute: { takes: [clocks], gives: 'integer' },
  second: { takes: [clocks], gives: 'integer' },
  date: { takes: [days], gives: 'date' },
  time: { takes: [clocks], gives: 'time' },
  round: { takes: [numbers], gives: 'same' },
  floor: { takes: [numbers], gives: 'same' },
  ceiling: { takes: [numbers], gives: 'same' },
};

const computeCall = (computing: Computing, value: DataValue & { readonly kind: 'call' }): Step => {
  const { takes, gives } = signatures[value.function];
  const parts: TypedExpression[] = [];
  for (const [at, argument] of value.arguments.entries()) {
    const part = valueIn(computing, argument, takes[at] ?? [], value.function);
    if (!part) return undefined;
    parts.push(part);
  }
  const [first, second] = parts;
  return first && callOf(value.function, first, second, parts, gives === 'same' ? first.type : gives);
};

const callOf = (
  name: DataFunction,
  first: TypedExpression,
  second: TypedExpression | undefined,
  parts: readonly TypedExpression[],
  type: FormulaType,
): Step => {
  switch (name) {
    case 'concat':
      return second && make({ kind: 'arithmetic', operator: '||', left: first, right: second }, type, parts);
    case 'substring': {
      const [text, from, ...length] = parts;
      return text && from && callNode('substring', [text, moveByOne(from), ...length], type);
    }
    case 'tolower':
      return callNode('lower', parts, type);
    case 'toupper':
      return callNode('upper', parts, type);
    case 'ceiling':
      return callNode('ceil', parts, type);
    case 'trim':
    case 'length':
    case 'indexof':
    case 'round':
    case 'floor':
      return callNode(name, parts, type);
    case 'year':
    case 'month':
    case 'day':
    case 'hour':
    case 'minute':
      return make({ kind: 'extract', part: name, operand: first }, type, parts);
    case 'second':
      return callNode('floor', [make({ kind: 'extract', part: name, operand: first }, 'float', parts)], type);
    case 'date':
    case 'time':
      return first.type === type ? first : make({ kind: 'cast', operand: first }, type, parts);
  }
};

const callNode = (
  name: (TypedNode & { readonly kind: 'call' })['function'],
  parts: readonly TypedExpression[],
  type: FormulaType,
): TypedExpression => make({ kind: 'call', function: name, arguments: parts }, type, parts);

/** Places count from 0 here and from 1 in formulas. */
const moveByOne = (place: TypedExpression): TypedExpression => {
  if (place.kind === 'literal')
    return literal(typeof place.value === 'string' ? String(BigInt(place.value) + 1n) : null, 'integer');
  const one = literal('1', 'integer');
  return make({ kind: 'arithmetic', operator: '+', left: place, right: one }, 'integer', [place, one]);
};

const computeComparison = (computing: Computing, value: DataValue & { readonly kind: 'comparison' }): Step => {
  const { operator } = value;
  switch (operator) {
    case 'contains':
    case 'startswith':
    case 'endswith': {
      const left = valueIn(computing, value.left, ['string'], operator);
      const right = left && valueIn(computing, value.right, ['string'], operator);
      return left && right && callNode(operator, [left, right], 'boolean');
    }
    case 'eq':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le': {
      const left = compute(computing, value.left);
      const right = left && compute(computing, value.right);
      return left && right && compare(computing, value, operator, left, right);
    }
  }
};

const comparisonSymbols = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

const compare = (
  computing: Computing,
  value: DataValue & { readonly kind: 'comparison' },
  operator: keyof typeof comparisonSymbols,
  left: TypedExpression,
  right: TypedExpression,
): Step => {
  const common = commonType([left.type, right.type]);
  if (common === undefined) {
    const message = `${operator} compares ${withArticle(left.type)} with ${withArticle(right.type)}; both sides are of one type.`;
    return refuse(computing, value.right, message);
  }
  if (common === 'boolean' && operator !== 'eq')
    return refuse(computing, value.left, `Truth values have no order; use eq or ne instead of ${operator}.`);
  const [type] = [common === 'null' ? ('string' as const) : common];
  const parts = [widen(left, type), widen(right, type)] as const;
  const node = { kind: 'comparison', operator: comparisonSymbols[operator], left: parts[0], right: parts[1] } as const;
  const compared = make(node, 'boolean', parts);
  return operator === 'eq' && parts.every(({ nullable }) => nullable) ? orBothNull(compared, parts) : compared;
};

/** Null is equal to null, as OData has it. */
const orBothNull = (compared: TypedExpression, parts: readonly TypedExpression[]): TypedExpression => {
  const absent = parts.map((operand) => make({ kind: 'isNull', operand, negated: false }, 'boolean', [operand], false));
  const operands = [compared, make({ kind: 'and', operands: absent }, 'boolean', absent)];
  return make({ kind: 'or', operands }, 'boolean', operands);
};
