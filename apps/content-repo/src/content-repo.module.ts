/** What the service is made of. A handler is listed here and nowhere else. */
import { Module } from '@nestjs/common';
import { openOutbox } from '@tessera/persistence';
import { EventsModule, settingsToken } from '@tessera/service-kit';
import { ListChangesHandler } from './audit/list-changes.handler.js';
import { BinHandler } from './bin/bin.handler.js';
import { PurgeExpiredJob } from './bin/purge-expired.js';
import { StorageChanges } from './change/change-storage.js';
import { DatabaseModule } from './database.module.js';
import { DeleteElementHandler } from './deletion/delete-element.handler.js';
import { ListElementsHandler } from './elements/list-elements.handler.js';
import { ReadElementHandler } from './elements/read-element.handler.js';
import { ExportHandler } from './export/export.handler.js';
import { FacetsHandler } from './facets/facets.handler.js';
import { FindContentHandler } from './find/find-content.handler.js';
import { FindFigureDocumentsHandler } from './find/find-figure-documents.handler.js';
import { SearchElementsHandler } from './find/search-elements.handler.js';
import { ImportCommits } from './import/import-commits.js';
import { ImportHandler } from './import/import.handler.js';
import { DeleteOldImportsJob } from './import/old-imports.js';
import { ElementPartsHandler } from './parts/element-parts.handler.js';
import { CreateVersionHandler } from './release/create-version.handler.js';
import { ListTransitionsHandler } from './release/list-transitions.handler.js';
import { PerformTransitionHandler } from './release/perform-transition.handler.js';
import { ReportCache } from './reports/kept-reports.js';
import { ReportElementHandler } from './reports/report-element.handler.js';
import { ReportFacetHandler } from './reports/report-facet.handler.js';
import type { Settings } from './settings.js';
import { ListStoragesHandler } from './storage/list-storages.handler.js';
import { StorageDefinitions } from './storage/storage-definitions.js';
import { WriteElementsHandler } from './writing/write-elements.handler.js';

const readHandlers = [
  ListStoragesHandler,
  FacetsHandler,
  ListElementsHandler,
  ReadElementHandler,
  ReportFacetHandler,
  ReportElementHandler,
  ElementPartsHandler,
  ListTransitionsHandler,
  FindContentHandler,
  FindFigureDocumentsHandler,
  SearchElementsHandler,
];

const writeHandlers = [WriteElementsHandler, CreateVersionHandler, PerformTransitionHandler, DeleteElementHandler];

const adminHandlers = [ImportHandler, ExportHandler, BinHandler, ListChangesHandler];

@Module({
  imports: [
    DatabaseModule,
    EventsModule.forRootAsync({
      inject: [settingsToken],
      useFactory: ({ DATABASE_URL }: Settings) => openOutbox('content-repo', DATABASE_URL),
    }),
  ],
  controllers: [...readHandlers, ...writeHandlers, ...adminHandlers],
  providers: [StorageDefinitions, ReportCache, StorageChanges, ImportCommits, PurgeExpiredJob, DeleteOldImportsJob],
})
export class ContentRepoModule {}
