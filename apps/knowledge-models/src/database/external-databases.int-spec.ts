import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { readTeamRowsInBatches } from '@tessera/persistence';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { readJsonAnswer, openFixture, readFailure, type Fixture } from '../testing/fixture.js';

const erp = (database: string): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id: database,
  source: { schema: 'Sales "ERP"', database },
  records: [
    {
      id: 'SALE',
      table: 'sale',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'AT', column: 'at', type: 'timestamp' },
      ],
    },
  ],
  kpis: [{ id: 'VALUE', expression: 'sum(SALE.AMOUNT)' }],
});

let fixture: Fixture;
let foreign: TestDatabase;
let admin: pg.Client;
let queryClient: QueryClient;
let nowMs = 1_000_000;

const secret = 'very-secret-password';

beforeAll(async () => {
  fixture = await openFixture();
  foreign = await createTestDatabase();
  admin = new pg.Client({ connectionString: foreign.adminUrl });
  await admin.connect();
  await admin.query(`create schema "Sales ""ERP""";
    create table "Sales ""ERP""".sale (id integer primary key, amount double precision, at timestamptz);
    insert into "Sales ""ERP""".sale values (1, 0.1, '2026-01-31T12:00:00Z'), (2, 'NaN', 'infinity')`);
  for (const team of ['meridian', 'northgate'])
    await fixture.publish(team, erp('erp'), erp('away'), erp('gone'), erp('closed'));
  const databases = {
    erp: { url: foreign.adminUrl, teams: ['meridian'], freshnessSeconds: 60 },
    away: { url: `postgres://reader:${secret}@127.0.0.1:1/erp`, teams: ['meridian'] },
    closed: { url: foreign.adminUrl.replace(/[^/]+$/, 'no-such-database'), teams: ['meridian'] },
  };
  queryClient = openQueryClient(fixture, { EXTERNAL_DATABASES: JSON.stringify(databases) }, { nowMs: () => nowMs });
});
afterAll(async () => {
  await queryClient.execution.external.onApplicationShutdown();
  await admin.end();
  await foreign.drop();
  await fixture.end();
});

const rows = (team: string, model: string) => queryClient.query({ team }, model, 'SALE');

describe('a model of an external database', () => {
  it('returns the rows of that database', async () => {
    expect((await readJsonAnswer(rows('meridian', 'erp'))).content).toEqual([
      { ID: 1, AMOUNT: 0.1, AT: '2026-01-31T12:00:00Z' },
      { ID: 2, AMOUNT: null, AT: null },
    ]);
  });

  it('is answered from the cache until its freshness expires', async () => {
    const total = async () => (await readJsonAnswer(rows('meridian', 'erp'))).total;
    nowMs = 1_200_000;
    expect(await total()).toBe(2);
    await admin.query(`insert into "Sales ""ERP""".sale values (3, 1, null)`);
    nowMs += 59_000;
    expect(await total()).toBe(2);
    nowMs += 1_000;
    expect(await total()).toBe(3);
  });

  it('is read in a read-only session', async () => {
    const source = queryClient.execution.external.find('erp', 'meridian');
    if (!source) throw new Error('The database is not there.');
    const signal = new AbortController().signal;
    const written = readTeamRowsInBatches(
      source.pool,
      { team: 'sales', text: `delete from "Sales ""ERP""".sale`, values: [] },
      signal,
    );
    await expect(written).rejects.toThrow('read-only transaction');
    await expect(source.pool.query(`delete from "Sales ""ERP""".sale`)).rejects.toThrow('read-only transaction');
  });

  it('is unavailable to a team that the operator has not listed, and when its database name is unknown', async () => {
    for (const [team, model] of [
      ['northgate', 'erp'],
      ['meridian', 'gone'],
    ] as const)
      expect(await readFailure(rows(team, model))).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        detail: expect.stringContaining('is not configured'),
      });
    const { external } = queryClient.execution;
    expect([
      external.has('erp', 'meridian'),
      external.has('erp', 'northgate'),
      external.has('gone', 'meridian'),
    ]).toEqual([true, false, false]);
    expect([external.namesFor('meridian'), external.namesFor('northgate')]).toEqual([['erp', 'away', 'closed'], []]);
  });

  it('is unavailable while its database is down, and the error message contains no address', async () => {
    const failure = await readFailure(rows('meridian', 'away'));
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(JSON.stringify(failure)).not.toMatch(/secret|127\.0\.0\.1|reader/);
  });

  it('is unavailable when its database rejects the connection', async () => {
    const failure = await readFailure(rows('meridian', 'closed'));
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 });
    expect(JSON.stringify(failure)).not.toContain('no-such-database');
  });
});
