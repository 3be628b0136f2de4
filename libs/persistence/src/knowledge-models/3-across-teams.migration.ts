/** The functions that report old loads and older queries run as an owner role; another one owns the schemas of teams. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql, revokeCrossTeamAccessSql, type CrossTeamAccess } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';
import { createOpenTeamSchemaFunctionSql } from './open-team-schema.js';

const access: CrossTeamAccess = {
  schema: 'knowledge_models',
  tables: { table_load: 'select' },
  functions: ['old_loads(interval)', 'has_older_queries(xid8)'],
};

export class ModelsAcrossTeams1764200000003 implements MigrationInterface {
  name = 'ModelsAcrossTeams1764200000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantCrossTeamAccessSql(access));
    await runner.query(createOpenTeamSchemaFunctionSql(ownerRoles.teamTables));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(createOpenTeamSchemaFunctionSql('tessera_knowledge_models'));
    await runner.query(revokeCrossTeamAccessSql(access));
  }
}
