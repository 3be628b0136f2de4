import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { Catalogs } from './catalog/catalogs.js';
import { closePools, openPools } from './database/pools.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { settings } from './settings.js';
import { unpublishedEvents } from './testing/unpublished-events.js';

describe('the module of the service', () => {
  it('has a provider for everything that its handlers are made with', async () => {
    const pools = openPools(settings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }), () => undefined);
    const module = await Test.createTestingModule({
      imports: [KnowledgeModelsModule.with(pools, unpublishedEvents)],
    }).compile();
    expect(module.get(Catalogs)).toBeInstanceOf(Catalogs);
    await module.close();
    await closePools(pools);
  });
});
