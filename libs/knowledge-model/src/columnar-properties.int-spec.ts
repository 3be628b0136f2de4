import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quoteIdentifier } from '@tessera/sql';
import {
  createTestDatabase,
  checkCoverage,
  getRandomRunCount,
  getRandomSeed,
  type TestDatabase,
} from '@tessera/testing';
import fc from 'fast-check';
import pg from 'pg';
import { checkModel } from './check-model.js';
import type { ColumnarTable } from './columnar/columnar-query.js';
import { compileColumnarQuery } from './columnar/compile-columnar-query.js';
import { compileQuery } from './compile-query.js';
import { createCallerView } from './query/caller-view.js';
import { ColumnarRefusal } from './columnar/columnar-reader.js';
import type { EngineTables } from './testing/columnar/copied-rows.js';
import { testedEngine } from './testing/columnar/tested-engine.js';
import { readTextRows } from './testing/queries/answers.js';
import { createRandomChoices } from './testing/queries/choices.js';
import { compareAnswers, explainDifference } from './testing/queries/compare-answers.js';
import { createRandomQuery, type RandomQuery } from './testing/queries/random-query.js';
import { createRandomWorld, type RandomWorld } from './testing/queries/random-world.js';

const worldCount = getRandomRunCount();
/** A ClickHouse becomes slower with each copy of a table that it has. */
const worldsOfEngine = 30;
const questionsMax = 60;
const simplerMax = 300;

const schema = 'random "schema" 1';
const session = `set timezone = 'Asia/Kathmandu'; set datestyle = 'ISO'; create schema ${quoteIdentifier(schema)}`;

const choiceLists = (minLength: number, maxLength: number) =>
  fc.noBias(fc.array(fc.nat(), { minLength, maxLength, size: 'max' }));
const worlds = choiceLists(200, 900);
const questions = fc.noBias(fc.array(choiceLists(40, 250), { minLength: 1, maxLength: questionsMax, size: 'max' }));

/** An engine may have no room for it; PostgreSQL then answers. */
const isRefusedValue = (error: unknown): boolean => error instanceof ColumnarRefusal && error.reason === 'values';

const seen = { worlds: 0, grouped: 0, answered: 0, severalGroups: 0, joined: 0, restrictedByParents: 0 };

describe('random queries to random models over random rows', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let engine: EngineTables;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query(session);
    engine = await testedEngine.open();
  });
  afterAll(async () => {
    engine?.close();
    await client?.end();
    await database?.drop();
  });

  /** What is different between the engine and PostgreSQL, to the byte; undefined when nothing is, or PostgreSQL alone answers. */
  const differenceOf = async (
    random: RandomWorld,
    tables: ReadonlyMap<string, ColumnarTable>,
    { query, caller }: RandomQuery,
  ): Promise<string | undefined> => {
    const checked = checkModel(random.world.definition, new Map());
    const view = checked.ok ? createCallerView(checked, caller) : undefined;
    const compiled = view && compileQuery(view, query, { schema });
    if (!view || !compiled?.ok || !compiled.value.columns.some(({ aggregation }) => aggregation)) return undefined;
    seen.grouped++;
    for (const statement of ['rows', 'count'] as const) {
      const asked = compileColumnarQuery(view, query, { schema, statement, find: (table) => tables.get(table) });
      if (!asked.isPossible) continue;
      const { grains, compileOver } = asked.question;
      const printed = grains.map((grain) => engine.print(grain.query)).join('\n');
      const { signal } = new AbortController();
      const groups = await Promise.all(
        grains.map(({ query: grain, groupsMax }) => engine.reader.ask(grain, { groupsMax, signal })),
      ).catch((error: unknown) => (isRefusedValue(error) ? undefined : `${String(error)}\n${printed}`));
      if (groups === undefined) continue;
      if (typeof groups === 'string') return groups;
      const over = compileOver(groups);
      const [expected, found] = [
        await readTextRows(client, compiled.value[statement]),
        await readTextRows(client, over),
      ];
      if (statement === 'rows') {
        seen.answered++;
        if (expected.length > 1) seen.severalGroups++;
        if (grains.some((grain) => grain.query.sources.length > 1)) seen.joined++;
        if ([...view.policies.values()].flat().some(({ parents }) => parents.length > 0)) seen.restrictedByParents++;
      }
      if (JSON.stringify(expected) === JSON.stringify(found)) continue;
      const sql = [compiled.value[statement], over].map(({ text, values }) => `${text}\n${JSON.stringify(values)}`);
      return [statement, JSON.stringify(expected), JSON.stringify(found), ...sql, printed].join('\n');
    }
    return undefined;
  };

  it('have the same bytes by column as in PostgreSQL, which answers as the TypeScript evaluator does', async () => {
    let attempts = 0;
    await fc.assert(
      fc.asyncProperty(worlds, questions, async (world, asked) => {
        if (attempts > 0 && attempts++ > simplerMax) return;
        if (seen.worlds++ % worldsOfEngine === worldsOfEngine - 1) {
          engine.close();
          engine = await testedEngine.open();
        }
        const random = createRandomWorld(createRandomChoices(world), { isOwn: true });
        await client.query(`begin; ${random.sqlIn(schema)}`);
        try {
          const tables = new Map<string, ColumnarTable>();
          for (const table of random.world.tables.keys()) tables.set(table, await engine.copy(client, schema, table));
          for (const numbers of asked) {
            const question = createRandomQuery(createRandomChoices(numbers), random);
            const answeredBefore = seen.answered;
            const difference =
              (await differenceOf(random, tables, question)) ??
              (seen.answered > answeredBefore
                ? (await compareAnswers({ client, schema }, random, question)).difference
                : undefined);
            if (difference === undefined) continue;
            attempts++;
            throw new Error(explainDifference(random, question, difference));
          }
        } finally {
          await client.query('rollback');
        }
      }),
      { numRuns: worldCount, seed: getRandomSeed(20_261_127) },
    );
    checkCoverage(() => {
      expect(seen.answered).toBeGreaterThan(seen.grouped / 6);
      expect(seen.severalGroups).toBeGreaterThan(seen.answered / 20);
      expect(Math.min(seen.joined, seen.restrictedByParents)).toBeGreaterThan(0);
    });
  });
});
