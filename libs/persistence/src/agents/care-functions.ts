/**
 * Maintenance of the turns of all teams: renews the leases of a replica, marks turns whose lease has expired, deletes old
 * conversations. The functions run as a role whose policies show all teams; none returns text of a team.
 * Never renews an expired lease (a client may have read that the turn was interrupted) or one that the replica does not name.
 */

const renewLeases = `
  create function agents.renew_leases(of_replica uuid, conversations uuid[], lease interval)
    returns table (conversation_id uuid, turn_no integer, attempt integer)
    language sql volatile security definer set search_path = pg_catalog as $$
      update agents.turn set lease_until = clock_timestamp() + lease
      where replica = of_replica and conversation_id = any(conversations) and state = 'running'
        and lease_until > clock_timestamp()
      returning conversation_id, turn_no, attempt
    $$;
`;

/** All running turns of a replica that shuts down. */
const interruptTurns = `
  create function agents.interrupt_turns(of_replica uuid) returns bigint
    language sql volatile security definer set search_path = pg_catalog as $$
      with marked as (
        update agents.turn set state = 'interrupted', ended_at = least(clock_timestamp(), lease_until)
        where replica = of_replica and state = 'running'
        returning 1)
      select count(*) from marked
    $$;
`;

/** Locked rows are left to the next run. */
const markExpired = `
  create function agents.mark_expired_turns() returns bigint
    language sql volatile security definer set search_path = pg_catalog as $$
      with marked as (
        update agents.turn set state = 'interrupted', ended_at = lease_until
        where ctid = any(array(
          select ctid from agents.turn where state = 'running' and lease_until <= clock_timestamp()
          limit 1000 for update skip locked))
          and state = 'running' and lease_until <= clock_timestamp()
        returning 1)
      select count(*) from marked
    $$;
`;

/** Expired conversations of all teams with their turns, up to `rows_max`; returns how many were deleted. */
const forgetConversations = `
  create function agents.forget_conversations(rows_max integer) returns bigint
    language sql volatile security definer set search_path = pg_catalog as $$
      with gone as (
        delete from agents.conversation where ctid = any(array(
          select ctid from agents.conversation where kept_until < now() limit rows_max for update skip locked))
          and kept_until < now()
        returning 1)
      select count(*) from gone
    $$;
`;

const functions = [
  'renew_leases(uuid, uuid[], interval)',
  'interrupt_turns(uuid)',
  'mark_expired_turns()',
  'forget_conversations(integer)',
];

export const createTurnMaintenanceFunctionsSql = (role: string): string =>
  [
    ...[renewLeases, interruptTurns, markExpired, forgetConversations],
    ...functions.map(
      (name) =>
        `revoke execute on function agents.${name} from public; grant execute on function agents.${name} to ${role};`,
    ),
  ].join('\n');

export const dropTurnMaintenanceFunctionsSql = functions.map((name) => `drop function agents.${name};`).join('\n');
