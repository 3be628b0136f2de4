/**
 * SQL of the function that creates schemas and roles of teams and chooses their names. It runs as its owner, who may.
 * Backup sessions turn row-level security off, so that hidden rows raise an error; here it is needed.
 * Names of a team and a schema longer than 63 bytes are cut and made unique by a digest. Roles belong to the server: another
 * database on it may have created the role already.
 */
const schema = 'knowledge_models';
const role = 'tessera_knowledge_models';

export const createOpenTeamSchemaFunctionSql = (schemaOwner: string): string => `
  create or replace function ${schema}.open_team_schema(of_team text, of_schema text, out physical_name text, out role_name text)
    language plpgsql security definer set search_path = pg_catalog set row_security = on as $$
    begin
      if of_team is distinct from nullif(current_setting('app.tenant', true), '') then
        raise exception 'the team is not the one of the transaction' using errcode = '42501';
      end if;
      select s.physical_name, s.role_name into physical_name, role_name from ${schema}.team_schema s
        where s.tenant = of_team and s.schema_name = of_schema;
      if found and to_regnamespace(quote_ident(physical_name)) is not null
        and to_regrole(quote_ident(role_name)) is not null then
        return;
      end if;
      if of_team !~ '^[a-z0-9][a-z0-9-]*$' or of_schema !~ '^[a-z_][a-z0-9_]*$' then
        raise exception 'no name of a team and a schema' using errcode = '22023';
      end if;
      physical_name := of_team || '.' || of_schema;
      if octet_length(physical_name) > 63 then
        physical_name := left(physical_name, 46) || '.' || left(encode(sha256(convert_to(physical_name, 'UTF8')), 'hex'), 16);
      end if;
      role_name := 'tessera.' || of_team;
      if octet_length(role_name) > 63 then
        role_name := left(role_name, 46) || '.' || left(encode(sha256(convert_to(role_name, 'UTF8')), 'hex'), 16);
      end if;
      perform pg_advisory_xact_lock(hashtextextended('tessera open team schema', 0));
      if not exists (select from pg_roles where rolname = role_name) then
        begin
          execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit', role_name);
        exception when duplicate_object or unique_violation then null;
        end;
      end if;
      if not pg_has_role('${role}', role_name, 'set') then
        execute format('grant %I to ${role} with inherit false, set true', role_name);
      end if;
      execute format('create schema if not exists %I authorization ${schemaOwner}', physical_name);
      execute format('grant usage on schema %I to %I', physical_name, role_name);
      insert into ${schema}.team_schema (tenant, schema_name, physical_name, role_name)
        values (of_team, of_schema, open_team_schema.physical_name, open_team_schema.role_name) on conflict do nothing;
    end $$;
`;
