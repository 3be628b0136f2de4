/**
 * Transactions of one tenant: the setting that row-level security reads is set inside, on one checked-out connection.
 * A connection whose state is unknown is closed, never given back.
 */
import type { Result } from '@tessera/failures';
import type pg from 'pg';
import { acquireFairly } from './acquire-fairly.js';

export type TransactionOptions = {
  /** `snapshot`: REPEATABLE READ, READ ONLY; every statement sees the same state. */
  readonly kind?: 'write' | 'snapshot';
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock that another transaction holds. */
  readonly lockTimeoutMs?: number;
  /** Ends the wait for a connection; rejects with `ReaderGone` then. */
  readonly signal?: AbortSignal;
};

const opening = { write: 'begin', snapshot: 'begin isolation level repeatable read read only' } as const;

/** Opens a transaction as `tenant`; the caller ends it with exactly one of `commit` and `rollback`. */
export const openTenantTransaction = async (
  pool: pg.Pool,
  tenant: string,
  options: TransactionOptions = {},
): Promise<TenantTransaction> => {
  const { client, release } = await acquireFairly(pool, tenant, options.signal);
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  const end = (error?: Error): void => {
    client.off('error', onError);
    release(error ?? broken);
  };
  try {
    await begin(client, tenant, options);
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

const begin = async (client: pg.PoolClient, tenant: string, options: TransactionOptions): Promise<void> => {
  await client.query(opening[options.kind ?? 'write']);
  await client.query({
    name: 'open_tenant_transaction',
    text: `select set_config('app.tenant', $1, true), set_config('statement_timeout', coalesce($2, current_setting('statement_timeout')), true),
      set_config('lock_timeout', coalesce($3, current_setting('lock_timeout')), true)`,
    values: [tenant, options.statementTimeoutMs?.toString() ?? null, options.lockTimeoutMs?.toString() ?? null],
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
export const inTenantTransaction = <T>(
  pool: pg.Pool,
  tenant: string,
  work: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => runIn(openTenantTransaction(pool, tenant, options), work, () => true);

/**
 * The same on a connection that the caller holds and goes on to hold, e.g. for a lock of its session. When a rollback fails,
 * so does the next statement.
 */
export const inTenantTransactionOn = async <T>(
  client: pg.PoolClient,
  tenant: string,
  work: () => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => {
  try {
    await begin(client, tenant, options);
    const value = await work();
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/** As `inTenantTransaction`, and rolled back as well when the result is a failure: what fails has no effect. */
export const attemptInTenantTransaction = <T>(
  pool: pg.Pool,
  tenant: string,
  work: (client: pg.PoolClient) => Promise<Result<T>>,
  options: TransactionOptions = {},
): Promise<Result<T>> => runIn(openTenantTransaction(pool, tenant, options), work, ({ ok }) => ok);

const runIn = async <T>(
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
