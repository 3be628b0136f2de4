import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestDefinition } from '@tessera/contracts';
import {
  compareModelVersions,
  type KnowledgeModelDefinition,
  listModelVersions,
  readModelVersion,
} from '@tessera/contracts/knowledge-models';
import { runInTenantTransaction } from '@tessera/persistence';
import {
  adminContextOf,
  germanyModel,
  itemTable,
  openSalesClient,
  openItemMessage,
  openSalesModel,
  salesModel,
} from '../testing/definition-client.js';
import { type Fixture, readJsonAnswer, openFixture, readFailure } from '../testing/fixture.js';
import { ModelVersionsHandler } from './model-versions.handler.js';

const team = 'meridian';
const named = (name: string): KnowledgeModelDefinition => ({ ...salesModel, name });
const withoutKpi: KnowledgeModelDefinition = { ...named('Third'), kpis: [{ id: 'ROWS', expression: 'count(ITEM.*)' }] };

let fixture: Fixture;
let versions: ModelVersionsHandler;
beforeAll(async () => {
  fixture = await openFixture();
  versions = new ModelVersionsHandler(fixture.source);
  const client = openSalesClient(fixture, team);
  await client.applied([named('First'), itemTable]);
  await client.applied([named('Second')]);
  await client.applied([named('Third')]);
  await client.applied([germanyModel], { mode: 'draft' });
  await client.applied([withoutKpi], { mode: 'draft' });
  await openSalesClient(fixture, 'northgate').applied([named('Secret')]);
});
afterAll(() => fixture?.end());

const list = async (query: object = {}, modelId = 'sales') => {
  const answer = await versions.list(
    listModelVersions.request.parse({ team, modelId, ...query }),
    adminContextOf(team),
  );
  if (!answer.ok) throw new Error(answer.failure.detail);
  return listModelVersions.reply.parse(answer.value);
};
const read = (version: string, modelId = 'sales') =>
  versions.read(readModelVersion.request.parse({ team, modelId, version }), adminContextOf(team));
const compare = (query: object = {}, modelId = 'sales') =>
  versions.compare(compareModelVersions.request.parse({ team, modelId, ...query }), adminContextOf(team));
const differences = async (query: object = {}) => {
  const answer = await compare(query);
  if (!answer.ok) throw new Error(answer.failure.detail);
  return compareModelVersions.reply.parse(answer.value);
};

it('are compared with a word about a later version that could not be published once more', async () => {
  const owner = 'open-before';
  await fixture.publish(owner, openSalesModel);
  const request = { team: owner, modelId: 'sales', from: 'published', to: 'published' };
  const answer = await versions.compare(compareModelVersions.request.parse(request), adminContextOf(owner));
  expect(answer).toMatchObject({
    ok: true,
    value: { changes: [], openRecords: [expect.stringContaining(openItemMessage)] },
  });
  expect(await differences({ from: '1', to: '2' })).not.toHaveProperty('openRecords');
});

describe('the versions of a model', () => {
  it('are listed with the draft, the newest first', async () => {
    const { versions: found, draft, next } = await list();
    expect(found.map(({ version, isPublished }) => [version, isPublished])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(found[2]).toMatchObject({
      digest: digestDefinition(named('First')),
      publishedBy: 'admin',
      publishedAt: expect.stringMatching(/Z$/),
    });
    expect(draft).toMatchObject({ digest: digestDefinition(withoutKpi), changedBy: 'admin' });
    expect(next).toBeUndefined();
  });

  it('are none of a model that has a draft only', async () => {
    expect(await list({}, 'germany')).toMatchObject({ versions: [], draft: { changedBy: 'admin' } });
  });

  it('come in pages', async () => {
    const first = await list({ pageSize: 2 });
    expect([first.versions.map(({ version }) => version), first.next]).toEqual([[3, 2], 2]);
    const last = await list({ pageSize: 2, before: first.next });
    expect([last.versions.map(({ version }) => version), last.next]).toEqual([[1], undefined]);
  });

  it('are read by number, as published and as draft', async () => {
    const name = async (version: string) => {
      const body = readModelVersion.reply.parse(await readJsonAnswer(read(version)));
      return [body.version, body.definition.name, body.definition.kpis?.[0]?.id];
    };
    expect(await name('1')).toEqual(['1', 'First', 'VALUE']);
    expect(await name('published')).toEqual(['3', 'Third', 'VALUE']);
    expect(await name('draft')).toEqual(['draft', 'Third', 'ROWS']);
  });

  it.each([
    ['4', 'sales', 'There is no version 4 of sales.'],
    ['published', 'germany', 'There is no published version of germany.'],
    ['1', 'nothing', 'There is no version 1 of nothing.'],
  ])('are not found: %s of %s', async (version, modelId, detail) => {
    expect(await readFailure(read(version, modelId))).toMatchObject({ code: 'GENERAL_NOTFOUND', detail });
  });

  it('are told to nobody who may not administer the team', async () => {
    const request = { team: 'northgate', modelId: 'sales' };
    const answers = [
      versions.list(listModelVersions.request.parse(request), adminContextOf(team)),
      versions.read(readModelVersion.request.parse({ ...request, version: '1' }), adminContextOf(team)),
      versions.compare(compareModelVersions.request.parse(request), adminContextOf(team)),
    ];
    for (const answer of answers)
      expect(await readFailure(answer)).toMatchObject({
        code: 'GENERAL_NOTFOUND',
        detail: 'There is nothing at this address.',
      });
    for (const version of ['0', '-1', '1.5', 'Draft', '', '99999999999'])
      expect(readModelVersion.request.safeParse({ team, modelId: 'sales', version }).success).toBe(false);
  });
});

describe('what differs between two versions', () => {
  it('is without more what publishing the draft changes, and what of it breaks', async () => {
    expect(await differences()).toEqual({
      from: '3',
      to: 'draft',
      changes: [
        { path: 'kpis.VALUE', change: 'removed', breaks: true },
        { path: 'kpis.ROWS', change: 'added', breaks: false },
      ],
    });
  });

  it('is told in both directions', async () => {
    const renamed = [{ path: 'name', change: 'changed', breaks: false }];
    expect(await differences({ from: '1', to: '2' })).toEqual({ from: '1', to: '2', changes: renamed });
    expect(await differences({ from: '2', to: '1' })).toEqual({ from: '2', to: '1', changes: renamed });
    expect(await differences({ from: '3', to: 'published' })).toEqual({ from: '3', to: '3', changes: [] });
  });

  it('needs both of them', async () => {
    expect((await readFailure(compare({ from: '9' })))?.detail).toBe('There is no version 9 of sales.');
    expect((await readFailure(compare({}, 'germany')))?.detail).toBe('There is no published version of germany.');
  });

  it('is refused for a version that is not read any more', async () => {
    const text = `update knowledge_models.model_version set definition = '{"kind":"KnowledgeModel"}'
      where tenant = $1 and model_id = 'sales' and version = 1`;
    await runInTenantTransaction(fixture.pools.definitions, team, (client) => client.query(text, [team]));
    expect(await readFailure(compare({ from: '1', to: '2' }))).toMatchObject({
      code: 'GENERAL_CONFLICT',
      detail: 'Version 1 was stored in a form that is not read any more.',
    });
  });
});
