/** Models that could not answer are refused by the apply, each with the place and the right name; what can run is taken. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  valueTypes,
  type KnowledgeModelDefinition,
  type RecordDefinition,
  type TableDefinition,
} from '@tessera/contracts/knowledge-models';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { ExternalDatabases } from '../database/external-databases.js';
import { openDefinitionClient, type DefinitionClient } from '../testing/definition-client.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import type { Definition } from './stored-definitions.js';

const team = 'meridian';
/** Stored and loaded. */
const orderTable: TableDefinition = {
  kind: 'Table',
  schema: 'shop',
  id: 'orders',
  primaryKey: ['order_no'],
  columns: [
    { id: 'order_no', type: 'integer' },
    { id: 'required_date', type: 'date' },
    { id: 'freight', type: 'float' },
    { id: 'ship_country', type: 'string', nullable: false },
    { id: 'booked_at', type: 'timestamp' },
  ],
};
/** Stored, never loaded. */
const customerTable: TableDefinition = {
  kind: 'Table',
  schema: 'shop',
  id: 'customers',
  primaryKey: ['customer_id'],
  columns: [
    { id: 'customer_id', type: 'string' },
    { id: 'since', type: 'datetime' },
  ],
};
/** In no request before. */
const itemTable: TableDefinition = {
  kind: 'Table',
  schema: 'shop',
  id: 'order_items',
  columns: [
    { id: 'item_no', type: 'integer', nullable: false },
    { id: 'quantity', type: 'integer' },
  ],
};

type Attribute = NonNullable<RecordDefinition['attributes']>[number];
const no: Attribute = { id: 'NO', column: 'order_no', type: 'integer' };
const record = (attributes: readonly Attribute[], more: Partial<RecordDefinition> = {}): RecordDefinition => ({
  ...{ id: 'ORDER', table: 'orders', identifier: ['NO'], attributes: [no, ...attributes] },
  ...more,
});
const modelOf = (
  records: RecordDefinition[],
  more: Partial<KnowledgeModelDefinition> = {},
): KnowledgeModelDefinition => ({
  ...{ kind: 'KnowledgeModel', id: 'shop', source: { schema: 'shop' }, records },
  ...more,
});
const orders = (...attributes: readonly Attribute[]): KnowledgeModelDefinition => modelOf([record(attributes)]);
const withColumn = (table: TableDefinition, id: string, change: object): TableDefinition => ({
  ...table,
  columns: table.columns.map((column) => (column.id === id ? { ...column, ...change } : column)),
});
const items = (attributes: readonly Attribute[], more: Partial<RecordDefinition> = {}): KnowledgeModelDefinition =>
  modelOf([{ id: 'ITEM', table: 'order_items', identifier: ['NO'], attributes: [...attributes], ...more }]);
const itemNo: Attribute = { id: 'NO', column: 'item_no', type: 'integer' };
const erp = (attributes: readonly Attribute[], more: Partial<RecordDefinition> = {}, schema = 'Sales') =>
  modelOf([{ id: 'SALE', table: 'Sale Lines', identifier: ['ID'], attributes: [...attributes], ...more }], {
    ...{ id: 'erp', source: { schema, database: 'erp' } },
  });
const saleId: Attribute = { id: 'ID', column: 'Id', type: 'integer' };
const parent = modelOf([record([{ id: 'FREIGHT', column: 'freight', type: 'float' }])], { id: 'base' });
const child = (attributes: Attribute[]): KnowledgeModelDefinition => ({
  ...{ kind: 'KnowledgeModel', id: 'child', extends: 'base', records: [{ id: 'ORDER', attributes }] },
});

let fixture: Fixture;
let foreign: TestDatabase;
let external: ExternalDatabases;
let applying: DefinitionClient;
beforeAll(async () => {
  [fixture, foreign] = await Promise.all([openFixture(), createTestDatabase()]);
  const admin = new pg.Client({ connectionString: foreign.adminUrl });
  await admin.connect();
  await admin.query(`create schema "Sales";
    create table "Sales"."Sale Lines" ("Id" integer primary key, "Net Amount" numeric, note text);
    create view "Sales".open_lines as select * from "Sales"."Sale Lines" where note is null`);
  await admin.end();
  const teams = [team];
  external = new ExternalDatabases(
    {
      erp: { url: foreign.adminUrl, teams, freshnessSeconds: 60, connectionsMax: 2 },
      away: { url: 'postgres://reader:secret@127.0.0.1:1/erp', teams, freshnessSeconds: 60, connectionsMax: 2 },
    },
    { statementTimeoutMs: 5_000, onIdleError: () => undefined },
  );
  applying = openDefinitionClient(fixture, team, external);
  await applying.applied([orderTable, customerTable, parent]);
  await fixture.load(team, {
    ...{ schema: 'shop', name: 'orders', rows: [{ order_no: 1, ship_country: 'DE' }] },
    columns: `order_no bigint primary key, required_date date, freight numeric, ship_country text not null, booked_at timestamptz`,
  });
});
afterAll(async () => {
  await external?.onApplicationShutdown();
  await foreign?.drop();
  await fixture?.end();
});

const faultsOf = async (definitions: readonly Definition[], options: object = {}): Promise<readonly string[]> =>
  ((await applying.refused(definitions, options))?.faults ?? []).map(({ path, message }) => `${path}: ${message}`);

const attribute = 'records.0.attributes';
const cases: readonly (readonly [name: string, definitions: readonly Definition[], ...faults: readonly string[]])[] = [
  [
    'a column that its table in the same request does not have',
    [itemTable, items([itemNo, { id: 'Q', column: 'quantty', type: 'integer' }])],
    `definitions.1.${attribute}.1.column: unknown column of order_items "quantty"; did you mean "quantity"?`,
  ],
  [
    'a column that a table of an earlier request does not have',
    [orders({ id: 'REQUIRED', column: 'requireddat', type: 'date' })],
    `definitions.0.${attribute}.1.column: unknown column of orders "requireddat"; did you mean "required_date"?`,
  ],
  [
    'a column of a table that was never loaded',
    [
      modelOf([
        { ...{ id: 'C', table: 'customers', identifier: ['ID'] }, attributes: [{ id: 'ID', column: 'customerid' }] },
      ]),
    ],
    `definitions.0.${attribute}.0.column: unknown column of customers "customerid"; did you mean "customer_id"?`,
  ],
  [
    'a table that is called otherwise',
    [itemTable, items([itemNo], { table: 'order_item' })],
    'definitions.1.records.0.table: unknown table of shop "order_item"; did you mean "order_items"?',
  ],
  [
    'a table of nobody',
    [modelOf([record([], { table: 'invoices' })])],
    'definitions.0.records.0.table: unknown table of shop "invoices"; expected one of orders, customers',
  ],
  [
    'a schema that is called otherwise',
    [modelOf([record([])], { source: { schema: 'shops' } })],
    'definitions.0.source.schema: unknown schema "shops"; did you mean "shop"?',
  ],
  [
    'a table whose name is a statement',
    [modelOf([record([], { table: 'orders"; select 1; --' })])],
    'definitions.0.records.0.table: unknown table of shop "orders"; select 1; --"; expected one of orders, customers',
  ],
  [
    'a column in capitals',
    [orders({ id: 'FREIGHT', column: 'FREIGHT', type: 'float' })],
    `definitions.0.${attribute}.1.column: unknown column of orders "FREIGHT"; did you mean "freight"?`,
  ],
  [
    'a text that is read as a number',
    [orders({ id: 'COUNTRY', column: 'ship_country', type: 'integer' })],
    `definitions.0.${attribute}.1.type: "COUNTRY" is of type integer, but the column ship_country of type text, which is read as string`,
  ],
  [
    'a number with a fraction that is read as a whole one',
    [orders({ id: 'FREIGHT', column: 'freight', type: 'integer' })],
    `definitions.0.${attribute}.1.type: "FREIGHT" is of type integer, but the column freight of type numeric, which is read as float`,
  ],
  [
    'a date without a type, which is read as a text',
    [orders({ id: 'REQUIRED', column: 'required_date' })],
    `definitions.0.${attribute}.1: "REQUIRED" is of type string, but the column required_date of type date, which is read as date`,
  ],
  [
    'an instant that is read as a time of somewhere',
    [orders({ id: 'BOOKED', column: 'booked_at', type: 'datetime' })],
    `definitions.0.${attribute}.1.type: "BOOKED" is of type datetime, but the column booked_at of type timestamp with time zone, which is read as timestamp`,
  ],
  [
    'a column that always has a value, but may have none',
    [orders({ id: 'FREIGHT', column: 'freight', type: 'float', nullable: false })],
    `definitions.0.${attribute}.1.nullable: "FREIGHT" always has a value, but the column freight may be without; leave \`nullable: false\` out here, or say it of the column`,
  ],
  [
    'an identifier that may have no value',
    [modelOf([record([{ id: 'FREIGHT', column: 'freight', type: 'float' }], { identifier: ['FREIGHT'] })])],
    `definitions.0.${attribute}.1: "FREIGHT" always has a value, but the column freight may be without; make it part of the primary key of its table, or \`nullable: false\` there`,
  ],
  [
    'several at once, in several models',
    [
      orders({ id: 'A', column: 'fright', type: 'float' }, { id: 'B', column: 'booked_at', type: 'date' }),
      modelOf([record([], { table: 'order' })], { id: 'other' }),
    ],
    `definitions.0.${attribute}.1.column: unknown column of orders "fright"; did you mean "freight"?`,
    `definitions.0.${attribute}.2.type: "B" is of type date, but the column booked_at of type timestamp with time zone, which is read as timestamp`,
    'definitions.1.records.0.table: unknown table of shop "order"; did you mean "orders"?',
  ],
  [
    'what a child says of a column of its base',
    [child([{ id: 'FREIGHT', column: 'fraight' }])],
    `definitions.0.${attribute}.0.column: unknown column of orders "fraight"; did you mean "freight"?`,
  ],
  [
    'a fault of a base, which is told there and not again of its child',
    [{ ...parent, id: 'base', records: [record([{ id: 'FREIGHT', column: 'fraight', type: 'float' }])] }, child([])],
    `definitions.0.${attribute}.1.column: unknown column of orders "fraight"; did you mean "freight"?`,
  ],
  [
    'a column that the same request takes away',
    [
      { ...orderTable, columns: orderTable.columns.filter(({ id }) => id !== 'booked_at') },
      orders({ id: 'BOOKED', column: 'booked_at', type: 'timestamp' }),
    ],
    `definitions.1.${attribute}.1.column: unknown column of orders "booked_at"; expected one of order_no, required_date, freight, ship_country`,
  ],
  [
    'a column that the same request calls otherwise',
    [
      withColumn(orderTable, 'booked_at', { id: 'placed', formerly: 'booked_at' }),
      orders({ id: 'BOOKED', column: 'booked_at', type: 'timestamp' }),
    ],
    `definitions.1.${attribute}.1.column: "BOOKED" reads booked_at, which has another name now; did you mean "placed"?`,
  ],
  [
    'a new column that always has a value, before rows have one',
    [
      { ...orderTable, columns: [...orderTable.columns, { id: 'weight', type: 'float', nullable: false }] },
      orders({ id: 'WEIGHT', column: 'weight', type: 'float', nullable: false }),
    ],
    `definitions.1.${attribute}.1.nullable: "WEIGHT" always has a value, but the column weight may be without until the next load; leave \`nullable: false\` out here, load the table, and then say it`,
  ],
  [
    'a column whose rows have the type from before',
    [
      withColumn(orderTable, 'required_date', { type: 'datetime' }),
      orders({ id: 'REQUIRED', column: 'required_date', type: 'datetime' }),
    ],
    `definitions.1.${attribute}.1.type: "REQUIRED" is of type datetime, but the column required_date of type date until the next load; give the column of the new type another name, load it, and then let the model read that one`,
  ],
  [
    'a table of an external database that is called otherwise',
    [erp([saleId], { table: 'Sale Line' })],
    'definitions.0.records.0.table: unknown table of Sales "Sale Line"; did you mean "Sale Lines"?',
  ],
  [
    'a column of an external database in another case, and one of another type',
    [
      erp([
        { ...saleId, column: 'id' },
        { id: 'AMOUNT', column: 'Net Amount', type: 'integer' },
      ]),
    ],
    `definitions.0.${attribute}.0.column: unknown column of Sale Lines "id"; did you mean "Id"?`,
    `definitions.0.${attribute}.1.type: "AMOUNT" is of type integer, but the column Net Amount of type numeric, which is read as float`,
  ],
  [
    'a schema of an external database in another case',
    [erp([saleId], {}, 'sales')],
    'definitions.0.source.schema: unknown schema "sales"; did you mean "Sales"?',
  ],
  [
    'an external database that cannot be reached',
    [{ ...erp([saleId]), source: { schema: 'Sales', database: 'away' } }],
    'definitions.0.source.database: the database "away" cannot be reached, so its tables were not compared; try again when it can',
  ],
  [
    'a table of another schema of the team',
    [{ ...itemTable, schema: 'store' }, items([itemNo])],
    'definitions.1.records.0.table: unknown table of shop "order_items"; expected one of orders, customers',
  ],
  [
    'what a load has staged',
    [modelOf([record([], { table: 'orders~0123456789ab' })])],
    'definitions.0.records.0.table: unknown table of shop "orders~0123456789ab"; expected one of orders, customers',
  ],
  [
    'a child that reads the columns of its base in another table',
    [{ ...child([]), records: [{ id: 'ORDER', table: 'customers' }] }],
    'definitions.0.records.0: unknown column of customers "order_no"; expected one of customer_id, since',
    'definitions.0.records.0: unknown column of customers "freight"; expected one of customer_id, since',
  ],
  [
    'an identifier that is no key any more',
    [{ ...orderTable, primaryKey: ['ship_country'] }, orders()],
    `definitions.1.${attribute}.0: "NO" always has a value, but the column order_no may be without; make it part of the primary key of its table, or \`nullable: false\` there`,
  ],
  [
    'a column of an external database that may have no value',
    [erp([saleId, { id: 'NOTE', column: 'note', nullable: false }])],
    `definitions.0.${attribute}.1.nullable: "NOTE" always has a value, but the column note may be without; leave \`nullable: false\` out here, or say it of the column`,
  ],
];

describe('a model that cannot run', () => {
  it('is one of thirty kinds', () => {
    expect(cases).toHaveLength(30);
  });

  it.each(cases)('is refused for %s', async (_name, definitions, ...faults) => {
    const before = await applying.exported();
    for (const mode of ['publish', 'draft', 'check'] as const)
      expect([mode, await faultsOf(definitions, { mode })]).toEqual([mode, faults]);
    expect(await applying.exported()).toEqual(before);
  });

  it('is refused for each type that its column does not have', async () => {
    const attributes = valueTypes.map((type, index): Attribute => ({ id: `A${index}`, column: 'order_no', type }));
    expect((await faultsOf([orders(...attributes)])).map((fault) => fault.replace(/:.*/, ''))).toEqual(
      valueTypes.flatMap((type, index) => (type === 'integer' ? [] : [`definitions.0.${attribute}.${index + 1}.type`])),
    );
  });

  it('is refused in another team, whose tables it does not have', async () => {
    const northgate = openDefinitionClient(fixture, 'northgate', external);
    expect((await northgate.refused([orders()]))?.faults).toEqual([
      { in: 'body', path: 'definitions.0.records.0.table', rule: 'unknown', message: 'unknown table of shop "orders"' },
    ]);
  });
});

describe('a model that can run', () => {
  it('is taken with a table of its request, one that was defined before, and one that only PostgreSQL knows', async () => {
    const customers = {
      id: 'CUSTOMER',
      table: 'customers',
      identifier: ['ID'],
      attributes: [{ id: 'ID', column: 'customer_id' }],
    };
    expect(await faultsOf([items([itemNo]), itemTable], { mode: 'check' })).toEqual([]);
    expect(await faultsOf([modelOf([record([]), customers])], { mode: 'check' })).toEqual([]);
    await fixture.load('southgate', { schema: 'shop', name: 'Plain Notes', columns: 'no text primary key', rows: [] });
    const notes = modelOf([
      { id: 'N', table: 'Plain Notes', identifier: ['NO'], attributes: [{ id: 'NO', column: 'no' }] },
    ]);
    expect(await openDefinitionClient(fixture, 'southgate').refused([notes])).toBeUndefined();
  });

  it('is taken with the tables of an external database, and with its views, of which nobody knows which columns have values', async () => {
    const fields: readonly Attribute[] = [saleId, { id: 'AMOUNT', column: 'Net Amount', type: 'float' }];
    expect(await faultsOf([erp(fields)])).toEqual([]);
    expect(await faultsOf([erp(fields, { table: 'open_lines' })], { mode: 'check' })).toEqual([]);
  });

  it('is not compared again with an external database while it is as it was, unless that is asked for', async () => {
    const fields: readonly Attribute[] = [saleId, { id: 'NOTE', column: 'note' }];
    await applying.applied([erp(fields)]);
    const gone = new ExternalDatabases(
      { erp: { url: 'postgres://reader@127.0.0.1:1/erp', teams: [team], freshnessSeconds: 60, connectionsMax: 2 } },
      { statementTimeoutMs: 5_000, onIdleError: () => undefined },
    );
    const later = openDefinitionClient(fixture, team, gone);
    expect((await later.applied([erp(fields)])).definitions[0]?.state).toBe('unchanged');
    const unreachable = [expect.objectContaining({ path: 'definitions.0.source.database', rule: 'unreachable' })];
    expect((await later.refused([erp(fields)], { mode: 'check', againstDatabase: true }))?.faults).toEqual(unreachable);
    expect((await later.refused([erp([saleId])]))?.faults).toEqual(unreachable);
    await gone.onApplicationShutdown();
  });
});
