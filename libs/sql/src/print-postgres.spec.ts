import { describe, expect, it } from '@jest/globals';
import { escapeLike, printPostgres, quoteIdentifier } from './print-postgres.js';
import {
  allOf,
  anyOf,
  binary,
  call,
  column,
  constant,
  exists,
  lateParameter,
  negation,
  parameter,
  sameAgain,
} from './sql-tree.js';

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

  it('tells the places of parameters that have their values later', () => {
    const expression = allOf([
      binary(column('m', 'a'), '=', parameter('x', 'text')),
      binary(column('m', 'b'), '<=', lateParameter('last', 'bigint')),
    ]);
    expect(printPostgres(expression, 2)).toEqual({
      text: `(("m"."a" = $3::text) and ("m"."b" <= $4::bigint))`,
      values: ['x', null],
      late: new Map([['last', 1]]),
    });
    expect(printPostgres(parameter('x', 'text'))).not.toHaveProperty('late');
  });

  it('numbers and counts the rows of a part', () => {
    const partitionBy = column('s', 'link');
    const orderBy = [{ by: column('s', 'a'), descending: true, nulls: 'last' as const }];
    expect(printPostgres({ kind: 'rowNumber', partitionBy, orderBy }).text).toMatch(
      /^row_number\(\) over \(partition by "s"\."link" order by "s"\."a" desc/,
    );
    expect(printPostgres({ kind: 'rowsInPart', partitionBy }).text).toBe('count(*) over (partition by "s"."link")');
  });

  it('prints sources with an alias and quoted column names', () => {
    const value = call('jsonb_each', binary(column('v', 'attributes'), '->', parameter('name', 'text')));
    const printed = printPostgres(
      exists(
        { kind: 'function', value, alias: 'entry', columns: ['culture', 'value'] },
        { kind: 'isNull', operand: column('entry', 'value') },
      ),
    );
    expect(printed.text).toBe(
      `(exists (select from jsonb_each(("v"."attributes" -> $1::text)) as "entry"("culture", "value") where ("entry"."value" is null)))`,
    );
  });

  it('prints guards, casts, arrays and negations', () => {
    const lowered = parameter(['A'], 'text[]');
    const array = {
      kind: 'array',
      query: {
        kind: 'select',
        columns: [{ value: call('lower', column('list', 'item')) }],
        from: { kind: 'function', value: call('unnest', lowered), alias: 'list', columns: ['item'] },
      },
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

  it('compares with each of a list by the operator that is asked for', () => {
    const left = column('x', 'y');
    const list = parameter(['a%'], 'text[]');
    expect(printPostgres({ kind: 'any', operator: 'ilike', left, list }).text).toBe(`("x"."y" ilike any($1::text[]))`);
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

  it('prints figures of many values, and how many rows there are in all', () => {
    const operand = column('t', 'a');
    const fraction = parameter(0.5, 'double precision');
    expect(printPostgres({ kind: 'percentile', fraction, operand })).toEqual({
      text: 'percentile_cont($1::double precision) within group (order by "t"."a")',
      values: [0.5],
    });
    expect(printPostgres({ kind: 'deviation', operand }).text).toBe('stddev_samp("t"."a")');
    expect(printPostgres({ kind: 'rowsInAll' }).text).toBe('count(*) over ()');
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

describe('printPostgres of a query', () => {
  const table = (name: string) => ({ kind: 'table', schema: 'team "1"', name, alias: name }) as const;

  it('prints the clauses in their order, and numbers the parameters so', () => {
    const printed = printPostgres({
      kind: 'select',
      distinct: true,
      columns: [{ value: column('a', 'x') }, { value: parameter('1', 'bigint'), alias: 'one' }],
      from: table('a'),
      joins: [
        { kind: 'left', source: table('b'), on: binary(column('b', 'id'), '=', column('a', 'b')) },
        { kind: 'cross', source: table('c') },
      ],
      where: binary(column('a', 'x'), 'ilike', parameter('%y%', 'text')),
      groupBy: 2,
      having: binary({ kind: 'aggregate', function: 'count', distinct: false }, '>', parameter('5', 'bigint')),
      orderBy: [
        { by: 2, descending: true, nulls: 'last' },
        { by: { kind: 'collate', operand: column('a', 'x'), collation: 'C' }, descending: false },
      ],
      limit: parameter('50', 'bigint'),
      offset: parameter('100', 'bigint'),
    });
    expect(printed.text).toBe(
      'select distinct "a"."x", $1::bigint as "one" from "team ""1"""."a" as "a" ' +
        'left join "team ""1"""."b" as "b" on ("b"."id" = "a"."b") cross join "team ""1"""."c" as "c" ' +
        'where ("a"."x" ilike $2::text) group by 1, 2 having (count(*) > $3::bigint) ' +
        'order by 2 desc nulls last, ("a"."x" collate "C") limit $4::bigint offset $5::bigint',
    );
    expect(printed.values).toEqual(['1', '%y%', '5', '50', '100']);
  });

  it('prints queries in the place of tables, one after the other, and one row without any', () => {
    const one = { kind: 'select', columns: [{ value: constant(null) }] } as const;
    const query = { kind: 'unionAll', queries: [one, { ...one, groupBy: 1 }] } as const;
    expect(printPostgres({ kind: 'select', columns: [], from: { kind: 'query', query, alias: 'u' } })).toEqual({
      text: 'select from (select null union all select null group by 1) as "u"',
      values: [],
    });
    expect(printPostgres({ kind: 'select', columns: [] }).text).toBe('select');
  });

  it('keeps the page of a query to itself where another comes after it', () => {
    const one = { kind: 'select', columns: [{ value: column('a', 'x') }] } as const;
    const queries = [
      { ...one, orderBy: [{ by: 1, descending: false }] },
      { ...one, limit: parameter('5', 'bigint') },
    ];
    expect(printPostgres({ kind: 'unionAll', queries }).text).toBe(
      '(select "a"."x" order by 1) union all (select "a"."x" limit $1::bigint)',
    );
  });

  it('compares rows, and texts as what they are compared with', () => {
    const left = { kind: 'row', operands: [column('a', 'x'), column('a', 'y')] } as const;
    const right = { kind: 'row', operands: [sameAgain('1'), sameAgain("it's")] } as const;
    expect(printPostgres(binary(left, '<', right))).toEqual({
      text: '(("a"."x", "a"."y") < ($1, $2))',
      values: ['1', "it's"],
    });
  });
});

describe('quoteIdentifier', () => {
  it('doubles quotes, so that a name cannot end itself', () => {
    expect(quoteIdentifier('a"; drop table x; --')).toBe('"a""; drop table x; --"');
  });

  it('rejects what PostgreSQL cannot store', () => {
    expect(() => quoteIdentifier('')).toThrow('An identifier');
    expect(() => quoteIdentifier('a\0b')).toThrow('An identifier');
  });
});

describe('escapeLike', () => {
  it('escapes the wildcards and the escape character', () => {
    expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\');
  });
});
