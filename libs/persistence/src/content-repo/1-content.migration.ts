/**
 * The tables of the content repository. Tenant first in every key; row-level security behind every query.
 *
 * The place of an element (`element`), the contents of a version (`element_version`, `relation`) and of a diagram
 * (`content_element`) are tables of their own. `rendition` is the read model: the JSON text of every version, made when it is
 * written; the current one has a `tree_path`, so that a report is one index scan in tree order.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';

const tables = [
  'storage',
  'element',
  'element_version',
  'relation',
  'content_element',
  'rendition',
  'import',
  'import_element',
];

export class Content1763600000001 implements MigrationInterface {
  name = 'Content1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table content_repo.storage (
        tenant text not null,
        storage_id uuid not null,
        collection_name text not null,
        storage_name text not null,
        definition jsonb not null,
        revision bigint not null default 1,
        created_at timestamptz not null default now(),
        changed_at timestamptz not null default now(),
        primary key (tenant, storage_id),
        unique (tenant, collection_name, storage_name)
      );

      create table content_repo.element (
        tenant text not null,
        storage_id uuid not null,
        element_id uuid not null,
        key text,
        facet text not null,
        type text not null,
        stereotype text,
        creation_id uuid not null,
        parent_id uuid,
        position integer not null,
        tree_path text collate "C",
        digest bytea,
        revision bigint not null default 1,
        deleted_at timestamptz,
        primary key (tenant, storage_id, element_id),
        unique (tenant, storage_id, key),
        foreign key (tenant, storage_id) references content_repo.storage on delete cascade,
        foreign key (tenant, storage_id, parent_id) references content_repo.element deferrable initially deferred
      );
      create index element_by_parent on content_repo.element (tenant, storage_id, facet, parent_id, position);

      create table content_repo.element_version (
        tenant text not null,
        storage_id uuid not null,
        version_id uuid not null,
        element_id uuid not null,
        major integer not null,
        minor integer not null,
        state text not null,
        attributes jsonb not null,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        primary key (tenant, storage_id, version_id),
        unique (tenant, storage_id, element_id, major, minor),
        foreign key (tenant, storage_id, element_id) references content_repo.element on delete cascade
      );

      create table content_repo.relation (
        tenant text not null,
        storage_id uuid not null,
        owner_id uuid not null,
        relation text not null,
        position integer not null,
        target_id uuid not null,
        target_version_id uuid,
        primary key (tenant, storage_id, owner_id, relation, position),
        foreign key (tenant, storage_id, target_id) references content_repo.element on delete cascade deferrable initially deferred
      );
      create index relation_by_target on content_repo.relation (tenant, storage_id, target_id);

      create table content_repo.content_element (
        tenant text not null,
        storage_id uuid not null,
        content_id uuid not null,
        version_id uuid not null,
        key text,
        position integer not null,
        creation_id uuid not null,
        type text not null,
        stereotype text,
        state text not null,
        attributes jsonb not null,
        primary key (tenant, storage_id, content_id),
        unique (tenant, storage_id, version_id, position),
        foreign key (tenant, storage_id, version_id) references content_repo.element_version on delete cascade
      );

      create table content_repo.rendition (
        tenant text not null,
        storage_id uuid not null,
        version_id uuid not null,
        element_id uuid not null,
        parent_id uuid,
        facet text not null,
        type text not null,
        tree_path text collate "C",
        identity text not null,
        display_names text not null,
        attributes text not null,
        related text not null,
        content text not null,
        primary key (tenant, storage_id, version_id),
        foreign key (tenant, storage_id, version_id) references content_repo.element_version on delete cascade
      );
      alter table content_repo.rendition
        alter column identity set storage external, alter column attributes set storage external,
        alter column related set storage external, alter column content set storage external;
      create unique index rendition_in_tree_order on content_repo.rendition (tenant, storage_id, facet, tree_path) where tree_path is not null;
      create unique index rendition_shown on content_repo.rendition (tenant, storage_id, element_id) where tree_path is not null;
      create index rendition_of_element on content_repo.rendition (tenant, storage_id, element_id);
      create index rendition_by_parent on content_repo.rendition (tenant, storage_id, parent_id, tree_path) where tree_path is not null;

      create table content_repo.import (
        tenant text not null,
        import_id uuid not null,
        collection_name text not null,
        storage_name text not null,
        definition jsonb not null,
        subject text not null,
        begun_at timestamptz not null default now(),
        outcome jsonb,
        primary key (tenant, import_id)
      );
      create table content_repo.import_element (
        tenant text not null,
        import_id uuid not null,
        element_id uuid not null,
        ordinal bigint not null,
        document jsonb not null,
        primary key (tenant, import_id, element_id),
        unique (tenant, import_id, ordinal),
        foreign key (tenant, import_id) references content_repo.import on delete cascade
      );
    `);
    for (const table of tables) await runner.query(rowLevelSecuritySql('content_repo', table, 'tessera_content_repo'));
    // Every index begins with tenant and storage: without statistics the planner cannot choose between them, so the service
    // refreshes them after an import instead of waiting for autovacuum.
    for (const table of tables) await runner.query(`grant maintain on content_repo.${table} to tessera_content_repo`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${tables.map((table) => `content_repo.${table}`).join(', ')} cascade`);
  }
}
