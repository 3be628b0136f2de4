/** The functions that report old loads and older queries run as an owner role; another one owns the schemas of teams. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantAcrossTeams, revokeAcrossTeams, type AcrossTeamsAccess } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';
import { openTeamSchema } from './open-team-schema.js';

const access: AcrossTeamsAccess = {
  schema: 'knowledge_models',
  tables: { table_load: 'select' },
  functions: ['old_loads(interval)', 'has_older_queries(xid8)'],
};

export class ModelsAcrossTeams1764200000003 implements MigrationInterface {
  name = 'ModelsAcrossTeams1764200000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantAcrossTeams(access));
    await runner.query(openTeamSchema(ownerRoles.teamTables));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(openTeamSchema('tessera_knowledge_models'));
    await runner.query(revokeAcrossTeams(access));
  }
}
