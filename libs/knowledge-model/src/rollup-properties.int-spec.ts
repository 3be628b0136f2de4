import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition, RollupDefinition } from '@tessera/contracts/knowledge-models';
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
import { compileQuery } from './compile-query.js';
import { createCallerView, type QueryableModel } from './query/caller-view.js';
import { compileRollupQuery, type FindRollupTable } from './rollup/compile-rollup-query.js';
import { readTextRows } from './testing/queries/answers.js';
import { createRandomChoices, type RandomChoices } from './testing/queries/choices.js';
import { explainDifference } from './testing/queries/compare-answers.js';
import { createRandomQuery, type RandomQuery } from './testing/queries/random-query.js';
import { createRandomWorld, type RandomWorld } from './testing/queries/random-world.js';
import { makeRollups } from './testing/rollup/make-rollups.js';

const worldCount = getRandomRunCount();
const questionsMax = 40;
const simplerMax = 300;
const fieldsMax = 16;

const schema = 'random "schema" 1';
const session = `set timezone = 'Asia/Kathmandu'; set datestyle = 'ISO'; create schema ${quoteIdentifier(schema)}`;

const choiceLists = (minLength: number, maxLength: number) =>
  fc.noBias(fc.array(fc.nat(), { minLength, maxLength, size: 'max' }));
const worlds = choiceLists(200, 900);
const questions = fc.noBias(fc.array(choiceLists(40, 250), { minLength: 1, maxLength: questionsMax, size: 'max' }));

const seen = { grouped: 0, answered: 0, severalGroups: 0, joined: 0, restricted: 0, restrictedByParents: 0 };

/** The same without what no rollup can have, for each record: all that is one row away from it, and a part of that. */
const withRollups = (choices: RandomChoices, { world, fields, kpis }: RandomWorld): QueryableModel | undefined => {
  const { definition } = world;
  const check = (rollups: readonly RollupDefinition[]) => {
    const changed: KnowledgeModelDefinition = { ...definition, rollups: [...rollups] };
    const checked = checkModel(changed, new Map());
    return checked.ok ? checked : undefined;
  };
  if (!check([])) return undefined;
  const rollups = (definition.records ?? []).flatMap(({ id }, at): readonly RollupDefinition[] => {
    const own = kpis.map((kpi) => kpi.definition.id).filter((kpi) => check([{ id: 'R', fields: [], kpis: [kpi] }]));
    const names = fields.map((field) => `${field.record}.${field.id}`);
    const near = [...names.filter((name) => name.startsWith(`${id}.`)), ...choices.some(names, 6)];
    const found = { fields: new Array<string>(), kpis: new Array<string>() };
    for (const kpi of own)
      if (check([{ id: 'R', fields: [`${id}.${firstId(definition, id)}`], kpis: [kpi] }])) found.kpis.push(kpi);
    if (found.kpis.length === 0) return [];
    for (const field of new Set(near))
      if (found.fields.length < fieldsMax && check([{ id: 'R', fields: [...found.fields, field], kpis: found.kpis }]))
        found.fields.push(field);
    return [
      { id: `ALL${at}`, ...found },
      { id: `SOME${at}`, fields: [...choices.some(found.fields, 3)], kpis: found.kpis },
    ];
  });
  return check(rollups);
};

const firstId = ({ records = [] }: KnowledgeModelDefinition, record: string): string =>
  records.find(({ id }) => id === record)?.identifier?.[0] ?? '';

describe('random queries to random models with rollups', () => {
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

  /** What is different between the rollups and the rows, to the byte; undefined when nothing is, or no rollup fits. */
  const differenceOf = async (
    checked: QueryableModel,
    find: FindRollupTable,
    { query, caller }: RandomQuery,
  ): Promise<string | undefined> => {
    const view = createCallerView(checked, caller);
    const compiled = compileQuery(view, query, { schema });
    if (!compiled.ok || !compiled.value.columns.some(({ aggregation }) => aggregation)) return undefined;
    seen.grouped++;
    for (const statement of ['rows', 'count'] as const) {
      const rolled = compileRollupQuery(view, query, { schema, statement, find });
      if (!rolled.isPossible) continue;
      const plain = compiled.value[statement];
      const [expected, found] = [await readTextRows(client, plain), await readTextRows(client, rolled.statement)];
      if (statement === 'rows') {
        seen.answered++;
        if (expected.length > 1) seen.severalGroups++;
        if (plain.text.includes(' join ')) seen.joined++;
        if (plain.text.includes(' where ')) seen.restricted++;
        if ([...view.policies.values()].flat().some(({ parents }) => parents.length > 0)) seen.restrictedByParents++;
      }
      if (JSON.stringify(expected) === JSON.stringify(found)) continue;
      const sql = [plain, rolled.statement].map(({ text, values }) => `${text}\n${JSON.stringify(values)}`);
      return [statement, JSON.stringify(expected), JSON.stringify(found), ...sql].join('\n');
    }
    return undefined;
  };

  it('have the same bytes from rollups as from rows', async () => {
    let attempts = 0;
    await fc.assert(
      fc.asyncProperty(worlds, questions, async (numbersOfWorld, asked) => {
        if (attempts > 0 && attempts++ > simplerMax) return;
        const choices = createRandomChoices(numbersOfWorld);
        const random = createRandomWorld(choices, { isOwn: true });
        const checked = withRollups(choices, random);
        if (!checked) return;
        await client.query(`begin; ${random.sqlIn(schema)}`);
        try {
          const find = await makeRollups(client, checked.rollups, schema);
          for (const numbers of asked) {
            const question = createRandomQuery(createRandomChoices(numbers), random);
            const difference = await differenceOf(checked, find, question);
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
      expect(Math.min(seen.joined, seen.restricted, seen.restrictedByParents)).toBeGreaterThan(0);
    });
  });
});
