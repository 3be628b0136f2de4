import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { Catalogs } from './catalog/catalogs.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { knowledgeModelsSettings } from './settings.js';

describe('the module of the service', () => {
  it('has a provider for every dependency of its handlers', async () => {
    const service = createTestProcess(
      'knowledge-models',
      knowledgeModelsSettings.parse({ DATABASE_URL: 'postgres://nobody@localhost:1/none' }),
    );
    const module = await Test.createTestingModule({
      imports: [ServiceModule.forRoot(service), KnowledgeModelsModule],
    }).compile();
    expect(module.get(Catalogs)).toBeInstanceOf(Catalogs);
    await module.close();
  });
});
