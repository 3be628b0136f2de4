/** From a change of definitions to NATS, on a real PostgreSQL and a real NATS. */
import { Test, type TestingModule } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventEnvelopeSchema } from '@tessera/contracts';
import { modelDeleted, modelPublished } from '@tessera/contracts/knowledge-models';
import { connectNats, silentLog } from '@tessera/messaging';
import { runInTenantTransaction } from '@tessera/persistence';
import { ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { DefinitionsHandler } from './definitions/definitions.handler.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { knowledgeModelsSettings } from './settings.js';
import {
  adminContextOf,
  createSalesTables,
  noExternalDatabases,
  noopTableIndexes,
  salesModel,
} from './testing/definition-client.js';
import { openFixture, type Fixture } from './testing/fixture.js';

let fixture: Fixture;
let nats: TestNats;
let module: TestingModule;

beforeAll(async () => {
  [fixture, nats] = await Promise.all([openFixture(), startTestNats()]);
  const link = connectNats({ url: nats.urlFor('knowledge-models'), service: 'knowledge-models', log: silentLog });
  await link.whenConnected(60_000);
  const configuration = knowledgeModelsSettings.parse({ DATABASE_URL: fixture.database.urlFor('knowledge-models') });
  const service = createTestProcess('knowledge-models', configuration, link);
  module = await Test.createTestingModule({
    imports: [ServiceModule.forRoot(service), KnowledgeModelsModule],
  }).compile();
  await module.init();
  for (const team of ['meridian', 'northgate']) await createSalesTables(fixture, team);
});
afterAll(async () => {
  await module?.close();
  await nats?.stop();
  await fixture?.end();
});

const waiting = (team: string): Promise<number | null> =>
  runInTenantTransaction(
    fixture.pools.light,
    team,
    async (client) => (await client.query('select from knowledge_models.outbox')).rowCount,
  );

describe('the events of knowledge models', () => {
  it('report publications and deletions with their subject, once and in order', async () => {
    const handler = module.get(DefinitionsHandler);
    const context = adminContextOf('meridian', { subject: 'ann' });
    const apply = { definitions: [salesModel], mode: 'publish' as const, againstDatabase: false };
    for (let times = 0; times < 2; times++)
      expect((await handler.apply({ team: 'meridian', apply }, context)).ok).toBe(true);
    expect((await handler.delete({ team: 'meridian', modelId: 'sales' }, context)).ok).toBe(true);
    await waitUntil(async () => (await waiting('meridian')) === 0);
    const [published, deleted, more] = (await nats.storedEvents()).map(({ payload }): unknown => JSON.parse(payload));
    expect(eventEnvelopeSchema(modelPublished).parse(published)).toMatchObject({
      team: 'meridian',
      subject: 'ann',
      requestId: 'request-1',
      data: { modelId: 'sales', version: 1 },
    });
    expect(more).toBeUndefined();
    expect(eventEnvelopeSchema(modelDeleted).parse(deleted).data).toEqual({ modelId: 'sales' });
  });

  it('wake the publisher after a change, and not after a rejected one', async () => {
    let woken = 0;
    const handler = new DefinitionsHandler(
      fixture.source,
      fixture.pools,
      { wake: () => void (woken += 1) },
      noExternalDatabases,
      noopTableIndexes,
    );
    const applied = (expression: string) =>
      handler.apply(
        {
          team: 'northgate',
          apply: {
            definitions: [{ ...salesModel, kpis: [{ id: 'VALUE', expression }] }],
            mode: 'publish',
            againstDatabase: false,
          },
        },
        adminContextOf('northgate'),
      );
    expect([(await applied('count(NOWHERE.*)')).ok, woken]).toEqual([false, 0]);
    expect([(await applied('count(ITEM.*)')).ok, woken]).toEqual([true, 1]);
  });
});
