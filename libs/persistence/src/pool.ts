/**
 * PostgreSQL pools with limits on connections, waiting, statements and idle transactions.
 * Never ends the process when the server goes away: the next query reconnects.
 */
import pg from 'pg';
import { connectionQueueOf } from './acquire-fairly.js';
import { traceStatements } from './statement-spans.js';

/** For those that pass them on and never speak to them. */
export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;

export type PoolOptions = {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  /**
   * Whether statements that are sent at once on a connection go without waiting for each other's answers. PostgreSQL runs
   * them in their order; in a transaction those after one that failed fail, too.
   */
  readonly pipelined?: boolean;
  /** Whether a named statement is planned once a connection, whatever its values; for statements that look up keys. */
  readonly plansOnce?: boolean;
  /** Settings of every session; values of letters, digits, commas and underscores. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a query waits for a free or a new connection. */
  readonly connectTimeoutMs?: number;
  /** Told when an idle connection breaks. */
  readonly onIdleError?: (error: Error) => void;
};

/** Whether PostgreSQL answers at this moment. */
export const isDatabaseUp = (pool: Pool): Promise<boolean> =>
  pool.query('select').then(
    () => true,
    () => false,
  );

/** Whether PostgreSQL takes writes: it is no standby, and nobody made it read-only. That it has room for them is not tried. */
export const takesWrites = (pool: Pool): Promise<boolean> =>
  pool
    .query<{ readonly takes: boolean }>(
      `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes`,
    )
    .then(
      ({ rows }) => rows[0]?.takes === true,
      () => false,
    );

/** Of this process, those that have ended among them until somebody looks. */
const openPools = new Set<pg.Pool>();

export type PoolMetrics = {
  /** The application name. */
  readonly pool: string;
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
};

/** What the open pools of this process do at this moment. */
export const readPoolMetrics = (): readonly PoolMetrics[] => {
  for (const pool of openPools) if (pool.ended) openPools.delete(pool);
  return [...openPools].map((pool) => ({
    pool: pool.options.application_name ?? '',
    max: pool.options.max,
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount + connectionQueueOf(pool).waiting,
  }));
};

export const createPool = (options: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + 1_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    pipeline: options.pipelined ?? false,
    options: sessionOptions(options),
  });
  traceStatements(pool);
  openPools.add(pool);
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection that breaks while it is in use tells its statement; without a listener it would end the process, too.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
};

const sessionOptions = ({ plansOnce, settings }: PoolOptions): string =>
  Object.entries({
    client_connection_check_interval: '1000',
    jit: 'off',
    ...(plansOnce && { plan_cache_mode: 'force_generic_plan' }),
    ...settings,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

type ServicePoolOptions = {
  /** The name of the service, which begins those of its pools. */
  readonly service: string;
  readonly url: string;
  readonly statementTimeoutMs: number;
  readonly log: { warn(fields: object, message: string): void };
};

/** Pools of data sources that were started. TypeORM ends them. */
export const poolsOwnedByDataSources = new WeakSet<pg.Pool>();

/** The pools of a service; a subclass opens one for each use. Nest ends them with the application. */
export abstract class ServicePools {
  private readonly opened: pg.Pool[] = [];

  constructor(private readonly options: ServicePoolOptions) {}

  protected open(use: string, connectionsMax: number, overrides: Partial<PoolOptions> = {}): pg.Pool {
    const { service, url, statementTimeoutMs, log } = this.options;
    const pool = createPool({
      url,
      applicationName: `${service}-${use}`,
      connectionsMax,
      statementTimeoutMs,
      onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
      ...overrides,
    });
    this.opened.push(pool);
    return pool;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.filter((pool) => !poolsOwnedByDataSources.has(pool)).map((pool) => pool.end()));
  }
}
