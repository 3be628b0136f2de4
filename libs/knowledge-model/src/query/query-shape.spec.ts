import { describe, expect, it } from '@jest/globals';
import type { DataExpression, DataLiteral } from '@tessera/filter';
import { checkCoverage, getRandomRunCount, getRandomSeed } from '@tessera/testing';
import fc from 'fast-check';
import { checkModel } from '../check-model.js';
import { compileQuery } from '../compile-query.js';
import { createRandomChoices } from '../testing/queries/choices.js';
import { createRandomQuery } from '../testing/queries/random-query.js';
import { createRandomWorld } from '../testing/queries/random-world.js';
import { createCallerView } from './caller-view.js';
import type { CompiledQuery, DataQuery } from './data-query.js';
import { CompiledQueryShape, queryShapeOf } from './query-shape.js';

const schema = 's';

const withTexts = (expression: DataExpression, textOf: (literal: DataLiteral) => string): DataExpression => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, operands: expression.operands.map((operand) => withTexts(operand, textOf)) };
    case 'not':
      return { ...expression, operand: withTexts(expression.operand, textOf) };
    case 'compare':
      return { ...expression, literal: { ...expression.literal, text: textOf(expression.literal) } };
    case 'any':
      return { ...expression, ...(expression.operand && { operand: withTexts(expression.operand, textOf) }) };
    default:
      return expression;
  }
};

/** Fitting ones and others, few enough that some are equal. */
const otherTexts: Readonly<Record<string, readonly string[]>> = {
  string: ['a', "it's", '2024-02-29', '12', '1.5', ''],
  number: ['0', '7', '-3', '1.5', '1e3', '99999999999999999999', '1e999'],
  date: ['2024-02-29', '2023-02-29', '0001-01-01'],
  datetime: ['2024-02-29T12:30', '2024-02-29T12:30:00.5Z', '2023-02-29T00:00'],
  time: ['12:30', '12:30:00.25', '25:00'],
};

const statementsOf = ({ rows, count, ...rest }: CompiledQuery) => ({
  ...rest,
  rows: [rows.text, rows.values],
  count: [count.text, count.values],
});

describe('the shape of a query', () => {
  it('yields the same statements as compiling each query of that shape, or reports that it cannot be reused', () => {
    const seen = { lifted: 0, refused: 0, other: 0, partly: 0 };
    const numbers = (minLength: number, maxLength: number) =>
      fc.noBias(fc.array(fc.nat(), { minLength, maxLength, size: 'max' }));
    const worlds = fc.tuple(numbers(200, 900), fc.array(numbers(40, 250), { minLength: 10, maxLength: 10 }));
    fc.assert(
      fc.property(worlds, numbers(40, 40), ([world, asked], texts) => {
        const random = createRandomWorld(createRandomChoices(world));
        const checked = checkModel(random.world.definition, new Map());
        if (!checked.ok) throw new Error('The model does not check.');
        const choices = texts.values();
        const anotherText = ({ kind, text }: DataLiteral): string => {
          const others = otherTexts[kind] ?? [];
          return others[(choices.next().value ?? 0) % (others.length + 1)] ?? text;
        };
        for (const question of asked) {
          const { query, caller } = createRandomQuery(createRandomChoices(question), random);
          const view = createCallerView(checked, caller);
          const shape = queryShapeOf(query);
          const compiled = shape && compileQuery(view, shape.query, { schema });
          if (!shape || !compiled?.ok || shape.literals.length === 0) continue;
          const made = new CompiledQueryShape(compiled.value, shape.literals);
          if (!made.isWhole) {
            seen.partly++;
            continue;
          }
          const { parsedFilters = [] } = shape.query;
          const filters = parsedFilters.map(({ expression, ...filter }) => ({
            ...filter,
            expression: withTexts(expression, anotherText),
          }));
          const other: DataQuery = { ...shape.query, parsedFilters: filters };
          const otherShape = queryShapeOf(other);
          if (otherShape?.key !== shape.key) {
            seen.other++;
            continue;
          }
          const lifted = made.withLiterals(otherShape.literals);
          const expected = compileQuery(view, other, { schema });
          if (lifted) {
            if (!expected.ok) throw new Error(expected.failure.detail);
            expect(statementsOf(lifted)).toEqual(statementsOf(expected.value));
            seen.lifted++;
          } else seen.refused++;
        }
      }),
      { numRuns: 3 * getRandomRunCount(), seed: getRandomSeed(20_261_123) },
    );
    checkCoverage(() => {
      expect(seen.lifted).toBeGreaterThan(getRandomRunCount());
      expect(seen.refused).toBeGreaterThan(0);
      expect(seen.other).toBeGreaterThan(0);
      expect(seen.partly).toBeLessThan(seen.lifted / 3);
    });
  });
});
