import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { Catalogs } from './catalog/catalogs.js';
import { closePools, openPools } from './database/pools.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { openExecution } from './queries/execution.js';
import { settings } from './settings.js';
import { unpublishedEvents } from './testing/unpublished-events.js';

describe('the module of the service', () => {
  it('has a provider for everything that its handlers are made with', async () => {
    const configuration = settings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' });
    const pools = openPools(configuration, () => undefined);
    const module = await Test.createTestingModule({
      imports: [KnowledgeModelsModule.with(pools, unpublishedEvents, openExecution(configuration))],
    }).compile();
    expect(module.get(Catalogs)).toBeInstanceOf(Catalogs);
    await module.close();
    await closePools(pools);
  });
});
