import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printPostgres } from '@tessera/sql';
import { kpiCases } from '../testing/kpi-cases.js';
import { momentCases } from '../testing/moment-cases.js';
import { numberCases } from '../testing/number-cases.js';
import { textCases } from '../testing/text-cases.js';
import { resolveSampleColumn, typeCheckSampleFormula } from '../testing/sample-model.js';
import { openSampleDatabase, type SampleDatabase } from '../testing/sample-database.js';
import { compileFormula } from './compile-formula.js';

const compiled = (formula: string, record?: string) =>
  printPostgres(compileFormula(typeCheckSampleFormula(formula, record), resolveSampleColumn));

describe('a compiled formula', () => {
  let trial: SampleDatabase;
  beforeAll(async () => {
    trial = await openSampleDatabase();
  });
  afterAll(() => trial?.end());

  it.each([...numberCases, ...textCases, ...momentCases])(
    'returns the expected value of $formula for each row',
    async ({ formula, sql, parameters, values }) => {
      const { text, values: bound } = compiled(formula, 'ITEM');
      expect({ text, bound }).toEqual({ text: sql, bound: parameters });
      expect(await trial.valuesOfRows(text, bound)).toBe(values);
    },
  );

  it.each(kpiCases)(
    'returns the expected value of $formula over all rows',
    async ({ formula, sql, parameters, values }) => {
      const { text, values: bound } = compiled(formula);
      expect({ text, bound }).toEqual({ text: sql, bound: parameters });
      expect(await trial.valueOfAll(text, bound)).toBe(values);
    },
  );

  it('contains texts of the formula only as parameters', () => {
    const { text, values } = compiled("NAME = 'a''b\"$1' and concat('x', NAME) like '%;%' and QTY in (1, 2)", 'ITEM');
    expect(text).not.toMatch(/[;']|a''b|\b[12]\b(?!::)/);
    expect(values).toEqual(['a\'b"$1', 'x', '%;%', ['1', '2']]);
  });

  it('has the same SQL text for any values', () => {
    const [one, other] = ["QTY > 1 and NAME like 'a%'", "QTY > 99 and NAME like '%b'"].map((text) =>
      compiled(text, 'ITEM'),
    );
    expect(one?.text).toBe(other?.text);
  });
});
