/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type DynamicModule } from '@nestjs/common';
import { poolsToken, type Pools } from './database/pools.js';
import { ExportHandler } from './export/export.handler.js';
import { ListElementsHandler } from './elements/list-elements.handler.js';
import { ReadElementHandler } from './elements/read-element.handler.js';
import { ListFacetsHandler } from './facets/list-facets.handler.js';
import { ListViewsHandler } from './facets/list-views.handler.js';
import { ImportJobs } from './import/import-jobs.js';
import { ImportHandler } from './import/import.handler.js';
import { ReportElementHandler } from './reports/report-element.handler.js';
import { ReportFacetHandler } from './reports/report-facet.handler.js';
import { StorageDefinitions } from './storage/storage-definitions.js';

const readHandlers = [
  ListFacetsHandler,
  ListViewsHandler,
  ListElementsHandler,
  ReadElementHandler,
  ReportFacetHandler,
  ReportElementHandler,
];

const adminHandlers = [ImportHandler, ExportHandler];

@Module({})
export class ContentRepoModule {
  static with(pools: Pools): DynamicModule {
    return {
      module: ContentRepoModule,
      controllers: [...readHandlers, ...adminHandlers],
      providers: [StorageDefinitions, ImportJobs, { provide: poolsToken, useValue: pools }],
    };
  }
}
