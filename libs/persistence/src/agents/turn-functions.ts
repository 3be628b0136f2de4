/**
 * Functions that begin a turn, append its steps and end it; each takes one round trip, as the tenant. They are plpgsql
 * because each statement sees what was committed when it starts: a read after a lock sees what the lock's holder wrote.
 * Locks are taken in one order: key, conversation, turn. A lease is checked against the database's clock at that moment.
 * Only the replica and the attempt that run a turn change it, and only while the lease holds.
 */

/** How long an Idempotency-Key counts. */
const keyLifetime = `interval '24 hours'`;

/** A model is sent no more turns than this, however short they are. */
const historyTurnsMax = 500;

const beginTurn = `
  create function agents.begin_turn(
      of_tenant text, of_subject text, of_agent text, of_conversation uuid, of_message text, of_key bytea,
      of_request bytea, of_version text, of_digest bytea, of_model text, of_replica uuid, lease interval, kept interval,
      of_request_id text, history_bytes bigint)
    returns table (outcome text, conversation uuid, turn integer, attempt integer, state json, history json)
    language plpgsql volatile as $$
    #variable_conflict use_column
    declare
      place uuid := of_conversation;
      keyed agents.turn;
      number integer;
      tries integer := 1;
    begin
      if of_key is not null then
        perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'agents', of_tenant, encode(of_key, 'hex')), 1));
        update agents.turn set key_digest = null, request_digest = null, keyed_at = null
          where tenant = of_tenant and key_digest = of_key and keyed_at <= clock_timestamp() - ${keyLifetime};
        select * into keyed from agents.turn t where t.tenant = of_tenant and t.key_digest = of_key;
        if keyed.request_digest <> of_request then
          return query select 'mismatch', null::uuid, null::integer, null::integer, null::json, null::json;
          return;
        end if;
        place := coalesce(keyed.conversation_id, place);
      end if;
      if place is null then
        insert into agents.conversation (tenant, agent_id, subject, kept_until, turn_count, first_message)
          values (of_tenant, of_agent, of_subject, clock_timestamp() + kept, 1, left(of_message, 200))
          returning conversation_id into place;
        number := 1;
      else
        select turn_count + 1 into number from agents.conversation c
          where c.tenant = of_tenant and c.conversation_id = place and c.subject = of_subject and c.agent_id = of_agent
          for no key update;
        if not found then
          return query select 'unknown', null::uuid, null::integer, null::integer, null::json, null::json;
          return;
        end if;
        update agents.turn t set state = 'interrupted', ended_at = lease_until
          where t.tenant = of_tenant and t.conversation_id = place and t.state = 'running'
            and lease_until <= clock_timestamp();
        if keyed.turn_no is not null then
          select * into keyed from agents.turn t
            where t.tenant = of_tenant and t.conversation_id = place and t.turn_no = keyed.turn_no;
        end if;
        if keyed.state in ('running', 'completed') then
          return query select keyed.state, place, keyed.turn_no, keyed.attempt,
            json_build_object('text', keyed.answer, 'structuredOutput', keyed.structured_output), null::json;
          return;
        end if;
        if exists (select from agents.turn t
            where t.tenant = of_tenant and t.conversation_id = place and t.state = 'running') then
          return query select 'busy', place, null::integer, null::integer, null::json, null::json;
          return;
        end if;
        update agents.conversation c set changed_at = clock_timestamp(), kept_until = clock_timestamp() + kept,
            turn_count = case when keyed.turn_no is null then number else turn_count end
          where c.tenant = of_tenant and c.conversation_id = place;
      end if;
      if keyed.turn_no is not null then
        number := keyed.turn_no;
        tries := keyed.attempt + 1;
        update agents.turn t set attempt = tries, state = 'running', stop = null, failure = null, input_tokens = 0,
            output_tokens = 0, agent_version = of_version, digest = of_digest, model = of_model, replica = of_replica,
            lease_until = clock_timestamp() + lease, started_at = clock_timestamp(), ended_at = null,
            request_id = of_request_id
          where t.tenant = of_tenant and t.conversation_id = place and t.turn_no = number;
      else
        insert into agents.turn (tenant, conversation_id, turn_no, state, message, agent_version, digest, model, replica,
            lease_until, key_digest, request_digest, keyed_at, request_id)
          values (of_tenant, place, number, 'running', of_message, of_version, of_digest, of_model, of_replica,
            clock_timestamp() + lease, of_key, of_request,
            case when of_key is not null then clock_timestamp() end, of_request_id);
      end if;
      return query select 'begun', place, number, tries, null::json,
        case when number > 1 then agents.history_before(of_tenant, place, number, history_bytes) end;
    end $$;
`;

/** The newest turns before `of_turn` that fit into `bytes_max`, oldest first. */
const historyBefore = `
  create function agents.history_before(of_tenant text, of_conversation uuid, of_turn integer, bytes_max bigint)
    returns json language sql stable as $$
      select json_agg(json_build_object('message', message, 'answer', answer, 'state', state) order by turn_no)
      from (
        select turn_no, message, answer, state,
          sum(octet_length(message) + coalesce(octet_length(answer), 0)) over (order by turn_no desc) as bytes
        from (
          select turn_no, message, answer, state from agents.turn
          where tenant = of_tenant and conversation_id = of_conversation and turn_no < of_turn
          order by turn_no desc limit ${historyTurnsMax}) as newest
      ) as counted
      where bytes <= bytes_max
    $$;
`;

const isHeldByAttempt = `t.tenant = of_tenant and t.conversation_id = of_conversation and t.turn_no = of_turn
  and t.attempt = of_attempt and t.replica = of_replica and t.state = 'running' and t.lease_until > clock_timestamp()`;

const insertSteps = `
  insert into agents.step (tenant, conversation_id, turn_no, attempt, step_no, content, at, duration_us,
      bytes)
    select of_tenant, of_conversation, of_turn, of_attempt, first_step + place::integer - 1, content::json,
      to_timestamp(at_ms / 1000.0), took_us, octet_length(content)
    from unnest(contents, ats, durations) with ordinality as given(content, at_ms, took_us, place);
`;

/**
 * The commit of a step does not wait for the disk: the commit of the end of its turn does, and flushes everything before it.
 * No answer is sent earlier.
 */
const appendSteps = `
  create function agents.append_steps(
      of_tenant text, of_conversation uuid, of_turn integer, of_attempt integer, of_replica uuid, lease interval,
      input bigint, output bigint, first_step integer, contents text[], ats double precision[], durations bigint[])
    returns boolean language plpgsql volatile as $$
    begin
      perform set_config('synchronous_commit', 'off', true);
      update agents.turn t set lease_until = clock_timestamp() + lease, input_tokens = input, output_tokens = output
        where ${isHeldByAttempt};
      if not found then return false; end if;
      ${insertSteps}
      return true;
    end $$;
`;

const endTurn = `
  create function agents.end_turn(
      of_tenant text, of_conversation uuid, of_turn integer, of_attempt integer, of_replica uuid, kept interval,
      input bigint, output bigint, first_step integer, contents text[], ats double precision[], durations bigint[],
      to_state text, of_stop text, of_answer text, of_output json, of_failure text)
    returns boolean language plpgsql volatile as $$
    begin
      perform from agents.conversation c
        where c.tenant = of_tenant and c.conversation_id = of_conversation for no key update;
      update agents.turn t set state = to_state, stop = of_stop, answer = of_answer, structured_output = of_output,
          failure = of_failure, input_tokens = input, output_tokens = output, ended_at = clock_timestamp()
        where ${isHeldByAttempt};
      if not found then return false; end if;
      ${insertSteps}
      update agents.conversation c set changed_at = clock_timestamp(), kept_until = clock_timestamp() + kept
        where c.tenant = of_tenant and c.conversation_id = of_conversation;
      return true;
    end $$;
`;

export const createTurnFunctionsSql = `${historyBefore}${beginTurn}${appendSteps}${endTurn}`;

export const dropTurnFunctionsSql = `
  drop function agents.end_turn(text, uuid, integer, integer, uuid, interval, bigint, bigint, integer, text[],
    double precision[], bigint[], text, text, text, json, text);
  drop function agents.append_steps(text, uuid, integer, integer, uuid, interval, bigint, bigint, integer, text[],
    double precision[], bigint[]);
  drop function agents.begin_turn(text, text, text, uuid, text, bytea, bytea, text, bytea, text, uuid, interval, interval,
    text, bigint);
  drop function agents.history_before(text, uuid, integer, bigint);
`;
