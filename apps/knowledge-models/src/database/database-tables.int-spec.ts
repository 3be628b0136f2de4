/** Tables of a database beside the platform's own as people make them: views, partitions, keys of several columns, names in any case. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { openDefinitionClient } from '../testing/definition-client.js';
import { type Fixture, type Json, openFixture, readBodyText, readFailure, readJsonAnswer } from '../testing/fixture.js';
import { type ODataClient, openODataClient, readAllPages } from '../testing/odata-client.js';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';

const team = 'meridian';
const asker = { team };

const tables = `
  create schema "Shop ""A""";
  set search_path to "Shop ""A""", public;
  create extension citext;
  create type "State" as enum ('open', 'Closed', 'lost''n found');
  create domain "Price" as numeric(12, 4) check (value >= 0);
  create table "Customers" ("Country" char(4), "No" uuid, "Mail" citext unique, balance money, since timestamptz, score real,
    "Page Id" oid, primary key ("Country", "No"));
  insert into "Customers" values
    ('DE', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'Ada@x.example', 1234.5, 'infinity', 'NaN', 4294967295),
    ('DE', '0b1f6f0e-0000-4000-8000-00000000000a', 'bob@x.example', -0.07, '2024-02-29 23:59:59+00', 0.5, 9),
    ('CH', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'C,"c"', null, null, null, null);
  create table "Orders" (id bigint generated always as identity, day date, country text, customer text, mail citext, state "State",
    price "Price", doubled numeric generated always as (price * 2) stored, primary key (day, id)) partition by range (day);
  create table orders_2024 partition of "Orders" for values from ('2024-01-01') to ('2025-01-01');
  create table orders_other partition of "Orders" default;
  insert into "Orders" (day, country, customer, mail, state, price) values
    ('2024-05-01', 'DE', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'ADA@X.example', 'open', 10.5),
    ('2024-05-02', 'DE', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'ada@x.example', 'lost''n found', 'NaN'),
    ('2023-05-03', 'DE', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'bob@x.example', 'Closed', 3),
    ('2023-05-04', 'CH', 'nobody', null, null, 0.25);
  create view "Late Orders" as select id, upper(state::text) as state, day + 1 as due, array[country, customer] as who from "Orders";
  create materialized view "Totals" as select state, sum(price) filter (where price < 'NaN') as total from "Orders" where state is not null group by 1;
  create materialized view "Never" as select 1 as id with no data;`;

const column = (id: string, name: string, type: 'string' | 'integer' | 'float' | 'date' | 'timestamp' = 'string') => ({
  id,
  column: name,
  type,
});
const shop: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'shop',
  source: { schema: 'Shop "A"', database: 'erp' },
  records: [
    {
      id: 'CUSTOMER',
      table: 'Customers',
      identifier: ['COUNTRY', 'NO'],
      attributes: [
        ...[
          column('COUNTRY', 'Country'),
          column('NO', 'No'),
          column('MAIL', 'Mail'),
          column('PAGE', 'Page Id', 'integer'),
        ],
        ...[
          column('BALANCE', 'balance', 'float'),
          column('SINCE', 'since', 'timestamp'),
          column('SCORE', 'score', 'float'),
        ],
      ],
    },
    {
      id: 'ACCOUNT',
      table: 'Customers',
      identifier: ['MAIL'],
      attributes: [{ ...column('MAIL', 'Mail'), nullable: false }, column('NO', 'No')],
    },
    {
      id: 'ORDER',
      table: 'Orders',
      identifier: ['DAY', 'ID'],
      attributes: [
        ...[column('ID', 'id', 'integer'), column('DAY', 'day', 'date'), column('COUNTRY', 'country')],
        ...[column('BUYER', 'customer'), column('MAIL', 'mail'), column('STATE', 'state')],
        ...[column('PRICE', 'price', 'float'), column('DOUBLED', 'doubled', 'float')],
      ],
    },
    {
      id: 'LATE',
      table: 'Late Orders',
      identifier: ['ID'],
      attributes: [
        column('ID', 'id', 'integer'),
        column('STATE', 'state'),
        column('DUE', 'due', 'date'),
        column('WHO', 'who'),
      ],
    },
    {
      id: 'TOTAL',
      table: 'Totals',
      identifier: ['STATE'],
      attributes: [column('STATE', 'state'), column('SUM', 'total', 'float')],
    },
  ],
  relationships: [
    { from: 'ORDER', to: 'CUSTOMER', on: { COUNTRY: 'COUNTRY', BUYER: 'NO' }, cardinality: 'many-to-one' },
    { from: 'ORDER', to: 'ACCOUNT', on: { MAIL: 'MAIL' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'BALANCES', expression: 'sum(CUSTOMER.BALANCE)' },
    { id: 'PRICES', expression: `sum(ORDER.PRICE) filter (where ORDER.STATE <> 'lost''n found')` },
    { id: 'ORDERS', expression: 'count(ORDER.*)' },
  ],
  filters: [{ id: 'OPEN', expression: "ORDER.STATE eq 'open'" }],
};

let fixture: Fixture;
let foreign: TestDatabase;
let admin: pg.Client;
let client: ToolClient;
let odata: ODataClient;

beforeAll(async () => {
  fixture = await openFixture();
  foreign = await createTestDatabase();
  admin = new pg.Client({ connectionString: foreign.adminUrl });
  await admin.connect();
  await admin.query(tables);
  const { hostname, port, username, password, pathname } = new URL(foreign.adminUrl);
  await admin.query(`create extension postgres_fdw;
    create server far foreign data wrapper postgres_fdw options (host '${hostname}', port '${port}', dbname '${pathname.slice(1)}');
    create user mapping for current_user server far options (user '${username}', password '${password}');
    create foreign table "Far Customers" ("No" uuid, "Mail" text, balance money) server far options (schema_name 'Shop "A"', table_name 'Customers')`);
  const never = { id: 'NEVER', table: 'Never', identifier: ['ID'], attributes: [column('ID', 'id', 'integer')] };
  const far = {
    id: 'FAR',
    table: 'Far Customers',
    identifier: ['NO', 'MAIL'],
    attributes: [column('NO', 'No'), column('MAIL', 'Mail'), column('BALANCE', 'balance', 'float')],
  };
  const policies = [{ record: 'FAR', rows: 'NO in caller.numbers' }];
  await fixture.publish(team, { kind: 'KnowledgeModel', id: 'far', source: shop.source, records: [far], policies });
  await fixture.publish(team, shop, { kind: 'KnowledgeModel', id: 'never', source: shop.source, records: [never] });
  client = openToolClient(fixture, {
    EXTERNAL_DATABASES: JSON.stringify({ erp: { url: foreign.adminUrl, teams: [team], freshnessSeconds: 86_400 } }),
  });
  odata = openODataClient(fixture, client);
});
afterAll(async () => {
  await client.execution.external.onApplicationShutdown();
  await admin.end();
  await foreign.drop();
  await fixture.end();
});

const rows = async (parameters: Readonly<Record<string, unknown>>, record?: string) =>
  (await readJsonAnswer(client.query(asker, 'shop', record, parameters))).content;

it('reads such columns in tables of the platform as well', async () => {
  await fixture.load(team, {
    schema: 'own',
    name: 'things',
    columns: 'id uuid primary key, cost money, place inet, unit char(4)',
    rows: [{ id: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', cost: '12.5', place: '10.0.0.1', unit: 'kg' }],
  });
  const attributes = [
    column('ID', 'id'),
    column('COST', 'cost', 'float'),
    column('PLACE', 'place'),
    column('UNIT', 'unit'),
  ];
  const things = { id: 'THING', table: 'things', identifier: ['ID'], attributes };
  await fixture.publish(team, { kind: 'KnowledgeModel', id: 'things', source: { schema: 'own' }, records: [things] });
  const filterExpr = [
    `ID eq 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' and COST gt 12 and PLACE in ('10.0.0.1') and UNIT eq 'kg'`,
  ];
  expect((await readJsonAnswer(client.query(asker, 'things', 'THING', { filterExpr }))).content).toEqual([
    { ID: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', COST: 12.5, PLACE: '10.0.0.1', UNIT: 'kg' },
  ]);
});

describe('tables of another database', () => {
  it('are read with their own names, keys of several columns and numbers that JSON does not have', async () => {
    const [ada, bob] = ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '0b1f6f0e-0000-4000-8000-00000000000a'];
    const all = await rows({}, 'CUSTOMER');
    expect(all).toEqual([
      { COUNTRY: 'CH', NO: ada, MAIL: 'C,"c"', PAGE: null, BALANCE: null, SINCE: null, SCORE: null },
      {
        COUNTRY: 'DE',
        NO: bob,
        MAIL: 'bob@x.example',
        PAGE: 9,
        BALANCE: -0.07,
        SINCE: '2024-02-29T23:59:59Z',
        SCORE: 0.5,
      },
      { COUNTRY: 'DE', NO: ada, MAIL: 'Ada@x.example', PAGE: 4294967295, BALANCE: 1234.5, SINCE: null, SCORE: null },
    ]);
    const pages = await readAllPages((options) => odata.page(asker, 'shop', 'CUSTOMER', options), {
      prefer: 'odata.maxpagesize=1',
    });
    expect(pages.map(({ value: [{ COUNTRY, NO }] }) => [COUNTRY, NO])).toEqual(
      all.map(({ COUNTRY, NO }: Json) => [COUNTRY, NO]),
    );
    const key = `(COUNTRY='DE',NO='${bob}')`;
    expect(await readJsonAnswer(odata.entry(asker, 'shop', 'CUSTOMER', key))).toMatchObject({
      BALANCE: -0.07,
      PAGE: 9,
    });
    const csv = await client.query(asker, 'shop', 'CUSTOMER', {
      fields: ['MAIL', 'BALANCE', 'SCORE', 'PAGE'],
      $format: 'csv',
    });
    if (!csv.ok) throw new Error(csv.failure.detail);
    const lines = (await readBodyText(csv.value)).split('\r\n');
    expect(lines.sort()).toEqual([
      '',
      '"C,""c""",,,',
      'Ada@x.example,1234.5,,4294967295',
      'MAIL,BALANCE,SCORE,PAGE',
      'bob@x.example,-0.07,0.5,9',
    ]);
  });

  it('are views, materialised views and partitioned tables with domains and generated columns', async () => {
    expect(await rows({ sort: '-ID', pageSize: 1, filterExpr: ['DUE ge 2024-05-01'] }, 'LATE')).toEqual([
      { ID: 2, STATE: "LOST'N FOUND", DUE: '2024-05-03', WHO: '{DE,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}' },
    ]);
    expect(await rows({ fields: ['STATE', 'SUM'], sort: 'STATE' }, 'TOTAL')).toEqual([
      { STATE: 'Closed', SUM: 3 },
      { STATE: "lost'n found", SUM: null },
      { STATE: 'open', SUM: 10.5 },
    ]);
    expect(
      await rows({ fields: ['ORDER.DAY:year', 'ORDER.STATE'], kpis: ['PRICES', 'ORDERS'], filters: ['OPEN'] }),
    ).toEqual([{ 'ORDER.DAY:year': '2024-01-01', 'ORDER.STATE': 'open', PRICES: 10.5, ORDERS: 1 }]);
    expect(await rows({ fields: ['PRICE', 'DOUBLED'] }, 'ORDER')).toEqual([
      { PRICE: 3, DOUBLED: 6 },
      { PRICE: 0.25, DOUBLED: 0.5 },
      { PRICE: 10.5, DOUBLED: 21 },
      { PRICE: null, DOUBLED: null },
    ]);
    const never = await readFailure(client.query(asker, 'never', 'NEVER'));
    expect(never).toMatchObject({ code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('validate it') });
  });

  it('are related by keys of several types, each row once', async () => {
    const related = await rows({ fields: ['ORDER.ID', 'CUSTOMER.BALANCE', 'ACCOUNT.MAIL'], sort: 'ORDER.ID' });
    expect(related).toEqual([
      { 'ORDER.ID': 1, 'CUSTOMER.BALANCE': 1234.5, 'ACCOUNT.MAIL': 'Ada@x.example' },
      { 'ORDER.ID': 2, 'CUSTOMER.BALANCE': 1234.5, 'ACCOUNT.MAIL': 'Ada@x.example' },
      // A text in capitals is another one than that of the uuid.
      { 'ORDER.ID': 3, 'CUSTOMER.BALANCE': null, 'ACCOUNT.MAIL': 'bob@x.example' },
      { 'ORDER.ID': 4, 'CUSTOMER.BALANCE': null, 'ACCOUNT.MAIL': null },
    ]);
    const expanded = await readJsonAnswer(
      odata.page(asker, 'shop', 'ORDER', { $expand: 'CUSTOMER,ACCOUNT', $orderby: 'ID' }),
    );
    expect(expanded.value.map((row: Json) => [row.CUSTOMER?.BALANCE ?? null, row.ACCOUNT?.MAIL ?? null])).toEqual(
      related.map((row: Json) => [row['CUSTOMER.BALANCE'], row['ACCOUNT.MAIL']]),
    );
    const held = await readJsonAnswer(odata.page(asker, 'shop', 'ACCOUNT', { $expand: 'ORDER' }));
    expect(held.value.map(({ MAIL, ORDER }: Json) => [MAIL, ORDER.map(({ ID }: Json) => ID).sort()])).toEqual([
      ['Ada@x.example', [1, 2]],
      ['C,"c"', []],
      ['bob@x.example', [3]],
    ]);
    expect(await rows({ fields: ['CUSTOMER.COUNTRY'], kpis: ['BALANCES', 'ORDERS'] })).toEqual([
      { 'CUSTOMER.COUNTRY': null, BALANCES: null, ORDERS: 2 },
      { 'CUSTOMER.COUNTRY': 'CH', BALANCES: null, ORDERS: 0 },
      { 'CUSTOMER.COUNTRY': 'DE', BALANCES: 1234.43, ORDERS: 2 },
    ]);
  });

  it('take values in other forms that their types read, and tell texts apart by code points', async () => {
    const mailsWhere = async (filterExpr: string) =>
      (await rows({ fields: ['MAIL'], filterExpr: [filterExpr] }, 'CUSTOMER')).map(({ MAIL }: Json) => MAIL);
    expect(await mailsWhere(`NO eq '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}' and COUNTRY eq 'DE '`)).toEqual([
      'Ada@x.example',
    ]);
    expect(await mailsWhere(`MAIL eq 'ada@x.example'`)).toEqual([]);
    expect(await mailsWhere('BALANCE lt 0')).toEqual(['bob@x.example']);
    expect(await mailsWhere('PAGE gt 10')).toEqual(['Ada@x.example']);
    expect(
      (await rows({ fields: ['STATE'], sort: 'STATE', options: ['distinct'] }, 'ORDER')).map(
        ({ STATE }: Json) => STATE,
      ),
    ).toEqual([null, 'Closed', "lost'n found", 'open']);
    expect(
      await rows({ fields: ['STATE'], filterExpr: ["STATE gt 'Closed' and not (STATE in ('open', 'shut'))"] }, 'ORDER'),
    ).toEqual([{ STATE: "lost'n found" }]);
  });

  it('are foreign tables, of which a policy chooses the rows by values that may be none of the type', async () => {
    const mailsOf = async (numbers: readonly string[]) =>
      (await readJsonAnswer(client.query({ team, attributes: { numbers } }, 'far', 'FAR'))).content.map(
        ({ MAIL, BALANCE }: Json) => [MAIL, BALANCE],
      );
    expect(await mailsOf(['0B1F6F0E-0000-4000-8000-00000000000A', 'nobody'])).toEqual([['bob@x.example', -0.07]]);
    expect(await mailsOf(['nobody'])).toEqual([]);
  });

  it('are read by a user who may not use the names of their types', async () => {
    const reader = `reader_${randomUUID().slice(0, 8)}`;
    await admin.query(`create schema hidden; create type hidden.mood as enum ('good', 'bad');
      create table moods (mood hidden.mood primary key, n integer); insert into moods values ('good', 1), ('bad', 2);
      create role ${reader} login password 'only-for-tests'; grant select on moods to ${reader};
      grant usage on schema "Shop ""A""" to ${reader};
      grant execute on function set_config(text, text, boolean) to ${reader}`); // Databases of the platform take it away.
    const url = new URL(foreign.adminUrl);
    url.username = reader;
    url.password = 'only-for-tests';
    const attributes = [column('MOOD', 'mood'), column('N', 'n', 'integer')];
    const mood = { id: 'MOOD', table: 'moods', identifier: ['MOOD'], attributes };
    await fixture.publish(team, {
      kind: 'KnowledgeModel',
      id: 'moods',
      source: { schema: 'Shop "A"', database: 'limited' },
      records: [mood],
    });
    const limited = openToolClient(fixture, {
      EXTERNAL_DATABASES: JSON.stringify({ limited: { url: url.href, teams: [team] } }),
    });
    try {
      const found = await readJsonAnswer(limited.query(asker, 'moods', 'MOOD', { filterExpr: [`MOOD eq 'good'`] }));
      expect(found.content).toEqual([{ MOOD: 'good', N: 1 }]);
    } finally {
      await limited.execution.external.onApplicationShutdown();
      await admin.query(`drop owned by ${reader}; drop role ${reader}`);
    }
  });

  it('are told by their types, and asked by tools', async () => {
    const metadata = await odata.metadata(asker, 'shop', {});
    if (!metadata.ok) throw new Error(metadata.failure.detail);
    const text = await readBodyText(metadata.value);
    const typesOf = ['NO', 'PAGE', 'BALANCE', 'SINCE', 'STATE'].map(
      (name) => new RegExp(`Property Name="${name}" Type="Edm\\.(\\w+)"`).exec(text)?.[1],
    );
    expect(typesOf).toEqual(['String', 'Int64', 'Double', 'DateTimeOffset', 'String']);
    const loaded = await readJsonAnswer(
      client.load(asker, 'shop', {
        columns: ['ORDER.STATE', 'ORDERS'],
        applied_filters: { string_filters: [{ column_id: 'ORDER.STATE', values: ['open', 'no state'] }] },
      }),
    );
    expect(loaded.data_frame_content).toEqual({
      data: [{ 'ORDER.STATE': 'open', ORDERS: 1 }],
      schema: [
        expect.objectContaining({ id: 'ORDER.STATE', type: 'STRING' }),
        expect.objectContaining({ id: 'ORDERS', type: 'INTEGER' }),
      ],
    });
    const driven = await readJsonAnswer(
      client.insights(asker, 'shop', { kpi: 'ORDERS', field_ids: ['ORDER.STATE', 'CUSTOMER.NO'] }),
    );
    expect(driven.insights.length).toBeGreaterThan(0);
  });

  it('are compared with models at apply, which refuses what does not fit by name and type', async () => {
    const applying = openDefinitionClient(fixture, team, client.execution.external);
    const apply = async (attribute: ReturnType<typeof column>) => {
      const records = [
        { id: 'CUSTOMER', table: 'Customers', identifier: ['NO'], attributes: [column('NO', 'No'), attribute] },
      ];
      const refused = await applying.refused([{ ...shop, records, relationships: [], kpis: [], filters: [] }], {
        mode: 'check',
        againstDatabase: true,
      });
      return refused?.faults?.map(({ message }) => message) ?? [];
    };
    const refusedAs = (type: string, told: string) => `"FIELD" is of type ${type}, but the column ${told}`;
    expect(await apply(column('FIELD', 'balance'))).toEqual([
      refusedAs('string', 'balance of type money, which is read as float'),
    ]);
    expect(await apply(column('FIELD', 'No', 'integer'))).toEqual([
      refusedAs('integer', 'No of type uuid, which is read as string'),
    ]);
    expect(await apply(column('FIELD', 'balance', 'float'))).toEqual([]);
  });

  it('answer on when a column gets another type, in the middle of their freshness', async () => {
    const states = () => rows({ fields: ['ID'], filterExpr: [`STATE eq 'open'`], sort: 'ID' }, 'ORDER');
    expect(await states()).toEqual([{ ID: 1 }]);
    await admin.query(`drop view "Late Orders"; drop materialized view "Totals";
      alter table "Orders" alter state type text using state::text; drop type "State"`);
    expect(await rows({ fields: ['ID'], filterExpr: [`STATE in ('open','Closed')`], sort: 'ID' }, 'ORDER')).toEqual([
      { ID: 1 },
      { ID: 3 },
    ]);
  });

  it('are searched for what contains a term without pg_trgm, and say what less precision needs', async () => {
    const search = { fields: ['MAIL'], searchTerm: 'ADA@', searchField: 'MAIL' };
    expect(await rows(search, 'CUSTOMER')).toEqual([{ MAIL: 'Ada@x.example' }]);
    await admin.query('drop extension pg_trgm cascade');
    await client.execution.external.onApplicationShutdown();
    const without = openToolClient(fixture, {
      EXTERNAL_DATABASES: JSON.stringify({ erp: { url: foreign.adminUrl, teams: [team] } }),
    });
    try {
      expect(await readFailure(without.query(asker, 'shop', 'CUSTOMER', search))).toMatchObject({
        code: 'GENERAL_PARAMETER_ILLEGAL',
        detail: expect.stringContaining('ask with searchPrecision=100'),
      });
      const exact = await readJsonAnswer(without.query(asker, 'shop', 'CUSTOMER', { ...search, searchPrecision: 100 }));
      expect(exact.content).toEqual([{ MAIL: 'Ada@x.example' }]);
    } finally {
      await without.execution.external.onApplicationShutdown();
    }
  });
});
