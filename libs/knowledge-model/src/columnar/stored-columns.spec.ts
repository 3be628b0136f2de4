import { describe, expect, it } from '@jest/globals';
import {
  addMeasurements,
  clickhouseStorage,
  type ColumnMeasurement,
  duckdbStorage,
  measuringCells,
  planStoredColumns,
} from './stored-columns.js';

const typesOf = (columns: Readonly<Record<string, string>>) =>
  new Map(Object.entries(columns).map(([name, type]) => [name, { type, nullable: true }]));
const planNumber = (measured: ColumnMeasurement) =>
  planStoredColumns(
    typesOf({ n: 'numeric', name: 'text' }),
    { rows: 1_000, measurements: [measured, {}] },
    duckdbStorage,
  );

describe('the columns that are stored', () => {
  it('are those of types whose values are exact', () => {
    const types = { a: 'text', b: 'bigint', c: 'boolean', d: 'date', e: 'timestamp with time zone' };
    const others = { f: 'double precision', g: 'integer', h: 'time without time zone', i: 'uuid' };
    const inRange = { count: '7', isInRange: true, sum: '8' };
    const planned = planStoredColumns(
      typesOf({ ...types, ...others }),
      {
        rows: 7,
        measurements: [
          { count: '7', sum: '70' },
          { count: '6', sum: '5', largest: '12' },
          { count: '0', sum: null },
          inRange,
          inRange,
        ],
      },
      duckdbStorage,
    );
    expect(planned.columns.map(({ name, stored, type }) => [name, stored, type.kind])).toEqual([
      ['a', 'c1', 'text'],
      ['b', 'c2', 'integer'],
      ['c', 'c3', 'boolean'],
      ['d', 'c4', 'date'],
      ['e', 'c5', 'instant'],
    ]);
    expect(planned.omitted).toEqual(['f', 'g', 'h', 'i']);
    expect(planned.cells).toEqual(['true', '"a"', '"b"', '"c"', '"d"', `"e" at time zone 'UTC'`]);
    expect([planned.rows, [...planned.counted]]).toEqual([
      7,
      [
        ['count(c1)', '7'],
        ['sum(strlen(c1))', '70'],
        ['count(c2)', '6'],
        ['sum(c2)', '5'],
        ['count(c3)', '0'],
        ['sum(cast(c3 as integer))', null],
        ['count(c4)', '7'],
        ['sum(epoch_us(cast(c4 as timestamp)))', '8'],
        ['count(c5)', '7'],
        ['sum(epoch_us(cast(c5 as timestamp)))', '8'],
      ],
    ]);
  });

  it.each([
    [
      { scaleMin: 2, scaleMax: 2, largest: '1234.50' },
      { kind: 'decimal', precision: 6, scale: 2 },
    ],
    [
      { scaleMin: 2, scaleMax: 2, largest: '0.05' },
      { kind: 'decimal', precision: 2, scale: 2 },
    ],
    [
      { scaleMin: null, scaleMax: null, largest: null },
      { kind: 'decimal', precision: 1, scale: 0 },
    ],
    [
      { scaleMin: 0, scaleMax: 0, largest: '0' },
      { kind: 'decimal', precision: 1, scale: 0 },
    ],
    [
      { scaleMin: 0, scaleMax: 0, largest: '9'.repeat(38) },
      { kind: 'decimal', precision: 38, scale: 0 },
    ],
    [{ scaleMin: 1, scaleMax: 1, largest: `${'9'.repeat(38)}.0` }, undefined],
    [{ scaleMin: 0, scaleMax: 0, largest: 'NaN' }, undefined],
    [{ scaleMin: 0, scaleMax: 0, largest: 'Infinity' }, undefined],
  ])('has a decimal of the size of its values for %j', (measured, type) => {
    expect(planNumber(measured).columns[0]?.type).toEqual(type ?? { kind: 'text' });
    expect(planNumber(measured).omitted).toEqual(type ? [] : ['n']);
  });

  it('knows how many digits integers have', () => {
    const precisionOf = (largest: string | null) =>
      planStoredColumns(
        typesOf({ n: 'bigint', name: 'text' }),
        { rows: 1, measurements: [{ largest }, {}] },
        duckdbStorage,
      ).columns[0]?.type;
    expect(['9223372036854775808', '0', null].map(precisionOf)).toEqual(
      [19, 1, 1].map((precision) => ({ kind: 'integer', precision })),
    );
  });

  it('stores how many digits each row shows where they differ', () => {
    const planned = planNumber({ scaleMin: 0, scaleMax: 3, largest: '12.125', sum: '20.250' });
    expect(planned.columns[0]).toMatchObject({ scaleColumn: 'c1_scale' });
    expect(planned.cells).toEqual(['true', '"n"', 'scale("n")', '"name"']);
    expect(planned.types).toEqual([
      { stored: 'is_row', type: 'boolean' },
      { stored: 'c1', type: 'decimal(5, 3)' },
      { stored: 'c1_scale', type: 'bigint' },
      { stored: 'c2', type: 'varchar' },
    ]);
  });

  it('has a sum only where it is sure to fit', () => {
    const sumOf = (digits: number) =>
      planNumber({ scaleMin: 0, scaleMax: 0, largest: '9'.repeat(digits), sum: '1' }).counted.get('sum(c1)');
    expect([sumOf(35), sumOf(34)]).toEqual([undefined, '1']);
  });

  it('leaves out dates beyond four digits of a year', () => {
    const planned = planStoredColumns(
      typesOf({ day: 'date', name: 'text' }),
      { rows: 1, measurements: [{ isInRange: false }, {}] },
      duckdbStorage,
    );
    expect(planned.omitted).toEqual(['day']);
  });

  it('writes a cell before all others, since an empty line is no row and a file may not begin with any text', () => {
    const measured = { rows: 1, measurements: [{}] };
    expect(planStoredColumns(typesOf({ name: 'text' }), measured, duckdbStorage).cells).toEqual(['true', '"name"']);
  });

  it('keeps within what a select answers', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`n${place}`, 'numeric']));
    const measurements = Object.keys(many).map(() => ({ scaleMin: 0, scaleMax: 2, largest: '1.25' }));
    const planned = planStoredColumns(typesOf(many), { rows: 1, measurements }, duckdbStorage);
    expect([planned.columns.length, planned.omitted.length, planned.cells.length]).toEqual([799, 201, 1_599]);
    expect(measuringCells(typesOf(many), duckdbStorage)).toHaveLength(1_001);
  });

  it('quotes the names of PostgreSQL', () => {
    expect(measuringCells(typesOf({ 'a"b': 'bigint' }), duckdbStorage)[1]).toContain('sum("a""b")');
  });

  it('are of types with room for null in ClickHouse, whose sums may not overflow, and whose dates begin in 1900', () => {
    const types = typesOf({ a: 'text', b: 'bigint', c: 'numeric', d: 'date' });
    expect(measuringCells(types, clickhouseStorage)[4]).toContain(
      `min("d") >= '1900-01-01' and max("d") < '2300-01-01'`,
    );
    const planned = planStoredColumns(
      types,
      {
        rows: 7,
        measurements: [
          { count: '7', sum: '70' },
          { count: '6', sum: '5', largest: '12' },
          { count: '6', sum: '5.50', scaleMin: 2, scaleMax: 2, largest: '1.25' },
          { count: '1', sum: '8', isInRange: true },
        ],
      },
      clickhouseStorage,
    );
    expect(planned.types.map(({ type }) => type)).toEqual(
      ['Bool', 'String', 'Int64', 'Decimal(3, 2)', 'Date32'].map((type) => `Nullable(${type})`),
    );
    const whole = (value: string): string =>
      `toDecimalString(sumOrNull(cast(${value} as Nullable(Decimal(38, 0)))), 0)`;
    expect([...planned.counted.keys()].filter((selected) => !selected.startsWith('count'))).toEqual([
      whole('length(c1)'),
      whole('c2'),
      'toDecimalString(sumOrNull(c3), 2)',
      whole("toUnixTimestamp64Micro(cast(c4 as Nullable(DateTime64(6, 'UTC'))))"),
    ]);
  });
});

describe('measurements of the rows of two ranges', () => {
  it.each([
    ['1.5', '2.50', '4.00', '2.50'],
    ['-3', '1.25', '-1.75', '-3'],
    ['0.05', '-0.05', '0.00', '0.05'],
    ['9'.repeat(40), '1', `1${'0'.repeat(40)}`, '9'.repeat(40)],
    ['100', '99.999', '199.999', '100'],
    ['NaN', '1', 'NaN', 'NaN'],
    ['1', 'Infinity', 'Infinity', 'Infinity'],
  ])('add %s and %s as PostgreSQL does', (left, right, sum, largest) => {
    // The largest is one without its sign; these have one for the sums.
    const withoutSign = (text: string): string => text.replace('-', '');
    const of = (text: string): ColumnMeasurement => ({ sum: text, largest: withoutSign(text) });
    expect(addMeasurements(of(left), of(right))).toMatchObject({ sum, largest: withoutSign(largest) });
    expect(addMeasurements(of(right), of(left))).toMatchObject({ sum, largest: withoutSign(largest) });
  });

  it('are those of one range where the other has no value', () => {
    const measured = { count: '3', sum: '1.50', largest: '1', scaleMin: 0, scaleMax: 2, isInRange: true };
    const none = { count: '0', sum: null, largest: null, scaleMin: null, scaleMax: null, isInRange: true };
    expect(addMeasurements(measured, none)).toEqual(measured);
    expect(addMeasurements(none, measured)).toEqual(measured);
    expect(addMeasurements({}, measured)).toEqual(measured);
    const other = { ...measured, scaleMin: 1, scaleMax: 5, isInRange: false };
    expect(addMeasurements(measured, other)).toMatchObject({ count: '6', scaleMin: 0, scaleMax: 5, isInRange: false });
  });
});
