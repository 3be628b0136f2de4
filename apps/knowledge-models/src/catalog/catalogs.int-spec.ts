/** What replicas know of a team while it publishes and loads, on a real PostgreSQL. */
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { waitForReplicas } from '@tessera/definitions';
import { runInTenantTransaction } from '@tessera/persistence';
import { openSalesModel } from '../testing/definition-client.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import type { Pools } from '../database.module.js';
import { Catalogs } from './catalogs.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture?.end());

const parent: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'parent',
  source: { schema: 's' },
  records: [{ id: 'R', table: 'r', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id' }] }],
};
const child: KnowledgeModelDefinition = { kind: 'KnowledgeModel', id: 'child', extends: 'parent' };
const kpi = (expression: string) => ({ kpis: [{ id: 'K', expression }] });

/** A change of the team that no publication makes. */
const change = (team: string, text: string, values: readonly unknown[] = []): Promise<unknown> =>
  runInTenantTransaction(fixture.pools.definitions, team, (client) => client.query(text, [...values]));

/** Counts the statements that a replica sends. */
const counted = () => {
  let statements = 0;
  const light = new Proxy(fixture.pools.light, {
    get: (pool, member) => {
      if (member === 'connect') statements += 1;
      const value: unknown = Reflect.get(pool, member);
      return typeof value === 'function' ? value.bind(pool) : value;
    },
  });
  const pools: Pools = Object.create(fixture.pools, { light: { value: light } });
  return { catalogs: new Catalogs(pools), sent: () => statements };
};

it('counts published models in which a record leads to one with a policy and has none of its own', async () => {
  const catalogs = new Catalogs(fixture.pools);
  const everybody = [...(openSalesModel.policies ?? []), { record: 'ITEM', rows: 'all' }];
  await fixture.publish('open-one', openSalesModel);
  await fixture.publish('open-two', openSalesModel, { ...openSalesModel, id: 'other', policies: everybody });
  for (const team of ['open-one', 'open-two']) await (await catalogs.of(team)).models.whole();
  expect(catalogs.openModels).toBe(2);
  await fixture.publish('open-one', { ...openSalesModel, policies: everybody });
  await (await catalogs.of('open-one')).models.whole();
  expect(catalogs.openModels).toBe(1);
});

describe('the catalogue of a team', () => {
  it('is empty for a team without models and tables', async () => {
    const { revision, models, tables, schemas } = await new Catalogs(fixture.pools).of('nobody');
    expect([revision, models.size, tables.size, schemas.size]).toEqual(['0', 0, 0, 0]);
  });

  it('shows a publication by one replica to the next request of every replica', async () => {
    const replicas = [new Catalogs(fixture.pools), new Catalogs(fixture.pools)];
    for (const [version, expression] of ['count(R.*)', 'count(R.ID)', 'min(R.ID)'].entries()) {
      await fixture.publish('live', { ...parent, ...kpi(expression) });
      for (const catalogs of replicas) {
        const model = (await catalogs.of('live')).models.get('parent');
        expect(model?.version).toBe(version + 1);
        expect(model?.checked.model.kpis).toEqual([expect.objectContaining({ id: 'K', expression })]);
      }
    }
  });

  it('reads only the revision while nothing changes, at most every 50 ms and once for concurrent callers', async () => {
    await fixture.publish('quiet', parent, child);
    const { catalogs, sent } = counted();
    const first = await catalogs.of('quiet');
    expect(sent()).toBe(2);
    expect(await catalogs.of('quiet')).toBe(first);
    expect(sent()).toBe(2);
    expect(catalogs.freshForMs('quiet', first)).toBeGreaterThan(0);
    await waitForReplicas();
    expect(catalogs.freshForMs('quiet', first)).toBe(0);
    const all = await Promise.all(Array.from({ length: 50 }, () => catalogs.of('quiet')));
    expect(new Set(all)).toEqual(new Set([first]));
    expect(sent()).toBe(4);
  });

  it('compiles a model again only when it or one of its bases has changed', async () => {
    const other: KnowledgeModelDefinition = { ...parent, id: 'other' };
    await fixture.publish('compiled', parent, child, other);
    const catalogs = new Catalogs(fixture.pools);
    const before = await catalogs.of('compiled');
    const checkedIn = ({ models }: typeof before) => ['child', 'other', 'parent'].map((id) => models.get(id)?.checked);
    const [, otherBefore] = checkedIn(before);
    await fixture.publish('compiled', { ...parent, ...kpi('count(R.*)') });
    const after = await catalogs.of('compiled');
    expect([...after.models.keys()]).toEqual(['child', 'other', 'parent']);
    expect(checkedIn(after)[1]).toBe(otherBefore);
    expect(checkedIn(after)[0]?.model.kpis).toHaveLength(1);
    expect(checkedIn(before)[0]?.model.kpis).toEqual([]);
  });

  it('leaves out a model that has become invalid, and logs it once', async () => {
    await fixture.publish('broken', parent, { ...child, ...kpi('count(NOWHERE.*)') }, { ...child, id: 'sound' });
    const lines: unknown[] = [];
    const silenced = Logger.prototype.error;
    Logger.prototype.error = (line: unknown) => void lines.push(line);
    try {
      const catalogs = new Catalogs(fixture.pools);
      for (let turn = 0; turn < 2; turn++) {
        const { models } = await catalogs.of('broken');
        expect([models.has('child'), [...models.keys()], models.size]).toEqual([false, ['parent', 'sound'], 2]);
        await fixture.publish('broken', { ...parent, id: `more-${turn}` });
        expect((await catalogs.of('broken')).models.has(`more-${turn}`)).toBe(true);
        await change('broken', `delete from knowledge_models.model where model_id like 'more-%'`);
        await fixture.publish('broken');
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

  it('tells each revision once, also of a team that it has forgotten and reads again', async () => {
    const catalogs = new Catalogs(fixture.pools);
    const [told, first]: [string[], string[]] = [[], []];
    catalogs.onRevision((team) => void told.push(team));
    catalogs.onFirstRead((team) => void first.push(team));
    await fixture.publish('first');
    await catalogs.of('first');
    const notes = Array.from({ length: 300 }, (_, at) => ({
      ...{ id: `K${at}`, expression: 'count(R.*)', description: 'x'.repeat(4_000) },
    }));
    // More characters than are kept of all teams.
    const huge = Array.from({ length: 30 }, (_, at) => ({ ...parent, id: `huge-${at}`, kpis: notes }));
    await fixture.publish('huge', ...huge);
    await catalogs.of('huge');
    expect(catalogs.freshForMs('first', await catalogs.of('first'))).toBeGreaterThan(0);
    expect(told).toEqual(['first', 'huge']);
    await fixture.publish('first');
    await catalogs.of('first');
    expect([told, first]).toEqual([
      ['first', 'huge', 'first'],
      ['first', 'huge'],
    ]);
  });

  it('is kept of many small teams, so that each is read once', async () => {
    const { catalogs, sent } = counted();
    const teams = Array.from({ length: 300 }, (_, at) => `one-of-many-${at}`);
    for (const team of teams) await change(team, `insert into knowledge_models.team_state (tenant) values ('${team}')`);
    for (const team of teams) await catalogs.of(team);
    const [before, kept] = [sent(), await catalogs.of('one-of-many-0')];
    for (const team of teams) await catalogs.of(team);
    expect(await catalogs.of('one-of-many-0')).toBe(kept);
    expect([before, sent() - before <= teams.length + 2]).toEqual([2 * teams.length, true]);
  });

  it('contains the data versions of tables, and the schemas with their roles', async () => {
    const catalogs = new Catalogs(fixture.pools);
    await fixture.publish('loaded');
    expect((await catalogs.of('loaded')).tables.size).toBe(0);
    await change(
      'loaded',
      `insert into knowledge_models.team_table (tenant, schema_name, table_id, definition, digest, data_version, row_count)
      values ('loaded', 's', 't', '{}', '', 9007199254740993, 12)`,
    );
    await change(
      'loaded',
      `insert into knowledge_models.team_schema values ('loaded', 's', 'loaded.s', 'tessera.loaded')`,
    );
    await fixture.publish('loaded');
    const { tables, schemas } = await catalogs.of('loaded');
    expect([...tables]).toEqual([['s.t', { dataVersion: '9007199254740993', rows: 12 }]]);
    expect([...schemas]).toEqual([['s', { physical: 'loaded.s', role: 'tessera.loaded' }]]);
    expect((await catalogs.of('neighbour')).tables.size).toBe(0);
  });
});

describe('a draft', () => {
  const draft = (team: string, definition: KnowledgeModelDefinition) =>
    change(
      team,
      `insert into knowledge_models.model (tenant, model_id, draft, changed_by) values ($1, $2, $3, 'spec')
      on conflict (tenant, model_id) do update set draft = excluded.draft`,
      [team, definition.id, JSON.stringify(definition)],
    );

  it('is checked against drafts of its bases before published versions, and is not in the catalogue', async () => {
    await fixture.publish('drafting', parent);
    await draft('drafting', { ...parent, ...kpi('count(R.*)') });
    await draft('drafting', child);
    const catalogs = new Catalogs(fixture.pools);
    const found = await catalogs.findDraft('drafting', 'child');
    expect(found?.checked.ok && found.checked.model.kpis.map(({ id }) => id)).toEqual(['K']);
    const { models } = await catalogs.of('drafting');
    expect([models.has('child'), models.get('parent')?.checked.model.kpis]).toEqual([false, []]);
    expect(await catalogs.findDraft('drafting', 'other')).toBeUndefined();
    expect(await catalogs.findDraft('neighbour', 'child')).toBeUndefined();
  });

  it('has faults when its base has changed', async () => {
    await fixture.publish('torn', parent);
    await draft('torn', { ...child, ...kpi('sum(R.AMOUNT)') });
    const found = await new Catalogs(fixture.pools).findDraft('torn', 'child');
    expect(found?.checked).toMatchObject({ ok: false, faults: [{ path: 'kpis.0.expression' }] });
  });
});
