/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type DynamicModule } from '@nestjs/common';
import { EventPublishing } from '@tessera/service-kit';
import { Catalogs } from './catalog/catalogs.js';
import { poolsToken, type Pools } from './database/pools.js';

@Module({})
export class KnowledgeModelsModule {
  static with(pools: Pools, events: EventPublishing): DynamicModule {
    return {
      module: KnowledgeModelsModule,
      controllers: [],
      providers: [Catalogs, { provide: poolsToken, useValue: pools }, { provide: EventPublishing, useValue: events }],
    };
  }
}
