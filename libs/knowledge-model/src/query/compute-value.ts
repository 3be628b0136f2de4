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
  createExpressionFault,
  explainMoment,
  type FieldLookup,
} from '@tessera/filter';
import { dateTypes, type ValueType } from '@tessera/contracts/knowledge-models';
import { convertToType, withArticle } from '../expression/check-context.js';
import { parseMoment } from '../expression/moments.js';
import {
  isAnyNullable,
  type FormulaType,
  createTypedLiteral,
  canBeZero,
  createTypedExpression,
  type TypedExpression,
  type TypedNode,
} from '../expression/typed-expression.js';
import { findCommonType } from '../expression/types.js';
import { isRecordField, noRecordId, type QueryField, type RecordField, valueTypeOf } from './query-field.js';

type Fields = Pick<FieldLookup<QueryField>, 'get'>;

type Computing = {
  readonly fields: Fields;
  readonly records: Set<string>;
  readonly counted: Set<string>;
  fault?: ExpressionFault;
};

type Step = TypedExpression | undefined;

export const computeField = ({ name, value }: ComputedField, fields: Fields): ComputedFieldResult<RecordField> => {
  const computing: Computing = { fields, records: new Set(), counted: new Set() };
  const expression = computeNode(computing, value);
  if (!expression)
    return { ok: false, fault: computing.fault ?? createExpressionFault(value.start, 'type', `${name} has no type.`) };
  const type = valueTypeOf(expression.type);
  if (!type)
    return {
      ok: false,
      fault: createExpressionFault(value.start, 'type', 'null has no type here; compare with a property.'),
    };
  const [first = noRecordId, ...others] = computing.records;
  const counted = [...computing.counted];
  const made: RecordField = {
    ...{ isKpi: false, type, nullable: expression.nullable, record: first, field: name, expression },
    ...(counted.length > 0 && { counted }),
  };
  return { ok: true, value: others.length > 0 ? { ...made, others } : made };
};

const refuseValue = (
  computing: Computing,
  { start }: { readonly start: number },
  message: string,
  rule = 'type',
): undefined => {
  computing.fault ??= createExpressionFault(start, rule, message);
  return undefined;
};

const computeNode = (computing: Computing, value: DataValue): Step => {
  switch (value.kind) {
    case 'literal':
      return computeLiteral(computing, value.literal);
    case 'field':
      return computeName(computing, value);
    case 'count':
      return computeCount(computing, value);
    case 'negate': {
      const operand = valueIn(computing, value.operand, numberTypes, 'A minus');
      return operand && makeExpression({ kind: 'negate', operand }, operand.type, [operand]);
    }
    case 'arithmetic':
      return computeArithmetic(computing, value);
    case 'call':
      return computeCall(computing, value);
    case 'comparison':
      return computeComparison(computing, value);
  }
};

const makeExpression = (
  node: TypedNode,
  type: FormulaType,
  parts: readonly TypedExpression[],
  nullable = isAnyNullable(parts),
) => createTypedExpression(node, type, nullable, parts);

const momentTypes = { date: 'date', datetime: 'timestamp', time: 'time' } as const;

const computeLiteral = (computing: Computing, { kind, text, start }: DataLiteral): Step => {
  switch (kind) {
    case 'null':
      return createTypedLiteral(null, 'null');
    case 'boolean':
      return createTypedLiteral(text === 'true', 'boolean');
    case 'number':
      return digitsOf(text) > digitsMax
        ? refuseValue(computing, { start }, `A number to compute with has at most ${digitsMax} digits.`)
        : createTypedLiteral(text.replace(/^\+/, ''), /^[+-]?\d+$/.test(text) ? 'integer' : 'float');
    case 'date':
    case 'datetime':
    case 'time': {
      // Formulas compute with microseconds.
      const read = parseMoment(momentTypes[kind], text.replace(/(?<=\.\d{6})\d{1,6}/, ''));
      return read === undefined
        ? refuseValue(computing, { start }, `${text} is no ${kind}: ${explainMoment(text) ?? 'it does not fit'}.`)
        : createTypedLiteral(read, momentTypes[kind]);
    }
    case 'string':
    case 'word':
      return createTypedLiteral(text, 'string');
    case 'caller':
      return refuseValue(computing, { start }, 'Nothing is computed of attributes of the caller.');
  }
};

/** As many multiplications by such a number as a filter has room for stay below the 131,072 digits of PostgreSQL. */
const digitsMax = 100;

/** The digits that a number has when it is written out, at either side of its point. */
const digitsOf = (text: string): number => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  return mantissa.replace(/\D/g, '').length + Math.abs(Number(exponent));
};

/** What is null where no row is related is so here too. */
const computeName = (computing: Computing, { name, start }: DataValue & { readonly kind: 'field' }): Step => {
  const field = computing.fields.get(name);
  // Its own fault, in the words of the question, is told where names are looked up.
  if (!field) return refuseValue(computing, { start }, `There is no field ${name}.`, 'field');
  if (!isRecordField(field))
    return refuseValue(computing, { start }, `${name} is a KPI; KPIs can be filtered at the level of the model only.`);
  computing.records.add(field.record);
  return { ...field.expression, nullable: field.nullable };
};

/** Null where the row is missing whose related rows are counted. */
const computeCount = (computing: Computing, value: DataValue & { readonly kind: 'count' }): Step => {
  const { range, path } = value;
  if (!range) return refuseValue(computing, value, `${path} leads to no rows here.`);
  computing.records.add(range.from);
  computing.counted.add(range.key);
  const formula = makeExpression({ kind: 'relatedCount', range }, 'integer', []);
  return makeExpression({ kind: 'derived', record: range.from, field: path, formula }, 'integer', [formula]);
};

/** The value as one of these types; `what` says for what it stands. */
const valueIn = (computing: Computing, value: DataValue, types: readonly ValueType[], what: string): Step => {
  const found = computeNode(computing, value);
  if (!found) return undefined;
  const [first = 'string'] = types;
  if (found.type === 'null') return convertToType(found, first);
  if (types.some((type) => type === found.type)) return found;
  const wanted = types.map(withArticle).join(' or ');
  return refuseValue(computing, value, `${what} takes ${wanted}, but this is ${withArticle(found.type)}.`);
};

const numberTypes = ['integer', 'float'] as const;
const clockTypes = ['time', 'datetime', 'timestamp'] as const;

const computeArithmetic = (computing: Computing, value: DataValue & { readonly kind: 'arithmetic' }): Step => {
  const { operator } = value;
  const left = valueIn(computing, value.left, numberTypes, operator);
  const right = left && valueIn(computing, value.right, numberTypes, operator);
  if (!left || !right) return undefined;
  const areIntegers = left.type === 'integer' && right.type === 'integer';
  const parts = [left, right];
  const nullable = isAnyNullable(parts) || (['div', 'divby', 'mod'].includes(operator) && canBeZero(right));
  if (operator === 'div' && areIntegers)
    return createTypedExpression({ kind: 'call', function: 'div', arguments: parts }, 'integer', nullable, parts);
  const type = areIntegers && operator !== 'divby' ? 'integer' : 'float';
  return createTypedExpression(
    { kind: 'arithmetic', operator: symbolByOperator[operator], left, right },
    type,
    nullable,
    parts,
  );
};

const symbolByOperator = { add: '+', sub: '-', mul: '*', div: '/', divby: '/', mod: '%' } as const;

/** What each argument is, and what it gives; of `same` type as the first. */
const functionSignatures: Readonly<
  Record<DataFunction, { readonly takes: readonly (readonly ValueType[])[]; readonly gives: ValueType | 'same' }>
> = {
  tolower: { takes: [['string']], gives: 'string' },
  toupper: { takes: [['string']], gives: 'string' },
  trim: { takes: [['string']], gives: 'string' },
  length: { takes: [['string']], gives: 'integer' },
  concat: { takes: [['string'], ['string']], gives: 'string' },
  indexof: { takes: [['string'], ['string']], gives: 'integer' },
  substring: { takes: [['string'], ['integer'], ['integer']], gives: 'string' },
  year: { takes: [dateTypes], gives: 'integer' },
  month: { takes: [dateTypes], gives: 'integer' },
  day: { takes: [dateTypes], gives: 'integer' },
  hour: { takes: [clockTypes], gives: 'integer' },
  minute: { takes: [clockTypes], gives: 'integer' },
  second: { takes: [clockTypes], gives: 'integer' },
  date: { takes: [dateTypes], gives: 'date' },
  time: { takes: [clockTypes], gives: 'time' },
  round: { takes: [numberTypes], gives: 'same' },
  floor: { takes: [numberTypes], gives: 'same' },
  ceiling: { takes: [numberTypes], gives: 'same' },
};

const computeCall = (computing: Computing, value: DataValue & { readonly kind: 'call' }): Step => {
  const { takes, gives } = functionSignatures[value.function];
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
      return second && makeExpression({ kind: 'arithmetic', operator: '||', left: first, right: second }, type, parts);
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
      return makeExpression({ kind: 'extract', part: name, operand: first }, type, parts);
    case 'second':
      return callNode('floor', [makeExpression({ kind: 'extract', part: name, operand: first }, 'float', parts)], type);
    case 'date':
    case 'time':
      return first.type === type ? first : makeExpression({ kind: 'cast', operand: first }, type, parts);
  }
};

const callNode = (
  name: (TypedNode & { readonly kind: 'call' })['function'],
  parts: readonly TypedExpression[],
  type: FormulaType,
): TypedExpression => makeExpression({ kind: 'call', function: name, arguments: parts }, type, parts);

/** Places count from 0 here and from 1 in formulas. */
const moveByOne = (place: TypedExpression): TypedExpression => {
  if (place.kind === 'literal')
    return createTypedLiteral(typeof place.value === 'string' ? String(BigInt(place.value) + 1n) : null, 'integer');
  const one = createTypedLiteral('1', 'integer');
  return makeExpression({ kind: 'arithmetic', operator: '+', left: place, right: one }, 'integer', [place, one]);
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
      const left = computeNode(computing, value.left);
      const right = left && computeNode(computing, value.right);
      return left && right && computeWholeComparison(computing, value, operator, left, right);
    }
  }
};

const comparisonSymbols = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

const computeWholeComparison = (
  computing: Computing,
  value: DataValue & { readonly kind: 'comparison' },
  operator: keyof typeof comparisonSymbols,
  left: TypedExpression,
  right: TypedExpression,
): Step => {
  const common = findCommonType([left.type, right.type]);
  if (common === undefined) {
    const message = `${operator} compares ${withArticle(left.type)} with ${withArticle(right.type)}; both sides are of one type.`;
    return refuseValue(computing, value.right, message);
  }
  if (common === 'boolean' && operator !== 'eq')
    return refuseValue(computing, value.left, `Truth values have no order; use eq or ne instead of ${operator}.`);
  const [type] = [common === 'null' ? ('string' as const) : common];
  const parts = [convertToType(left, type), convertToType(right, type)] as const;
  const node = { kind: 'comparison', operator: comparisonSymbols[operator], left: parts[0], right: parts[1] } as const;
  const compared = makeExpression(node, 'boolean', parts);
  return operator === 'eq' && parts.every(({ nullable }) => nullable) ? orAllNull(compared, parts) : compared;
};

/** Null is equal to null, as OData has it. */
const orAllNull = (compared: TypedExpression, parts: readonly TypedExpression[]): TypedExpression => {
  const absent = parts.map((operand) =>
    makeExpression({ kind: 'isNull', operand, negated: false }, 'boolean', [operand], false),
  );
  const operands = [compared, makeExpression({ kind: 'and', operands: absent }, 'boolean', absent)];
  return makeExpression({ kind: 'or', operands }, 'boolean', operands);
};
