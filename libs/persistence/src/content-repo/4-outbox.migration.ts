/**
 * The outbox of the content repository: events that wait for NATS. `position` is the order in which they leave: who
 * changes an element waits for the one before, so its events have rising positions, whatever the clocks say.
 * Row-level security: a tenant has its own rows; the publisher takes those of all tenants, in a transaction that says so.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantWall } from '../tenant-wall.js';

export class Outbox1763700000004 implements MigrationInterface {
  name = 'Outbox1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    // The one index without a tenant: the publisher reads all of them in one order, from a table that is empty as a rule.
    await runner.query(`
      create table content_repo.outbox (
        tenant text not null,
        event_id uuid not null default uuidv7(),
        position bigint not null generated always as identity,
        subject text not null,
        payload text not null,
        created_at timestamptz not null default now(),
        primary key (tenant, event_id)
      );
      create index outbox_in_order on content_repo.outbox (position);
    `);
    await runner.query(tenantWall('content_repo', 'outbox', 'tessera_content_repo'));
    await runner.query(`
      create policy publisher on content_repo.outbox
        using ((select current_setting('app.outbox_publisher', true)) = 'on')
        with check (false);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table content_repo.outbox');
  }
}
