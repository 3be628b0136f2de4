/**
 * Reads and writes definitions that have a draft and published versions (versioned-definitions-table.ts), whatever they
 * define.
 */
import type pg from 'pg';
import { readAsTenant } from './tenant-statement.js';

/** Whose definitions are written, and who writes them. */
export type Writer = { readonly client: pg.PoolClient; readonly team: string; readonly subject: string };

type Defined = { readonly id: string };

export type VersionToWrite<D extends Defined = Defined> = {
  readonly definition: D;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly version: number;
};

/** `isDropped`: the definition goes without a draft from now on. */
export type DraftToWrite<D extends Defined = Defined> = {
  readonly definition: D;
  readonly digest: string;
  readonly isDropped: boolean;
};

/** As it is stored; definitions are not parsed. */
export type StoredRow = {
  readonly id: string;
  readonly published?: { readonly version: number; readonly digest: string; readonly definition: unknown };
  readonly draft?: StoredDraft;
};

type StoredDraft = { readonly digest: string; readonly definition: unknown };

export type PublishedRow = {
  readonly id: string;
  readonly version: number;
  readonly digest: string;
  /** Null when the digest is known. */
  readonly definition: unknown;
};

/** Everything of a team, as it is at one moment. */
export type PublishedRows = { readonly revision: string; readonly published: readonly PublishedRow[] };

/** As it was applied; members of what is not published, and of no draft, are absent. */
export type ExportedRow = {
  readonly id: string;
  readonly version?: number;
  readonly digest?: string;
  readonly publishedAt?: string;
  readonly definition?: unknown;
  readonly draft?: unknown;
};

export type VersionedDefinitions = {
  /** Publications of a team follow each other, whatever else waits for them; held until the transaction ends. */
  readonly lockTeam: (client: pg.PoolClient, team: string) => Promise<void>;
  /** Every replica reads what is published anew. */
  readonly raiseRevision: (client: pg.PoolClient, team: string) => Promise<void>;
  /** Grows with every publication; undefined for a team that has nothing yet. */
  readonly readRevision: (pool: pg.Pool, team: string) => Promise<string | undefined>;
  /** In the order of the ids. */
  readonly readStored: (client: pg.PoolClient, team: string) => Promise<readonly StoredRow[]>;
  /** Definitions of known digests do not travel. Undefined for a team that has nothing yet. */
  readonly readPublished: (
    pool: pg.Pool,
    team: string,
    knownDigests: readonly string[],
  ) => Promise<PublishedRows | undefined>;
  /** The draft of one definition; undefined when there is none. A definition of a known digest does not travel. */
  readonly readDraft: (
    pool: pg.Pool,
    team: string,
    id: string,
    knownDigest: string | undefined,
  ) => Promise<StoredDraft | undefined>;
  /** Each is what everybody reads from the commit on; a draft that was there goes. */
  readonly insertVersions: (writer: Writer, versions: readonly VersionToWrite[]) => Promise<void>;
  readonly writeDrafts: (writer: Writer, drafts: readonly DraftToWrite[]) => Promise<void>;
  /** With its draft and its versions. */
  readonly remove: (client: pg.PoolClient, team: string, id: string) => Promise<void>;
  /** In the order of the ids. */
  readonly readExport: (pool: pg.Pool, team: string) => Promise<readonly ExportedRow[]>;
};

export const versionedDefinitions = (schema: string, noun: string): VersionedDefinitions => {
  const texts = textsOf(schema, noun);
  const named = (use: keyof ReturnType<typeof textsOf>, values: unknown[]) => ({
    name: `${schema}_${noun}_${use}`,
    text: texts[use],
    values,
  });
  return {
    lockTeam: async (client, team) => {
      await client.query(named('openTeam', [team]));
      await client.query(named('lockTeam', [team]));
    },
    raiseRevision: async (client, team) => void (await client.query(named('raiseRevision', [team]))),
    readRevision: async (pool, team) => {
      const [row] = await readAsTenant<{ readonly revision: string }>(pool, team, named('revision', [team]));
      return row?.revision;
    },
    readStored: async (client, team) => (await client.query<FullRow>(named('stored', [team]))).rows.map(storedRow),
    readPublished: async (pool, team, knownDigests) => {
      const rows = await readAsTenant<PublishedColumns>(pool, team, named('published', [team, knownDigests]));
      return rows[0] && { revision: rows[0].revision, published: rows.flatMap(publishedRow) };
    },
    readDraft: async (pool, team, id, knownDigest) => {
      const [draft] = await readAsTenant<StoredDraft>(pool, team, named('draft', [team, id, knownDigest ?? null]));
      return draft;
    },
    insertVersions: async ({ client, team, subject }, versions) => {
      const values = [
        team,
        subject,
        versions.map(({ definition }) => definition.id),
        versions.map(({ version }) => version),
        versions.map(({ definition }) => JSON.stringify(definition)),
        versions.map(({ digest }) => digest),
      ];
      await client.query(named('insertVersions', values));
    },
    writeDrafts: async ({ client, team, subject }, drafts) => {
      const values = [
        team,
        subject,
        drafts.map(({ definition }) => definition.id),
        drafts.map(({ definition, isDropped }) => (isDropped ? null : JSON.stringify(definition))),
        drafts.map(({ digest, isDropped }) => (isDropped ? null : digest)),
      ];
      await client.query(named('writeDrafts', values));
    },
    remove: async (client, team, id) => void (await client.query(named('remove', [team, id]))),
    readExport: async (pool, team) => {
      const rows = await readAsTenant<ExportColumns>(pool, team, named('export', [team]));
      return rows.map(exportedRow);
    },
  };
};

type FullRow = {
  readonly id: string;
  readonly version: number | null;
  readonly digest: string | null;
  readonly definition: unknown;
  readonly draft_digest: string | null;
  readonly draft: unknown;
};

const storedRow = ({ id, version, digest, definition, draft, draft_digest }: FullRow): StoredRow => ({
  id,
  ...(version !== null && digest !== null && { published: { version, digest, definition } }),
  ...(draft_digest !== null && { draft: { digest: draft_digest, definition: draft } }),
});

type Unpublished = Readonly<Record<'id' | 'version' | 'digest' | 'definition', null>>;
type PublishedColumns = { readonly revision: string } & (PublishedRow | Unpublished);

/** A team that has nothing published has one row with its revision alone. */
const publishedRow = ({ id, version, digest, definition }: PublishedColumns): readonly PublishedRow[] =>
  version === null ? [] : [{ id, version, digest, definition }];

type ExportColumns = Omit<FullRow, 'draft_digest'> & { readonly published_at: string | null };

const exportedRow = ({ id, version, digest, published_at, definition, draft }: ExportColumns): ExportedRow => ({
  id,
  ...(version !== null &&
    digest !== null &&
    published_at !== null && { version, digest, publishedAt: published_at, definition }),
  ...(draft !== null && { draft }),
});

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const textsOf = (schema: string, noun: string) => {
  const id = `${noun}_id`;
  const newest = `${schema}.${noun}_version v
        on v.tenant = m.tenant and v.${id} = m.${id} and v.version = m.published_version`;
  return {
    openTeam: `insert into ${schema}.team_state (tenant) values ($1) on conflict do nothing`,
    lockTeam: `select from ${schema}.team_state where tenant = $1 for update`,
    raiseRevision: `update ${schema}.team_state set revision = revision + 1 where tenant = $1`,
    revision: `select revision::text from ${schema}.team_state where tenant = $1`,
    stored: `select m.${id} as id, v.version, encode(v.digest, 'hex') as digest, v.definition,
        encode(m.draft_digest, 'hex') as draft_digest, m.draft
      from ${schema}.${noun} m left join ${newest}
      where m.tenant = $1 order by m.${id} collate "C"`,
    // One statement, so that the revision is the one of all the rest.
    published: `select t.revision::text, v.${id} as id, v.version, encode(v.digest, 'hex') as digest,
        case when encode(v.digest, 'hex') = any($2::text[]) then null else v.definition end as definition
      from ${schema}.team_state t
      left join ${schema}.${noun} m on m.tenant = t.tenant
      left join ${newest}
      where t.tenant = $1 order by v.${id} collate "C"`,
    draft: `select encode(draft_digest, 'hex') as digest,
        case when encode(draft_digest, 'hex') = $3 then null else draft end as definition
      from ${schema}.${noun} where tenant = $1 and ${id} = $2 and draft is not null`,
    insertVersions: `
      with written as (
        select * from unnest($3::text[], $4::integer[], $5::text[], $6::text[]) as w(id, version, definition, digest)
      ), opened as (
        insert into ${schema}.${noun} as m (tenant, ${id}, published_version, changed_by)
        select $1, id, version, $2 from written
        on conflict (tenant, ${id}) do update set published_version = excluded.published_version,
          draft = null, draft_digest = null, changed_at = now(), changed_by = excluded.changed_by
      )
      insert into ${schema}.${noun}_version (tenant, ${id}, version, definition, digest, published_by)
      select $1, id, version, definition::json, decode(digest, 'hex'), $2 from written`,
    writeDrafts: `
      insert into ${schema}.${noun} (tenant, ${id}, draft, draft_digest, changed_by)
      select $1, id, definition::json, decode(digest, 'hex'), $2
      from unnest($3::text[], $4::text[], $5::text[]) as written(id, definition, digest)
      on conflict (tenant, ${id}) do update set draft = excluded.draft, draft_digest = excluded.draft_digest,
        changed_at = now(), changed_by = excluded.changed_by`,
    remove: `delete from ${schema}.${noun} where tenant = $1 and ${id} = $2`,
    export: `select m.${id} as id, v.version, encode(v.digest, 'hex') as digest, ${iso('v.published_at')} as published_at,
        v.definition, m.draft
      from ${schema}.${noun} m left join ${newest}
      where m.tenant = $1 order by m.${id} collate "C"`,
  };
};
