/** Teams with a row in every table, for tests of backups. */
import pg from 'pg';
import { ownerRoles } from '../../owner-roles.js';

const id = (number: number): string => `0199e2a0-0000-7000-8000-${number.toString().padStart(12, '0')}`;

/** Tabs, line ends, backslashes and quotes, as people and programs write them. */
export const specialCharacters = 'Grün & "Söhne"\t\\N \\. \n\r\u2028 {"a": \'b\'} \u0001';

/** What is not kept. */
const fillUnkept = async (run: (text: string) => Promise<unknown>): Promise<void> => {
  await run(
    `insert into gateway.session (tenant, digest, member_id, ends_at)
     values ($1, sha256(convert_to($1, 'UTF8')), 'anna', now() + interval '1 day')`,
  );
  await run(
    `insert into gateway.oauth_grant (tenant, grant_id, member_id, client_id, payload, expires_at)
     values ($1, gen_random_uuid(), 'anna', 'c', '{}', now() + interval '1 day')`,
  );
  await run(
    `insert into gateway.oauth_token (tenant, digest, grant_id, kind, payload, expires_at)
     select tenant, sha256(convert_to($1, 'UTF8')), grant_id, 'RefreshToken', '{}', expires_at
     from gateway.oauth_grant where tenant = $1`,
  );
};

/** `name`: what people call the team. */
export const seedTeam = async (client: pg.Client, team: string, name = specialCharacters): Promise<void> => {
  const run = (text: string, values: readonly unknown[] = []): Promise<unknown> =>
    client.query(text, [team, ...values]);
  await client.query('begin');
  await client.query(`select set_config('app.tenant', $1, true), set_config('app.change', '1', true)`, [team]);
  await run('insert into gateway.team (tenant, name) values ($1, $2)', [name]);
  await run(
    `insert into gateway.api_key (tenant, key_id, name, digest, scopes, hourly_limit, attributes)
     values ($1, $1 || '-key', $2, sha256($1::bytea), '{"a,b",c}', 100, '{"b": 1,  "a": "ü"}')`,
    [name],
  );
  await run(`insert into gateway.access_role (tenant, name, scopes) values ($1, 'buyer', '{content:read}')`);
  await run(
    `insert into gateway.member (tenant, member_id, subject, display_name, roles, attributes)
     values ($1, 'anna', 'anna', $2, '{buyer}', '{"b": 1,  "a": "ü"}')`,
    [name],
  );
  await run(`insert into gateway.local_user (tenant, member_id, password) values ($1, 'anna', '$argon2id$v=19$m')`);
  await fillUnkept(run);
  await run(
    `insert into gateway.access_change (tenant, subject, subject_team, request_id, action, target, detail)
     values ($1, 's', $1, 'r', 'member.added', 'anna', '{"b": 1,  "a": "ü"}')`,
  );
  await run(`insert into gateway.rate_window values ($1, 'key', now(), 1, 1, 0, 100)`);
  await run(
    `insert into content_repo.idempotency (tenant, route, key_digest, request_digest, content_type, headers, body)
     values ($1, 'r', sha256('k'), sha256('q'), 'application/json', '{}', $2)`,
    [name],
  );
  for (const number of [3, 1, 2])
    await run(
      `insert into content_repo.outbox (tenant, event_id, subject, payload) values ($1, '${id(number)}', 'evt', '{}')`,
    );
  await run(
    `insert into content_repo.storage (tenant, storage_id, collection_name, storage_name, definition, created_at)
     values ($1, '${id(1)}', 'c', $2, '{"b": 1.10}', '2026-01-01 00:00:00.123456Z')`,
    [name],
  );
  // The child stands before its parent.
  await run(
    `insert into content_repo.element (tenant, storage_id, element_id, facet, type, creation_id, parent_id, position, tree_path)
     values ($1, '${id(1)}', '${id(2)}', 'f', 't', '${id(2)}', '${id(3)}', 0, '00000000'),
       ($1, '${id(1)}', '${id(3)}', 'f', 't', '${id(3)}', null, 0, '00000000')`,
  );
  await run(
    `insert into content_repo.element_version (tenant, storage_id, version_id, element_id, major, minor, state, attributes, created_at, changed_at)
     values ($1, '${id(1)}', '${id(4)}', '${id(2)}', 1, 0, 'released', '{}', now(), now())`,
  );
  await run(
    `insert into content_repo.rendition (tenant, storage_id, version_id, element_id, facet, type, tree_path, identity,
       display_names, attributes, related, content, major, minor, state)
     values ($1, '${id(1)}', '${id(4)}', '${id(2)}', 'f', 't', '00000000', '{', '',
       ',"attributes":{"name":{"en":"Straße"}}', '', '', 1, 0, 'released')`,
  );
  await run(`insert into content_repo.change values ($1, '${id(1)}', 1, now(), 'o', 's', 'r')`);
  await run(`insert into content_repo.change_entry values ($1, '${id(1)}', 1, 0, 'a', '${id(2)}', null, '{}')`);
  await run(`insert into content_repo.import (tenant, import_id, collection_name, storage_name, definition, subject)
     values ($1, '${id(5)}', 'c', 's', '{}', 's')`);
  await run(`insert into knowledge_models.team_state values ($1, 7)`);
  await run(
    `insert into knowledge_models.model (tenant, model_id, published_version, changed_by) values ($1, 'm', 1, 's')`,
  );
  await run(
    `insert into knowledge_models.model_version (tenant, model_id, version, definition, digest, published_by)
     values ($1, 'm', 1, '{"z": 1,   "a": 1e3}', '\\x01', 's')`,
  );
  await run(
    `insert into agents.conversation (tenant, conversation_id, agent_id, subject, kept_until, turn_count, first_message)
     values ($1, '${id(6)}', 'a', 's', 'infinity', 1, $2)`,
    [name],
  );
  await run(
    `insert into agents.turn (tenant, conversation_id, turn_no, state, message, agent_version, digest, model, replica, lease_until, request_id)
     values ($1, '${id(6)}', 1, 'completed', $2, '1', '\\x', 'm', '${id(7)}', now(), 'r')`,
    [name],
  );
  await run(`insert into agents.step values ($1, '${id(6)}', 1, 1, 1, '{}', now(), 5, 2)`);
  await run(
    `insert into tool_gateway.tool_call (tenant, call_id, subject, door, asset_id, version, digest, tool_id, arguments_digest, outcome, request_id)
     values ($1, '${id(8)}', 's', 'http', 'a', '1', '\\x', 't', '\\x', 'ok', 'r')`,
  );
  await fillTable(client, team);
  await client.query('commit');
};

/** One of every type, as the service makes it, with the indexes that it makes. */
const fillTable = async (client: pg.Client, team: string): Promise<void> => {
  await client.query(`select knowledge_models.open_team_schema($1, 'p2p')`, [team]);
  await client.query(
    `insert into knowledge_models.team_table (tenant, schema_name, table_id, definition, digest, data_version, row_count)
     values ($1, 'p2p', 'item', '{}', '\\x', 1, 2)`,
    [team],
  );
  await replaceTable(client, team, 'first', '1');
};

/** What a load does when it puts its rows in place. */
export const replaceTable = async (client: pg.Client, team: string, text: string, load: string): Promise<void> => {
  const schema = pg.escapeIdentifier(`${team}.p2p`);
  await client.query(`set local role ${ownerRoles.teamTables}`);
  await client.query(`
    create table ${schema}."item~${load}" (id bigint not null, name text collate pg_c_utf8,
      amount numeric check (amount > '-infinity' and amount < 'infinity'), day date check (isfinite(day)),
      "at" time, moment timestamp check (isfinite(moment)), instant timestamptz check (isfinite(instant)), yes boolean
    ) with (autovacuum_enabled = off);
    create unique index "item_id~k~${load}" on ${schema}."item~${load}" (id);
    create index "item_name~t~${load}" on ${schema}."item~${load}" using gin (name gin_trgm_ops);
    create index "item_day~s~${load}" on ${schema}."item~${load}" (day nulls first, id) include (amount);
    grant select on ${schema}."item~${load}" to ${pg.escapeIdentifier(`tessera.${team}`)}`);
  await client.query(
    `insert into ${schema}."item~${load}" values
       (2, $1, 1.10, '2026-02-28', '10:00:00.5', '2026-01-01 00:00:00.000001', '2026-01-01 00:00:00Z', true),
       (1, null, 12345678901234567890.000000001, null, null, null, null, null)`,
    [text],
  );
  await client.query(`drop table if exists ${schema}.item`);
  await client.query(`alter table ${schema}."item~${load}" rename to item`);
  await client.query('reset role');
};

/**
 * Every row of every table that a team has, as text. Not by the code under test: what it forgot would be forgotten here, too.
 */
export const readTeamRows = async (
  client: pg.Client,
  team: string,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { rows: tables } = await client.query<{ name: string; columns: string; isteam: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as name, n.nspname = $1 || '.p2p' as isteam,
       (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attidentity = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname = $1 || '.p2p' or exists (
       select from pg_attribute where attrelid = c.oid and attname = 'tenant' and n.nspname !~ '^pg_')) order by 1`,
    [team],
  );
  const found: Record<string, readonly string[]> = {};
  for (const { name, columns, isteam } of tables) {
    const condition = isteam ? '$1::text is not null' : 'tenant = $1';
    const { rows } = await client.query<{ text: string }>(
      `select (select r from (select ${columns}) as r)::text as text from ${name} where ${condition} order by 1`,
      [team],
    );
    if (rows.length > 0) found[name] = rows.map(({ text }) => text);
  }
  return found;
};
