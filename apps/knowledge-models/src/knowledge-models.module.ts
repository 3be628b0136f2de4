/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type Provider } from '@nestjs/common';
import type { ColumnarReader, ColumnarTables } from '@tessera/knowledge-model';
import { openOutbox } from '@tessera/persistence';
import { EventsModule, logToken, metricsToken, settingsToken, type Log, type Metrics } from '@tessera/service-kit';
import { ResultCache } from './cache/result-cache.js';
import { CallerModels } from './catalog/caller-models.js';
import { Catalogs } from './catalog/catalogs.js';
import { columnarProviders, columnarReaderToken, columnarTablesToken } from './columnar/columnar-providers.js';
import { DatabaseModule, Pools } from './database.module.js';
import { DefinitionsHandler } from './definitions/definitions.handler.js';
import { ModelVersionsHandler } from './definitions/model-versions.handler.js';
import { ExternalDatabases } from './database/external-databases.js';
import { EvidenceHandler } from './evidence/evidence.handler.js';
import { EvidenceLog, EvidenceMaintenance } from './evidence/evidence.repository.js';
import { EvidenceKeeper } from './evidence/keep-evidence.js';
import { QuestionReplay } from './evidence/question-replay.js';
import { RecordedModels } from './evidence/recorded-models.js';
import { ListsHandler } from './lists/lists.handler.js';
import { ChangeTablesHandler } from './loads/change-tables.handler.js';
import { ListTablesHandler } from './loads/list-tables.handler.js';
import { DeleteOldLoadsJob } from './loads/old-loads.js';
import { LoadHandler } from './loads/load.handler.js';
import { LoadJobs } from './loads/load-jobs.js';
import { TableIndexes } from './loads/table-indexes.js';
import { TableLocks } from './loads/table-locks.js';
import { ODataDocumentsHandler } from './odata/odata-documents.handler.js';
import { ODataEntriesHandler } from './odata/odata-entries.handler.js';
import { ODataLinksHandler } from './odata/odata-links.handler.js';
import { TokenKeyRepository } from './odata/token-key.repository.js';
import { QueryPreparer } from './queries/query-preparer.js';
import { DataHandler } from './queries/data.handler.js';
import { ExplainQueryHandler } from './queries/explain-query.handler.js';
import { GroupEngines } from './queries/group-engines.js';
import { rollupProviders } from './rollups/rollup-providers.js';
import { Rollups } from './rollups/rollups.js';
import { HeavyStatementLimiter } from './queries/heavy-statements.js';
import { queryDurationToken, QueryRunner } from './queries/query-runner.js';
import { StatementCosts } from './queries/statement-costs.js';
import type { Settings } from './settings.js';
import { GenerateSpecHandler } from './spec/generate-spec.handler.js';
import { SummariseRecordHandler } from './queries/summarise-record.handler.js';
import { DescribeForToolsHandler } from './tools/describe-for-tools.handler.js';
import { GetInsightsHandler } from './tools/get-insights.handler.js';
import { InsightsReader } from './tools/insights-reader.js';
import { LoadDataHandler } from './tools/load-data.handler.js';
import { SearchDataHandler } from './tools/search-data.handler.js';
import { ValueSearch } from './tools/value-search.js';

const readHandlers = [ListsHandler, GenerateSpecHandler];
const dataHandlers = [DataHandler, SummariseRecordHandler, ExplainQueryHandler];
const evidenceHandlers = [EvidenceHandler];
const toolHandlers = [DescribeForToolsHandler, SearchDataHandler, LoadDataHandler, GetInsightsHandler];
const odataHandlers = [ODataDocumentsHandler, ODataEntriesHandler, ODataLinksHandler];
const adminHandlers = [DefinitionsHandler, ModelVersionsHandler, LoadHandler, ListTablesHandler, ChangeTablesHandler];

/** What queries run with beside the pools. */
const executionProviders: readonly Provider[] = [
  {
    provide: ResultCache,
    inject: [settingsToken, metricsToken],
    useFactory: ({ RESULT_CACHE_BYTES }: Settings, metrics: Metrics) => {
      const cache = new ResultCache(RESULT_CACHE_BYTES);
      metrics.total('tessera_result_cache_hits_total', 'Results that were found in the cache.', () => cache.hits);
      metrics.total('tessera_result_cache_misses_total', 'Results that were not.', () => cache.misses);
      metrics.gauge('tessera_result_cache_bytes', 'Bytes of the results that are kept.', async () => cache.bytes);
      return cache;
    },
  },
  {
    provide: ExternalDatabases,
    inject: [settingsToken, logToken],
    useFactory: (settings: Settings, log: Log) =>
      new ExternalDatabases(settings.EXTERNAL_DATABASES, {
        statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
        onIdleError: (database) => log.warn({ database }, 'an idle connection to an external database broke'),
      }),
  },
  {
    provide: HeavyStatementLimiter,
    inject: [settingsToken],
    useFactory: ({ QUERY_CONNECTIONS }: Settings) => new HeavyStatementLimiter({ connections: QUERY_CONNECTIONS }),
  },
  StatementCosts,
  {
    provide: queryDurationToken,
    inject: [metricsToken],
    useFactory: ({ durations }: Metrics) =>
      durations('tessera_query_duration_seconds', 'Time of queries of data until their first rows.'),
  },
  {
    provide: GroupEngines,
    inject: [columnarReaderToken, columnarTablesToken, StatementCosts, Rollups, settingsToken, metricsToken],
    useFactory: (
      reader: ColumnarReader,
      tables: ColumnarTables,
      costs: StatementCosts,
      rollups: Rollups,
      { COLUMNAR, COLUMNAR_QUERY_ROWS, COLUMNAR_FALLBACK }: Settings,
      metrics: Metrics,
    ) => {
      const computed = metrics.counts(
        'tessera_grouped_queries_total',
        'Statements that compute KPIs of groups, by the engine that computed them and the reason why.',
        ['engine', 'reason'],
      );
      return new GroupEngines(reader, tables, costs, {
        isOn: COLUMNAR === 'on',
        rollups,
        rowsMin: COLUMNAR_QUERY_ROWS,
        hasFallback: COLUMNAR_FALLBACK === 'on',
        onComputed: (engine, reason) => computed(1, engine, reason),
      });
    },
  },
  QueryRunner,
];

/** Records are written beside the reading of definitions, which waits for no query. */
const evidenceProviders: readonly Provider[] = [
  { provide: EvidenceLog, inject: [Pools], useFactory: ({ light }: Pools) => new EvidenceLog(light) },
  {
    provide: EvidenceKeeper,
    inject: [EvidenceLog, Catalogs, metricsToken],
    useFactory: (log: EvidenceLog, catalogs: Catalogs, metrics: Metrics) => {
      const keeper = new EvidenceKeeper(log, catalogs);
      metrics.total('tessera_evidence_records_total', 'Records of evidence that were kept.', () => keeper.kept);
      metrics.total(
        'tessera_evidence_refused_total',
        'Answers without the evidence that was asked for, since it could not be kept.',
        () => keeper.refused,
      );
      return keeper;
    },
  },
  ...[EvidenceMaintenance, RecordedModels, QuestionReplay],
];

@Module({
  imports: [
    DatabaseModule,
    EventsModule.forRootAsync({
      inject: [settingsToken],
      useFactory: ({ DATABASE_URL }: Settings) => openOutbox('knowledge-models', DATABASE_URL),
    }),
  ],
  controllers: [
    ...readHandlers,
    ...dataHandlers,
    ...odataHandlers,
    ...toolHandlers,
    ...evidenceHandlers,
    ...adminHandlers,
  ],
  providers: [
    ...executionProviders,
    ...evidenceProviders,
    ...columnarProviders,
    ...rollupProviders,
    {
      provide: Catalogs,
      inject: [Pools, metricsToken],
      useFactory: (pools: Pools, metrics: Metrics) => {
        const catalogs = new Catalogs(pools);
        metrics.gauge(
          'tessera_models_policy_missing',
          'Published models that were read in which a record leads to one with a policy and has none of its own.',
          async () => catalogs.openModels,
        );
        return catalogs;
      },
    },
    CallerModels,
    TableLocks,
    TableIndexes,
    LoadJobs,
    DeleteOldLoadsJob,
    QueryPreparer,
    InsightsReader,
    ValueSearch,
    TokenKeyRepository,
  ],
})
export class KnowledgeModelsModule {}
