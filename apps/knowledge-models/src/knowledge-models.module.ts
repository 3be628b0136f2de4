/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type DynamicModule } from '@nestjs/common';
import { EventPublishing } from '@tessera/service-kit';
import { CallerModels } from './catalog/caller-models.js';
import { Catalogs } from './catalog/catalogs.js';
import { DefinitionsHandler } from './definitions/definitions.handler.js';
import { poolsToken, type Pools } from './database/pools.js';
import { ListMembersHandler } from './lists/list-members.handler.js';
import { ListModelsHandler } from './lists/list-models.handler.js';
import { ReadRecordHandler } from './lists/read-record.handler.js';
import { GenerateSpecHandler } from './spec/generate-spec.handler.js';

const readHandlers = [ListModelsHandler, ListMembersHandler, ReadRecordHandler, GenerateSpecHandler];

@Module({})
export class KnowledgeModelsModule {
  static with(pools: Pools, events: EventPublishing): DynamicModule {
    return {
      module: KnowledgeModelsModule,
      controllers: [...readHandlers, DefinitionsHandler],
      providers: [
        Catalogs,
        CallerModels,
        { provide: poolsToken, useValue: pools },
        { provide: EventPublishing, useValue: events },
      ],
    };
  }
}
