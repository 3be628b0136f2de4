/** What replicas know of a team while it publishes and loads, on a real PostgreSQL. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { testDatabase, type TestDatabase } from '@tessera/testing';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { closePools, openPools, type Pools } from '../database/pools.js';
import { settings } from '../settings.js';
import { Catalogs } from './catalogs.js';

let database: TestDatabase;
let pools: Pools;
let admin: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  pools = openPools(settings.parse({ DATABASE_URL: database.urlFor('knowledge-models') }), () => undefined);
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await closePools(pools);
  await database.drop();
});

const base: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'base',
  source: { schema: 's' },
  records: [{ id: 'R', table: 'r', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id' }] }],
};
const child: KnowledgeModelDefinition = { kind: 'KnowledgeModel', id: 'child', extends: 'base' };
const kpi = (expression: string) => ({ kpis: [{ id: 'K', expression }] });

/** As a publication leaves them, without the checks that it makes. */
const store = async (team: string, ...definitions: readonly KnowledgeModelDefinition[]): Promise<void> => {
  await admin.query('begin');
  for (const definition of definitions) {
    const text = JSON.stringify(definition);
    await admin.query(
      `with model as (
        insert into knowledge_models.model (tenant, model_id, published_version, changed_by) values ($1, $2, 1, 'spec')
        on conflict (tenant, model_id) do update set published_version = model.published_version + 1
        returning published_version)
      insert into knowledge_models.model_version (tenant, model_id, version, definition, digest, published_by)
      select $1, $2, published_version, $3, $4, 'spec' from model`,
      [team, definition.id, text, createHash('sha256').update(text).digest()],
    );
  }
  await admin.query(
    `insert into knowledge_models.team_state (tenant) values ($1)
    on conflict (tenant) do update set revision = team_state.revision + 1`,
    [team],
  );
  await admin.query('commit');
};

/** Counts the statements that a replica sends. */
const counted = () => {
  let statements = 0;
  const light = new Proxy(pools.light, {
    get: (pool, member) => {
      if (member === 'connect') statements += 1;
      const value: unknown = Reflect.get(pool, member);
      return typeof value === 'function' ? value.bind(pool) : value;
    },
  });
  return { catalogs: new Catalogs({ ...pools, light }), sent: () => statements };
};

describe('the catalogue of a team', () => {
  it('is empty for a team that has nothing', async () => {
    const { revision, models, tables, schemas } = await new Catalogs(pools).of('nobody');
    expect([revision, models.size, tables.size, schemas.size]).toEqual(['0', 0, 0, 0]);
  });

  it('shows a publication of one replica to the next request of every replica', async () => {
    const replicas = [new Catalogs(pools), new Catalogs(pools)];
    for (const [version, expression] of ['count(R.*)', 'count(R.ID)', 'min(R.ID)'].entries()) {
      await store('live', { ...base, ...kpi(expression) });
      for (const catalogs of replicas) {
        const model = (await catalogs.of('live')).models.get('base');
        expect(model?.version).toBe(version + 1);
        expect(model?.checked.model.kpis).toEqual([expect.objectContaining({ id: 'K', expression })]);
      }
    }
  });

  it('asks for the revision alone while nothing changes, once for all who ask at once', async () => {
    await store('quiet', base, child);
    const { catalogs, sent } = counted();
    const first = await catalogs.of('quiet');
    expect(sent()).toBe(2);
    expect(await catalogs.of('quiet')).toBe(first);
    expect(sent()).toBe(3);
    const all = await Promise.all(Array.from({ length: 50 }, () => catalogs.of('quiet')));
    expect(new Set(all)).toEqual(new Set([first]));
    expect(sent()).toBe(5);
  });

  it('compiles a model anew only when it or one of its bases is another', async () => {
    const other: KnowledgeModelDefinition = { ...base, id: 'other' };
    await store('compiled', base, child, other);
    const catalogs = new Catalogs(pools);
    const before = await catalogs.of('compiled');
    const checkedIn = ({ models }: typeof before) => ['base', 'child', 'other'].map((id) => models.get(id)?.checked);
    const [, , otherBefore] = checkedIn(before);
    await store('compiled', { ...base, ...kpi('count(R.*)') });
    const after = await catalogs.of('compiled');
    expect([...after.models.keys()]).toEqual(['base', 'child', 'other']);
    expect(checkedIn(after)[2]).toBe(otherBefore);
    expect(checkedIn(after)[1]?.model.kpis).toHaveLength(1);
    expect(checkedIn(before)[1]?.model.kpis).toEqual([]);
  });

  it('leaves out a model that does not check any more, and says so once', async () => {
    await store('broken', base, { ...child, ...kpi('count(NOWHERE.*)') }, { ...child, id: 'sound' });
    const lines: unknown[] = [];
    const silenced = Logger.prototype.error;
    Logger.prototype.error = (line: unknown) => void lines.push(line);
    try {
      const catalogs = new Catalogs(pools);
      for (let turn = 0; turn < 2; turn++) {
        const { models } = await catalogs.of('broken');
        expect([models.has('child'), [...models.keys()], models.size]).toEqual([false, ['base', 'sound'], 2]);
        await store('broken', { ...base, id: `more-${turn}` });
        expect((await catalogs.of('broken')).models.has(`more-${turn}`)).toBe(true);
        await admin.query(`delete from knowledge_models.model where tenant = 'broken' and model_id like 'more-%'`);
        await store('broken');
      }
    } finally {
      Logger.prototype.error = silenced;
    }
    expect(lines).toEqual([
      expect.stringMatching(
        /^The published model child of the team broken does not check any more: kpis\.0\.expression:/,
      ),
    ]);
  });

  it('holds the data versions of tables, and the schemas with their roles', async () => {
    const catalogs = new Catalogs(pools);
    await store('loaded');
    expect((await catalogs.of('loaded')).tables.size).toBe(0);
    await admin.query(
      `insert into knowledge_models.team_table (tenant, schema_name, table_id, definition, digest, data_version, row_count)
      values ('loaded', 's', 't', '{}', '', 9007199254740993, 12)`,
    );
    await admin.query(`insert into knowledge_models.team_schema values ('loaded', 's', 'loaded.s', 'tessera.loaded')`);
    await store('loaded');
    const { tables, schemas } = await catalogs.of('loaded');
    expect([...tables]).toEqual([['s.t', { dataVersion: '9007199254740993', rows: 12 }]]);
    expect([...schemas]).toEqual([['s', { physical: 'loaded.s', role: 'tessera.loaded' }]]);
    expect((await catalogs.of('neighbour')).tables.size).toBe(0);
  });
});

describe('a draft', () => {
  const draft = (team: string, definition: KnowledgeModelDefinition) =>
    admin.query(
      `insert into knowledge_models.model (tenant, model_id, draft, changed_by) values ($1, $2, $3, 'spec')
      on conflict (tenant, model_id) do update set draft = excluded.draft`,
      [team, definition.id, JSON.stringify(definition)],
    );

  it('is read with the drafts of its bases before what is published, and is in no catalogue', async () => {
    await store('drafting', base);
    await draft('drafting', { ...base, ...kpi('count(R.*)') });
    await draft('drafting', child);
    const catalogs = new Catalogs(pools);
    const found = await catalogs.draftOf('drafting', 'child');
    expect(found?.checked.ok && found.checked.model.kpis.map(({ id }) => id)).toEqual(['K']);
    const { models } = await catalogs.of('drafting');
    expect([models.has('child'), models.get('base')?.checked.model.kpis]).toEqual([false, []]);
    expect(await catalogs.draftOf('drafting', 'other')).toBeUndefined();
    expect(await catalogs.draftOf('neighbour', 'child')).toBeUndefined();
  });

  it('says what is wrong with it when its base has changed', async () => {
    await store('torn', base);
    await draft('torn', { ...child, ...kpi('sum(R.AMOUNT)') });
    const found = await new Catalogs(pools).draftOf('torn', 'child');
    expect(found?.checked).toMatchObject({ ok: false, faults: [{ path: 'kpis.0.expression' }] });
  });
});
