import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { computedQueryCases } from '../testing/computed-queries.js';
import { grainQuestions } from '../testing/grain-queries.js';
import { keysetQueryCases } from '../testing/keyset-queries.js';
import { kpiQueryCases } from '../testing/kpi-queries.js';
import { policyQueryCases } from '../testing/policy-queries.js';
import { relatedQueryCases } from '../testing/related-queries.js';
import { rowQueryCases } from '../testing/row-queries.js';
import { compileValidShopQuery, openShopDatabase, type ShopDatabase } from '../testing/shop-database.js';

const cases = [
  ...[rowQueryCases, keysetQueryCases, relatedQueryCases, computedQueryCases, kpiQueryCases, grainQuestions].flat(),
  ...policyQueryCases,
];

/** The text of a filter says what its tree says. */
const withoutTree = (key: string, value: unknown): unknown => (key === 'expression' ? undefined : value);

describe('a query in PostgreSQL', () => {
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShopDatabase();
  });
  afterAll(() => shop?.end());

  it.each(cases)(
    'returns the expected rows for $title',
    async ({ question, caller, policies, rows, total = rows.length }) => {
      expect(await shop.answer(compileValidShopQuery(question, caller, policies))).toEqual({
        rows,
        total: String(total),
      });
    },
  );

  it('compiles to the SQL of the golden file, which the cases above execute', () => {
    const texts = cases.map(({ title, question, caller, policies }) => {
      const { rows, count, settings } = compileValidShopQuery(question, caller, policies);
      const asked = Object.entries(question).map(
        ([name, value]) => `-- ${name}: ${JSON.stringify(value, withoutTree)}\n`,
      );
      const set = Object.entries(settings).map(([name, value]) => `-- ${name} = ${value}\n`);
      const statements = [rows, count].map(({ text, values }) => `${text};\n-- ${JSON.stringify(values)}\n`);
      return `-- ${title}\n${asked.join('')}${set.join('')}${statements.join('')}`;
    });
    const golden = join(import.meta.dirname, 'queries.golden.sql');
    if (!existsSync(golden)) writeFileSync(golden, texts.join('\n'));
    expect(texts.join('\n')).toBe(readFileSync(golden, 'utf8'));
  });
});
