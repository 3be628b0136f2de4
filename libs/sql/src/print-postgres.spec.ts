import { describe, expect, it } from '@jest/globals';
import { escapeLike, printPostgres, quoteIdentifier } from './print-postgres.js';
import {
  allOf,
  anyOf,
  binaryOperation,
  callFunction,
  column,
  constant,
  exists,
  lateParameter,
  negation,
  parameter,
  untypedParameter,
} from './sql-tree.js';

describe('printPostgres', () => {
  it('prints values as parameters numbered after those already in the statement', () => {
    const expression = allOf([
      binaryOperation(
        callFunction('lower', column('m', 'type')),
        '=',
        callFunction('lower', parameter("O'Neil", 'text')),
      ),
      { kind: 'any', left: column('v', 'state'), list: parameter(['a', 'b'], 'text[]') },
    ]);
    expect(printPostgres(expression, 3)).toEqual({
      text: `((lower("m"."type") = lower($4::text)) and ("v"."state" = any($5::text[])))`,
      values: ["O'Neil", ['a', 'b']],
    });
  });

  it('returns the positions of parameters that get their values later', () => {
    const expression = allOf([
      binaryOperation(column('m', 'a'), '=', parameter('x', 'text')),
      binaryOperation(column('m', 'b'), '<=', lateParameter('last', 'bigint')),
    ]);
    expect(printPostgres(expression, 2)).toEqual({
      text: `(("m"."a" = $3::text) and ("m"."b" <= $4::bigint))`,
      values: ['x', null],
      late: new Map([['last', 1]]),
    });
    expect(printPostgres(parameter('x', 'text'))).not.toHaveProperty('late');
  });

  it('prints row_number and count over a partition', () => {
    const partitionBy = column('s', 'link');
    const orderBy = [{ by: column('s', 'a'), descending: true, nulls: 'last' as const }];
    expect(printPostgres({ kind: 'rowNumber', partitionBy, orderBy }).text).toMatch(
      /^row_number\(\) over \(partition by "s"\."link" order by "s"\."a" desc/,
    );
    expect(printPostgres({ kind: 'rowsInPart', partitionBy }).text).toBe('count(*) over (partition by "s"."link")');
  });

  it('prints sources with an alias and quoted column names', () => {
    const value = callFunction(
      'jsonb_each',
      binaryOperation(column('v', 'attributes'), '->', parameter('name', 'text')),
    );
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
        columns: [{ value: callFunction('lower', column('list', 'item')) }],
        from: { kind: 'function', value: callFunction('unnest', lowered), alias: 'list', columns: ['item'] },
      },
    } as const;
    const guarded = {
      kind: 'guarded',
      condition: callFunction('pg_input_is_valid', column('x', 'y'), parameter('timestamp', 'text')),
      value: { kind: 'cast', operand: column('x', 'y'), type: 'timestamp' },
    } as const;
    expect(printPostgres(negation(anyOf([{ kind: 'any', left: column('x', 'y'), list: array }, guarded]))).text).toBe(
      `(not (("x"."y" = any(array(select lower("list"."item") from unnest($1::text[]) as "list"("item")))) or ` +
        `(case when pg_input_is_valid("x"."y", $2::text) then ("x"."y")::timestamp else false end)))`,
    );
  });

  it('compares with any value of a list by the given operator', () => {
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
    const [argument, filter] = [column('t', 'a'), binaryOperation(column('t', 'b'), '>', parameter('0', 'numeric'))];
    expect(printPostgres({ kind: 'aggregate', function: 'count', distinct: true, argument, filter }).text).toBe(
      'count(distinct "t"."a") filter (where ("t"."b" > $1::numeric))',
    );
    expect(printPostgres({ kind: 'aggregate', function: 'count', distinct: false }).text).toBe('count(*)');
  });

  it('prints percentiles, standard deviations and the total row count', () => {
    const operand = column('t', 'a');
    const fractions = parameter([0.5], 'double precision[]');
    expect(printPostgres({ kind: 'percentiles', fractions, operand })).toEqual({
      text: 'percentile_disc($1::double precision[]) within group (order by "t"."a")',
      values: [[0.5]],
    });
    expect(printPostgres({ kind: 'deviation', operand }).text).toBe('stddev_samp("t"."a")');
    expect(printPostgres({ kind: 'rowsInAll' }).text).toBe('count(*) over ()');
  });

  it('prints date parts, and a minus sign that cannot start a comment', () => {
    const negated = { kind: 'negate', operand: { kind: 'negate', operand: column('t', 'a') } } as const;
    expect(printPostgres(negated).text).toBe('(- (- "t"."a"))');
    expect(printPostgres({ kind: 'extract', part: 'isodow', operand: column('t', 'd') }).text).toBe(
      'extract(isodow from "t"."d")',
    );
  });

  it('prints "is not true" for a condition that is false or null', () => {
    const same = binaryOperation(column('x', 'city'), '=', parameter('Rome', 'text'));
    expect(printPostgres({ kind: 'isNotTrue', operand: same }).text).toBe(`(("x"."city" = $1::text) is not true)`);
  });

  it('prints an empty AND as true and an empty OR as false', () => {
    expect(printPostgres(allOf([])).text).toBe('true');
    expect(printPostgres(anyOf([])).text).toBe('false');
  });

  it('prints the same text for the same tree', () => {
    const tree = () => binaryOperation(column('a', 'b'), '>=', parameter(1, 'numeric'));
    expect(printPostgres(tree())).toEqual(printPostgres(tree()));
  });
});

describe('printPostgres of a query', () => {
  const table = (name: string) => ({ kind: 'table', schema: 'team "1"', name, alias: name }) as const;

  it('prints the clauses in SQL order, and numbers the parameters in that order', () => {
    const printed = printPostgres({
      kind: 'select',
      distinct: true,
      columns: [{ value: column('a', 'x') }, { value: parameter('1', 'bigint'), alias: 'one' }],
      from: table('a'),
      joins: [
        { kind: 'left', source: table('b'), on: binaryOperation(column('b', 'id'), '=', column('a', 'b')) },
        { kind: 'cross', source: table('c') },
      ],
      where: binaryOperation(column('a', 'x'), 'ilike', parameter('%y%', 'text')),
      groupBy: 2,
      having: binaryOperation({ kind: 'aggregate', function: 'count', distinct: false }, '>', parameter('5', 'bigint')),
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

  it('prints subqueries in FROM, UNION ALL, and a select without a source', () => {
    const one = { kind: 'select', columns: [{ value: constant(null) }] } as const;
    const query = { kind: 'unionAll', queries: [one, { ...one, groupBy: 1 }] } as const;
    expect(printPostgres({ kind: 'select', columns: [], from: { kind: 'query', query, alias: 'u' } })).toEqual({
      text: 'select from (select null union all select null group by 1) as "u"',
      values: [],
    });
    expect(printPostgres({ kind: 'select', columns: [] }).text).toBe('select');
  });

  it('puts a query with ORDER BY or LIMIT in parentheses inside UNION ALL', () => {
    const one = { kind: 'select', columns: [{ value: column('a', 'x') }] } as const;
    const queries = [
      { ...one, orderBy: [{ by: 1, descending: false }] },
      { ...one, limit: parameter('5', 'bigint') },
    ];
    expect(printPostgres({ kind: 'unionAll', queries }).text).toBe(
      '(select "a"."x" order by 1) union all (select "a"."x" limit $1::bigint)',
    );
  });

  it('compares rows, with untyped parameters for texts', () => {
    const left = { kind: 'row', operands: [column('a', 'x'), column('a', 'y')] } as const;
    const right = { kind: 'row', operands: [untypedParameter('1'), untypedParameter("it's")] } as const;
    expect(printPostgres(binaryOperation(left, '<', right))).toEqual({
      text: '(("a"."x", "a"."y") < ($1, $2))',
      values: ['1', "it's"],
    });
  });
});

describe('quoteIdentifier', () => {
  it('doubles quotes, so that a name cannot break out of the identifier', () => {
    expect(quoteIdentifier('a"; drop table x; --')).toBe('"a""; drop table x; --"');
  });

  it('rejects names that PostgreSQL cannot store', () => {
    expect(() => quoteIdentifier('')).toThrow('An identifier');
    expect(() => quoteIdentifier('a\0b')).toThrow('An identifier');
  });
});

describe('escapeLike', () => {
  it('escapes the wildcards and the escape character', () => {
    expect(escapeLike('50%_\\')).toBe('50\\%\\_\\\\');
  });
});
