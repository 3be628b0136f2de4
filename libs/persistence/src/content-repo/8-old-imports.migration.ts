/** Which teams have imports that nobody finished, for the job that deletes them. It runs as its owner, who sees all teams, and answers nothing else. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';

const finding = 'teams_with_old_imports(interval)';

export class OldImports1765000000008 implements MigrationInterface {
  name = 'OldImports1765000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function content_repo.teams_with_old_imports(age interval) returns table (tenant text)
        language sql stable security definer set search_path = pg_catalog as $$
          select distinct i.tenant from content_repo.import i where i.begun_at < now() - age
        $$;
      revoke all on function content_repo.${finding} from public;
      grant execute on function content_repo.${finding} to tessera_content_repo;
    `);
    await runner.query(
      grantCrossTeamAccessSql({
        schema: 'content_repo',
        tables: { import: 'select (tenant, begun_at)' },
        functions: [finding],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function content_repo.${finding};
      drop policy across_teams on content_repo.import;
      revoke select on content_repo.import from ${ownerRoles.acrossTeams};
    `);
  }
}
