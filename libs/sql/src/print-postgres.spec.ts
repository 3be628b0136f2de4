import { describe, expect, it } from '@jest/globals';
import { escapeLike } from './like-pattern.js';
import { printPostgres } from './print-postgres.js';
import { quoteIdentifier } from './quote-identifier.js';
import { allOf, anyOf, binary, call, column, negation, parameter } from './sql-expression.js';

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
