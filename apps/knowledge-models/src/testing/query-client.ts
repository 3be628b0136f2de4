/** Questions of a spec to the handlers of data, as the gateway asks them. */
import {
  postModelQuery,
  postRecordQuery,
  queryModelData,
  queryRecordData,
  readModelData,
  readModelQuery,
  readRecordData,
  readRecordQuery,
  summariseRecord,
} from '@tessera/contracts/knowledge-models';
import type { ByteReply } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { type ColumnarReader, ColumnarRefusal } from '@tessera/knowledge-model';
import { ResultCache } from '../cache/result-cache.js';
import { CallerModels } from '../catalog/caller-models.js';
import { ExternalDatabases } from '../database/external-databases.js';
import { EvidenceLog } from '../evidence/evidence.repository.js';
import { EvidenceKeeper } from '../evidence/keep-evidence.js';
import { QueryPreparer } from '../queries/query-preparer.js';
import { GroupEngines } from '../queries/group-engines.js';
import type { Rollups } from '../rollups/rollups.js';
import { HeavyStatementLimiter } from '../queries/heavy-statements.js';
import { StatementCosts } from '../queries/statement-costs.js';
import { DataHandler } from '../queries/data.handler.js';
import { QueryRunner } from '../queries/query-runner.js';
import { knowledgeModelsSettings } from '../settings.js';
import { SummariseRecordHandler } from '../queries/summarise-record.handler.js';
import { callerContextOf, type Fixture, type TestCaller } from './fixture.js';

type Answer = Promise<Result<ByteReply>>;
type Parameters = Readonly<Record<string, unknown>>;
type TeamCaller = { readonly team: string } & TestCaller;

/** What queries run with beside the pools of the service. */
type Execution = {
  readonly cache: ResultCache;
  readonly external: ExternalDatabases;
  readonly heavy: HeavyStatementLimiter;
  readonly engines: GroupEngines;
  readonly costs: StatementCosts;
};

/** As where no table is stored by columns. */
const noColumnarTables = { find: () => undefined };
const noColumnarReader: ColumnarReader = {
  engine: 'none',
  ask: () => Promise.reject(new ColumnarRefusal('no-table')),
};

export type ExecutionOptions = {
  /** Told of each query that went to a database. */
  readonly observe?: () => void;
  readonly nowMs?: () => number;
  /** Who computes groups beside PostgreSQL; nobody when absent. */
  readonly engines?: (costs: StatementCosts) => GroupEngines;
  /** Without a columnar engine: where groups may be taken from, and who is told who computed them and why. */
  readonly rollups?: Rollups;
  readonly onComputed?: (engine: string, reason: string) => void;
};

export const createExecution = (
  environment: Readonly<Record<string, string>>,
  { nowMs = Date.now, engines, rollups, onComputed = () => undefined }: ExecutionOptions = {},
): Execution => {
  const configuration = knowledgeModelsSettings.parse(environment);
  const { COLUMNAR_QUERY_ROWS, EXTERNAL_DATABASES, QUERY_CONNECTIONS, RESULT_CACHE_BYTES, STATEMENT_TIMEOUT_MS } =
    configuration;
  const options = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, onIdleError: () => undefined, nowMs };
  const costs = new StatementCosts();
  return {
    costs,
    cache: new ResultCache(RESULT_CACHE_BYTES),
    external: new ExternalDatabases(EXTERNAL_DATABASES, options),
    heavy: new HeavyStatementLimiter({ connections: QUERY_CONNECTIONS }),
    engines:
      engines?.(costs) ??
      new GroupEngines(noColumnarReader, noColumnarTables, costs, {
        isOn: true,
        rowsMin: COLUMNAR_QUERY_ROWS,
        hasFallback: true,
        onComputed,
        ...(rollups && { rollups }),
      }),
  };
};

export type QueryClient = {
  readonly execution: Execution;
  readonly runner: QueryRunner;
  readonly models: QueryPreparer;
  readonly evidence: EvidenceKeeper;
  readonly evidenceLog: EvidenceLog;
  /** By the parameters of a GET; at the level of the record when one is named. */
  readonly data: (asker: TeamCaller, model: string, record: string | undefined, parameters?: Parameters) => Answer;
  readonly query: (asker: TeamCaller, model: string, record: string | undefined, parameters?: Parameters) => Answer;
  readonly summary: (asker: TeamCaller, model: string, record: string, parameters?: Parameters) => Answer;
  /** By the projection of a POST. */
  readonly postData: (asker: TeamCaller, model: string, record: string | undefined, projection: Parameters) => Answer;
  readonly postQuery: (
    asker: TeamCaller,
    model: string,
    record: string | undefined,
    projection: Parameters,
    beside?: Parameters,
  ) => Answer;
};

export const openQueryClient = (
  fixture: Fixture,
  environment: Readonly<Record<string, string>> = {},
  options: ExecutionOptions = {},
): QueryClient => {
  const execution = createExecution({ DATABASE_URL: fixture.database.adminUrl, ...environment }, options);
  const { cache, heavy, engines, costs } = execution;
  const runner = new QueryRunner(cache, heavy, engines, costs, options.observe ?? (() => undefined));
  const models = new QueryPreparer(new CallerModels(fixture.catalogs), fixture.pools, execution.external);
  const evidenceLog = new EvidenceLog(fixture.pools.light);
  const evidence = new EvidenceKeeper(evidenceLog, fixture.catalogs);
  const handler = new DataHandler(models, runner, evidence);
  const summaries = new SummariseRecordHandler(models, runner);
  const contextOf = ({ team, ...caller }: TeamCaller) => callerContextOf(team, caller);
  return {
    execution,
    runner,
    models,
    evidence,
    evidenceLog,
    data: (asker, km_id, record_id, parameters = {}) =>
      record_id === undefined
        ? handler.readModelData(readModelData.request.parse({ km_id, ...parameters }), contextOf(asker))
        : handler.readRecordData(readRecordData.request.parse({ km_id, record_id, ...parameters }), contextOf(asker)),
    query: (asker, km_id, record_id, parameters = {}) =>
      record_id === undefined
        ? handler.readModelQuery(readModelQuery.request.parse({ km_id, ...parameters }), contextOf(asker))
        : handler.readRecordQuery(readRecordQuery.request.parse({ km_id, record_id, ...parameters }), contextOf(asker)),
    summary: (asker, km_id, record_id, parameters = {}) =>
      summaries.summarise(summariseRecord.request.parse({ km_id, record_id, ...parameters }), contextOf(asker)),
    postData: (asker, km_id, record_id, projection) => {
      const query = { projection };
      return record_id === undefined
        ? handler.queryModelData(queryModelData.request.parse({ km_id, query }), contextOf(asker))
        : handler.queryRecordData(queryRecordData.request.parse({ km_id, record_id, query }), contextOf(asker));
    },
    postQuery: (asker, km_id, record_id, projection, beside) => {
      const query = { projection };
      return record_id === undefined
        ? handler.postModelQuery(postModelQuery.request.parse({ km_id, query, ...beside }), contextOf(asker))
        : handler.postRecordQuery(
            postRecordQuery.request.parse({ km_id, record_id, query, ...beside }),
            contextOf(asker),
          );
    },
  };
};
