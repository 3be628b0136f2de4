/** Publications and deletions of one team at the same time, and what stands between teams, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fail } from '@tessera/failures';
import { runInTenantTransaction, readAsTenant } from '@tessera/persistence';
import { Catalogs } from '../catalog/catalogs.js';
import { silentLog } from '@tessera/messaging';
import { openDataSource } from '@tessera/persistence/data-source';
import { knowledgeModelsEntities } from '@tessera/persistence/knowledge-models';
import { Pools } from '../database.module.js';
import { knowledgeModelsSettings } from '../settings.js';
import {
  adminContextOf,
  germanyModel,
  itemTable,
  openDefinitionClient,
  openSalesClient,
  salesModel,
  type DefinitionClient,
} from '../testing/definition-client.js';
import { openFixture, readFailure, type Fixture } from '../testing/fixture.js';
import { ModelVersionsHandler } from './model-versions.handler.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture?.end());

const open = (team: string): DefinitionClient => openSalesClient(fixture, team);
const named = (name: string) => ({ ...salesModel, name });
const remove = (team: string, modelId: string) => open(team).handler.delete({ team, modelId }, adminContextOf(team));

describe('applies of one team at the same time', () => {
  it('run one after another: version numbers have no gaps, and the last version is read', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Sales ${index}`);
    const answers = await Promise.all(names.map((name) => open('busy').applied([named(name), germanyModel])));
    const versions = answers.map(({ definitions }) => definitions[0]?.version ?? 0);
    expect([...versions].sort((left, right) => left - right)).toEqual(names.map((_, index) => index + 1));
    expect(new Set(answers.map(({ definitions }) => definitions[1]?.version))).toEqual(new Set([1]));
    expect(answers.filter(({ definitions }) => definitions[1]?.state === 'created')).toHaveLength(1);
    const model = (await new Catalogs(fixture.pools).of('busy')).models.get('sales');
    expect([model?.version, model?.definition.name]).toEqual([12, names[versions.indexOf(12)]]);
  });

  it('publish the same definition once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => open('same').applied([salesModel])));
    const states = answers.flatMap(({ definitions }) => definitions.map(({ state }) => state));
    expect(states.toSorted()).toEqual(['created', ...Array.from({ length: 7 }, () => 'unchanged')]);
  });

  it('that were made of the same draft replace it once', async () => {
    const client = open('drafts');
    const read = new ModelVersionsHandler(fixture.source);
    const etagOf = async (version: string) => {
      const answer = await read.read({ team: 'drafts', modelId: 'sales', version }, adminContextOf('drafts'));
      return answer.ok ? answer.value.headers?.['etag'] : undefined;
    };
    const draftOn = (ifMatch: string | undefined, name: string) =>
      client.refused([named(name), itemTable], { mode: 'draft', ifMatch });
    expect((await draftOn('*', 'New'))?.code).toBe('CONTENT_CHANGED');
    await client.applied([salesModel, itemTable]);
    const published = await etagOf('published');
    const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => draftOn(published, name)));
    expect(answers.filter((refused) => refused === undefined)).toHaveLength(1);
    expect(answers.find((refused) => refused !== undefined)).toMatchObject({
      code: 'CONTENT_CHANGED',
      faults: [{ path: 'sales', rule: 'changed' }],
    });
    expect((await draftOn(published, 'Four'))?.code).toBe('CONTENT_CHANGED');
    expect(await draftOn(`"other", ${await etagOf('draft')}`, 'Five')).toBeUndefined();
    expect(await draftOn('*', 'Six')).toBeUndefined();
    expect(await draftOn(undefined, 'Seven')).toBeUndefined();
  });

  it('leave no child without its base when the base is deleted at the same time', async () => {
    const codes: unknown[] = [];
    for (let round = 0; round < 10; round++) {
      const team = `torn-${round}`;
      await open(team).applied([salesModel]);
      const [applied, deleted] = await Promise.all([
        open(team).refused([germanyModel]),
        readFailure(remove(team, 'sales')),
      ]);
      codes.push(applied?.code, deleted?.code);
      const { models } = await open(team).exported();
      expect(models.map(({ id }) => id)).toEqual(applied ? [] : ['germany', 'sales']);
    }
    expect(new Set(codes)).toEqual(
      new Set(codes.includes(undefined) ? codes : ['GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT']),
    );
  });
});

describe('a deletion', () => {
  it('removes the model with its draft and versions for every replica, and writes an event', async () => {
    const { applied, exported } = open('deleting');
    await applied([salesModel]);
    await applied([named('Other')]);
    await applied([named('Draft')], { mode: 'draft' });
    const catalogs = new Catalogs(fixture.pools);
    expect((await catalogs.of('deleting')).models.size).toBe(1);
    expect(await remove('deleting', 'sales')).toEqual({ ok: true, value: { deleted: 'sales' } });
    expect((await catalogs.of('deleting')).models.size).toBe(0);
    expect(await exported()).toEqual({ models: [], tables: [] });
    const left = await runInTenantTransaction(fixture.pools.light, 'deleting', async (client) => ({
      versions: (await client.query('select from knowledge_models.model_version')).rowCount,
      last: (await client.query('select subject, payload from knowledge_models.outbox order by position desc limit 1'))
        .rows,
    }));
    expect(left).toMatchObject({
      versions: 0,
      last: [
        {
          subject: 'evt.knowledge-models.deleting.knowledge.model.deleted',
          payload: expect.stringContaining('"modelId":"sales"'),
        },
      ],
    });
    expect((await readFailure(remove('deleting', 'sales')))?.code).toBe('GENERAL_NOTFOUND');
  });

  it('is rejected while another model or draft extends the model', async () => {
    const { applied } = open('extended');
    await applied([salesModel, germanyModel]);
    await applied([{ ...germanyModel, id: 'france' }], { mode: 'draft' });
    const failure = await readFailure(remove('extended', 'sales'));
    expect([failure?.code, failure?.detail]).toEqual([
      'GENERAL_CONFLICT',
      'The model is the base of france, germany; delete or change these first.',
    ]);
    for (const id of ['germany', 'france', 'sales']) expect((await remove('extended', id)).ok).toBe(true);
  });
});

describe('an unreachable database', () => {
  it('makes apply, delete and export answer an outage', async () => {
    const pools = new Pools(
      knowledgeModelsSettings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }),
      silentLog,
    );
    const away = openDefinitionClient(
      { pools, source: openDataSource(pools.light, knowledgeModelsEntities) },
      'meridian',
    );
    const context = adminContextOf('meridian');
    const answers = [
      away.apply([salesModel]),
      away.handler.delete({ team: 'meridian', modelId: 'sales' }, context),
      away.handler.export({ team: 'meridian' }, context),
    ];
    for (const answer of answers) expect((await readFailure(answer))?.code).toBe('SERVICE_UNAVAILABLE');
    await pools.onApplicationShutdown();
  });
});

describe('definitions with the same ids in two teams', () => {
  beforeAll(async () => {
    await open('meridian').applied([named('Meridian'), itemTable]);
    await open('northgate').applied([named('Northgate'), germanyModel]);
  });

  it('are applied, exported and deleted for their own team only', async () => {
    const catalogs = new Catalogs(fixture.pools);
    const nameIn = async (team: string) => (await catalogs.of(team)).models.get('sales')?.checked.model.name;
    expect([await nameIn('meridian'), await nameIn('northgate')]).toEqual(['Meridian', 'Northgate']);
    expect((await catalogs.of('meridian')).models.has('germany')).toBe(false);
    expect(JSON.stringify(await open('meridian').exported())).not.toContain('Northgate');
    // The child of the other team keeps nothing of this one.
    expect((await remove('meridian', 'sales')).ok).toBe(true);
    expect([await nameIn('meridian'), await nameIn('northgate')]).toEqual([undefined, 'Northgate']);
    await open('meridian').applied([named('Meridian')]);
  });

  it('are not found by callers without the admin scope of the team, but by operators', async () => {
    const { handler, apply } = open('northgate');
    const nothing = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
    const request = {
      team: 'northgate',
      apply: { definitions: [salesModel], mode: 'publish', againstDatabase: false },
    } as const;
    const callers = [adminContextOf('meridian'), adminContextOf('northgate', { scopes: ['knowledge-models:read'] })];
    for (const context of callers) {
      expect(
        await handler.apply({ ...request, apply: { ...request.apply, definitions: [salesModel] } }, context),
      ).toEqual(nothing);
      expect(await handler.export({ team: 'northgate' }, context)).toEqual(nothing);
      expect(await handler.delete({ team: 'northgate', modelId: 'germany' }, context)).toEqual(nothing);
    }
    expect((await handler.export({ team: 'northgate' }, adminContextOf('operators'))).ok).toBe(true);
    expect((await apply([germanyModel])).ok).toBe(true);
  });

  const tables = ['team_state', 'model', 'model_version', 'team_table', 'outbox'];
  it.each(tables)(
    'are separated by the database: a statement on %s without a tenant condition sees one team',
    async (table) => {
      const text = `select distinct tenant from knowledge_models.${table}`;
      for (const team of ['meridian', 'nobody']) {
        const rows = await readAsTenant(fixture.pools.light, team, { name: `forgetful_${table}`, text, values: [] });
        expect(rows).toEqual(team === 'nobody' ? [] : [{ tenant: team }]);
      }
      expect((await fixture.pools.light.query(text)).rows).toEqual([]);
    },
  );

  it('cannot be written by the other team', async () => {
    const write = runInTenantTransaction(fixture.pools.definitions, 'meridian', (client) =>
      client.query(`insert into knowledge_models.model (tenant, model_id, changed_by) values ('northgate', 'x', 'y')`),
    );
    await expect(write).rejects.toThrow('row-level security');
  });
});
