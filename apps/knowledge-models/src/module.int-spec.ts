import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { connectNats, silentLog } from '@tessera/messaging';
import { makeMetrics, openLog, ServiceModule } from '@tessera/service-kit';
import { Catalogs } from './catalog/catalogs.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { settings } from './settings.js';

describe('the module of the service', () => {
  it('has a provider for everything that its handlers are made with', async () => {
    const service = {
      configuration: settings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }),
      log: openLog('knowledge-models', 'silent').log,
      metrics: makeMetrics('knowledge-models'),
      link: connectNats({ url: 'nats://127.0.0.1:1', service: 'knowledge-models', log: silentLog }),
      stopping: new AbortController().signal,
    };
    const module = await Test.createTestingModule({
      imports: [ServiceModule.forRoot(service), KnowledgeModelsModule],
    }).compile();
    expect(module.get(Catalogs)).toBeInstanceOf(Catalogs);
    await module.close();
  });
});
