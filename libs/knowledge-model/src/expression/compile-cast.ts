/**
 * Casts between the types of formulas, which no value can make fail: a text that does not fit gives null. Never depends
 * on the session's settings: zones are UTC, texts of dates ISO 8601.
 */
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  negation,
  parameter,
  type SqlExpression,
  type SqlType,
} from '@tessera/sql';
import type { FormulaType } from './typed-expression.js';

export const sqlTypes = {
  string: 'text',
  integer: 'bigint',
  float: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamptz',
  interval: 'interval',
  null: 'text',
} as const satisfies Readonly<Record<FormulaType, SqlType>>;

export const compileCast = (operand: SqlExpression, from: FormulaType, to: FormulaType): SqlExpression => {
  const plain: SqlExpression = { kind: 'cast', operand, type: sqlTypes[to] };
  if (from === to) return operand;
  if (from === 'null') return plain;
  if (from === 'string') return compileReading(operand, to);
  switch (to) {
    case 'string':
      return compileText(operand, from);
    case 'integer':
      return from === 'float' ? callFunction('round', { kind: 'cast', operand, type: 'numeric' }) : asInteger(operand);
    case 'timestamp':
      return callFunction(
        'timezone',
        utcParameter,
        from === 'date' ? { kind: 'cast', operand, type: 'timestamp' } : operand,
      );
    case 'date':
    case 'time':
    case 'datetime': {
      const local = from === 'timestamp' ? callFunction('timezone', utcParameter, operand) : operand;
      return from === 'timestamp' && to === 'datetime' ? local : { kind: 'cast', operand: local, type: sqlTypes[to] };
    }
    case 'float':
    case 'boolean':
    case 'interval':
    case 'null':
      return plain;
  }
};

const utcParameter = parameter('UTC', 'text');

/** PostgreSQL knows no cast of a boolean to `bigint`. */
const asInteger = (operand: SqlExpression): SqlExpression => ({
  kind: 'cast',
  operand: { kind: 'cast', operand, type: 'integer' },
  type: 'bigint',
});

/** What a text has to look like besides: no `today`, `infinity` or NaN, and an instant says its zone. */
const textPatterns: Readonly<Partial<Record<FormulaType, readonly string[]>>> = {
  date: ['____-__-__'],
  time: ['__:__%'],
  datetime: ['____-__-__%'],
  timestamp: ['____-__-__%Z', '____-__-__%+__:__', '____-__-__%-__:__'],
};

/**
 * The text is made null before it is read, not after: PostgreSQL reads what is constant before it looks at a `case`
 * around it.
 */
const compileReading = (text: SqlExpression, to: FormulaType): SqlExpression => {
  const type = sqlTypes[to];
  const valid = callFunction('pg_input_is_valid', text, parameter(type, 'text'));
  const patterns = textPatterns[to]?.map((look) => binaryOperation(text, 'like', parameter(look, 'text'))) ?? [];
  const named =
    to === 'float' ? [negation(binaryOperation(callFunction('lower', text), 'like', parameter('%n%', 'text')))] : [];
  const when = allOf([...(patterns.length > 0 ? [anyOf(patterns)] : []), ...named, valid]);
  return { kind: 'cast', operand: { kind: 'case', branches: [{ when, then: text }] }, type };
};

const textFormats: Readonly<Partial<Record<FormulaType, string>>> = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DD"T"HH24:MI:SS',
  timestamp: 'YYYY-MM-DD"T"HH24:MI:SS"Z"',
};

const compileText = (operand: SqlExpression, from: FormulaType): SqlExpression => {
  const format = textFormats[from];
  if (format === undefined) return { kind: 'cast', operand, type: 'text' };
  return callFunction(
    'to_char',
    from === 'timestamp' ? callFunction('timezone', utcParameter, operand) : operand,
    parameter(format, 'text'),
  );
};
