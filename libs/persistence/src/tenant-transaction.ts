/**
 * Transactions of one tenant: the setting that row-level security reads is set inside, on one checked-out connection, and
 * travels with the `begin`.
 * A connection whose state is unknown is closed, never given back.
 */
import type { Result } from '@tessera/failures';
import type pg from 'pg';
import { acquireConnectionFairly } from './acquire-fairly.js';
import { beginTransactionWithStatement, setSettingsSql } from './tenant-statement.js';

export type TransactionOptions = {
  /** `snapshot`: REPEATABLE READ, READ ONLY; every statement sees the same state. */
  readonly kind?: 'write' | 'snapshot';
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock that another transaction holds. */
  readonly lockTimeoutMs?: number;
  /** Further settings, for this transaction only. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Ends the wait for a connection; rejects with `RequestAbandonedError` then. */
  readonly signal?: AbortSignal;
};

const beginByKind = { write: 'begin', snapshot: 'begin isolation level repeatable read read only' } as const;

/** Opens a transaction as `tenant`; the caller ends it with exactly one of `commit` and `rollback`. */
export const openTenantTransaction = async (
  pool: pg.Pool,
  tenant: string,
  options: TransactionOptions = {},
): Promise<TenantTransaction> => {
  const { client, release } = await acquireConnectionFairly(pool, tenant, options.signal);
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  const end = (error?: Error): void => {
    client.off('error', onError);
    release(error ?? broken);
  };
  try {
    await beginForTenant(client, tenant, options);
  } catch (error) {
    end(asError(error));
    throw error;
  }
  const finish = async (command: 'commit' | 'rollback'): Promise<void> => {
    try {
      await client.query(command);
      end();
    } catch (error) {
      end(asError(error));
      throw error;
    }
  };
  return {
    client,
    commit: () => finish('commit'),
    rollback: () => finish('rollback'),
    abandon: (error) => end(error),
  };
};

const beginForTenant = (client: pg.PoolClient, tenant: string, options: TransactionOptions): Promise<void> => {
  const { kind = 'write', statementTimeoutMs, lockTimeoutMs, settings = {} } = options;
  const local = Object.entries({
    'app.tenant': tenant,
    ...(statementTimeoutMs !== undefined && { statement_timeout: String(statementTimeoutMs) }),
    ...(lockTimeoutMs !== undefined && { lock_timeout: String(lockTimeoutMs) }),
    ...settings,
  });
  const name = `open_tenant_transaction_${local.length}`;
  return beginTransactionWithStatement(client, beginByKind[kind], {
    name,
    text: setSettingsSql(local.length),
    values: local.flat(),
  });
};

export type TenantTransaction = {
  readonly client: pg.PoolClient;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Closes the connection, which ends the transaction and whatever runs in it. */
  abandon(error: Error): void;
};

/** Runs `work` in a transaction as `tenant`: committed when it resolves, rolled back when it rejects. */
export const runInTenantTransaction = <T>(
  pool: pg.Pool,
  tenant: string,
  work: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => runInTransaction(openTenantTransaction(pool, tenant, options), work, () => true);

/**
 * The same on a connection that the caller holds and goes on to hold, e.g. for a lock of its session. When a rollback fails,
 * so does the next statement.
 */
export const runInTenantTransactionOn = async <T>(
  client: pg.PoolClient,
  tenant: string,
  work: () => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  try {
    await beginForTenant(client, tenant, options);
    const value = await work();
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/** As `runInTenantTransaction`, and rolled back as well when the result is a failure: what fails has no effect. */
export const attemptInTenantTransaction = <T>(
  pool: pg.Pool,
  tenant: string,
  work: (client: pg.PoolClient) => Promise<Result<T>>,
  options: TransactionOptions = {},
): Promise<Result<T>> => runInTransaction(openTenantTransaction(pool, tenant, options), work, ({ ok }) => ok);

const runInTransaction = async <T>(
  opened: Promise<TenantTransaction>,
  work: (client: pg.PoolClient) => Promise<T>,
  isKept: (value: T) => boolean,
): Promise<T> => {
  const transaction = await opened;
  let value: T;
  try {
    value = await work(transaction.client);
  } catch (error) {
    await transaction.rollback().catch(() => undefined);
    throw error;
  }
  await (isKept(value) ? transaction.commit() : transaction.rollback());
  return value;
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
