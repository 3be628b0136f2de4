import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quoteIdentifier } from '@tessera/sql';
import {
  checkCoverage,
  getRandomRunCount,
  getRandomSeed,
  createTestDatabase,
  type TestDatabase,
} from '@tessera/testing';
import fc from 'fast-check';
import pg from 'pg';
import { createRandomChoices } from './testing/queries/choices.js';
import { compareAnswers, explainDifference } from './testing/queries/compare-answers.js';
import type { ExpectedAnswer } from './testing/queries/evaluate-query.js';
import { readsParents } from './testing/queries/evaluate-view.js';
import { createRandomQuery } from './testing/queries/random-query.js';
import { createRandomWorld } from './testing/queries/random-world.js';

const worldCount = getRandomRunCount();
const questionsMax = 30;
/** How often a failing case is made simpler: enough to read it, and no matter how fast the machine is. */
const simplerMax = 300;

const schema = 'random "schema" 1';
/** What no answer may depend on. */
const session = `set timezone = 'Asia/Kathmandu'; create schema ${quoteIdentifier(schema)}`;

const choiceLists = (minLength: number, maxLength: number) =>
  fc.noBias(fc.array(fc.nat(), { minLength, maxLength, size: 'max' }));
const worlds = choiceLists(200, 900);
const questions = fc.noBias(fc.array(choiceLists(40, 250), { minLength: 1, maxLength: questionsMax, size: 'max' }));

const seen = { cases: 0, rows: 0, groups: 0, severalRows: 0, refused: 0, restrictedByParents: 0 };

const note = (isGrouped: boolean, hasPaths: boolean, expected: ExpectedAnswer): void => {
  seen.cases++;
  if (!expected.ok) seen.refused++;
  if (!expected.ok || expected.rows.flat().every((value) => value === null)) return;
  if (isGrouped) seen.groups++;
  else seen.rows++;
  if (expected.rows.length > 1) seen.severalRows++;
  if (hasPaths) seen.restrictedByParents++;
};

describe('random queries to random models over random rows', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query(session);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('return the same rows in PostgreSQL as in the TypeScript evaluator, or the same failure code', async () => {
    let attempts = 0;
    await fc.assert(
      fc.asyncProperty(worlds, questions, async (world, asked) => {
        if (attempts > 0 && attempts++ > simplerMax) return;
        const random = createRandomWorld(createRandomChoices(world));
        await client.query(`begin; ${random.sqlIn(schema)}`);
        try {
          for (const numbers of asked) {
            const question = createRandomQuery(createRandomChoices(numbers), random);
            const { difference, expected } = await compareAnswers({ client, schema }, random, question);
            const hasPaths = random.world.definition.policies?.some(readsParents) ?? false;
            note(question.query.kpis.length > 0, hasPaths, expected);
            if (difference === undefined) continue;
            attempts++;
            throw new Error(explainDifference(random, question, difference));
          }
        } finally {
          await client.query('rollback');
        }
      }),
      { numRuns: worldCount, seed: getRandomSeed(20_260_630) },
    );
    checkCoverage(() => {
      expect(seen.cases).toBeGreaterThan(7.5 * worldCount);
      // Answers without values and questions that are refused prove little.
      expect(seen.rows).toBeGreaterThan(seen.cases / 5);
      expect(seen.groups).toBeGreaterThan(seen.cases / 10);
      expect(seen.severalRows).toBeGreaterThan(seen.cases / 5);
      expect(seen.restrictedByParents).toBeGreaterThan(seen.cases / 40);
      expect(seen.refused).toBeLessThan(seen.cases / 5);
      expect(seen.refused).toBeGreaterThan(0);
    });
  });
});
