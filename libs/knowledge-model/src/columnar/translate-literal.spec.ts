import { describe, expect, it } from '@jest/globals';
import { parameter, type SqlType, type SqlValue } from '@tessera/sql';
import { ColumnarObstacleError } from './columnar-obstacle.js';
import { translateList, translateParameter } from './translate-literal.js';

const translated = (value: SqlValue, type: SqlType) => {
  const sql = parameter(value, type);
  if (sql.kind !== 'parameter') throw new Error('A parameter is one.');
  return translateParameter(sql).expression;
};

describe('a literal', () => {
  it.each<[SqlValue, SqlType, unknown, string | null]>([
    ["it's", 'text', { kind: 'text' }, "it's"],
    [true, 'boolean', { kind: 'boolean' }, 'true'],
    ['-120', 'bigint', { kind: 'integer', precision: 3 }, '-120'],
    ['1.50', 'numeric', { kind: 'decimal', precision: 3, scale: 2 }, '1.50'],
    ['2026-02-28', 'date', { kind: 'date' }, '2026-02-28'],
    ['2026-02-28T08:30', 'timestamp', { kind: 'timestamp' }, '2026-02-28 08:30:00'],
    ['2026-02-28T08:30:00.25Z', 'timestamptz', { kind: 'instant' }, '2026-02-28 08:30:00.25+00'],
    [null, 'numeric', { kind: 'decimal', precision: 1, scale: 0 }, null],
  ])('%j of type %s keeps its value', (value, type, expected, text) => {
    expect(translated(value, type)).toEqual({ kind: 'literal', value: text, type: expected });
  });

  it.each<[SqlValue, SqlType, string]>([
    ['1e5', 'numeric', 'values'],
    ['NaN', 'numeric', 'values'],
    ['Infinity', 'numeric', 'values'],
    ['1234567890123456789', 'bigint', 'values'],
    [`1${'0'.repeat(38)}`, 'numeric', 'digits'],
    ['infinity', 'date', 'values'],
    ['0000-01-01', 'date', 'values'],
    ['+10000-01-01', 'date', 'values'],
    ['2026-02-28T24:00:00', 'timestamp', 'values'],
    ['2026-02-28T08:30:00+02:00', 'timestamptz', 'values'],
    ['0.5', 'double precision', 'expression'],
    ['3 days', 'interval', 'expression'],
    ['08:30', 'time', 'expression'],
  ])('%j of type %s is left to PostgreSQL', (value, type, obstacle) => {
    expect(() => translated(value, type)).toThrow(ColumnarObstacleError);
    expect(() => translated(value, type)).toThrow(obstacle);
  });
});

describe('a list', () => {
  it('keeps each value', () => {
    expect(translateList(parameter(['a', ''], 'text[]')).map(({ expression }) => expression)).toEqual([
      { kind: 'literal', value: 'a', type: { kind: 'text' } },
      { kind: 'literal', value: '', type: { kind: 'text' } },
    ]);
  });

  it('is left to PostgreSQL when it is very long, or of other types', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => at);
    expect(() => translateList(parameter(many, 'bigint[]'))).toThrow('values');
    expect(() => translateList(parameter(['08:30'], 'time[]'))).toThrow('values');
  });
});
