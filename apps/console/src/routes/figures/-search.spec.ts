import { describe, expect, it } from '@jest/globals';
import { readFiguresSearch } from './-search.js';

describe('an address that somebody typed', () => {
  it('is read as far as it is understood', () => {
    const given = {
      ...{ tab: 'elsewhere', kpis: 7, fields: {}, where: ['', 3, null, 'A eq 1'], compare: 'never', exact: 'yes' },
      ...{ page: -1, search: 2026, other: 'x' },
    };
    expect(readFiguresSearch(given)).toEqual({ kpis: '7', where: ['3', 'A eq 1'], search: '2026' });
  });

  it('is read as it is when the page wrote it', () => {
    const written = {
      ...{
        tab: 'kpis',
        record: 'ORDER',
        find: 'rate',
        kpis: 'RATE',
        fields: 'A.B:month',
        filters: 'LARGE',
        where: ['A eq 1'],
      },
      ...{
        date: 'A.B',
        from: '2026-01-01',
        to: '2026-01-31',
        compare: 'year',
        search: 'x',
        exact: true,
        sort: '-RATE',
        page: 2,
      },
    };
    expect(readFiguresSearch(written)).toEqual(written);
  });

  it('may have one condition without a list', () => {
    expect(readFiguresSearch({ where: 'A eq 1', tab: 'records', page: 3, exact: true })).toEqual({
      ...{ where: ['A eq 1'], tab: 'records', page: 3, exact: true },
    });
    expect(readFiguresSearch({ page: 1.5 })).toEqual({});
  });

  it('has at most as many conditions as the server takes', () => {
    expect(readFiguresSearch({ where: Array.from({ length: 80 }, (_, at) => `A eq ${at}`) }).where).toHaveLength(50);
  });
});
