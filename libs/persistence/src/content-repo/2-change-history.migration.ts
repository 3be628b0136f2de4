/**
 * Changes and what they replaced. Every write to a storage takes the next number of its sequence by an update of the storage's
 * row, so writers of one storage are serialised and numbers rise in the order of commits.
 *
 * `change` and `change_entry` say who did what and are append-only. `rendition_history` holds every replaced rendition with the
 * numbers between which it was current; a trigger maintains it for every writer. The views ending in `_at` show the tables as
 * they were at the number in `app.as_of`.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';

const appendOnly = ['change', 'change_entry'];
const historyTables = ['rendition_history', 'deleted_version'];
const tables = [...appendOnly, ...historyTables];
const views = ['content_element_at', 'element_at', 'element_version_at', 'rendition_at'];
const role = 'tessera_content_repo';

const renditionColumns = `tenant, storage_id, version_id, element_id, parent_id, facet, type, tree_path, identity,
  display_names, attributes, related, content, major, minor, state, stereotype, revision, from_sequence`;

export class ChangeHistory1763700000002 implements MigrationInterface {
  name = 'ChangeHistory1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columnsSql);
    await runner.query(tablesSql);
    for (const table of tables) await runner.query(rowLevelSecuritySql('content_repo', table, role));
    for (const table of appendOnly) await runner.query(`revoke update, delete on content_repo.${table} from ${role}`);
    for (const table of tables) await runner.query(`grant maintain on content_repo.${table} to ${role}`);
    await runner.query(triggerSql);
    await runner.query(viewsSql);
    for (const view of views) await runner.query(`grant select on content_repo.${view} to ${role}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop view ${views.map((view) => `content_repo.${view}`).join(', ')};
      drop trigger keep_rendition on content_repo.rendition;
      drop function content_repo.keep_rendition();
      drop table ${tables.map((table) => `content_repo.${table}`).join(', ')};
      alter table content_repo.rendition drop column major, drop column minor, drop column state, drop column stereotype,
        drop column revision, drop column from_sequence;
      alter table content_repo.element_version drop column revision;
      alter table content_repo.element drop column applied_revision, alter column revision set default 1;
      alter table content_repo.storage drop column change_sequence;
    `);
  }
}

/** Existing rows belong to change 0; from now on a row written outside of a change is an error. */
const columnsSql = `
  alter table content_repo.storage add column change_sequence bigint not null default 0;
  alter table content_repo.element add column applied_revision bigint not null default 0;
  update content_repo.element set revision = 0;
  alter table content_repo.element alter column revision set default current_setting('app.change')::bigint;
  alter table content_repo.element_version add column revision bigint not null default 0;
  alter table content_repo.element_version alter column revision set default current_setting('app.change')::bigint;
  alter table content_repo.rendition
    add column major integer, add column minor integer, add column state text, add column stereotype text,
    add column revision bigint not null default 0, add column from_sequence bigint not null default 0;
  update content_repo.rendition r set major = v.major, minor = v.minor, state = v.state, stereotype = e.stereotype
  from content_repo.element_version v
  join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
  where v.tenant = r.tenant and v.storage_id = r.storage_id and v.version_id = r.version_id;
  alter table content_repo.rendition
    alter column major set not null, alter column minor set not null, alter column state set not null,
    alter column from_sequence set default current_setting('app.change')::bigint;
`;

const tablesSql = `
  create table content_repo.change (
    tenant text not null,
    storage_id uuid not null,
    sequence bigint not null,
    changed_at timestamptz not null,
    operation text not null,
    subject text not null,
    request_id text not null,
    primary key (tenant, storage_id, sequence)
  );
  create index change_by_instant on content_repo.change (tenant, storage_id, changed_at, sequence);

  create table content_repo.change_entry (
    tenant text not null,
    storage_id uuid not null,
    sequence bigint not null,
    ordinal integer not null,
    action text not null,
    element_id uuid,
    version_id uuid,
    detail jsonb not null,
    primary key (tenant, storage_id, sequence, ordinal),
    foreign key (tenant, storage_id, sequence) references content_repo.change
  );
  create index change_entry_of_element on content_repo.change_entry (tenant, storage_id, element_id, sequence);

  insert into content_repo.change (tenant, storage_id, sequence, changed_at, operation, subject, request_id)
  select tenant, storage_id, 0, created_at, 'content.imports.commit', 'system', '' from content_repo.storage;

  create table content_repo.rendition_history (
    like content_repo.rendition including storage,
    to_sequence bigint not null,
    primary key (tenant, storage_id, version_id, from_sequence)
  );
  alter table content_repo.rendition_history alter column from_sequence drop default;
  create index rendition_history_in_tree_order on content_repo.rendition_history (tenant, storage_id, facet, tree_path) where tree_path is not null;
  create index rendition_history_of_element on content_repo.rendition_history (tenant, storage_id, element_id);
  create index rendition_history_by_parent on content_repo.rendition_history (tenant, storage_id, parent_id, tree_path) where tree_path is not null;

  create table content_repo.deleted_version (
    tenant text not null,
    storage_id uuid not null,
    version_id uuid not null,
    element_id uuid not null,
    deleted_at timestamptz not null,
    document jsonb not null,
    primary key (tenant, storage_id, version_id),
    foreign key (tenant, storage_id, element_id) references content_repo.element on delete cascade
  );
  create index deleted_version_of_element on content_repo.deleted_version (tenant, storage_id, element_id);
`;

/** A rendition that its own change replaces was never visible and is not kept. */
const triggerSql = `
  create function content_repo.keep_rendition() returns trigger language plpgsql as $$
  begin
    insert into content_repo.rendition_history (${renditionColumns}, to_sequence)
    values (${renditionColumns.replaceAll(/(\w+)/g, 'old.$1')}, current_setting('app.change')::bigint);
    if tg_op = 'DELETE' then return old; end if;
    new.from_sequence := current_setting('app.change')::bigint;
    return new;
  end $$;
  create trigger keep_rendition before update or delete on content_repo.rendition for each row
    when (old.from_sequence <> current_setting('app.change')::bigint) execute function content_repo.keep_rendition();
`;

const asOf = `nullif(current_setting('app.as_of', true), '')::bigint`;

/** The branches of the union have no conditions of their own, so that PostgreSQL uses the indexes of both tables. */
const viewsSql = `
  create view content_repo.rendition_at with (security_invoker) as
    select ${renditionColumns} from (
      select ${renditionColumns}, null::bigint as to_sequence from content_repo.rendition
      union all
      select ${renditionColumns}, to_sequence from content_repo.rendition_history) every_rendition
    where from_sequence <= ${asOf} and (to_sequence is null or to_sequence > ${asOf});

  create view content_repo.element_version_at with (security_invoker) as
    select tenant, storage_id, version_id, element_id, major, minor, state,
      case attributes when '' then '{}'::jsonb
        else ('{' || replace(substr(attributes, 2), chr(1), '') || '}')::jsonb -> 'attributes' end as attributes
    from content_repo.rendition_at;

  create view content_repo.element_at with (security_invoker) as
    select tenant, storage_id, element_id, facet, type, stereotype
    from content_repo.rendition_at
    where tree_path is not null;

  create view content_repo.content_element_at with (security_invoker) as
    select r.tenant, r.storage_id, (c.member ->> 'id')::uuid as content_id, r.version_id, c.member ->> 'type' as type
    from content_repo.rendition_at r
    cross join lateral jsonb_array_elements(
      ('{' || replace(substr(r.content, 2), chr(1), '') || '}')::jsonb -> 'content') as c(member)
    where r.content <> '';
`;
