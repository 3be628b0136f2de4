import { describe, expect, it } from '@jest/globals';
import { parameter, type SqlType, type SqlValue } from '@tessera/sql';
import type { ColumnarComparison } from './columnar-query.js';
import { ColumnarObstacleError } from './columnar-obstacle.js';
import { cutLiteral, translateList, translateParameter } from './translate-literal.js';

const translate = (value: SqlValue, type: SqlType) => {
  const sql = parameter(value, type);
  if (sql.kind !== 'parameter') throw new Error('A parameter is one.');
  return translateParameter(sql);
};
const translated = (value: SqlValue, type: SqlType) => translate(value, type).expression;

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
    const many = Array.from({ length: 10_001 }, (_, at) => at);
    expect(() => translateList(parameter(many, 'bigint[]'))).toThrow('values');
    expect(() => translateList(parameter(['08:30'], 'time[]'))).toThrow('values');
  });
});

describe('an order among decimals', () => {
  it.each<[ColumnarComparison, string, number, ColumnarComparison, string]>([
    ['>', '30.001', 2, '>', '30.00'],
    ['>=', '30.001', 2, '>', '30.00'],
    ['<', '30.001', 2, '<=', '30.00'],
    ['<=', '30.001', 2, '<=', '30.00'],
    ['>', '-30.001', 2, '>=', '-30.00'],
    ['>=', '-30.001', 2, '>=', '-30.00'],
    ['<', '-30.001', 2, '<', '-30.00'],
    ['<=', '-30.001', 2, '<', '-30.00'],
    ['>=', '30.5000', 1, '>=', '30.5'],
    ['<', '-0.5', 0, '<', '-0'],
    ['<=', '7.000', 0, '<=', '7'],
  ])('%s %s is, of %i digits, %s %s', (operator, value, scale, expected, text) => {
    const cut = cutLiteral(operator, translate(value, 'numeric'), scale);
    expect(cut?.operator).toBe(expected);
    expect(cut?.literal.expression).toMatchObject({ kind: 'literal', value: text, type: { scale } });
    const holds = (row: number, by: ColumnarComparison, bound: string): boolean => {
      const other = Number(bound);
      return by.includes('=') && row === other ? true : by.startsWith('>') ? row > other : row < other;
    };
    const rows = [-30.01, -30, -29.99, -1, 0, 1, 7, 29.99, 30, 30.01, 30.5, 31].map((row) =>
      Number(row.toFixed(scale)),
    );
    expect(rows.map((row) => holds(row, expected, text))).toEqual(rows.map((row) => holds(row, operator, value)));
  });

  it('stays as it is with no more digits than the rows have, and where values are the same', () => {
    expect(cutLiteral('>', translate('30.5', 'numeric'), 2)).toBeUndefined();
    expect(cutLiteral('=', translate('30.001', 'numeric'), 2)).toBeUndefined();
    expect(cutLiteral('<', translate(null, 'numeric'), 0)).toBeUndefined();
  });
});
