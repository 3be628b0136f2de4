import { describe, expect, it } from '@jest/globals';
import type { ColumnarExpression, ColumnarNode, ColumnarQuery, ColumnarType } from './columnar-query.js';
import { duckdbType, printDuckdb, readDuckdbGroups } from './print-duckdb.js';

const table = { team: 'meridian', schema: 'p2p', table: 'po_item', dataVersion: '3' };
const text: ColumnarType = { kind: 'text' };
const boolean: ColumnarType = { kind: 'boolean' };
const money: ColumnarType = { kind: 'decimal', precision: 12, scale: 2 };
const of = (node: ColumnarNode, type: ColumnarType): ColumnarExpression => ({ ...node, type });
const plant = of({ kind: 'column', source: 0, stored: 'c1' }, text);
const amount = of({ kind: 'column', source: 0, stored: 'c2' }, money);
const isLarge = of(
  { kind: 'comparison', operator: '>', left: amount, right: of({ kind: 'literal', value: '100.00' }, money) },
  boolean,
);

const print = (query: Partial<ColumnarQuery>) =>
  printDuckdb({ sources: [{ table }], keys: [], aggregates: [], ...query }, ['t1.rows', 't2.rows'], 10);
const printCondition = (condition: ColumnarExpression) => {
  const { text: printed, values } = print({ where: condition });
  return { text: printed.replace(/^.* where (.*)\) as groups.*$/, '$1'), values };
};

describe('the statement of DuckDB', () => {
  it('answers keys and aggregates as texts, and one group more than are asked for', () => {
    const aggregates = [
      { function: 'sum', distinct: false, argument: amount, filter: isLarge, type: { ...money, precision: 38 } },
      { function: 'count', distinct: false, type: { kind: 'integer', precision: 19 } },
      { function: 'count', distinct: true, argument: plant, type: { kind: 'integer', precision: 19 } },
    ] as const;
    expect(print({ keys: [plant], aggregates })).toEqual({
      text:
        "select '=' || cast(cast(k0 as varchar) as varchar), " +
        'cast(cast(a0 as decimal(38, 2)) as varchar), ' +
        'cast(cast(a1 as bigint) as varchar), cast(cast(a2 as bigint) as varchar) from (' +
        'select s0.c1 as k0, sum(s0.c2) filter (where (s0.c2 > cast($1 as decimal(12, 2)))) as a0, ' +
        'count(*) as a1, count(distinct s0.c1) as a2 from t1.rows as s0 group by k0) as groups limit 11',
      values: ['100.00'],
    });
  });

  it('joins further sources from the left, and marks instants as UTC', () => {
    const instant = of({ kind: 'column', source: 1, stored: 'c3' }, { kind: 'instant' });
    const on = of(
      { kind: 'comparison', operator: '=', left: plant, right: of({ kind: 'column', source: 1, stored: 'c1' }, text) },
      boolean,
    );
    const aggregates = [{ function: 'max', distinct: false, argument: instant, type: { kind: 'instant' } }] as const;
    expect(print({ sources: [{ table }, { table, on }], aggregates }).text).toBe(
      "select cast(cast(a0 as timestamp) as varchar) || '+00' from (select max(s1.c3) as a0 from t1.rows as s0 " +
        'left join t2.rows as s1 on (s0.c1 = s1.c1)) as groups limit 11',
    );
  });

  it.each<[ColumnarNode, ColumnarType, string, readonly string[]]>([
    [{ kind: 'literal', value: null }, money, 'cast(null as decimal(12, 2))', []],
    [
      { kind: 'literal', value: '2026-05-07 08:00:00+00' },
      { kind: 'instant' },
      "(cast($1 as timestamptz) at time zone 'UTC')",
      ['2026-05-07 08:00:00+00'],
    ],
    [{ kind: 'cast', operand: amount }, { ...money, precision: 20 }, 'cast(s0.c2 as decimal(20, 2))', []],
    [
      { kind: 'arithmetic', operator: '-', left: amount, right: amount },
      money,
      'cast(s0.c2 - s0.c2 as decimal(12, 2))',
      [],
    ],
    [
      { kind: 'arithmetic', operator: '*', left: amount, right: amount },
      { kind: 'decimal', precision: 24, scale: 4 },
      'cast(cast(s0.c2 as decimal(19, 2)) * s0.c2 as decimal(24, 4))',
      [],
    ],
    [{ kind: 'negate', operand: amount }, money, '(- s0.c2)', []],
    [
      { kind: 'in', operand: plant, values: ["a'b", 'c'] },
      boolean,
      '(s0.c1 in (cast($1 as varchar), cast($2 as varchar)))',
      ["a'b", 'c'],
    ],
    [
      { kind: 'like', operand: plant, pattern: String.raw`50\%%` },
      boolean,
      String.raw`(s0.c1 like cast($1 as varchar) escape '\')`,
      [String.raw`50\%%`],
    ],
    [
      { kind: 'and', operands: [isLarge, isLarge] },
      boolean,
      '((s0.c2 > cast($1 as decimal(12, 2))) and (s0.c2 > cast($2 as decimal(12, 2))))',
      ['100.00', '100.00'],
    ],
    [{ kind: 'not', operand: isLarge }, boolean, '(not (s0.c2 > cast($1 as decimal(12, 2))))', ['100.00']],
    [{ kind: 'isNull', operand: plant }, boolean, '(s0.c1 is null)', []],
    [
      { kind: 'isNotTrue', operand: of({ kind: 'isNull', operand: plant }, boolean) },
      boolean,
      '((s0.c1 is null) is distinct from true)',
      [],
    ],
    [
      {
        kind: 'case',
        branches: [{ when: isLarge, then: plant }],
        otherwise: of({ kind: 'literal', value: 'small' }, text),
      },
      text,
      '(case when (s0.c2 > cast($1 as decimal(12, 2))) then s0.c1 else cast($2 as varchar) end)',
      ['100.00', 'small'],
    ],
    [{ kind: 'truncate', unit: 'month', operand: plant }, { kind: 'timestamp' }, "date_trunc('month', s0.c1)", []],
    [
      { kind: 'extract', part: 'isodow', operand: plant },
      { kind: 'integer', precision: 19 },
      'extract(isodow from s0.c1)',
      [],
    ],
  ])('prints %j', (node, type, printed, values) => {
    expect(printCondition(of(node, type))).toEqual({ text: printed, values });
  });

  it('knows a type for each kind of column', () => {
    const kinds = ['text', 'boolean', 'date', 'timestamp', 'instant'] as const;
    expect(kinds.map((kind) => duckdbType({ kind }))).toEqual(['varchar', 'boolean', 'date', 'timestamp', 'timestamp']);
    expect([duckdbType({ kind: 'integer', precision: 3 }), duckdbType(money)]).toEqual(['bigint', 'decimal(12, 2)']);
  });
});

describe('the groups that DuckDB answered', () => {
  const query: ColumnarQuery = {
    sources: [{ table }],
    keys: [plant, amount],
    aggregates: [{ function: 'max', distinct: false, argument: plant, type: text }],
  };

  it('have their texts without the sign before them', () => {
    const printed = [
      ['=\uFEFFNORTH', '=', null],
      ['1.50', '1.50', null],
      ['==', null, '=x'],
    ];
    expect(readDuckdbGroups(query, printed)).toEqual({
      rows: 3,
      columns: [
        ['\uFEFFNORTH', '', null],
        ['1.50', '1.50', null],
        ['=', null, 'x'],
      ],
    });
    expect(readDuckdbGroups(query, [[], [], []])).toEqual({ rows: 0, columns: [[], [], []] });
    expect(readDuckdbGroups({ ...query, keys: [] }, [['=x']])).toEqual({ rows: 1, columns: [['x']] });
  });

  it('are refused when two have the same keys', () => {
    const twice = [
      ['=NORTH', '=NORTH'],
      ['1.50', '1.50'],
      ['=a', '=b'],
    ];
    expect(() => readDuckdbGroups(query, twice)).toThrow('Two groups have the same keys.');
  });
});
