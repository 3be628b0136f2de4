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
import { LoadHandler } from './loads/load.handler.js';
import { LoadJobs } from './loads/load-jobs.js';
import { TableIndexes } from './loads/table-indexes.js';
import { TableLocks } from './loads/table-locks.js';
import { ODataDocumentsHandler } from './odata/odata-documents.handler.js';
import { ODataEntriesHandler } from './odata/odata-entries.handler.js';
import { ODataReader } from './odata/odata-reader.js';
import { TokenKey } from './odata/token-key.js';
import { AskedModels } from './queries/asked-models.js';
import { CompiledQueries } from './queries/compiled-queries.js';
import { DataReader } from './queries/data-reader.js';
import { executionToken, type Execution } from './queries/execution.js';
import { ExplainQueryHandler } from './queries/explain-query.handler.js';
import { ModelDataHandler } from './queries/model-data.handler.js';
import { PageReader } from './queries/page-reader.js';
import { QueryRunner } from './queries/query-runner.js';
import { RecordDataHandler } from './queries/record-data.handler.js';
import { GenerateSpecHandler } from './spec/generate-spec.handler.js';
import { SummariseRecordHandler } from './summary/summarise-record.handler.js';
import { DescribeForToolsHandler } from './tools/describe-for-tools.handler.js';
import { GetInsightsHandler } from './tools/get-insights.handler.js';
import { LoadDataHandler } from './tools/load-data.handler.js';
import { SearchDataHandler } from './tools/search-data.handler.js';
import { ValueSearch } from './tools/value-search.js';

const readHandlers = [ListModelsHandler, ListMembersHandler, ReadRecordHandler, GenerateSpecHandler];
const dataHandlers = [ModelDataHandler, RecordDataHandler, SummariseRecordHandler, ExplainQueryHandler];
const toolHandlers = [DescribeForToolsHandler, SearchDataHandler, LoadDataHandler, GetInsightsHandler];
const odataHandlers = [ODataDocumentsHandler, ODataEntriesHandler];

@Module({})
export class KnowledgeModelsModule {
  static with(pools: Pools, events: EventPublishing, execution: Execution): DynamicModule {
    return {
      module: KnowledgeModelsModule,
      controllers: [
        ...readHandlers,
        ...dataHandlers,
        ...odataHandlers,
        ...toolHandlers,
        DefinitionsHandler,
        LoadHandler,
      ],
      providers: [
        Catalogs,
        CallerModels,
        TableLocks,
        TableIndexes,
        LoadJobs,
        AskedModels,
        CompiledQueries,
        QueryRunner,
        PageReader,
        DataReader,
        ValueSearch,
        TokenKey,
        ODataReader,
        { provide: executionToken, useValue: execution },
        { provide: poolsToken, useValue: pools },
        { provide: EventPublishing, useValue: events },
      ],
    };
  }
}
