/**
 * The typed filter -> SQL. Where a column cannot be null the plain operators stand, so that indexes serve them. Where
 * it can, a condition may come out null, which holds as little as false does; only a `not` above it has to tell them
 * apart. Never negate the result from outside; compile a filter with `not` instead.
 */
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  constant,
  equalsText,
  escapeLike,
  isAmongTexts,
  negation,
  parameter,
  type SqlExpression,
  type SqlOperator,
  type SqlParameterOrigin,
} from '@tessera/sql';
import type { ListMatchOptions, RelatedRange, ValueFunction } from '../expression.js';
import type { MomentSpan } from './moment.js';
import { toTypedValue } from './type-literal.js';
import type { FieldDeclaration, TypedFilter, TypedOperand, TypedValue } from './typed-filter.js';

/** How a field is written in SQL: a column, or the expression of an augmented attribute. */
type SqlOfField<Field> = (field: Field, name: string) => SqlExpression;

/** Whether there are related rows for which the condition holds. */
type SqlOfAny = (range: RelatedRange, condition: SqlExpression | undefined) => SqlExpression;

export const compileFilter = <Field extends FieldDeclaration>(
  filter: TypedFilter<Field>,
  sqlOfField: SqlOfField<Field>,
  sqlOfAny: SqlOfAny = withoutRelated,
): SqlExpression => compileWithOwner(filter, { sqlOfField, sqlOfAny }).sql;

const withoutRelated: SqlOfAny = ({ key }) => {
  throw new Error(`${key} has no rows here.`);
};

type Owner<Field> = { readonly sqlOfField: SqlOfField<Field>; readonly sqlOfAny: SqlOfAny };

type Compiled = { readonly sql: SqlExpression; readonly isNullable: boolean };

const compileWithOwner = <Field extends FieldDeclaration>(
  filter: TypedFilter<Field>,
  owner: Owner<Field>,
): Compiled => {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operands = filter.operands.map((operand) => compileWithOwner(operand, owner));
      const join = filter.kind === 'and' ? allOf : anyOf;
      return { sql: join(operands.map(({ sql }) => sql)), isNullable: operands.some(({ isNullable }) => isNullable) };
    }
    case 'not': {
      const { sql, isNullable } = compileWithOwner(filter.operand, owner);
      return notNull(isNullable ? { kind: 'isNotTrue', operand: sql } : negate(sql));
    }
    case 'constant':
      return notNull(constant(filter.value));
    case 'isNull': {
      const { field } = filter.operand;
      return notNull(
        field.nullable ? { kind: 'isNull', operand: sqlOf(filter.operand, owner.sqlOfField) } : constant(false),
      );
    }
    case 'compare': {
      const left = sqlOf(filter.operand, owner.sqlOfField);
      const sql = compareWithValue(left, filter.operator, filter.value);
      // A text may be no value of the type that is stored.
      return { sql, isNullable: filter.operand.field.nullable || left.kind === 'storedText' };
    }
    case 'in': {
      const operand = sqlOf(filter.operand, owner.sqlOfField);
      return { sql: isAmongValues(operand, filter.values), isNullable: filter.operand.field.nullable };
    }
    case 'like': {
      const sql = isLike(sqlOf(filter.operand, owner.sqlOfField), filter.texts, filter.likeness);
      return { sql, isNullable: filter.operand.field.nullable };
    }
    case 'match': {
      const sql = binaryOperation(
        sqlOf(filter.operand, owner.sqlOfField),
        'like',
        parameter(patternOf(filter), 'text'),
      );
      return { sql, isNullable: filter.operand.field.nullable };
    }
    case 'any': {
      const { range, condition } = filter;
      return notNull(owner.sqlOfAny(range, condition && compileWithOwner(condition, owner).sql));
    }
  }
};

const notNull = (sql: SqlExpression): Compiled => ({ sql, isNullable: false });

const sqlOf = <Field extends FieldDeclaration>(
  { name, field, applied }: TypedOperand<Field>,
  sqlOfField: SqlOfField<Field>,
): SqlExpression => {
  const source = sqlOfField(field, name);
  const isZoned = field.type === 'timestamp';
  return applied.reduce((inner, called) => applyFunction(called, inner, isZoned), source);
};

/** Parts of a timestamp are those of its day in UTC, whatever the session's zone is. */
const applyFunction = (called: ValueFunction, inner: SqlExpression, isZoned: boolean): SqlExpression => {
  switch (called) {
    case 'tolower':
      return callFunction('lower', inner);
    case 'toupper':
      return callFunction('upper', inner);
    case 'length':
      return callFunction('char_length', inner);
    case 'year':
    case 'month':
    case 'day': {
      const operand = isZoned ? callFunction('timezone', parameter('UTC', 'text'), inner) : inner;
      return { kind: 'extract', part: called, operand };
    }
  }
};

/** The opposite of what is true or false and never null. */
const negate = (sql: SqlExpression): SqlExpression => {
  const operator = sql.kind === 'binary' ? oppositeOperators.get(sql.operator) : undefined;
  return sql.kind === 'binary' && operator ? { ...sql, operator } : negation(sql);
};

const oppositeOperators: ReadonlyMap<SqlOperator, SqlOperator> = new Map([
  ['=', '<>'],
  ['>', '<='],
  ['>=', '<'],
  ['<', '>='],
  ['<=', '>'],
]);

const sqlOperators = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

const compareWithValue = (
  left: SqlExpression,
  operator: keyof typeof sqlOperators,
  value: TypedValue,
): SqlExpression => {
  switch (value.kind) {
    case 'string':
    case 'integer':
    case 'decimal':
    case 'date': {
      const right = parameter(value.text, sqlTypes[value.kind], originOf(value, textOf));
      if (left.kind !== 'storedText') return binaryOperation(left, sqlOperators[operator], right);
      if (operator === 'eq') return equalsText(left, right);
      return binaryOperation({ kind: 'collate', operand: left, collation: 'C' }, sqlOperators[operator], right);
    }
    case 'boolean':
      return binaryOperation(left, sqlOperators[operator], parameter(value.value, 'boolean'));
    case 'time':
    case 'datetime':
    case 'timestamp':
      return compareSpan(left, operator, value);
  }
};

/** Another literal in its place makes the same SQL when its value is of the same kind. */
const originOf = (
  value: TypedValue,
  read: (value: TypedValue) => string | undefined,
): SqlParameterOrigin | undefined => {
  const { kind, origin } = value;
  if (!origin) return undefined;
  const { literal, type } = origin;
  const valueFrom: SqlParameterOrigin['valueFrom'] = (other) => {
    const typed = toTypedValue(type, other);
    return typed?.kind === kind ? read(typed) : undefined;
  };
  return { literal, valueFrom };
};

const textOf = (value: TypedValue): string | undefined => ('text' in value ? value.text : undefined);

const sqlTypes = {
  string: 'text',
  integer: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamptz',
} as const;

type SpanValue = TypedValue & MomentSpan;

/** A literal stands for the span of its precision: after it is what begins with its end. */
const compareSpan = (left: SqlExpression, operator: keyof typeof sqlOperators, span: SpanValue): SqlExpression => {
  const edge = (name: keyof MomentSpan): SqlExpression => {
    const origin = originOf(span, (other) => ('from' in other ? edgeOf(other, name) : undefined));
    return parameter(edgeOf(span, name), sqlTypes[span.kind], origin);
  };
  switch (operator) {
    case 'eq':
      return allOf([binaryOperation(left, '>=', edge('from')), binaryOperation(left, '<', edge('before'))]);
    case 'gt':
      return binaryOperation(left, '>=', edge('before'));
    case 'ge':
      return binaryOperation(left, '>=', edge('from'));
    case 'lt':
      return binaryOperation(left, '<', edge('from'));
    case 'le':
      return binaryOperation(left, '<', edge('before'));
  }
};

/** Spans are in UTC; a timestamp says so, since a session may have another zone. */
const edgeOf = (span: SpanValue, edge: keyof MomentSpan): string =>
  span.kind === 'timestamp' ? `${span[edge]}Z` : span[edge];

/** One array parameter, however long the list is. */
const isAmongValues = (left: SqlExpression, values: readonly TypedValue[]): SqlExpression => {
  const spans = values.filter((value) => 'from' in value);
  const [first] = spans;
  if (first) return isInSomeSpan(left, first.kind, spans);
  const type = values.some(({ kind }) => kind === 'decimal') ? 'decimal' : (values[0]?.kind ?? 'string');
  const list = values.flatMap((value) => ('text' in value ? value.text : 'value' in value ? value.value : []));
  return isAmong(left, parameter(list, `${sqlTypes[type]}[]`));
};

const isAmong = (left: SqlExpression, list: SqlExpression): SqlExpression =>
  left.kind === 'storedText' ? isAmongTexts(left, list) : { kind: 'any', left, list };

/** One array parameter of patterns; without wildcards and with case they would only keep an index from serving. */
const isLike = (left: SqlExpression, texts: readonly string[], likeness: ListMatchOptions): SqlExpression => {
  const { anyBefore, anyAfter, ignoreCase } = likeness;
  if (!anyBefore && !anyAfter && !ignoreCase) return isAmong(left, parameter(texts, 'text[]'));
  const patterns = texts.map((text) => `${anyBefore ? '%' : ''}${escapeLike(text)}${anyAfter ? '%' : ''}`);
  return { kind: 'any', operator: ignoreCase ? 'ilike' : 'like', left, list: parameter(patterns, 'text[]') };
};

/**
 * Spans without gaps between them are one. Their edges in order are found by halves, so that a long list costs a row no more than a
 * short one: behind an odd number of edges a row is in a span. Indexes serve the first and the last edge.
 */
const isInSomeSpan = (left: SqlExpression, kind: SpanValue['kind'], spans: readonly SpanValue[]): SqlExpression => {
  const edges = joinSpans(spans).flatMap((span) => [span.from, span.before]);
  const [first, last] = [edges[0], edges.at(-1)];
  if (first === undefined || last === undefined) return constant(false);
  const written = (edge: string): string => (kind === 'timestamp' ? `${edge}Z` : edge);
  const isWithin = [
    binaryOperation(left, '>=', parameter(written(first), sqlTypes[kind])),
    binaryOperation(left, '<', parameter(written(last), sqlTypes[kind])),
  ];
  if (edges.length === 2) return allOf(isWithin);
  const before = callFunction('width_bucket', left, parameter(edges.map(written), `${sqlTypes[kind]}[]`));
  const isOdd = binaryOperation(binaryOperation(before, '%', parameter(2, 'integer')), '=', parameter(1, 'integer'));
  return allOf([...isWithin, isOdd]);
};

/** In order, without what no value lies in. */
const joinSpans = (spans: readonly MomentSpan[]): readonly MomentSpan[] => {
  const joined: { from: string; before: string }[] = [];
  const ordered = spans.toSorted((one, other) => compareEdges(one.from, other.from));
  for (const { from, before } of ordered) {
    const last = joined.at(-1);
    if (last && compareEdges(from, last.before) <= 0) {
      if (compareEdges(before, last.before) > 0) last.before = before;
    } else if (from !== before) joined.push({ from, before });
  }
  return joined;
};

const compareEdges = (one: string, other: string): number => {
  const [left, right] = [sortKeyOf(one), sortKeyOf(other)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** The year 10000, with which the last day ends, has a digit more. */
const sortKeyOf = (edge: string): string => (edge.charAt(4) === '-' ? `0${edge}` : edge);

const patternOf = ({ function: called, text }: { function: 'contains' | 'startswith' | 'endswith'; text: string }) =>
  `${called === 'startswith' ? '' : '%'}${escapeLike(text)}${called === 'endswith' ? '' : '%'}`;
