import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compileValidShopQuery,
  openShopDatabase,
  type QueryMembers,
  type ShopDatabase,
} from '../testing/shop-database.js';

/** As the loader makes them, beside those of the primary keys. */
const indexes = `
  create index by_due on shop.item (due nulls first, order_no, item_no);
  create index by_amount on shop.item ("net ""amount""", order_no, item_no);
  analyze shop.item;
`;

type Case = readonly [sort: string | undefined, after: readonly (string | null)[], ...scans: readonly string[]];

describe('a keyset page', () => {
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShopDatabase();
    await shop.client.query(indexes);
  });
  afterAll(() => shop?.end());

  const statementOf = (sort: string | undefined, after: readonly (string | null)[], fields = ['DUE', 'AMOUNT']) => {
    const question: QueryMembers = { record: 'ITEM', fields, keyset: { skip: 0, after } };
    return compileValidShopQuery({ ...question, ...(sort !== undefined && { sort }) }).rows;
  };

  /** Each index with its condition, without the types of values. */
  const scansOf = async (...asked: Parameters<typeof statementOf>): Promise<readonly string[]> => {
    const plan = await shop.explain(statementOf(...asked));
    const scans = plan.matchAll(/Index (?:Only )?Scan (Backward )?using (\w+) on .*\n\s+Index Cond: (.*)/g);
    return [...scans].map(([, backward = '', index, condition = '']) =>
      `${backward}${index}: ${condition}`.replaceAll(/::\w+/g, ''),
    );
  };

  it.each<Case>([
    [undefined, ['A', '2'], "item_pkey: (ROW(order_no, item_no) > ROW('A', '2'))"],
    ['AMOUNT', ['50.5', 'A', '2'], `by_amount: (ROW("net ""amount""", order_no, item_no) > ROW(50.5, 'A', '2'))`],
    [
      '-AMOUNT',
      ['50.5', 'A', '2'],
      `Backward by_amount: (ROW("net ""amount""", order_no, item_no) < ROW(50.5, 'A', '2'))`,
    ],
    ['DUE', ['2026-01-04', 'B', '1'], "by_due: (ROW(due, order_no, item_no) > ROW('2026-01-04', 'B', '1'))"],
    [
      'DUE',
      [null, 'A', '2'],
      "by_due: ((due IS NULL) AND (ROW(order_no, item_no) > ROW('A', '2')))",
      'by_due: (due IS NOT NULL)',
    ],
    [
      '-DUE',
      ['2026-01-04', 'B', '1'],
      "Backward by_due: (ROW(due, order_no, item_no) < ROW('2026-01-04', 'B', '1'))",
      'Backward by_due: (due IS NULL)',
    ],
    ['-DUE', [null, 'D', '1'], "Backward by_due: ((due IS NULL) AND (ROW(order_no, item_no) < ROW('D', '1')))"],
  ])('begins at its place in the index and sorts nothing: sort %s behind %j', async (sort, after, ...scans) => {
    expect(await scansOf(sort, after)).toEqual(scans);
    expect(await shop.explain(statementOf(sort, after))).not.toMatch(/(?:->|Incremental) +Sort$|Seq Scan|Filter:/m);
  });

  it.each<Case>([
    ['DUE,-AMOUNT', ['2026-01-04', '200', 'B', '1'], "by_due: (due >= '2026-01-04')"],
    ['-AMOUNT,DUE', ['200', null, 'B', '1'], `Backward by_amount: ("net ""amount""" <= '200')`],
  ])('has a bound of the first item where directions differ: sort %s behind %j', async (sort, after, ...scans) => {
    expect(await scansOf(sort, after)).toEqual(scans);
  });

  it.each([
    [undefined, ['A', '2'], '>='],
    ['-ORDER_NO', ['B', '1'], '<='],
  ])(
    'bounds the key of the record that a policy reads as it is bounded itself: sort %s',
    async (sort, after, bound) => {
      const question = { record: 'ITEM', fields: ['ORDER_NO', 'AMOUNT'], ...(sort && { sort }) };
      const policies = [{ record: 'ITEM', rows: 'ORDER.FREIGHT gt 1' }];
      const compiled = compileValidShopQuery({ ...question, keyset: { skip: 0, after } }, undefined, policies);
      expect(compiled.rows.text).toContain(`"policy 1.1"."order_no" ${bound} $`);
      expect(await shop.explain(compiled.rows)).toMatch(/Index (?:Only )?Scan.* using item_pkey/);
      const byAmount = { ...question, sort: 'AMOUNT', keyset: { skip: 0, after: ['50.5', 'A', '2'] } };
      expect(compileValidShopQuery(byAmount, undefined, policies).rows.text).not.toMatch(
        /"policy 1.1"."order_no" [<>]/,
      );
    },
  );

  it('has the same SQL text for every keyset, except for null values', () => {
    const texts = (sort: string, ...places: readonly (readonly (string | null)[])[]) =>
      new Set(places.map((after) => statementOf(sort, after).text)).size;
    expect(texts('-DUE', ['2026-01-04', 'B', '1'], ['2026-04-01', "'; drop table x", '2'])).toBe(1);
    expect(texts('-DUE', [null, 'B', '1'], [null, 'D', '1'])).toBe(1);
  });
});
