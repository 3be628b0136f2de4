/**
 * Row-level security: a row is visible only while `app.tenant` names its tenant, whether or not a query filters by tenant. A
 * transaction that did not set it sees no rows.
 * `tessera migrate` forces it, so that it also binds the owner of the tables. Functions across teams run as a role that the
 * policies of their tables name (ownership.ts); superusers and roles that bypass row-level security see all rows.
 */

/** SQL that closes a table to all rows but those of the transaction's tenant and grants its service the use of it. */
export const rowLevelSecuritySql = (schema: string, table: string, role: string): string => `
  alter table ${schema}.${table} enable row level security;
  create policy tenant_wall on ${schema}.${table}
    using (tenant = (select nullif(current_setting('app.tenant', true), '')))
    with check (tenant = (select nullif(current_setting('app.tenant', true), '')));
  grant select, insert, update, delete on ${schema}.${table} to ${role};
`;
