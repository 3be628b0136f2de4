import { describe, expect, it } from '@jest/globals';
import { escapeLike } from './like-pattern.js';
import { printPostgres } from './print-postgres.js';
import { quoteIdentifier } from './quote-identifier.js';
import { allOf, anyOf, binary, call, column, constant, negation, parameter } from './sql-expression.js';

describe('printPostgres', () => {
  it('prints values as numbered parameters after those of the statement', () => {
    const expression = allOf([
      binary(call('lower', column('m', 'type')), '=', call('lower', parameter("O'Neil", 'text'))),
      { kind: 'any', left: column('v', 'state'), list: parameter(['a', 'b'], 'text[]') },
    ]);
    expect(printPostgres(expression, 3)).toEqual({
      text: `((lower("m"."type") = lower($4::text)) and ("v"."state" = any($5::text[])))`,
      values: ["O'Neil", ['a', 'b']],
    });
  });

  it('prints sources with an alias and quoted column names', () => {
    const printed = printPostgres({
      kind: 'exists',
      source: call('jsonb_each', binary(column('v', 'attributes'), '->', parameter('name', 'text'))),
      alias: 'entry',
      columns: ['culture', 'value'],
      condition: { kind: 'isNull', operand: column('entry', 'value') },
    });
    expect(printed.text).toBe(
      `(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ("entry"."value" is null)))`,
    );
  });

  it('prints guards, casts, arrays and negations', () => {
    const lowered = parameter(['A'], 'text[]');
    const array = {
      kind: 'array',
      value: call('lower', column('list', 'item')),
      source: call('unnest', lowered),
      alias: 'list',
      columns: ['item'],
    } as const;
    const guarded = {
      kind: 'guarded',
      condition: call('pg_input_is_valid', column('x', 'y'), parameter('timestamp', 'text')),
      value: { kind: 'cast', operand: column('x', 'y'), type: 'timestamp' },
    } as const;
    expect(printPostgres(negation(anyOf([{ kind: 'any', left: column('x', 'y'), list: array }, guarded]))).text).toBe(
      `(not (("x"."y" = any(array(select lower("list"."item") from unnest($1::text[]) as "list"("item")))) or ` +
        `(case when pg_input_is_valid("x"."y", $2::text) then ("x"."y")::timestamp else false end)))`,
    );
  });

  it('prints case with and without an operand', () => {
    const branch = { when: parameter('a', 'text'), then: parameter('1', 'bigint') };
    expect(printPostgres({ kind: 'case', operand: column('t', 'a'), branches: [branch] })).toEqual({
      text: '(case "t"."a" when $1::text then $2::bigint end)',
      values: ['a', '1'],
    });
    const searched = { when: { kind: 'isNull', operand: column('t', 'a') }, then: constant(true) } as const;
    expect(printPostgres({ kind: 'case', branches: [searched, searched], otherwise: constant(false) }).text).toBe(
      '(case when ("t"."a" is null) then true when ("t"."a" is null) then true else false end)',
    );
  });

  it('numbers the parameters in the order of the text', () => {
    const [low, high] = [parameter('1', 'bigint'), parameter('2', 'bigint')];
    expect(printPostgres({ kind: 'between', operand: parameter('0', 'bigint'), low, high })).toEqual({
      text: '($1::bigint between $2::bigint and $3::bigint)',
      values: ['0', '1', '2'],
    });
  });

  it('prints aggregates with distinct and a filter, and counts rows without an argument', () => {
    const [argument, filter] = [column('t', 'a'), binary(column('t', 'b'), '>', parameter('0', 'numeric'))];
    expect(printPostgres({ kind: 'aggregate', function: 'count', distinct: true, argument, filter }).text).toBe(
      'count(distinct "t"."a") filter (where ("t"."b" > $1::numeric))',
    );
    expect(printPostgres({ kind: 'aggregate', function: 'count', distinct: false }).text).toBe('count(*)');
  });

  it('prints parts of dates and a sign that cannot become a comment', () => {
    const negated = { kind: 'negate', operand: { kind: 'negate', operand: column('t', 'a') } } as const;
    expect(printPostgres(negated).text).toBe('(- (- "t"."a"))');
    expect(printPostgres({ kind: 'extract', part: 'isodow', operand: column('t', 'd') }).text).toBe(
      'extract(isodow from "t"."d")',
    );
  });

  it('prints what holds where a condition is false or null', () => {
    const same = binary(column('x', 'city'), '=', parameter('Rome', 'text'));
    expect(printPostgres({ kind: 'isNotTrue', operand: same }).text).toBe(`(("x"."city" = $1::text) is not true)`);
  });

  it('prints an empty AND as true and an empty OR as false', () => {
    expect(printPostgres(allOf([])).text).toBe('true');
    expect(printPostgres(anyOf([])).text).toBe('false');
  });

  it('makes the same text of the same tree', () => {
    const tree = () => binary(column('a', 'b'), '>=', parameter(1, 'numeric'));
    expect(printPostgres(tree())).toEqual(printPostgres(tree()));
  });
});

describe('quoteIdentifier', () => {
  it('doubles quotes, so that a name cannot end itself', () => {
    expect(quoteIdentifier('a"; drop table x; --')).toBe('"a""; drop table x; --"');
  });

  it('refuses what PostgreSQL cannot hold', () => {
    expect(() => quoteIdentifier('')).toThrow('An identifier');
    expect(() => quoteIdentifier('a\0b')).toThrow('An identifier');
  });
});

describe('escapeLike', () => {
  it('escapes the wildcards and the escape character', () => {
    expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\');
  });
});
