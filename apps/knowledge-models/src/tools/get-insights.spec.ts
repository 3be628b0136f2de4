import { describe, expect, it } from '@jest/globals';
import { weighValues } from './get-insights.handler.js';

const overall = { kpi: 10, rows: 4 };
const value = (name: string | null, kpi: number | null, rows: number, field = 0) => ({ value: name, kpi, rows, field });
const weighed = (values: readonly ReturnType<typeof value>[], addsUp: boolean) =>
  weighValues(overall, values, addsUp).map(({ value: name, share, contribution }) => [name, share, contribution]);

describe('weighValues', () => {
  it('takes what adds up as it is; no value adds nothing', () => {
    expect(weighed([value('a', 2, 1), value('b', null, 1), value(null, -8, 2)], true)).toEqual([
      [null, 0.5, -8],
      ['a', 0.25, 2],
      ['b', 0.25, 0],
    ]);
  });

  it('weighs the difference to the whole by the share of rows, unknown ones last', () => {
    expect(weighed([value('a', null, 1), value('b', 12, 2), value('c', 30, 1)], false)).toEqual([
      ['c', 0.25, 5],
      ['b', 0.5, 1],
      ['a', 0.25, null],
    ]);
  });

  it('orders what weighs the same by the fields as asked, then by rows', () => {
    const values = [value('a', 12, 2, 1), value('b', 14, 1), value('c', 12, 2), value('d', 8, 2)];
    expect(weighed(values, false).map(([name]) => name)).toEqual(['c', 'd', 'b', 'a']);
  });

  it('has no share where there are no rows', () => {
    expect(weighValues({ kpi: null, rows: 0 }, [value('a', 1, 1)], false)).toEqual([
      { ...value('a', 1, 1), share: 0, contribution: null },
    ]);
  });
});
