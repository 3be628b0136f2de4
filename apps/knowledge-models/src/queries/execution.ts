/** What queries run with beside the pools of the service. Refuses: to be made by a handler; the process opens it once. */
import type { ServiceProcess } from '@tessera/service-kit';
import { ResultCache } from '../cache/result-cache.js';
import { ExternalDatabases } from '../external/external-databases.js';
import { HeavyStatements } from './heavy-statements.js';
import type { Settings } from '../settings.js';

export type Execution = {
  readonly cache: ResultCache;
  readonly external: ExternalDatabases;
  readonly heavy: HeavyStatements;
  /** Told of each query that went to a database: the time until its first rows. */
  readonly observe: (seconds: number) => void;
  readonly nowMs: () => number;
};

/** Injection token of `Execution`. */
export const executionToken = Symbol('execution');

export type ExecutionOptions = {
  readonly onIdleError?: (database: string) => void;
  readonly observe?: (seconds: number) => void;
  readonly nowMs?: () => number;
};

export const openExecution = (settings: Settings, options: ExecutionOptions = {}): Execution => {
  const { onIdleError = () => undefined, observe = () => undefined, nowMs = Date.now } = options;
  return {
    cache: new ResultCache(settings.RESULT_CACHE_BYTES),
    external: new ExternalDatabases(settings.EXTERNAL_DATABASES, {
      statementTimeoutMs: settings.STATEMENT_TIMEOUT_MS,
      onIdleError,
      nowMs,
    }),
    heavy: new HeavyStatements({ connections: settings.QUERY_CONNECTIONS }),
    observe,
    nowMs,
  };
};

/** Tells the metrics and the log of the process. */
export const startExecution = ({
  configuration,
  log,
  metrics,
}: Pick<ServiceProcess<Settings>, 'configuration' | 'log' | 'metrics'>): Execution => {
  const execution = openExecution(configuration, {
    onIdleError: (database) => log.warn({ database }, 'an idle connection to an external database broke'),
    observe: metrics.durations('tessera_query_duration_seconds', 'Time of queries of data until their first rows.'),
  });
  const { cache } = execution;
  metrics.total('tessera_result_cache_hits_total', 'Results that were found in the cache.', () => cache.hits);
  metrics.total('tessera_result_cache_misses_total', 'Results that were not.', () => cache.misses);
  metrics.gauge('tessera_result_cache_bytes', 'Bytes of the results that are kept.', () =>
    Promise.resolve(cache.bytes),
  );
  return execution;
};
