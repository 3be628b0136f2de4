/** How repositories read: a named statement as one tenant, either alone on a pool or inside a snapshot. */
import { readAsTenant, type NamedStatement } from '@tessera/persistence';
import type pg from 'pg';

/** What a statement reads: the tables as they are now, or the views that show them as they were at `app.as_of`. */
export type ContentTables = {
  readonly rendition: string;
  readonly element: string;
  readonly elementVersion: string;
  readonly contentElement: string;
  /** Keeps the names of prepared statements apart. */
  readonly namePrefix: '' | 'past_';
};

export const currentTables: ContentTables = {
  rendition: 'content_repo.rendition',
  element: 'content_repo.element',
  elementVersion: 'content_repo.element_version',
  contentElement: 'content_repo.content_element',
  namePrefix: '',
};

export const historicalTables: ContentTables = {
  rendition: 'content_repo.rendition_at',
  element: 'content_repo.element_at',
  elementVersion: 'content_repo.element_version_at',
  contentElement: 'content_repo.content_element_at',
  namePrefix: 'past_',
};

export type TenantReader = {
  readonly tenant: string;
  readonly tables: ContentTables;
  /** `Row` names the columns as the statement does. */
  readonly read: <Row extends object>(statement: NamedStatement) => Promise<readonly Row[]>;
};

/** One round trip a statement, no transaction that outlives it. */
export const createPoolReader = (pool: pg.Pool, tenant: string): TenantReader => ({
  tenant,
  tables: currentTables,
  read: (statement) => readAsTenant(pool, tenant, statement),
});
