/**
 * Columns of every type that PostgreSQL stores, in a database beside the platform's own, on every way out. What is expected is said by
 * SQL by hand: the text that PostgreSQL shows for the value, its order by code points, its equality as text.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { databaseTypes, type DataQuery } from '@tessera/knowledge-model';
import { quoteIdentifier } from '@tessera/sql';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import {
  callerContextOf,
  type Fixture,
  type Json,
  openFixture,
  readBodyText,
  readFailure,
  readJsonAnswer,
} from '../testing/fixture.js';
import { type ODataClient, openODataClient, readAllPages } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { ownTypeCases, ownTypesText, systemTypeCases } from '../testing/stored-types.js';

const team = 'meridian';
const asker = { team };
const schema = 'Own "Types"';

let fixture: Fixture;
let foreign: TestDatabase;
let admin: pg.Client;
let client: QueryClient;
let odata: ODataClient;

const cases = [...systemTypeCases, ...ownTypeCases(schema)].map((each, at) => ({ ...each, at }));
type Case = (typeof cases)[number];
const tableOf = (kind: 'Rows' | 'keys', { at }: Case): string => `${quoteIdentifier(schema)}."${kind} ${at}"`;
const modelId = ({ at }: Case): string => `type-${at}`;

/** Text as rows show it; of `char(n)` without the blanks that fill it up. */
const shown = ({ type }: Case): string =>
  `case when num_nulls("The value") = 0 then ${type === 'char(5)' ? `rtrim("The value")` : `format('%s', "The value")`} end`;

const modelOf = (each: Case): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id: modelId(each),
  source: { schema, database: 'erp' },
  records: [
    {
      id: 'ROW',
      table: `Rows ${each.at}`,
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'Row "No"', type: 'integer' },
        { id: 'VALUE', column: 'The value' },
        { id: 'TEXT', column: 'text' },
      ],
      augmentedAttributes: [{ id: 'SAME', expression: 'VALUE = TEXT', type: 'boolean' }],
    },
    {
      id: 'KEY',
      table: `keys ${each.at}`,
      identifier: ['VALUE'],
      attributes: [
        { id: 'VALUE', column: 'The value' },
        { id: 'N', column: 'n', type: 'integer' },
      ],
    },
    {
      id: 'LINK',
      table: `keys ${each.at}`,
      identifier: ['VALUE'],
      attributes: [
        { id: 'VALUE', column: 'The value' },
        { id: 'N', column: 'n', type: 'integer' },
      ],
    },
  ],
  relationships: [
    { from: 'ROW', to: 'KEY', on: { VALUE: 'VALUE' }, cardinality: 'many-to-one' },
    { from: 'ROW', to: 'LINK', on: { TEXT: 'VALUE' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'ROWS', expression: 'count(ROW.*)' },
    { id: 'VALUES', expression: 'count(distinct ROW.VALUE)' },
    { id: 'LAST', expression: 'max(ROW.VALUE)' },
  ],
});

/** Rows: each value, the first once more, and none. Keys: each value, with an index where its type has one. */
const createTables = async (each: Case): Promise<void> => {
  const [rows, keys] = [tableOf('Rows', each), tableOf('keys', each)];
  await admin.query(`create table ${rows} ("Row ""No""" integer generated always as identity primary key,
      "The value" ${each.type}, text text);
    create table ${keys} ("The value" ${each.type}, n integer)`);
  const [first] = each.values;
  for (const value of [...each.values, ...(first === undefined ? [] : [first])])
    await admin.query(`insert into ${rows} ("The value") select cast($1::text as ${each.type})`, [value]);
  if (!each.hasNoNulls) await admin.query(`insert into ${rows} ("The value") values (null)`);
  await admin.query(`update ${rows} set text = ${shown(each)}`);
  for (const [n, value] of each.values.entries())
    await admin.query(`insert into ${keys} select cast($1::text as ${each.type}), $2`, [value, n + 1]);
  await admin.query(`alter table ${keys} add primary key ("The value")`).catch(() => undefined);
};

beforeAll(async () => {
  fixture = await openFixture();
  foreign = await createTestDatabase();
  admin = new pg.Client({ connectionString: foreign.adminUrl, options: '-c timezone=UTC -c datestyle=ISO' });
  await admin.connect();
  await admin.query(`create schema ${quoteIdentifier(schema)}; ${ownTypesText(schema)}`);
  for (const each of cases) await createTables(each);
  await fixture.publish(team, ...cases.filter(({ field }) => field === 'string').map(modelOf));
  client = openQueryClient(fixture, {
    EXTERNAL_DATABASES: JSON.stringify({ erp: { url: foreign.adminUrl, teams: [team] } }),
  });
  odata = openODataClient(fixture, client);
});
afterAll(async () => {
  await client.execution.external.onApplicationShutdown();
  await admin.end();
  await foreign.drop();
  await fixture.end();
});

const sql = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await admin.query({ text, values: [...values], rowMode: 'array' })).rows as Row[];
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

it('has values of every type that PostgreSQL stores', async () => {
  const names = await sql<[string]>(
    `select typname::text from pg_type where typnamespace = 'pg_catalog'::regnamespace and typtype not in ('p', 'c')
      and not (typcategory = 'A' and typelem <> 0 and typname like '\\_%') order by typname collate "C"`,
  );
  expect(names.flat().filter((name) => !systemTypeCases.some((each) => each.name === name))).toEqual([]);
});

describe.each(cases.filter(({ field }) => field === 'string'))('a column of $type', (each) => {
  const model = modelId(each);
  const rows = tableOf('Rows', each);
  const value = shown(each);
  const no = '"Row ""No"""';
  const numbersOf = async (where: string, values: readonly unknown[] = []) =>
    (await sql<[number]>(`select ${no} from ${rows} where ${where} order by 1`, values)).flat();
  const asked = async (parameters: Readonly<Record<string, unknown>>, record?: string) =>
    (await readJsonAnswer(client.query(asker, model, record, parameters))).content;
  const numbersWhere = async (filterExpr: string) =>
    (await asked({ fields: ['NO'], filterExpr: [filterExpr] }, 'ROW')).map(({ NO }: Json) => NO);
  const texts = async (): Promise<string[]> =>
    (
      await sql<[string]>(
        `select distinct ${value} collate "C" from ${rows} where num_nulls("The value") = 0 order by 1`,
      )
    ).flat();

  it('is read as the text that PostgreSQL shows, and computed with', async () => {
    const expected = await sql<[number, string | null]>(`select ${no}, ${value} from ${rows} order by 1`);
    expect(await asked({}, 'ROW')).toEqual(
      expected.map(([NO, VALUE]) => ({ NO, VALUE, TEXT: VALUE, SAME: VALUE === null ? null : true })),
    );
  });

  it('is compared', async () => {
    for (const text of (await texts()).slice(0, 1)) {
      const is = `${value} = $1`;
      expect(await numbersWhere(`VALUE eq ${quoted(text)}`)).toEqual(await numbersOf(is, [text]));
      expect(await numbersWhere(`VALUE ne ${quoted(text)}`)).toEqual(await numbersOf(`(${is}) is not true`, [text]));
      expect(await numbersWhere(`VALUE gt ${quoted(text)}`)).toEqual(
        await numbersOf(`${value} collate "C" > $1`, [text]),
      );
      expect(await numbersWhere(`VALUE in (${quoted(text)},'no value of any type')`)).toEqual(
        await numbersOf(is, [text]),
      );
    }
    expect(await numbersWhere(`VALUE eq 'no value of any type'`)).toEqual([]);
    expect(await numbersWhere(`VALUE ne 'no value of any type'`)).toEqual(await numbersOf('true'));
    expect(await numbersWhere('VALUE eq null')).toEqual(await numbersOf('num_nulls("The value") = 1'));
  });

  it('groups KPIs', async () => {
    const expected = await sql<[string | null, string]>(
      `select ${value} collate "C", count(*) from ${rows} group by 1 order by 1 nulls first`,
    );
    expect(await asked({ fields: ['ROW.VALUE'], kpis: ['ROWS'] })).toEqual(
      expected.map(([text, count]) => ({ 'ROW.VALUE': text, ROWS: Number(count) })),
    );
    const [all = []] = await sql<[string, string | null]>(
      `select count(distinct ${value}), max(${value} collate "C") from ${rows}`,
    );
    expect(await asked({ kpis: ['VALUES', 'LAST'] })).toEqual([{ VALUES: Number(all[0]), LAST: all[1] }]);
  });

  it('is searched and summarised', async () => {
    const [first] = (await texts()).filter((text) => text !== '');
    if (first !== undefined) {
      const found = await asked(
        { fields: ['NO'], searchTerm: first, searchField: 'VALUE', searchPrecision: 100 },
        'ROW',
      );
      expect(found.map(({ NO }: Json) => NO)).toEqual(
        await numbersOf(`position(lower($1) in lower(${value})) > 0`, [first]),
      );
    }
    const { summary } = await readJsonAnswer(client.summary(asker, model, 'ROW', { fields: ['VALUE'] }));
    const [top] = await sql<[string, string]>(
      `select ${value} collate "C", count(*) from ${rows} where num_nulls("The value") = 0 group by 1 order by 2 desc, 1 limit 1`,
    );
    const [[count, unique] = ['', '']] = await sql<[string, string]>(
      `select count(${value}), count(distinct ${value}) from ${rows}`,
    );
    expect(summary.VALUE).toEqual({
      count: Number(count),
      unique: Number(unique),
      ...(top ? { top: top[0], freq: top[1] } : { top: null, freq: '0' }),
    });
  });

  it('orders pages that go on behind a key, and is saved as CSV', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const pages = await readAllPages((options) => odata.page(asker, model, 'ROW', options), {
        $orderby: `VALUE ${direction}`,
        $select: 'NO',
        prefer: 'odata.maxpagesize=1',
      });
      const expected = await sql<[number]>(
        `select ${no} from ${rows} order by ${value} collate "C" ${direction} nulls ${direction === 'asc' ? 'first' : 'last'}, 1 ${direction}`,
      );
      expect(pages.flatMap((page) => page.value.map(({ NO }: Json) => NO))).toEqual(expected.flat());
    }
    const lines = await sql<[number, string | null]>(`select ${no}, ${value} from ${rows} order by 1`);
    const cell = (text: string | null): string =>
      text === null ? '' : text === '' || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const expected = ['NO,VALUE', ...lines.map(([number, text]) => `${number},${cell(text)}`)];
    for (const page of [{}, { pageSize: 100 }]) {
      const csv = await client.query(asker, model, 'ROW', {
        fields: ['NO', 'VALUE'],
        $format: 'csv',
        sort: 'NO',
        ...page,
      });
      if (!csv.ok) throw new Error(csv.failure.detail);
      expect((await readBodyText(csv.value)).trimEnd().split('\r\n')).toEqual(expected);
    }
  });

  it('is the key of entries, and of relationships with its own type and with text', async () => {
    const keys = await sql<[string, number]>(`select ${value} collate "C", n from ${tableOf('keys', each)} order by 1`);
    const pages = await readAllPages((options) => odata.page(asker, model, 'KEY', options), {
      prefer: 'odata.maxpagesize=1',
    });
    expect(pages.flatMap((page) => page.value.map(({ VALUE, N }: Json) => [VALUE, N]))).toEqual(keys);
    const related = await sql<[number, number | null]>(
      `select ${no}, k.n from ${rows} r left join (select n, ${value} as shown from ${tableOf('keys', each)}) k on k.shown = r.text order by 1`,
    );
    for (const record of ['KEY', 'LINK']) {
      const entries = await asked({ fields: ['ROW.NO', `${record}.N`], sort: 'ROW.NO' });
      expect(entries.map((row: Json) => [row['ROW.NO'], row[`${record}.N`]])).toEqual(related);
      const expanded = await readJsonAnswer(odata.page(asker, model, 'ROW', { $expand: record, $orderby: 'NO' }));
      expect(expanded.value.map((row: Json) => [row.NO, row[record]?.N ?? null])).toEqual(related);
      for (const [text, n] of keys.slice(-1)) {
        const key = `(${quoted(text)})`;
        expect((await readJsonAnswer(odata.entry(asker, model, record, key))).N).toBe(n);
        const numbers = related.filter(([, found]) => found === n).map(([number]) => number);
        const followed = await readJsonAnswer(odata.follow(asker, model, [record, key, 'ROW']));
        expect(followed.value.map(({ NO }: Json) => NO)).toEqual(numbers);
        const among = await readJsonAnswer(
          odata.page(asker, model, record, { $filter: `ROW/any(r: r/NO eq ${numbers[0]})` }),
        );
        expect(among.value.map(({ N }: Json) => N)).toEqual([n]);
        const held = await readJsonAnswer(odata.page(asker, model, record, { $expand: 'ROW', $filter: `N eq ${n}` }));
        expect(held.value[0].ROW.map(({ NO }: Json) => NO)).toEqual(numbers);
      }
    }
    const none = await readFailure(odata.entry(asker, model, 'KEY', "('no value of any type')"));
    expect(none).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    const applied = await readJsonAnswer(
      odata.page(asker, model, 'ROW', { $apply: 'groupby((VALUE,KEY/N),aggregate($count as COUNT))' }),
    );
    const groups = await sql<[string | null, string]>(
      `select ${value} collate "C", count(*) from ${rows} group by 1 order by 1 nulls first`,
    );
    expect(applied.value.map(({ VALUE, COUNT }: Json) => [VALUE, String(COUNT)])).toEqual(groups);
  });
});

const indexed = ['uuid', 'macaddr', 'macaddr8', 'varbit', 'bytea', 'inet', 'cidr', 'bpchar', 'pg_lsn', 'timetz'].map(
  (name) => `pg_catalog."${name}"`,
);
const isIndexed = ({ type }: Case): boolean =>
  [
    ...indexed,
    'char(5)',
    'citext',
    'bit(3)',
    `${quoteIdentifier(schema)}."Mood ""x"""`,
    `${quoteIdentifier(schema)}."Id"`,
  ].includes(type);

describe.each(cases.filter(isIndexed))('an index on a column of $type', (each) => {
  const [value = ''] = each.values;
  const plain = { kpis: [], filterIds: [], filterExpressions: [], distinct: false, page: 0, pageSize: 10 };
  /** With nothing but indexes to find rows by. */
  const planOf = async (query: Pick<DataQuery, 'fields'> & Partial<DataQuery>): Promise<string> => {
    const prepared = await client.models.prepare(callerContextOf(team).caller, modelId(each), ({ compile }) =>
      compile({ ...plain, ...query }),
    );
    if (!prepared.ok) throw new Error(prepared.failure.detail);
    const { text, values } = prepared.value.compiled.rows;
    await admin.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off');
    const { rows } = await admin.query(`explain ${text}`, [...values]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const found = /Index Cond: \(+"The value"(?:\)::\w+)? = /;

  it('finds values, links and related rows', async () => {
    const record = { record: 'KEY', fields: ['N'] };
    expect(await planOf({ ...record, filterExpressions: [`VALUE eq ${quoted(value)}`] })).toMatch(found);
    expect(await planOf({ ...record, filterExpressions: [`VALUE in (${quoted(value)},'x')`] })).toMatch(found);
    expect(await planOf({ ...record, linkedFrom: { kind: 'page', record: 'ROW', links: [[value]] } })).toMatch(found);
    for (const related of ['KEY', 'LINK'])
      expect(await planOf({ fields: ['ROW.NO', `${related}.N`], filterExpressions: ['ROW.NO eq 1'] })).toMatch(found);
  });

  it('orders pages where its order is that of the texts', async () => {
    const shownType = each.type.includes('Id')
      ? 'uuid'
      : /bit/.test(each.type)
        ? 'bit'
        : /"(\w+)"$/.exec(each.type)?.[1];
    const isOrdered = databaseTypes.get(shownType ?? '')?.isOrderedAsText === true;
    const query = { record: 'KEY', fields: ['VALUE'] };
    expect(/Sort/.test(await planOf(query))).toBe(!isOrdered);
    const behind = await planOf({ ...query, keyset: { skip: 0, after: [value] } });
    expect(/Index Cond: \(+"The value"(?:\)::\w+)? > /.test(behind)).toBe(isOrdered);
  });
});
