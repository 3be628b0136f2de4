/** TypeORM on the pool of a service: entities and named statements share its connections and the fair share of each team. */
import type { Result } from '@tessera/failures';
import pg from 'pg';
import {
  DataSource,
  DefaultNamingStrategy,
  QueryFailedError,
  type DataSourceOptions,
  type EntityManager,
  type NamingStrategyInterface,
  type Table,
} from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { snakeCase } from 'typeorm/util/StringUtils.js';
import { poolsOwnedByDataSources } from './pool.js';
import { attemptInTenantTransaction, runInTenantTransaction, type TransactionOptions } from './tenant-transaction.js';

/** The property `keyId` is the column `key_id`; constraints have the names that PostgreSQL gives them. */
export class SnakeCaseNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    const name = typeof table === 'string' ? table : table.name;
    return [name.split('.').at(-1), ...columnNames, 'fkey'].join('_');
  }
}

/** Columns as a statement selects them: `key_id as "keyId"` for the property `keyId` of an entity. */
export const selectColumns = <Entity>(...properties: readonly (keyof Entity & string)[]): string =>
  properties.map((property) => `${snakeCase(property)} as "${property}"`).join(', ');

/** For `TypeOrmModule`: the data source takes the pool that is there in place of making one. */
export const dataSourceOptions = (pool: pg.Pool, entities: readonly (new () => object)[]): DataSourceOptions => ({
  type: 'postgres',
  entities: [...entities],
  namingStrategy: new SnakeCaseNamingStrategy(),
  installExtensions: false,
  driver: {
    Pool: function GivenPool() {
      return pool;
    },
  },
});

/** Outside of Nest. It is started by its first use; who made the pool ends it. */
export const openDataSource = (pool: pg.Pool, entities: readonly (new () => object)[]): DataSource =>
  new DataSource(dataSourceOptions(pool, entities));

type EntityTransactionOptions = TransactionOptions & {
  /** Of a service with several pools: the one whose connection the work takes; without it that of the data source. */
  readonly pool?: pg.Pool;
};

/** Work of one transaction. Named statements run on `client`; both see what the other did. */
type Work<T> = (manager: EntityManager, client: pg.PoolClient) => Promise<T>;

/** Runs `work` in a transaction as `tenant`: committed when it resolves, rolled back when it rejects. */
export const runInTenantEntityTransaction = async <T>(
  source: DataSource,
  tenant: string,
  work: Work<T>,
  options: EntityTransactionOptions = {},
): Promise<T> => {
  const started = await initialize(source);
  return runInTenantTransaction(
    options.pool ?? started,
    tenant,
    (client) => work(entitiesOn(source, client), client),
    options,
  );
};

/** As `runInTenantEntityTransaction`, and rolled back as well when the result is a failure. */
export const attemptInTenantEntityTransaction = async <T>(
  source: DataSource,
  tenant: string,
  work: Work<Result<T>>,
  options: EntityTransactionOptions = {},
): Promise<Result<T>> => {
  const started = await initialize(source);
  return attemptInTenantTransaction(
    options.pool ?? started,
    tenant,
    (client) => work(entitiesOn(source, client), client),
    options,
  );
};

const initializing = new WeakMap<DataSource, Promise<unknown>>();

/** A data source that could not be started, since PostgreSQL was away, is started by whoever needs it next. */
const initialize = async (source: DataSource): Promise<pg.Pool> => {
  if (!source.isInitialized) {
    const started = initializing.get(source) ?? source.initialize().finally(() => initializing.delete(source));
    initializing.set(source, started);
    await started;
  }
  const master: unknown = driverOf(source).master;
  if (!(master instanceof pg.Pool)) throw new Error('The data source was started on no pool.');
  poolsOwnedByDataSources.add(master);
  return master;
};

const driverOf = ({ driver }: DataSource): PostgresDriver => {
  if (driver instanceof PostgresDriver) return driver;
  throw new Error('The data source is not one of PostgreSQL.');
};

/** Runs on a connection whose transaction has begun; what TypeORM begins inside of it is a savepoint. */
class TenantQueryRunner extends PostgresQueryRunner {
  constructor(source: DataSource, client: pg.PoolClient) {
    super(driverOf(source), 'master');
    this.databaseConnection = client;
    this.isTransactionActive = true;
    this.transactionDepth = 1;
  }

  /** Rejects with the error of pg, as the client does. */
  override query(...statement: Parameters<PostgresQueryRunner['query']>): ReturnType<PostgresQueryRunner['query']> {
    return super.query(...statement).catch((error: unknown) => {
      throw error instanceof QueryFailedError ? error.driverError : error;
    });
  }
}

/** Entities on a connection that the caller holds, in whatever transaction it is. */
export const entitiesOnConnection = async (source: DataSource, client: pg.PoolClient): Promise<EntityManager> => {
  await initialize(source);
  return entitiesOn(source, client);
};

const entitiesOn = (source: DataSource, client: pg.PoolClient): EntityManager =>
  source.createEntityManager(new TenantQueryRunner(source, client));
