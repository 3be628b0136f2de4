/**
 * How repositories read: a named statement as one tenant, either alone on a pool or inside a snapshot.
 * Refuses: statements without a tenant.
 */
import { readAsTenant, type NamedStatement } from '@tessera/persistence';
import type pg from 'pg';

export type Row = readonly unknown[];

export type TenantReader = {
  readonly tenant: string;
  /** The rows as arrays of column values. */
  readonly read: (statement: NamedStatement) => Promise<readonly Row[]>;
};

/** One round trip a statement, no transaction that outlives it. */
export const poolReader = (pool: pg.Pool, tenant: string): TenantReader => ({
  tenant,
  read: (statement) => readAsTenant(pool, tenant, statement),
});

/** A column that the statement makes as text. */
export const textAt = (row: Row | undefined, index: number): string | undefined => {
  const value = row?.[index];
  return typeof value === 'string' ? value : undefined;
};

/** A count, which PostgreSQL sends as text. */
export const countAt = (row: Row | undefined, index: number): number => Number(row?.[index] ?? 0);
