/**
 * The outbox of a service: events that wait for NATS. `position` is the order in which they leave: who changes something
 * waits for the one before, so its events have rising positions, whatever the clocks say.
 * Row-level security: a tenant has its own rows; the publisher takes those of all tenants, in a transaction that says so.
 */
import { rowLevelSecuritySql } from './row-level-security.js';

/** The one index without a tenant: the publisher reads all of them in one order, from a table that is empty as a rule. */
export const createOutbox = (schema: string, role: string): string => `
  create table ${schema}.outbox (
    tenant text not null,
    event_id uuid not null default uuidv7(),
    position bigint not null generated always as identity,
    subject text not null,
    payload text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, event_id)
  );
  create index outbox_in_order on ${schema}.outbox (position);
  ${rowLevelSecuritySql(schema, 'outbox', role)}
  create policy publisher on ${schema}.outbox
    using ((select current_setting('app.outbox_publisher', true)) = 'on')
    with check (false);
`;
