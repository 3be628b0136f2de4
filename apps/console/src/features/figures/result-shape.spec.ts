import { describe, expect, it } from '@jest/globals';
import { emptyQuestion, type Question } from './question.js';
import { changeOf, chartsOf, groupLabel, groupsOf, matchRows, tableRows, type Answered } from './result-shape.js';
import { header, kpiHeader } from './testing/purchases.js';
import type { Header, Row } from './value-format.js';

const answered = (headers: readonly Header[], rows: readonly Row[]): Answered => ({
  ...{ headers, rows, nothing: 'nothing', before: new Map(), beforeName: 'before' },
  formatOf: () => (value) => (value === null || value === undefined ? '' : String(value)),
});
const plant = header('ORDER.PLANT');
const month = header('ORDER.ORDERED:month', 'date', { grain: 'month' });
const rate = kpiHeader('RATE');

describe('charts', () => {
  it('of groups are bars in the order of the rows', () => {
    const rows = [
      { 'ORDER.PLANT': '2010', RATE: 0.09 },
      { 'ORDER.PLANT': null, RATE: null },
    ];
    expect(chartsOf(answered([plant, rate], rows))).toEqual([
      {
        ...{ kind: 'bars', kpi: rate, left: 0 },
        bars: [
          { id: '0', label: '2010', value: 0.09, compared: undefined },
          { id: '1', label: 'nothing', value: Number.NaN, compared: undefined },
        ],
      },
    ]);
  });

  it('of many groups are cut, and say how many are left', () => {
    const rows = Array.from({ length: 45 }, (_, at) => ({ 'ORDER.PLANT': String(at), RATE: at }));
    const [chart] = chartsOf(answered([plant, rate], rows));
    expect(chart).toMatchObject({ kind: 'bars', left: 15 });
  });

  it('of dates are a line in the order of time', () => {
    const rows = [
      { 'ORDER.ORDERED:month': '2026-02-01', RATE: 2 },
      { 'ORDER.ORDERED:month': '2026-01-01', RATE: 1 },
      { 'ORDER.ORDERED:month': null, RATE: 9 },
    ];
    const [chart] = chartsOf(answered([month, rate], rows));
    expect(chart).toMatchObject({ kind: 'time', time: month, series: [{ label: 'RATE', values: [1, 2] }], left: 0 });
  });

  it('of dates and groups are a line for each group, with gaps', () => {
    const rows = [
      { 'ORDER.ORDERED:month': '2026-01-01', 'ORDER.PLANT': 'a', RATE: 1 },
      { 'ORDER.ORDERED:month': '2026-02-01', 'ORDER.PLANT': 'b', RATE: 2 },
      { 'ORDER.ORDERED:month': '2026-02-01', 'ORDER.PLANT': 'a', RATE: null },
    ];
    expect(chartsOf(answered([month, plant, rate], rows))).toMatchObject([
      {
        series: [
          { label: 'a', values: [1, null] },
          { label: 'b', values: [null, 2] },
        ],
      },
    ]);
  });

  it('have the period before beside them', () => {
    const rows = [
      { 'ORDER.ORDERED:month': '2026-01-01', 'ORDER.PLANT': 'a', RATE: 1 },
      { 'ORDER.ORDERED:month': '2026-02-01', 'ORDER.PLANT': 'b', RATE: 2 },
    ];
    const before = new Map(rows.slice(0, 1).map((row) => [row, { RATE: 10 }]));
    const of = (...groups: readonly Header[]) => chartsOf({ ...answered([...groups, rate], rows), before });
    expect(of(month)).toMatchObject([
      {
        series: [
          { label: 'RATE', values: [1, 2] },
          { label: 'before', values: [10, null] },
        ],
      },
    ]);
    expect(of(plant)).toMatchObject([{ bars: [{ compared: 10 }, { compared: undefined }] }]);
    expect(of(month, plant)).toMatchObject([{ series: [{ label: 'a' }, { label: 'b' }] }]);
  });

  it('have at most six lines', () => {
    const rows = Array.from({ length: 9 }, (_, at) => ({
      ...{ 'ORDER.ORDERED:month': `2026-0${1 + (at % 2)}-01`, 'ORDER.PLANT': String(at), RATE: at },
    }));
    const [chart] = chartsOf(answered([month, plant, rate], rows));
    expect(chart).toMatchObject({ kind: 'time', left: 3 });
  });

  it('of one date are bars, of several KPIs one each', () => {
    const rows = [{ 'ORDER.ORDERED:month': '2026-01-01', RATE: 1, ORDERS: 2 }];
    const charts = chartsOf(answered([month, rate, kpiHeader('ORDERS')], rows));
    expect(charts.map(({ kind, kpi }) => [kind, kpi.id])).toEqual([
      ['bars', 'RATE'],
      ['bars', 'ORDERS'],
    ]);
  });

  it('are none without groups, KPIs or rows', () => {
    expect(chartsOf(answered([rate], [{ RATE: 1 }]))).toEqual([]);
    expect(chartsOf(answered([plant], [{ 'ORDER.PLANT': 'x' }]))).toEqual([]);
    expect(chartsOf(answered([plant, rate], []))).toEqual([]);
  });

  it('call a group by the values of its fields', () => {
    const of = answered([plant, month, rate], []);
    const row = { 'ORDER.PLANT': '2010', 'ORDER.ORDERED:month': null };
    expect(groupLabel(of, groupsOf(of.headers), row)).toBe('2010 · nothing');
  });
});

describe('rows of the period before', () => {
  const ask = (from: string, to: string): Question => ({
    ...emptyQuestion,
    period: { field: 'ORDER.ORDERED', from, to },
  });
  const [now, before] = [ask('2026-04-01', '2026-06-30'), ask('2026-01-01', '2026-03-31')];

  it('stand beside those of the same group', () => {
    const rows = [
      { 'ORDER.PLANT': 'a', RATE: 1 },
      { 'ORDER.PLANT': null, RATE: 2 },
      { 'ORDER.PLANT': 'new', RATE: 3 },
    ];
    const earlier = [
      { 'ORDER.PLANT': null, RATE: 20 },
      { 'ORDER.PLANT': 'a', RATE: 10 },
    ];
    const found = matchRows({ headers: [plant, rate], rows }, { rows: earlier, question: before }, now);
    expect(tableRows(rows, found).map(({ id, before: one }) => [id, one?.['RATE']])).toEqual([
      ['0', 10],
      ['1', 20],
      ['2', undefined],
    ]);
  });

  it('stand beside the same place of the period, by the date that it is of', () => {
    const other = header('ORDER.PAID:month', 'date', { grain: 'month' });
    const row = (ordered: string, paid: string) => ({
      'ORDER.ORDERED:month': ordered,
      'ORDER.PAID:month': paid,
      RATE: 1,
    });
    const rows = [row('2026-04-01', '2026-05-01'), row('2026-05-01', '2026-08-01')];
    const earlier = [row('2026-01-01', '2026-05-01'), row('2026-02-01', '2026-05-01')];
    const found = matchRows({ headers: [month, other, rate], rows }, { rows: earlier, question: before }, now);
    expect(rows.map((one) => found.get(one))).toEqual([earlier[0], undefined]);
  });
});

describe('a change', () => {
  it('of shares is in points, of others in parts of what was', () => {
    expect(changeOf(0.5, 0.25, true)).toBe(0.25);
    expect(changeOf(150, 100, false)).toBe(0.5);
    expect(changeOf(-50, -100, false)).toBe(0.5);
  });

  it('is none where there is nothing to compare with', () => {
    expect([changeOf(undefined, 1, false), changeOf(1, undefined, true), changeOf(1, 0, false)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });
});
