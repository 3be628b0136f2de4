import { describe, expect, it } from '@jest/globals';
import { rankByContribution } from './insights-reader.js';

const overall = { kpi: 10, rows: 4 };
const value = (name: string | null, kpi: number | null, rows: number, field = 0) => ({ value: name, kpi, rows, field });
const weighed = (values: readonly ReturnType<typeof value>[], addsUp: boolean) =>
  rankByContribution(overall, values, addsUp).map(({ value: name, share, contribution }) => [
    name,
    share,
    contribution,
  ]);

describe('the contributions of values', () => {
  it('are parts of the sum for an additive KPI, with 0 for a null value', () => {
    expect(weighed([value('a', 2, 1), value('b', null, 1), value(null, -8, 2)], true)).toEqual([
      [null, 0.5, -8],
      ['a', 0.25, 2],
      ['b', 0.25, 0],
    ]);
  });

  it('are differences weighted by the share of rows for other KPIs, null values last', () => {
    expect(weighed([value('a', null, 1), value('b', 12, 2), value('c', 30, 1)], false)).toEqual([
      ['c', 0.25, 5],
      ['b', 0.5, 1],
      ['a', 0.25, null],
    ]);
  });

  it('are ordered by field and rows when they are equal', () => {
    const values = [value('a', 12, 2, 1), value('b', 14, 1), value('c', 12, 2), value('d', 8, 2)];
    expect(weighed(values, false).map(([name]) => name)).toEqual(['c', 'd', 'b', 'a']);
  });

  it('have no share where there are no rows', () => {
    expect(rankByContribution({ kpi: null, rows: 0 }, [value('a', 1, 1)], false)).toEqual([
      { ...value('a', 1, 1), share: 0, contribution: null },
    ]);
  });
});
