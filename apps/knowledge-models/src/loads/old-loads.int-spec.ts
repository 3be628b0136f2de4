/** What becomes of loads that nobody finishes, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { type LoadClient, openLoadFixture } from '../testing/load-client.js';
import { readJsonAnswer, type Fixture } from '../testing/fixture.js';
import { deleteOldLoads } from './old-loads.js';
import { tableLockName, type LoadKey } from './load.repository.js';

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
});
afterAll(() => end());

const table = { id: 'item', columns: [{ id: 'id', type: 'integer' as const }] };
const forget = () => {
  const failures: unknown[] = [];
  return deleteOldLoads(fixture.source, fixture.pools.loads, new AbortController().signal, (error) =>
    failures.push(error),
  ).then((turn) => [turn, ...failures]);
};
const age = (...keys: readonly LoadKey[]) =>
  admin.query(
    `update knowledge_models.table_load set created_at = now() - interval '25 hours' where load_id = any($1)`,
    [keys.map(({ loadId }) => loadId)],
  );
const tablesOf = async (team: string): Promise<number> => {
  const { rows } = await admin.query(`select from pg_tables where schemaname = $1`, [`${team}.p2p`]);
  return rows.length;
};

describe('old loads of all teams', () => {
  it('are deleted with their staged rows when they are older than a day; tables stay', async () => {
    const keys = await Promise.all(
      ['a', 'b'].map(async (team) => {
        await loading.define(team, table);
        await readJsonAnswer(loading.load(team, 'item', '1\n'));
        return loading.begin(team, 'item');
      }),
    );
    const young = await loading.begin('b', 'item');
    await readJsonAnswer(loading.stage(young, '2\n'));
    await age(...keys);
    await admin.query(
      `update knowledge_models.table_load set created_at = now() - interval '25 hours' where state = 'committed'`,
    );
    expect([await tablesOf('a'), await tablesOf('b')]).toEqual([2, 3]);
    expect(await forget()).toEqual(['done']);
    expect([await tablesOf('a'), await tablesOf('b')]).toEqual([1, 2]);
    for (const key of keys) expect(await loading.status(key)).toBeUndefined();
    const { rows } = await admin.query('select count(*)::int as loads from knowledge_models.table_load');
    expect(rows).toEqual([{ loads: 1 }]);
    expect(await readJsonAnswer(loading.commit(young))).toMatchObject({ state: 'committed', dataVersion: 2 });
  });

  it('stay while they are committed, and while another replica cleans up', async () => {
    await loading.define('c', table);
    const key = await loading.begin('c', 'item');
    await age(key);
    await admin.query('select pg_advisory_lock(hashtextextended($1, 1))', [tableLockName(key)]);
    expect(await forget()).toEqual(['done']);
    expect(await loading.status(key)).toMatchObject({ state: 'loading' });
    await admin.query('select pg_advisory_unlock_all()');
    await admin.query(`select pg_advisory_lock(hashtextextended('old loads', 1))`);
    expect(await forget()).toEqual(['busy']);
    await admin.query('select pg_advisory_unlock_all()');
    expect(await forget()).toEqual(['done']);
    expect(await loading.status(key)).toBeUndefined();
  });

  it('are deleted even when the deletion of one of them fails', async () => {
    await loading.define('d', table);
    await loading.define('e', table);
    const [bad, good] = [await loading.begin('d', 'item'), await loading.begin('e', 'item')];
    await age(bad, good);
    const broken = `${bad.team}.${bad.schema}`;
    await admin.query(`create view "${broken}".reader as select * from "${broken}"."item~${bad.loadId.slice(-12)}"`);
    expect(await forget()).toEqual(['done', expect.objectContaining({ code: '2BP01' })]);
    expect(await loading.status(bad)).toMatchObject({ state: 'loading' });
    expect(await loading.status(good)).toBeUndefined();
  });

  it('go on being deleted soon where one of many cannot be', async () => {
    await loading.define('f', table);
    const bad = await loading.begin('f', 'item');
    const place = `${bad.team}.${bad.schema}`;
    await admin.query(`create view "${place}".reader as select * from "${place}"."item~${bad.loadId.slice(-12)}"`);
    await admin.query(
      `insert into knowledge_models.table_load (tenant, schema_name, table_id, options, created_by, created_at)
       select tenant, schema_name, table_id, options, created_by, now() - interval '25 hours'
       from knowledge_models.table_load, generate_series(1, 205) where load_id = $1`,
      [bad.loadId],
    );
    await age(bad);
    expect((await forget())[0]).toBe('more');
    expect((await forget())[0]).toBe('done');
    const { rows } = await admin.query(`select load_id as left from knowledge_models.table_load where tenant = 'f'`);
    expect(rows).toEqual([{ left: bad.loadId }]);
  });
});
