/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type DynamicModule } from '@nestjs/common';
import { poolsToken, type Pools } from './database/pools.js';

@Module({})
export class KnowledgeModelsModule {
  static with(pools: Pools): DynamicModule {
    return {
      module: KnowledgeModelsModule,
      controllers: [],
      providers: [{ provide: poolsToken, useValue: pools }],
    };
  }
}
