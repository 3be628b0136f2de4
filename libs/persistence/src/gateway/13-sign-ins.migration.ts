/**
 * The networks where a password is known. A name that nobody has stays as a digest in lines of refused sign-ins, since people type
 * passwords there; its key is in no backup. These lines are deleted after 30 days.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';

const role = 'tessera_gateway';
const deleting = 'delete_old_refusals(integer)';

export class SignIns1765100000014 implements MigrationInterface {
  name = 'SignIns1765100000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table gateway.local_user add column networks text[] not null default '{}';

      create table gateway.refused_name_key (
        is_only boolean primary key default true check (is_only),
        key bytea not null check (octet_length(key) = 32)
      );
      insert into gateway.refused_name_key (key)
      select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
      grant select on gateway.refused_name_key to ${role};

      with refused as (
        select c.tenant, change_id, 'name:' || left(encode(sha256(key || convert_to(c.tenant || E'\\n' || target, 'UTF8')), 'hex'), 16) as name
        from gateway.access_change c, gateway.refused_name_key
        where action = 'session.refused' and not exists (
          select from gateway.member m where m.tenant = c.tenant and m.member_id = c.target))
      update gateway.access_change c set subject = name, target = name
        from refused r where r.tenant = c.tenant and r.change_id = c.change_id;

      create index access_change_by_refusal on gateway.access_change (changed_at) where action = 'session.refused';
      create function gateway.${deleting} returns integer
        language sql volatile security definer set search_path = pg_catalog
        as $$
          with deleted as (
            delete from gateway.access_change where (tenant, change_id) in (
              select tenant, change_id from gateway.access_change
              where action = 'session.refused' and changed_at < now() - interval '30 days' limit $1)
            returning 1)
          select count(*)::integer from deleted
        $$;
      revoke all on function gateway.${deleting} from public;
      grant execute on function gateway.${deleting} to ${role};
    `);
    await runner.query(
      grantCrossTeamAccessSql({
        schema: 'gateway',
        tables: { access_change: 'select, delete' },
        functions: [deleting],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function gateway.${deleting};
      drop policy across_teams on gateway.access_change;
      revoke select, delete on gateway.access_change from ${ownerRoles.acrossTeams};
      drop index gateway.access_change_by_refusal;
      drop table gateway.refused_name_key;
      alter table gateway.local_user drop column networks;
    `);
  }
}
