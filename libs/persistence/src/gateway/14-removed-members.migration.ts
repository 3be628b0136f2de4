/** The last removal of a member is found by its id, whoever has the id now: an id belongs to one person. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RemovedMembers1765200000015 implements MigrationInterface {
  name = 'RemovedMembers1765200000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index access_change_of_removal on gateway.access_change (tenant, target, change_id)
       where action = 'member.removed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index gateway.access_change_of_removal');
  }
}
