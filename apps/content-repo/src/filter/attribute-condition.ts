/**
 * A condition on an attribute or a column -> SQL over the stored values. A localised attribute matches when any culture
 * does; a missing value matches nothing but IsNull, and therefore satisfies `-ne`, which is the opposite of `-eq`.
 * Texts compare without case.
 */
import type { AttributeType } from '@tessera/contracts';
import type { ComparisonOperator, FilterLiteral, MatchFunction } from '@tessera/filter';
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  column,
  escapeLike,
  exists,
  negation,
  parameter,
  type SqlExpression,
  type SqlOperator,
  type SqlSource,
} from '@tessera/sql';
import type { ColumnField } from './filter-field.js';
import {
  booleanOfLiteral,
  numberOfLiteral,
  textOfLiteral,
  timeSpanOfLiteral,
  type TimeSpan,
} from './filter-operand.js';

/** What a condition asks, the field apart; `ne` was turned into the opposite of `eq` before. */
export type AttributePredicate =
  | { readonly kind: 'compare'; readonly operator: Exclude<ComparisonOperator, 'ne'>; readonly literal: FilterLiteral }
  | { readonly kind: 'in'; readonly literals: readonly FilterLiteral[] }
  | { readonly kind: 'match'; readonly function: MatchFunction; readonly literal: FilterLiteral }
  | { readonly kind: 'blank' };

const sqlOperators = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const satisfies Record<string, SqlOperator>;
/** What counts as white space, beside the space itself. */
const whiteSpace =
  ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

export const compileColumnCondition = (field: ColumnField, question: AttributePredicate): SqlExpression | undefined => {
  const source = { type: column('m', 'type'), state: column('v', 'state'), stereotype: column('e', 'stereotype') }[
    field
  ];
  if (question.kind === 'blank') return anyOf([{ kind: 'isNull', operand: source }, isBlankText(source)]);
  const condition = textCondition(source, question);
  return condition && allOf([negation({ kind: 'isNull', operand: source }), condition]);
};

export const compileAttributeCondition = (
  name: string,
  type: AttributeType,
  question: AttributePredicate,
): SqlExpression | undefined => {
  const value = column('entry', 'value');
  if (question.kind === 'blank') return negation(anyEntry(name, 'jsonb_each_text', hasText(value, type)));
  switch (type) {
    case 'string': {
      const condition = textCondition(value, question);
      return condition && anyEntry(name, 'jsonb_each_text', condition);
    }
    case 'number':
      return typedCondition(name, 'number', question, (literal) => numberOfLiteral(literal));
    case 'boolean':
      return question.kind === 'compare' && question.operator !== 'eq'
        ? undefined
        : typedCondition(name, 'boolean', question, (literal) => booleanOfLiteral(literal));
    case 'date-time':
      return timeCondition(name, question);
    case 'file':
    case 'link':
      return undefined;
  }
};

/** Some culture of the attribute has a value with this property. */
const anyEntry = (name: string, each: 'jsonb_each' | 'jsonb_each_text', condition: SqlExpression): SqlExpression => {
  const value = callFunction(each, binaryOperation(column('v', 'attributes'), '->', parameter(name, 'text')));
  return exists({ kind: 'function', value, alias: 'entry', columns: ['culture', 'value'] }, condition);
};

const isBlankText = (text: SqlExpression): SqlExpression =>
  binaryOperation(callFunction('btrim', text, parameter(whiteSpace, 'text')), '=', parameter('', 'text'));

const hasText = (value: SqlExpression, type: AttributeType): SqlExpression => {
  const notBlank = negation(isBlankText(value));
  const isList = type === 'file' || type === 'link';
  return isList ? allOf([notBlank, binaryOperation(value, '<>', parameter('[]', 'text'))]) : notBlank;
};

const textCondition = (
  source: SqlExpression,
  question: Exclude<AttributePredicate, { kind: 'blank' }>,
): SqlExpression | undefined => {
  const lowered = (text: string): SqlExpression => callFunction('lower', parameter(text, 'text'));
  if (question.kind === 'in') {
    const texts = literalsOfType(question.literals, textOfLiteral);
    return (
      texts &&
      isAmong(callFunction('lower', source), callFunction('lower', column('list', 'item')), parameter(texts, 'text[]'))
    );
  }
  const text = textOfLiteral(question.literal);
  if (text === undefined) return undefined;
  if (question.kind === 'compare')
    return binaryOperation(callFunction('lower', source), sqlOperators[question.operator], lowered(text));
  const pattern = {
    contains: `%${escapeLike(text)}%`,
    startswith: `${escapeLike(text)}%`,
    endswith: `%${escapeLike(text)}`,
  }[question.function];
  return binaryOperation(callFunction('lower', source), 'like', lowered(pattern));
};

/** Numbers and booleans compare as jsonb, whose order cannot fail; values of another kind match nothing. */
const typedCondition = (
  name: string,
  type: 'number' | 'boolean',
  question: AttributePredicate,
  read: (literal: FilterLiteral) => string | boolean | undefined,
): SqlExpression | undefined => {
  const value = column('entry', 'value');
  const sqlType = type === 'number' ? 'numeric' : 'boolean';
  const ofType = binaryOperation(callFunction('jsonb_typeof', value), '=', parameter(type, 'text'));
  if (question.kind === 'in') {
    const values = literalsOfType(question.literals, read);
    const items = values && parameter(values, `${sqlType}[]`);
    return (
      items &&
      anyEntry(
        name,
        'jsonb_each',
        allOf([ofType, isAmong(value, callFunction('to_jsonb', column('list', 'item')), items)]),
      )
    );
  }
  if (question.kind !== 'compare') return undefined;
  const operand = read(question.literal);
  if (operand === undefined) return undefined;
  const compared = binaryOperation(
    value,
    sqlOperators[question.operator],
    callFunction('to_jsonb', parameter(operand, sqlType)),
  );
  return anyEntry(name, 'jsonb_each', allOf([ofType, compared]));
};

/** A literal stands for the span of its precision, so that a date matches every moment of its day. */
const timeCondition = (name: string, question: AttributePredicate): SqlExpression | undefined => {
  const value = column('entry', 'value');
  const isTime = callFunction('pg_input_is_valid', value, parameter('timestamp', 'text'));
  const time: SqlExpression = { kind: 'cast', operand: value, type: 'timestamp' };
  const among = (condition: SqlExpression) =>
    anyEntry(name, 'jsonb_each_text', { kind: 'guarded', condition: isTime, value: condition });
  if (question.kind === 'in') {
    const spans = literalsOfType(question.literals, timeSpanOfLiteral);
    return spans && among(isInAnySpan(time, spans));
  }
  const span = question.kind === 'compare' ? timeSpanOfLiteral(question.literal) : undefined;
  if (question.kind !== 'compare' || !span) return undefined;
  const at = (operator: SqlOperator, edge: keyof TimeSpan) =>
    binaryOperation(time, operator, parameter(span[edge], 'timestamp'));
  switch (question.operator) {
    case 'eq':
      return among(allOf([at('>=', 'from'), at('<', 'before')]));
    case 'gt':
      return among(at('>=', 'before'));
    case 'ge':
      return among(at('>=', 'from'));
    case 'lt':
      return among(at('<', 'from'));
    case 'le':
      return among(at('<', 'before'));
  }
};

const isInAnySpan = (time: SqlExpression, spans: readonly TimeSpan[]): SqlExpression => {
  const value = callFunction(
    'unnest',
    parameter(
      spans.map(({ from }) => from),
      'timestamp[]',
    ),
    parameter(
      spans.map(({ before }) => before),
      'timestamp[]',
    ),
  );
  return exists(
    { kind: 'function', value, alias: 'span', columns: ['from', 'before'] },
    allOf([binaryOperation(time, '>=', column('span', 'from')), binaryOperation(time, '<', column('span', 'before'))]),
  );
};

/** `value = any(array(select item from unnest(list)))`: one parameter, however long the list is. */
const isAmong = (value: SqlExpression, item: SqlExpression, list: SqlExpression): SqlExpression => ({
  kind: 'any',
  left: value,
  list: { kind: 'array', query: { kind: 'select', columns: [{ value: item }], from: unnestedList(list) } },
});

const unnestedList = (list: SqlExpression): SqlSource => ({
  kind: 'function',
  value: callFunction('unnest', list),
  alias: 'list',
  columns: ['item'],
});

/** All of them, or undefined when one does not fit. */
const literalsOfType = <Value>(
  literals: readonly FilterLiteral[],
  read: (literal: FilterLiteral) => Value | undefined,
): readonly Value[] | undefined => {
  const values = literals.map(read);
  return values.every((value) => value !== undefined) ? values : undefined;
};
