/**
 * The tables of definitions that have a draft and published versions, the same in the schema of each service that keeps
 * such: models, assets, agents. Row-level security is the service's to add, as for all of its tables.
 */

/** The tables of `noun`, in an order in which they can be made. */
export const versionedTableNames = (noun: string): readonly string[] => ['team_state', noun, `${noun}_version`];

/** `team_state.revision` grows with every publication and every load of the team: who reads it knows what is old. */
export const createVersionedDefinitionTablesSql = (schema: string, noun: string): string => `
  create table ${schema}.team_state (
    tenant text primary key,
    revision bigint not null default 1
  );
  create table ${schema}.${noun} (
    tenant text not null,
    ${noun}_id text not null,
    published_version integer,
    draft json,
    draft_digest bytea,
    changed_at timestamptz not null default now(),
    changed_by text not null,
    primary key (tenant, ${noun}_id)
  );
  create table ${schema}.${noun}_version (
    tenant text not null,
    ${noun}_id text not null,
    version integer not null,
    definition json not null,
    digest bytea not null,
    published_at timestamptz not null default now(),
    published_by text not null,
    primary key (tenant, ${noun}_id, version),
    foreign key (tenant, ${noun}_id) references ${schema}.${noun} (tenant, ${noun}_id) on delete cascade
  );
`;
