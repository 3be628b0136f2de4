/**
 * Row-level security, the wall behind the tenant filter of every query.
 * `tessera migrate` forces it, so that it also holds for the owner of the tables, as whom nobody logs in. Functions that look
 * at all teams run as a role that the policies of their tables name (ownership.ts); superusers and roles that bypass it see all.
 * Refuses: a row when `app.tenant` was not set in the transaction; a forgotten setting shows nothing.
 */

/** SQL that closes a table to all rows but those of the transaction's tenant and grants its service the use of it. */
export const tenantWall = (schema: string, table: string, role: string): string => `
  alter table ${schema}.${table} enable row level security;
  create policy tenant_wall on ${schema}.${table}
    using (tenant = (select nullif(current_setting('app.tenant', true), '')))
    with check (tenant = (select nullif(current_setting('app.tenant', true), '')));
  grant select, insert, update, delete on ${schema}.${table} to ${role};
`;
