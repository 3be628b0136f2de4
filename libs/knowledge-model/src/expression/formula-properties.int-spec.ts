import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printPostgres } from '@tessera/sql';
import fc from 'fast-check';
import {
  evaluateFormula,
  isRational,
  compareValues,
  type FormulaRow,
  valueToText,
  type FormulaValue,
} from '../testing/evaluate.js';
import { randomFormulas } from '../testing/random-formula.js';
import * as numbers from '../testing/rational.js';
import { openSampleDatabase, type SampleDatabase } from '../testing/sample-database.js';
import { resolveSampleColumn, typeCheckSampleFormula } from '../testing/sample-model.js';
import { compileFormula } from './compile-formula.js';
import type { Formula } from './formula.js';
import { printFormula } from '../testing/print-formula.js';

/** QTY, AMOUNT, NAME, OPEN, DAY, AT; what is null in SQL is null here. */
const rows: readonly (readonly [
  number | null,
  string | null,
  string | null,
  boolean | null,
  string | null,
  string | null,
])[] = [
  [4, '100.50', 'Pump', true, '2026-01-31', '2026-01-31T23:30:00'],
  [0, '-2.5', ' 1_7 ', false, '2024-02-29', '2024-02-29T00:00:00'],
  [-10, '0', '-7', true, null, null],
  [null, '99.99', null, null, '2026-03-01', '2026-03-01T12:00:00'],
  [8, null, '', false, '1999-12-31', null],
  [1, '0.05', '100%_é', null, '2026-05-07', '1970-01-01T00:00:01'],
  [null, null, null, null, null, null],
];

const valueRows: readonly FormulaRow[] = rows.map(([qty, amount, name, open, day, at]) => {
  const moment = (kind: 'date' | 'datetime', text: string | null): FormulaValue => {
    if (text === null) return null;
    const seconds = Date.parse(text.length > 10 ? `${text}Z` : text) / 1_000;
    return { kind, at: kind === 'date' ? seconds / 86_400 : seconds };
  };
  return new Map<string, FormulaValue>([
    ['QTY', qty === null ? null : numbers.createRational(BigInt(qty))],
    ['AMOUNT', amount === null ? null : numbers.parseRational(amount)],
    ['NAME', name],
    ['OPEN', open],
    ['DAY', moment('date', day)],
    ['AT', moment('datetime', at)],
  ]);
});

const shown = (value: FormulaValue): string | null =>
  value === null ? null : isRational(value) ? decimal(value) : valueToText(value);
/** As far as the decimals of PostgreSQL go. */
const decimal = (value: numbers.Rational): string => {
  const { over, under } = numbers.round(value, 12);
  return under === 1n ? String(over) : `${over}/${under}`;
};
const answered = (text: unknown): string | null => {
  if (typeof text !== 'string') return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? decimal(numbers.parseRational(text)) : text;
};
/** Texts that look like numbers are compared as such on both sides. */
const alike = (text: string | null): string | null => answered(text);

describe('any typed formula', () => {
  let trial: SampleDatabase;
  beforeAll(async () => {
    trial = await openSampleDatabase();
    await trial.client.query('truncate item');
    for (const [index, row] of rows.entries())
      await trial.client.query(
        `insert into item (id, "order ""no""", qty, amount, name, open, day, at) values ($1, 'A', $2, $3, $4, $5, $6, $7)`,
        [index + 1, ...row],
      );
  });
  afterAll(() => trial?.end());

  const answersOf = async (text: string, record: string | undefined): Promise<readonly (string | null)[]> => {
    const { text: sql, values } = printPostgres(
      compileFormula(typeCheckSampleFormula(text, record), resolveSampleColumn),
    );
    const list = `select to_jsonb(${sql}) #>> '{}' as value from item`;
    const { rows: found } = await trial.client.query(record ? `${list} order by item.id` : list, [...values]);
    return found.map(({ value }) => answered(value));
  };

  it.each(['integer', 'float', 'string', 'boolean', 'date', 'datetime'] as const)(
    'of type %s has the value of the TypeScript evaluator in every row',
    async (type) => {
      await fc.assert(
        fc.asyncProperty(randomFormulas[type], async (formula) => {
          const text = printFormula(formula);
          const expected = valueRows.map((row) => alike(shown(evaluateFormula(formula, row))));
          expect([text, await answersOf(text, 'ITEM')]).toEqual([text, expected]);
        }),
        { numRuns: 200 },
      );
    },
  );

  const kpis = fc.record({
    name: fc.constantFrom('sum', 'min', 'max', 'count'),
    distinct: fc.boolean(),
    argument: randomFormulas.integer,
    filter: fc.option(randomFormulas.boolean, { nil: undefined }),
  });

  it('of a KPI has the value of the TypeScript evaluator over all rows', async () => {
    const qualified = (formula: Formula): Formula =>
      JSON.parse(JSON.stringify(formula, (_, part) => (part?.kind === 'name' ? { ...part, record: 'ITEM' } : part)));
    await fc.assert(
      fc.asyncProperty(kpis, async ({ name, distinct, argument, filter }) => {
        const value = `coalesce(${printFormula(qualified(argument))}, ITEM.QTY)`;
        const where = filter ? ` filter (where ${printFormula(qualified(filter))} or ITEM.OPEN)` : '';
        const text = `${name}(${distinct && name === 'count' ? 'distinct ' : ''}${value})${where}`;
        const present = valueRows.flatMap((row) => {
          const kept = !filter || evaluateFormula(filter, row) === true || row.get('OPEN') === true;
          const found = evaluateFormula(argument, row) ?? row.get('QTY') ?? null;
          return kept && isRational(found) ? [found] : [];
        });
        const sorted = [...present].sort(compareValues);
        const different = new Set(present.map(shown)).size;
        const expected = {
          sum: present.length === 0 ? null : present.reduce((total, one) => numbers.add(total, one)),
          min: sorted[0] ?? null,
          max: sorted.at(-1) ?? null,
          count: numbers.createRational(BigInt(distinct ? different : present.length)),
        }[name];
        expect([text, await answersOf(text, undefined)]).toEqual([text, [alike(shown(expected ?? null))]]);
      }),
      { numRuns: 200 },
    );
  });
});
