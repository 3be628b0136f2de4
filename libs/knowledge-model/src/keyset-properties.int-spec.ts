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
import { checkModel } from './check-model.js';
import { compileQuery } from './compile-query.js';
import { findJoinPath } from './plan/join-paths.js';
import { createCallerView, type CallerView } from './query/caller-view.js';
import type { CompiledQuery, DataQuery, QueryCaller } from './query/data-query.js';
import { type TextValues, readTextRows } from './testing/queries/answers.js';
import { type RandomChoices, createRandomChoices } from './testing/queries/choices.js';
import { explainDifference } from './testing/queries/compare-answers.js';
import { createRandomRecordQuery } from './testing/queries/random-query.js';
import { createRandomComputedOrder } from './testing/queries/random-values.js';
import { sampleCallers, type RandomWorld, createRandomWorld } from './testing/queries/random-world.js';
import { type CompilePage, type PageWalk, walkPages } from './testing/queries/walk-pages.js';

const schema = 'random "schema" 2';
const worldCount = getRandomRunCount();
const questionsOfWorld = 12;
const simplerMax = 300;

const numbers = (minLength: number, maxLength: number) =>
  fc.noBias(fc.array(fc.nat(), { minLength, maxLength, size: 'max' }));
const questions = fc.noBias(fc.array(numbers(40, 250), { minLength: 1, maxLength: questionsOfWorld, size: 'max' }));

const seen = { walks: 0, pages: 0, nulls: 0, mixed: 0, refused: 0, related: 0, unrelated: 0, computed: 0 };

const note = ({ sort = '' }: DataQuery, { places }: PageWalk): void => {
  seen.walks++;
  seen.pages += places.length;
  seen.nulls += places.filter((place) => place.includes(null)).length;
  if (places.length > 0 && sort.includes('-') && sort.split(',').some((item) => !item.startsWith('-'))) seen.mixed++;
};

type Asked = { readonly query: DataQuery; readonly skip: number; readonly compile: CompilePage };

const randomPages = (choices: RandomChoices, random: RandomWorld): Asked & { readonly caller: QueryCaller } => {
  const checked = checkModel(random.world.definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const [skip, caller, isHidden] = [choices.oneOf([0, 0, 1, 2]), choices.oneOf(sampleCallers), choices.chance(20)];
  const { search, ...asked } = createRandomRecordQuery(choices, random);
  const own = random.fields.filter(({ record }) => record === asked.record).map(({ id }) => id);
  const hidden = isHidden ? (checked.model.recordById.get(asked.record ?? '')?.identifier ?? []) : [];
  const named = (asked.fields === 'all' ? own : asked.fields).filter((id) => !hidden.includes(id));
  const fields = named.length > 0 ? named : own.filter((id) => !hidden.includes(id));
  const query: DataQuery = {
    ...asked,
    fields,
    ...(search && !isHidden && { search }),
    ...((isHidden || choices.chance(60)) && { filterExpressions: [], filterIds: [] }),
    ...(choices.chance(85) && { sort: randomSort(choices, fields) }),
    ...{ page: 0, pageSize: 1 + choices.below(3) },
  };
  const view = without(createCallerView(checked, caller), asked.record ?? '', hidden);
  const beside = !asked.distinct && choices.chance(50) ? choices.some(relatedFields(view, asked.record ?? ''), 4) : [];
  const ordered = !asked.distinct && beside.length === 0 && choices.chance(40);
  const withOthers =
    beside.length > 0
      ? { ...query, relatedFields: beside }
      : ordered
        ? { ...query, ...computedSort(choices, random, view, query) }
        : query;
  return { query: withOthers, skip, caller, compile: (page) => compileQuery(view, page, { schema }) };
};

/** By a value first, perhaps of a related row, and then by what else the question is sorted by. */
const computedSort = (
  choices: RandomChoices,
  { fields }: RandomWorld,
  view: CallerView,
  { record = '', sort }: DataQuery,
): Pick<DataQuery, 'sort' | 'orderValues'> => {
  const near = new Set(relatedFields(view, record));
  const isVisible = ({ record: of, id }: (typeof fields)[number]): boolean =>
    (of === record && view.names.fields.get(of)?.has(id) === true) || near.has(`${of}.${id}`);
  const operands = fields.filter(isVisible).map(({ record: of, id, type }) => ({ name: `${of}.${id}`, type }));
  if (operands.length === 0) return {};
  const items = [`${choices.oneOf(['', '-'])}#1`, ...(sort === undefined ? [] : [sort])];
  seen.computed++;
  return { orderValues: [createRandomComputedOrder(choices, operands)], sort: items.join() };
};

/** Of all records that are one row away by one step. */
const relatedFields = ({ model, names }: CallerView, record: string): readonly string[] =>
  model.records.flatMap(({ id }) => {
    const way = findJoinPath(model.relationships, record, id) ?? [];
    const isNear = way.length === 1 && way[0]?.isToMany === false;
    return isNear ? [...(names.fields.get(id)?.keys() ?? [])].map((field) => `${id}.${field}`) : [];
  });

/** In both directions, and more often than other questions have one. */
const randomSort = (choices: RandomChoices, fields: readonly string[]): string => {
  const names = new Set([choices.oneOf(fields), ...choices.some(fields, 2)]);
  return [...names].map((name) => `${choices.oneOf(['', '-'])}${name}`).join();
};

/** As if a policy hid these fields. */
const without = (view: CallerView, record: string, ids: readonly string[]): CallerView => {
  const { names } = view;
  const left = [...(names.fields.get(record) ?? [])].filter(([id]) => !ids.includes(id));
  return { ...view, names: { ...names, fields: new Map([...names.fields, [record, new Map(left)]]) } };
};

/** Fields of related rows change nothing of the rows that they stand beside, and are null where there is none. */
const faultOfRelated = async (
  client: pg.Client,
  { query: { relatedFields = [], ...query }, skip, compile }: Asked,
  { count, columns, related }: CompiledQuery,
  rows: readonly TextValues[],
): Promise<string | undefined> => {
  if (relatedFields.length === 0) return undefined;
  const alone = compile({ ...query, pageSize: 1_000 });
  if (!alone.ok) return 'the record alone is refused';
  const own = columns.length - relatedFields.length;
  const expected = (await readTextRows(client, alone.value.rows)).slice(skip);
  if (JSON.stringify(expected) !== JSON.stringify(rows.map((row) => row.slice(0, own)))) return 'there are other rows';
  if (JSON.stringify(alone.value.count) !== JSON.stringify(count)) return 'there is another count';
  for (const { record, column } of related)
    for (const row of rows) {
      seen[row[column] === null ? 'unrelated' : 'related']++;
      const isShown = columns.some(({ id }, at) => id.startsWith(`${record}.`) && row[at] !== null);
      if (isShown && row[column] === null) return `${record} is there and is not`;
    }
  return undefined;
};

/** What is wrong with the pages of a question; undefined when they are its rows, each once and in order. */
const faultOfPages = async (client: pg.Client, { query, skip, compile }: Asked): Promise<string | undefined> => {
  const whole = compile({ ...query, pageSize: 1_000 });
  if (!whole.ok) {
    seen.refused++;
    return undefined;
  }
  const { rows, count, columns } = whole.value;
  const answered = (await readTextRows(client, rows)).slice(skip);
  const expected = answered.map((row) => row.slice(0, columns.length));
  const strange = await faultOfRelated(client, { query, skip, compile }, whole.value, answered);
  if (strange !== undefined) return strange;
  const walk = await walkPages(client, compile, query, skip);
  if (!walk) return 'the pages are refused';
  note(query, walk);
  const behind = compile({ ...query, keyset: { skip, after: walk.places.at(-1) ?? [] } });
  if (walk.places.length > 0 && !(behind.ok && JSON.stringify(behind.value.count) === JSON.stringify(count)))
    return 'the count depends on the place';
  const found = walk.rows.map((row) => row.slice(0, columns.length));
  return JSON.stringify(found) === JSON.stringify(expected)
    ? undefined
    : `expected\n${expected.map((row) => JSON.stringify(row)).join('\n')}\ngot\n${found.map((row) => JSON.stringify(row)).join('\n')}`;
};

describe('keyset pages of random queries', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query(`set timezone = 'Asia/Kathmandu'; create schema ${quoteIdentifier(schema)}`);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('contain every row once and in order', async () => {
    let attempts = 0;
    await fc.assert(
      fc.asyncProperty(numbers(600, 1_600), questions, async (world, asked) => {
        if (attempts > 0 && attempts++ > simplerMax) return;
        const random = createRandomWorld(createRandomChoices(world));
        await client.query(`begin; ${random.sqlIn(schema)}`);
        try {
          for (const choices of asked) {
            const pages = randomPages(createRandomChoices(choices), random);
            const fault = await faultOfPages(client, pages).catch((error: unknown) => String(error));
            if (fault === undefined) continue;
            attempts++;
            throw new Error(explainDifference(random, pages, fault));
          }
        } finally {
          await client.query('rollback');
        }
      }),
      { numRuns: worldCount, seed: getRandomSeed(20_261_121) },
    );
    checkCoverage(() => {
      expect(seen.walks).toBeGreaterThan(2.5 * worldCount);
      // A list on one page, with neither nulls nor two directions, proves little.
      expect(seen.pages).toBeGreaterThan(seen.walks / 2);
      expect(seen.nulls).toBeGreaterThan(seen.pages / 10);
      expect(seen.mixed).toBeGreaterThan(worldCount / 6);
      expect(Math.min(seen.related, seen.unrelated)).toBeGreaterThan(0.8 * worldCount);
      expect(seen.computed).toBeGreaterThan(worldCount);
      expect(seen.refused).toBeLessThan(seen.walks / 5);
    });
  });
});
