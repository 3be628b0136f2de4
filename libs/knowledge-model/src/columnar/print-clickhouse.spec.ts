/** What differential specs show of a real engine, by the text alone: the traps of the dialect, each by name. */
import { describe, expect, it } from '@jest/globals';
import type { ColumnarExpression, ColumnarNode, ColumnarQuery, ColumnarType } from './columnar-query.js';
import { clickhouseMeaning, clickhouseType, printClickhouse, readClickhouseGroups } from './print-clickhouse.js';

const table = { team: 'meridian', schema: 'p2p', table: 'po_item', dataVersion: '3' };
const sources = [
  { name: 't1', rows: 5 },
  { name: 't2', rows: 7 },
];
const text: ColumnarType = { kind: 'text' };
const boolean: ColumnarType = { kind: 'boolean' };
const timestamp: ColumnarType = { kind: 'timestamp' };
const whole: ColumnarType = { kind: 'integer', precision: 19 };
const money: ColumnarType = { kind: 'decimal', precision: 12, scale: 2 };
const widest: ColumnarType = { kind: 'decimal', precision: 38, scale: 2 };
const of = (node: ColumnarNode, type: ColumnarType): ColumnarExpression => ({ ...node, type });
const column = (stored: string, type: ColumnarType, source = 0) => of({ kind: 'column', source, stored }, type);
const [plant, amount, count, at] = [
  column('c1', text),
  column('c2', money),
  column('c3', whole),
  column('c4', timestamp),
];
const isLarge = of(
  { kind: 'comparison', operator: '>', left: amount, right: of({ kind: 'literal', value: '100.00' }, money) },
  boolean,
);

const print = (query: Partial<ColumnarQuery>) =>
  printClickhouse({ sources: [{ table }], keys: [], aggregates: [], ...query }, sources.slice(0, 1), 10);
const printCondition = (condition: ColumnarExpression) => {
  const { text: printed, values } = print({ where: condition });
  return { text: printed.replace(/^.* where (.*)\) as groups.*$/, '$1'), values };
};
const hundred = 'cast({p0:String} as Nullable(Decimal(12, 2)))';

describe('the statement of ClickHouse', () => {
  it('answers the rows of its sources, and keys and aggregates as texts', () => {
    const aggregates = [
      { function: 'sum', distinct: false, argument: amount, filter: isLarge, type: widest },
      { function: 'count', distinct: false, type: whole },
    ] as const;
    expect(print({ keys: [plant], aggregates })).toEqual({
      text:
        "select * from (select cast(concat('', toString((select count() from t1))) as Nullable(String)) as counts, " +
        'cast(null as Nullable(String)) as t0, cast(null as Nullable(String)) as t1, cast(null as Nullable(String)) as t2 union all ' +
        'select cast(null as Nullable(String)) as counts, cast(cast(k0 as Nullable(String)) as Nullable(String)) as t0, ' +
        'toDecimalString(cast(a0 as Nullable(Decimal(38, 2))), 2) as t1, cast(cast(a1 as Nullable(Int64)) as Nullable(String)) as t2 ' +
        `from (select s0.c1 as k0, sumOrNull(s0.c2) filter (where (s0.c2 > ${hundred})) as a0, count() as a1 ` +
        `from t1 as s0 group by k0) as groups limit 11) settings ${clickhouseMeaning}`,
      values: ['100.00'],
    });
  });

  it('says itself what a join and an empty set mean, and that nothing ends at a limit', () => {
    for (const setting of ['join_use_nulls = 1', "group_by_overflow_mode = 'throw'", "timeout_overflow_mode = 'throw'"])
      expect(print({}).text.endsWith(clickhouseMeaning) && clickhouseMeaning).toContain(setting);
  });

  it('counts the rows of every source, joins from the left, and marks instants as UTC', () => {
    const seen = column('c5', { kind: 'instant' }, 1);
    const on = of({ kind: 'comparison', operator: '=', left: plant, right: column('c1', text, 1) }, boolean);
    const aggregates = [{ function: 'max', distinct: false, argument: seen, type: { kind: 'instant' } }] as const;
    const query = { sources: [{ table }, { table, on }], keys: [], aggregates };
    const { text: printed } = printClickhouse(query, sources, 1);
    expect(printed).toContain("toString((select count() from t1)), ',', toString((select count() from t2))");
    expect(printed).toContain("concat(cast(cast(a0 as Nullable(DateTime64(6, 'UTC'))) as Nullable(String)), '+00')");
    expect(printed).toContain('maxOrNull(s1.c5) as a0 from t1 as s0 left join t2 as s1 on (s0.c1 = s1.c1)');
  });

  it.each([
    [
      'sums whole numbers as decimals, which do not overflow',
      'sum',
      false,
      count,
      'sumOrNull(cast(s0.c3 as Nullable(Decimal(38, 2))))',
    ],
    ['counts different values exactly', 'count', true, plant, 'uniqExact(s0.c1)'],
    ['has no least of nothing', 'min', false, at, 'minOrNull(s0.c4)'],
  ] as const)('%s', (_title, name, distinct, argument, printed) => {
    const { text: statement } = print({ aggregates: [{ function: name, distinct, argument, type: widest }] });
    expect(statement).toContain(`select ${printed} as a0`);
  });

  const moment = (value: string, type: ColumnarType = timestamp): ColumnarExpression =>
    of({ kind: 'comparison', operator: '=', left: at, right: of({ kind: 'literal', value }, type) }, boolean);

  it.each<[ColumnarNode, ColumnarType, string, readonly string[]]>([
    [{ kind: 'literal', value: null }, money, 'cast(null as Nullable(Decimal(12, 2)))', []],
    [
      { kind: 'literal', value: '2026-05-07 08:00:00+00' },
      { kind: 'instant' },
      "cast({p0:String} as Nullable(DateTime64(6, 'UTC')))",
      ['2026-05-07 08:00:00'],
    ],
    [
      { kind: 'arithmetic', operator: '*', left: amount, right: amount },
      { kind: 'decimal', precision: 24, scale: 4 },
      'cast(cast(s0.c2 as Nullable(Decimal(24, 2))) * s0.c2 as Nullable(Decimal(24, 4)))',
      [],
    ],
    [
      { kind: 'arithmetic', operator: '+', left: amount, right: amount },
      money,
      'cast(s0.c2 + s0.c2 as Nullable(Decimal(12, 2)))',
      [],
    ],
    [
      { kind: 'in', operand: plant, values: ["a'b", 'c'] },
      boolean,
      '(s0.c1 in (cast({p0:String} as Nullable(String)), cast({p1:String} as Nullable(String))))',
      ["a'b", 'c'],
    ],
    [
      { kind: 'like', operand: plant, pattern: String.raw`50\%\_\\\a\💥%` },
      boolean,
      '(s0.c1 like cast({p0:String} as Nullable(String)))',
      [String.raw`50\%\_\\a💥%`],
    ],
    [{ kind: 'isNotTrue', operand: isLarge }, boolean, `(not ifNull((s0.c2 > ${hundred}), false))`, ['100.00']],
    [
      { kind: 'truncate', unit: 'quarter', operand: at },
      timestamp,
      "cast(makeDate32(toYear(s0.c4), toQuarter(s0.c4) * 3 - 2, 1) as Nullable(DateTime64(6, 'UTC')))",
      [],
    ],
    [
      { kind: 'truncate', unit: 'week', operand: at },
      timestamp,
      'fromUnixTimestamp64Micro(toUnixTimestamp64Micro(s0.c4) - ' +
        "positiveModulo(toUnixTimestamp64Micro(s0.c4) + 259200000000, toInt64(604800000000)), 'UTC')",
      [],
    ],
    [{ kind: 'extract', part: 'week', operand: at }, whole, 'cast(toISOWeek(s0.c4) as Nullable(Int64))', []],
  ])('prints %j', (node, type, printed, values) => {
    expect(printCondition(of(node, type))).toEqual({ text: printed, values });
  });

  it.each(['1899-12-31 23:59:59.999999', '2300-01-01 00:00:00'])('has no room for %s, and does not ask', (value) => {
    expect(() => print({ where: moment(value) })).toThrow(expect.objectContaining({ reason: 'values' }));
    expect(() => print({ where: moment(`${value}+00`, { kind: 'instant' }) })).toThrow();
  });

  it('has room for all between', () => {
    for (const value of ['1900-01-01 00:00:00', '2299-12-31 23:59:59.999999'])
      expect(print({ where: moment(value) }).values).toEqual([value]);
  });

  it('knows a type for each kind of column', () => {
    const kinds = ['text', 'boolean', 'date', 'timestamp', 'instant'] as const;
    expect([...kinds.map((kind) => clickhouseType({ kind })), clickhouseType(whole), clickhouseType(money)]).toEqual(
      ['String', 'Bool', 'Date32', "DateTime64(6, 'UTC')", "DateTime64(6, 'UTC')", 'Int64', 'Decimal(12, 2)'].map(
        (type) => `Nullable(${type})`,
      ),
    );
  });
});

describe('the groups that ClickHouse answered', () => {
  const query: ColumnarQuery = {
    sources: [{ table }, { table }],
    keys: [plant],
    aggregates: [{ function: 'max', distinct: false, argument: plant, type: text }],
  };

  it('are all rows but the one that counts', () => {
    const printed = [
      [null, 'NORTH', null],
      ['5,7', null, null],
      [null, null, ''],
    ];
    expect(readClickhouseGroups(query, sources, printed)).toEqual({
      rows: 2,
      columns: [
        ['NORTH', null],
        [null, ''],
      ],
    });
    expect(readClickhouseGroups(query, sources, [['5,7', null, null]]).rows).toBe(0);
  });

  it.each([
    ['a table does not have all of its rows', [['5,6', null, null]]],
    ['nobody counted', [[null, 'NORTH', null]]],
  ])('are refused when %s', (_title, printed) => {
    expect(() => readClickhouseGroups(query, sources, printed)).toThrow('A table does not have all of its rows.');
  });

  it('are refused when two have the same keys', () => {
    const printed = [
      ['5,7', null, null],
      [null, 'a', 'x'],
      [null, 'a', 'y'],
    ];
    expect(() => readClickhouseGroups(query, sources, printed)).toThrow('Two groups have the same keys.');
  });
});
