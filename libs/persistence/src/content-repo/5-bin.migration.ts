/**
 * Indexes that find deleted content by its age, and changes by their version. `storages_with_deleted` tells the purge job where
 * there is work: it runs as its owner, who sees all teams, and returns only names of storages.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const role = 'tessera_content_repo';

export class Bin1763700000005 implements MigrationInterface {
  name = 'Bin1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index element_by_deletion on content_repo.element (tenant, storage_id, deleted_at, element_id) where deleted_at is not null;
      create index deleted_version_by_deletion on content_repo.deleted_version (tenant, storage_id, deleted_at, version_id);
      create index change_entry_of_version on content_repo.change_entry (tenant, storage_id, version_id, sequence) where version_id is not null;

      create function content_repo.storages_with_deleted(before timestamptz)
        returns table (tenant text, collection_name text, storage_name text)
        language sql stable security definer set search_path = '' as $$
          select s.tenant, s.collection_name, s.storage_name from content_repo.storage s
          where exists (
              select from content_repo.element e
              where e.tenant = s.tenant and e.storage_id = s.storage_id and e.deleted_at <= before)
            or exists (
              select from content_repo.deleted_version d
              where d.tenant = s.tenant and d.storage_id = s.storage_id and d.deleted_at <= before)
        $$;
      revoke all on function content_repo.storages_with_deleted(timestamptz) from public;
      grant execute on function content_repo.storages_with_deleted(timestamptz) to ${role};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function content_repo.storages_with_deleted(timestamptz);
      drop index content_repo.change_entry_of_version;
      drop index content_repo.deleted_version_by_deletion;
      drop index content_repo.element_by_deletion;
    `);
  }
}
