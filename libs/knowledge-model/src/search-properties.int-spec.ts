/** Searches that indexes serve, against the same searches that look at every row. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printPostgres, quoteIdentifier } from '@tessera/sql';
import {
  checkCoverage,
  getRandomRunCount,
  getRandomSeed,
  createTestDatabase,
  type TestDatabase,
} from '@tessera/testing';
import fc from 'fast-check';
import pg from 'pg';
import { checkModel } from './check-model.js';
import { compileResolvedQuery } from './compile-query.js';
import { planQuery } from './plan/plan-query.js';
import type { GroupsPlan, QueryPlan, RowCondition, RowSource } from './plan/query-plan.js';
import { createCallerView } from './query/caller-view.js';
import type { DataQuery } from './query/data-query.js';
import { resolveQuery } from './query/resolve-query.js';
import { buildPlanSelects } from './compile-query.js';
import { runCompiledQuery } from './testing/queries/answers.js';
import { type RandomChoices, createRandomChoices } from './testing/queries/choices.js';
import { compareAnswers, explainDifference } from './testing/queries/compare-answers.js';
import { createRandomQuery } from './testing/queries/random-query.js';
import { createRandomWorld, type RandomWorld } from './testing/queries/random-world.js';

const worldCount = getRandomRunCount();
const questionsMax = 30;
const schema = 'searched';

const choiceLists = (minLength: number, maxLength: number) =>
  fc.noBias(fc.array(fc.nat(), { minLength, maxLength, size: 'max' }));
const worlds = choiceLists(200, 900);
const questions = fc.noBias(fc.array(choiceLists(40, 250), { minLength: 1, maxLength: questionsMax, size: 'max' }));

const strangeTerms = ['a', 'É', '%', '_', '\\', "'", '💥', 'lar', 'large', 'LARGE', 'sma', 'x y', '-a', 'a-', 'Straße'];
const precisions = [1, 10, 30, 50, 80, 99, 100, 100, 100];

const textsIn = ({ world }: RandomWorld): readonly string[] =>
  [...world.tables.values()].flatMap((rows) =>
    rows.flatMap((row) => [...row.values()].filter((value) => typeof value === 'string')),
  );

/** The term is one of the texts, a part of one, or strange. */
const randomTerm = (choices: RandomChoices, random: RandomWorld): string => {
  const texts = textsIn(random);
  if (texts.length === 0 || choices.chance(40)) return choices.oneOf(strangeTerms);
  const text = [...choices.oneOf(texts)];
  const start = choices.below(text.length + 1);
  return text.slice(start, start + 1 + choices.below(6)).join('') || 'a';
};

const withSearch = (choices: RandomChoices, random: RandomWorld, query: DataQuery): DataQuery => ({
  ...query,
  search: {
    term: randomTerm(choices, random),
    precision: choices.oneOf(precisions),
    ...(query.search?.fields && { fields: query.search.fields }),
  },
});

const direct = (condition: RowCondition): RowCondition =>
  condition.kind === 'search' ? { ...condition, isIndexed: false } : condition;
const directly = (source: RowSource): RowSource => ({
  ...source,
  conditions: source.conditions.map(direct),
  semiJoins: source.semiJoins.map((semiJoin) => ({ ...semiJoin, conditions: semiJoin.conditions.map(direct) })),
});
const grainsOf = (grains: GroupsPlan['grains']): GroupsPlan['grains'] =>
  grains.map((grain) => ({ ...grain, source: directly(grain.source) }));
/** What looks at every row, and compares every field in it. */
const withoutIndexes = (plan: QueryPlan): QueryPlan =>
  plan.kind === 'rows'
    ? { ...plan, source: directly(plan.source), countSource: directly(plan.countSource) }
    : { ...plan, grains: grainsOf(plan.grains), countGrains: plan.countGrains && grainsOf(plan.countGrains) };

const trigramIndexes = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = $1 and data_type = 'text' group by 1`,
    [schema],
  );
  for (const { name, columns } of rows)
    await client.query(
      `create index on ${quoteIdentifier(schema)}.${quoteIdentifier(name)}
         using gin (${columns.map((column) => `${quoteIdentifier(column)} gin_trgm_ops`).join(', ')})`,
    );
};

const seen = { cases: 0, indexed: 0, found: 0, records: 0, refused: 0 };

describe('random searches', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query(`create schema ${schema}`);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  /** What differs, in words; undefined when nothing does. */
  const differenceOf = async (
    random: RandomWorld,
    query: DataQuery,
    caller: Parameters<typeof createCallerView>[1],
  ) => {
    const checked = checkModel(random.world.definition, new Map());
    if (!checked.ok) return JSON.stringify(checked.faults);
    const resolved = resolveQuery(createCallerView(checked, caller), query);
    if (!resolved.ok) return void seen.refused++;
    const [compiled, plan] = [compileResolvedQuery(resolved.value, { schema }), planQuery(resolved.value)];
    if (!compiled.ok || !plan.ok) return void seen.refused++;
    const { rows, count } = buildPlanSelects(withoutIndexes(plan.value), { schema });
    const { enable_seqscan: isIndexed, ...settings } = compiled.value.settings;
    const reset = isIndexed === undefined ? {} : { enable_seqscan: 'on' };
    const [found, expected] = [
      await runCompiledQuery(client, compiled.value),
      await runCompiledQuery(client, {
        ...compiled.value,
        rows: printPostgres(rows),
        count: printPostgres(count),
        settings: { ...settings, ...reset },
      }),
    ];
    seen.cases++;
    if (isIndexed !== undefined) seen.indexed++;
    if (expected.total > 0) seen.found++;
    if (compiled.value.rows.text.includes(' in (select ')) seen.records++;
    const texts = [found, expected].map((answer) =>
      JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
    return texts[0] === texts[1] ? undefined : `found ${texts[0]}\nexpected ${texts[1]}\n${compiled.value.rows.text}`;
  };

  it('return the same rows with and without indexes', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, questions, async (world, asked) => {
        const random = createRandomWorld(createRandomChoices(world));
        await client.query(`begin; ${random.sqlIn(schema)}`);
        try {
          await trigramIndexes(client);
          for (const numbers of asked) {
            const { query: before, caller } = createRandomQuery(createRandomChoices(numbers), random);
            const query = withSearch(createRandomChoices(numbers.toReversed()), random, before);
            const question = { query, caller };
            const { refused } = seen;
            const difference =
              (await differenceOf(random, query, caller)) ??
              (query.search?.precision === 100 && seen.refused === refused
                ? (await compareAnswers({ client, schema }, random, question)).difference
                : undefined);
            if (difference !== undefined) throw new Error(explainDifference(random, question, difference));
          }
        } finally {
          await client.query('rollback');
        }
      }),
      { numRuns: worldCount, seed: getRandomSeed(20_261_122) },
    );
    checkCoverage(() => {
      expect(seen.cases).toBeGreaterThan(6.5 * worldCount);
      expect(seen.indexed).toBeGreaterThan(seen.cases / 3);
      expect(seen.found).toBeGreaterThan(seen.cases / 5);
      expect(seen.records).toBeGreaterThan(seen.cases / 20);
    });
  });
});
