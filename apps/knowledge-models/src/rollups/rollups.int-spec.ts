import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explainQuery, type KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import {
  type ColumnarReader,
  ColumnarRefusal,
  type ColumnarTable,
  type ColumnarTableKey,
} from '@tessera/knowledge-model';
import { runInTenantTransaction } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import type { Catalogs } from '../catalog/catalogs.js';
import { readSchemaColumns } from '../database/columns.repository.js';
import { cancelMakings } from '../database/makings.repository.js';
import { GroupEngines } from '../queries/group-engines.js';
import { ExplainQueryHandler } from '../queries/explain-query.handler.js';
import { adminContextOf } from '../testing/definition-client.js';
import { openFixture, readJsonAnswer, type Fixture, type TestTable } from '../testing/fixture.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { Rollups, type RollupsOptions } from './rollups.js';

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'sales',
  source: { schema: 'trade' },
  records: [
    {
      id: 'SALE',
      table: 'sale',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'PLANT', column: 'plant', type: 'string' },
        { id: 'AMOUNT', column: 'amount', type: 'float', exact: true },
        { id: 'MADE', column: 'made', type: 'timestamp' },
        { id: 'SELLER', column: 'seller', type: 'integer' },
      ],
    },
    {
      id: 'SELLER',
      table: 'seller',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'COUNTRY', column: 'country', type: 'string' },
      ],
    },
  ],
  relationships: [{ from: 'SALE', to: 'SELLER', on: { SELLER: 'ID' }, cardinality: 'many-to-one' }],
  kpis: [
    { id: 'REVENUE', expression: 'sum(SALE.AMOUNT)', exact: true },
    { id: 'AVERAGE', expression: 'avg(SALE.AMOUNT)', exact: true },
    { id: 'SHARE', expression: 'sum(SALE.AMOUNT / 3)' },
  ],
  policies: [
    { record: 'SALE', rows: 'PLANT in caller.plants', unless: { scope: 'all' } },
    { record: 'SALE', rows: 'SELLER ge 10', unless: { scope: 'old' } },
  ],
  rollups: [
    { id: 'BY_DAY', fields: ['SALE.PLANT', 'SALE.MADE:day', 'SELLER.COUNTRY'], kpis: ['REVENUE', 'AVERAGE', 'SHARE'] },
  ],
};

const saleColumns = `id bigint not null, plant text collate pg_c_utf8, amount numeric, made timestamptz, seller bigint`;
const sales = (count: number, factor = 1): TestTable => ({
  schema: 'trade',
  name: 'sale',
  columns: saleColumns,
  rows: `select i, (array['Berlin', 'Rome', null, ''])[1 + i % 4], ((i % 700) * ${factor})::numeric / 8, timestamptz '2026-01-01Z' + i * interval '1 hour',
    i % 40 from generate_series(1, ${count}) i`,
});
const sellers: TestTable = {
  schema: 'trade',
  name: 'seller',
  columns: 'id bigint not null, country text collate pg_c_utf8',
  rows: `select i, (array['DE', 'IT', null])[1 + i % 3] from generate_series(0, 30) i`,
};

const team = 'meridian';
const everybody = { team, scopes: ['all', 'old'] };

let fixture: Fixture;
let admin: pg.Client;
beforeAll(async () => {
  fixture = await openFixture();
  admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await fixture?.end();
});

/** Nothing is kept, so that each question is computed. */
const withoutCache = { RESULT_CACHE_BYTES: '0' };

type Replica = {
  readonly rollups: Rollups;
  readonly outcomes: string[];
  readonly computed: string[];
  readonly client: QueryClient;
};

const opened: Rollups[] = [];
afterAll(() => Promise.all(opened.map((rollups) => rollups.beforeApplicationShutdown())));

const openReplica = (options: Partial<RollupsOptions> = {}): Replica => {
  const [outcomes, computed]: [string[], string[]] = [[], []];
  const { pools, catalogs } = fixture;
  const log = { info: () => undefined, warn: () => undefined };
  const onMade = (outcome: string): void => void outcomes.push(outcome);
  const rollups = new Rollups({ ...{ pools, catalogs, log, onMade, keptMs: 0 }, ...options });
  opened.push(rollups);
  const onComputed = (engine: string, reason: string): void => void computed.push(`${engine} ${reason}`);
  const client = openQueryClient(fixture, withoutCache, { rollups, onComputed });
  return { rollups, outcomes, computed, client };
};

type Question = Readonly<Record<string, unknown>>;
type Caller = Parameters<QueryClient['query']>[0];

const ask = ({ client }: Pick<Replica, 'client'>, by: Caller, question: Question) =>
  readJsonAnswer(client.query(by, model.id, undefined, question));

const plainly = (by: Caller, question: Question) =>
  ask({ client: openQueryClient(fixture, withoutCache) }, by, question);

/** Whether the answer is that of the rows, and by whom its statements were computed. */
const computedBy = async (replica: Replica, by: Caller, question: Question): Promise<readonly string[]> => {
  replica.computed.length = 0;
  const answer = await ask(replica, by, question);
  expect(answer).toEqual(await plainly(by, question));
  expect(answer.content.length).toBeGreaterThan(0);
  return [...new Set(replica.computed)];
};

const tablesOf = async (owner: string): Promise<readonly string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname = $1 and relkind = 'r' and relname like 'rollup~%'`,
    [`${owner}.trade`],
  );
  return rows.map(({ name }) => name);
};

const months = { fields: ['SALE.MADE:month'], kpis: ['REVENUE', 'AVERAGE', 'SHARE'] };
const questions: readonly Question[] = [
  { kpis: ['REVENUE', 'AVERAGE'] },
  { fields: ['SALE.PLANT'], kpis: ['REVENUE', 'SHARE'], sort: '-REVENUE' },
  { fields: ['SALE.MADE:quarter', 'SELLER.COUNTRY'], kpis: ['AVERAGE'], pageSize: 2, page: 1 },
  { ...months, filterExpr: ['REVENUE gt 1000', "SALE.PLANT ne 'Rome'"] },
];

describe('rollups of a published model', () => {
  let replica: Replica;
  beforeAll(async () => {
    await fixture.publish(team, model);
    await fixture.load(team, sales(5_000), sellers);
    replica = openReplica();
    await replica.rollups.ensure(team);
  });

  it.each(questions)('answer as the rows do: %j', async (question) => {
    expect(await computedBy(replica, everybody, question)).toEqual(['rollup fits']);
  });

  it('are of the rows that a policy of a key lets the caller see', async () => {
    const caller = { team, scopes: ['old'], attributes: { plants: ['Rome'] } };
    for (const question of questions.slice(0, 3))
      expect(await computedBy(replica, caller, question)).toEqual(['rollup fits']);
    expect((await ask(replica, caller, { fields: ['SALE.PLANT'], kpis: ['REVENUE'] })).content).toHaveLength(1);
  });

  it('are not used where a policy reads what is no key', async () => {
    const caller = { team, scopes: ['all'] };
    expect(await computedBy(replica, caller, months)).toEqual(['postgresql no-table']);
  });

  it('are not used for questions that they do not suffice for', async () => {
    const question = { fields: ['SALE.SELLER'], kpis: ['REVENUE'] };
    expect(await computedBy(replica, everybody, question)).toEqual(['postgresql no-table']);
  });

  it.each([true, false])('are asked before a columnar engine, on or off: %s', async (isOn) => {
    const computed: string[] = [];
    const failing: ColumnarReader = { engine: 'duckdb', ask: () => Promise.reject(new ColumnarRefusal('failed')) };
    const find = (key: ColumnarTableKey): ColumnarTable => ({
      ...{ key, rows: 1_000_000, omitted: [] },
      columns: [
        { name: 'plant', stored: 'c1', type: { kind: 'text' } },
        { name: 'amount', stored: 'c2', type: { kind: 'decimal', precision: 12, scale: 4 } },
      ],
    });
    const clientWith = (rollups: Rollups | undefined) =>
      openQueryClient(fixture, withoutCache, {
        engines: (costs) =>
          new GroupEngines(failing, { find }, costs, {
            ...{ isOn, rowsMin: 0, hasFallback: false, onComputed: (engine) => computed.push(engine) },
            ...(rollups && { rollups }),
          }),
      });
    const question = { fields: ['SALE.PLANT'], kpis: ['REVENUE'] };
    expect(await ask({ client: clientWith(replica.rollups) }, everybody, question)).toEqual(
      await plainly(everybody, question),
    );
    const alone = clientWith(undefined).query(everybody, model.id, undefined, question);
    expect((await alone).ok).toBe(!isOn);
    expect(computed).toEqual(isOn ? ['rollup'] : ['rollup', 'postgresql']);
  });

  it('are named by an explanation, or what they lack is', async () => {
    const { models, execution } = replica.client;
    const handler = new ExplainQueryHandler(fixture.catalogs, models, execution.engines, execution.costs);
    const engineFor = async (projection: object) => {
      const request = explainQuery.request.parse({ team, modelId: model.id, explain: { query: { projection } } });
      const explained = await handler.explain(request, adminContextOf(team));
      return explained.ok ? explained.value.engine : explained.failure;
    };
    const policiesApply = 'a condition or a policy reads what is not among its fields';
    expect(await engineFor({ fields: 'SALE.PLANT', kpis: ['REVENUE'] })).toEqual({
      name: 'postgresql',
      reason: 'no-table',
      detail: expect.stringContaining(`The rollup BY_DAY is not used: ${policiesApply}.`),
    });
    const caller = { scopes: ['all', 'old'] };
    const request = explainQuery.request.parse({
      ...{ team, modelId: model.id },
      explain: { query: { projection: { fields: 'SALE.PLANT', kpis: ['REVENUE'] } }, caller },
    });
    expect(await handler.explain(request, adminContextOf(team))).toMatchObject({
      ok: true,
      value: { engine: { name: 'rollup', reason: 'fits', detail: expect.stringContaining('BY_DAY') } },
    });
  });

  it('are no tables of the team, and readable by its role alone', async () => {
    const columns = await readSchemaColumns(fixture.pools.light, team, 'trade');
    expect([...columns.keys()]).toEqual(['sale', 'seller']);
    const [name = ''] = await tablesOf(team);
    const { rows } = await admin.query<{ privileges: string; owner: string }>(
      `select relacl::text as privileges, relowner::regrole::text as owner from pg_class where relname = $1`,
      [name],
    );
    expect(rows[0]?.owner).toBe('tessera_team_tables');
    expect(rows[0]?.privileges).toMatch(
      /^\{tessera_team_tables=[^,]*,"?\\?"?tessera\.meridian\\?"?=r\/tessera_team_tables"?\}$/,
    );
  });

  it('are not those of another load from its first moment on, and go when nobody reads them', async () => {
    const [before] = await tablesOf(team);
    await fixture.load(team, sales(6_000, 5));
    expect(await computedBy(replica, everybody, months)).toEqual(['postgresql no-table']);
    await replica.rollups.ensure(team);
    expect(await computedBy(replica, everybody, months)).toEqual(['rollup fits']);
    await replica.rollups.ensure(team);
    const after = await tablesOf(team);
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
  });

  it('are of the own team, whatever models and tables of another are called', async () => {
    await fixture.publish('northgate', model);
    await fixture.load('northgate', sales(3_000, 3), sellers);
    await replica.rollups.ensure('northgate');
    expect(await computedBy(replica, { ...everybody, team: 'northgate' }, months)).toEqual(['rollup fits']);
    expect(await computedBy(replica, everybody, months)).toEqual(['rollup fits']);
  });

  it('are found by a replica that starts later, which makes none', async () => {
    const other = openReplica();
    expect(await computedBy(other, everybody, months)).toEqual(['postgresql no-table']);
    await other.rollups.ensure(team);
    expect(await computedBy(other, everybody, months)).toEqual(['rollup fits']);
    expect(other.outcomes).toEqual([]);
  });

  it('are made again when they are lost, and nobody notices', async () => {
    const [lost = ''] = await tablesOf(team);
    await admin.query(`drop table "${team}.trade"."${lost}"`);
    for (const question of questions) await computedBy(replica, everybody, question);
    await replica.rollups.ensure(team);
    expect(await tablesOf(team)).toEqual([lost]);
    expect(await computedBy(replica, everybody, months)).toEqual(['rollup fits']);
  });

  it('are looked at once more when those that nobody wants may go, however often they were looked at before', async () => {
    let looks = 0;
    const of: Catalogs['of'] = (asked) => {
      looks += 1;
      return fixture.catalogs.of(asked);
    };
    const other = openReplica({ catalogs: { of }, keptMs: 300 });
    await other.rollups.ensure(team);
    await fixture.load(team, sales(6_000, 7));
    for (let look = 0; look < 20; look++) await other.rollups.ensure(team);
    const [before, startMs] = [looks, performance.now()];
    await waitUntil(() => performance.now() - startMs > 1_000);
    expect([looks - before, (await tablesOf(team)).length]).toEqual([1, 1]);
    await replica.rollups.ensure(team);
  });

  it('go with the rollup of the model', async () => {
    const { rollups: _none, ...without } = model;
    await fixture.publish(team, without);
    await replica.rollups.ensure(team);
    await replica.rollups.ensure(team);
    expect(await tablesOf(team)).toEqual([]);
  });
});

describe('the making of a rollup', () => {
  const prepare = async (owner: string, definition = model): Promise<void> => {
    await fixture.publish(owner, definition);
    await fixture.load(owner, sales(1_000), sellers);
  };

  it('is done by one of several replicas', async () => {
    await prepare('shared');
    const replicas = [openReplica(), openReplica(), openReplica()];
    await Promise.all(replicas.map(({ rollups }) => rollups.ensure('shared')));
    expect(replicas.flatMap(({ outcomes }) => outcomes)).toEqual(['made']);
    for (const { rollups } of replicas) await rollups.ensure('shared');
    for (const replica of replicas)
      expect(await computedBy(replica, { ...everybody, team: 'shared' }, months)).toEqual(['rollup fits']);
  });

  it('comes once after the tables of a schema were loaded one after the other', async () => {
    await prepare('resting');
    const replica = openReplica({ restMs: 2_000 });
    for (const table of [sales(1_000, 2), sellers, sales(1_000, 3)]) {
      await fixture.load('resting', table);
      replica.rollups.noticeRevision('resting');
      await replica.rollups.ensure('resting');
    }
    expect(replica.outcomes).toEqual([]);
    await waitUntil(() => replica.outcomes.length > 0);
    await replica.rollups.ensure('resting');
    expect(replica.outcomes).toEqual(['made']);
    expect(await tablesOf('resting')).toHaveLength(1);
    expect(await computedBy(replica, { ...everybody, team: 'resting' }, months)).toEqual(['rollup fits']);
  });

  it('waits while a table that it reads is being loaded, but not for long', async () => {
    await prepare('loading');
    await admin.query(
      `insert into knowledge_models.table_load (tenant, schema_name, table_id, options, created_by)
       values ('loading', 'trade', 'seller', '{}', 'somebody'), ('loading', 'trade', 'other', '{}', 'somebody')`,
    );
    const [patient, impatient] = [openReplica({ restMs: 1 }), openReplica({ restMs: 1, restMaxMs: 1 })];
    const notice = async ({ rollups }: Replica): Promise<void> => {
      rollups.noticeRevision('loading');
      await sleep(5);
      await rollups.ensure('loading');
    };
    await notice(patient);
    expect(patient.outcomes).toEqual([]);
    await admin.query(`update knowledge_models.table_load set state = 'committed' where table_id = 'seller'`);
    await waitUntil(() => patient.outcomes.includes('made'));
    await fixture.load('loading', sales(1_000, 2));
    await admin.query(`update knowledge_models.table_load set state = 'committing' where table_id = 'seller'`);
    await notice(impatient);
    expect(impatient.outcomes).toEqual(['made']);
  });

  it('leaves out what has too many groups, until the next load', async () => {
    await prepare('wide');
    const replica = openReplica({ groupsMax: 10 });
    for (let pass = 0; pass < 2; pass++) await replica.rollups.ensure('wide');
    expect(replica.outcomes).toEqual(['too-many-groups']);
    expect(await tablesOf('wide')).toEqual([]);
    expect(await computedBy(replica, { ...everybody, team: 'wide' }, months)).toEqual(['postgresql no-table']);
  });

  it('leaves out what counts rows twice', async () => {
    await prepare('twice');
    await fixture.load('twice', { ...sellers, rows: 'select 1 + i % 2, null from generate_series(1, 4) i' });
    const replica = openReplica();
    await replica.rollups.ensure('twice');
    expect(replica.outcomes).toEqual(['multiplied']);
    expect(await computedBy(replica, { ...everybody, team: 'twice' }, months)).toEqual(['postgresql no-table']);
  });

  it('is tried again after a failure', async () => {
    await prepare('broken');
    const name = '"broken.trade".sale';
    await admin.query(`alter table ${name} rename column amount to was`);
    const replica = openReplica({ retryMs: 1 });
    await replica.rollups.ensure('broken');
    await admin.query(`alter table ${name} rename column was to amount`);
    while (!replica.outcomes.includes('made')) await replica.rollups.ensure('broken');
    expect(replica.outcomes[0]).toBe('failed');
    expect(await computedBy(replica, { ...everybody, team: 'broken' }, months)).toEqual(['rollup fits']);
  });

  it('is cancelled by a load of any table that it reads, and tried again', async () => {
    await prepare('overtaken');
    const replica = openReplica({ retryMs: 1 });
    // It waits for the sellers, and has the sales.
    await admin.query('begin; lock table "overtaken.trade".seller');
    const making = replica.rollups.ensure('overtaken');
    await waitUntil(async () => {
      await runInTenantTransaction(fixture.pools.loads, 'overtaken', (client) =>
        cancelMakings(client, { physical: 'overtaken.trade', name: 'sale' }),
      );
      return replica.outcomes.length > 0;
    });
    await making;
    await admin.query('rollback');
    expect(replica.outcomes[0]).toBe('cancelled');
    await waitUntil(() => replica.outcomes.includes('made'));
    await replica.rollups.ensure('overtaken');
    expect(await computedBy(replica, { ...everybody, team: 'overtaken' }, months)).toEqual(['rollup fits']);
    expect(await tablesOf('overtaken')).toHaveLength(1);
  });

  it('waits for no making of another team', async () => {
    await prepare('slow');
    await prepare('quick');
    const replica = openReplica();
    await admin.query('begin; lock table "slow.trade".seller');
    const slow = replica.rollups.ensure('slow');
    await replica.rollups.ensure('quick');
    expect(replica.outcomes).toEqual(['made']);
    expect(await computedBy(replica, { ...everybody, team: 'quick' }, months)).toEqual(['rollup fits']);
    await admin.query('rollback');
    await slow;
    expect(replica.outcomes).toEqual(['made', 'made']);
  });

  it('is tried again when what the team has could not be read', async () => {
    await prepare('unread');
    let failures = 1;
    const of: Catalogs['of'] = (asked) =>
      failures-- > 0 ? Promise.reject(new Error('PostgreSQL is away.')) : fixture.catalogs.of(asked);
    const replica = openReplica({ catalogs: { of }, retryMs: 1 });
    await replica.rollups.ensure('unread');
    expect(replica.outcomes).toEqual([]);
    await waitUntil(() => replica.outcomes.includes('made'));
  });

  it('keeps nothing of tables that another load replaced meanwhile', async () => {
    await prepare('late');
    const replica = openReplica();
    // The version of the row is another one than that of the catalogue, which was read before.
    await fixture.catalogs.of('late');
    await admin.query(`update knowledge_models.team_table set data_version = 7 where tenant = 'late'`);
    await replica.rollups.ensure('late');
    expect(replica.outcomes).toEqual(['outdated']);
    expect(await tablesOf('late')).toEqual([]);
  });

  it('is cut off when the service stops', async () => {
    await prepare('stopping');
    const replica = openReplica();
    const making = replica.rollups.ensure('stopping');
    await replica.rollups.beforeApplicationShutdown();
    await making;
    expect(replica.outcomes).not.toContain('failed');
  });
});
