import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { computedQuestions } from '../testing/computed-queries.js';
import { keysetQuestions } from '../testing/keyset-queries.js';
import { kpiQuestions } from '../testing/kpi-queries.js';
import { relatedQuestions } from '../testing/related-queries.js';
import { rowQuestions } from '../testing/row-queries.js';
import { compiledShop, openShop, type ShopDatabase } from '../testing/shop-database.js';

const cases = [...rowQuestions, ...keysetQuestions, ...relatedQuestions, ...computedQuestions, ...kpiQuestions];

/** The text of a filter says what its tree says. */
const withoutTree = (key: string, value: unknown): unknown => (key === 'expression' ? undefined : value);

describe('a query in PostgreSQL', () => {
  let shop: ShopDatabase;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop?.end());

  it.each(cases)('answers $title', async ({ question, caller, rows, total = rows.length }) => {
    expect(await shop.answer(compiledShop(question, caller))).toEqual({ rows, total: String(total) });
  });

  it('is the SQL of the golden file, which the cases above have run (without the file it is written anew)', () => {
    const texts = cases.map(({ title, question, caller }) => {
      const { rows, count, settings } = compiledShop(question, caller);
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
