/**
 * Reads and writes definitions that have a draft and published versions (versioned-definitions-table.ts), whatever they
 * define: by their entities, and by named statements what requests wait for.
 */
import type pg from 'pg';
import { LessThan, type EntityManager } from 'typeorm';
import type { DefinitionColumns, DefinitionVersionColumns } from './entity-columns.js';
import { readAsTenant } from './tenant-statement.js';

/** Whose definitions are written, and who writes them; manager and client are those of one transaction. */
export type DefinitionWriteContext = {
  readonly manager: EntityManager;
  readonly client: pg.PoolClient;
  readonly team: string;
  readonly subject: string;
};

type Defined = { readonly id: string };

export type NewDefinitionVersion<D extends Defined = Defined> = {
  readonly definition: D;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly version: number;
};

/** `isDropped`: the definition goes without a draft from now on. */
export type NewDefinitionDraft<D extends Defined = Defined> = {
  readonly definition: D;
  readonly digest: string;
  readonly isDropped: boolean;
};

/** As it is stored; definitions are not parsed. */
export type StoredDefinitionRow = {
  readonly id: string;
  readonly published?: { readonly version: number; readonly digest: string; readonly definition: unknown };
  readonly draft?: StoredDraft;
};

type StoredDraft = { readonly digest: string; readonly definition: unknown };

export type PublishedDefinition = {
  readonly id: string;
  readonly version: number;
  readonly digest: string;
  /** Null when the digest is known. */
  readonly definition: unknown;
};

/** Everything of a team, as it is at one moment. */
export type PublishedDefinitionSet = { readonly revision: string; readonly published: readonly PublishedDefinition[] };

/** As it was applied; members of what is not published, and of no draft, are absent. */
export type ExportedDefinition = {
  readonly id: string;
  readonly version?: number;
  readonly digest?: string;
  readonly publishedAt?: string;
  readonly definition?: unknown;
  readonly draft?: unknown;
};

/** What is told of a version without its definition. */
export type VersionRow = {
  readonly version: number;
  readonly digest: string;
  readonly publishedAt: string;
  readonly publishedBy: string;
};

/** Of one definition; `draft` is absent when there is none. */
export type VersionPage = {
  readonly publishedVersion?: number;
  readonly draft?: { readonly digest: string; readonly changedAt: string; readonly changedBy: string };
  readonly versions: readonly VersionRow[];
};

/** A definition as it was published once, or its draft; not parsed. */
export type StoredVersion = {
  readonly version: number | 'draft';
  readonly digest: string;
  readonly definition: unknown;
};

export type DefinitionEntities = {
  readonly definition: new () => DefinitionColumns;
  readonly version: new () => DefinitionVersionColumns;
};

/** `noun`: the tables are `schema.noun` and `schema.noun_version`, the id is `noun_id`. */
export class VersionedDefinitions {
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(
    schema: string,
    noun: string,
    private readonly entities: DefinitionEntities,
  ) {
    this.#statements = statementsOf(schema, noun);
  }

  /** Publications of a team follow each other, whatever else waits for them; held until the transaction ends. */
  async lockTeam(client: pg.PoolClient, team: string): Promise<void> {
    await client.query(this.#statements.openTeam([team]));
    await client.query(this.#statements.lockTeam([team]));
  }

  /** Every replica reads what is published anew. */
  async raiseRevision(client: pg.PoolClient, team: string): Promise<void> {
    await client.query(this.#statements.raiseRevision([team]));
  }

  /** Grows with every publication; undefined for a team that has nothing yet. */
  async readRevision(pool: pg.Pool, team: string): Promise<string | undefined> {
    const [row] = await readAsTenant<{ readonly revision: string }>(pool, team, this.#statements.revision([team]));
    return row?.revision;
  }

  /** Definitions of known digests do not travel. Undefined for a team that has nothing yet. */
  async readPublished(
    pool: pg.Pool,
    team: string,
    knownDigests: readonly string[],
  ): Promise<PublishedDefinitionSet | undefined> {
    const statement = this.#statements.published([team, knownDigests]);
    const rows = await readAsTenant<PublishedColumns>(pool, team, statement);
    return rows[0] && { revision: rows[0].revision, published: rows.flatMap(publishedRow) };
  }

  /** The draft of one definition; undefined when there is none. A definition of a known digest does not travel. */
  async readDraft(
    pool: pg.Pool,
    team: string,
    id: string,
    knownDigest: string | undefined,
  ): Promise<StoredDraft | undefined> {
    const statement = this.#statements.draft([team, id, knownDigest ?? null]);
    const [draft] = await readAsTenant<StoredDraft>(pool, team, statement);
    return draft;
  }

  /** In the order of the ids. */
  async readStored(manager: EntityManager, team: string): Promise<readonly StoredDefinitionRow[]> {
    return (await this.#find(manager, team)).map(({ id, published, draft, draftDigest }) => ({
      id,
      ...(published && { published: { ...published, digest: hexOf(published.digest) } }),
      ...(draftDigest && { draft: { digest: hexOf(draftDigest), definition: draft } }),
    }));
  }

  /** In the order of the ids. */
  async readExport(manager: EntityManager, team: string): Promise<readonly ExportedDefinition[]> {
    return (await this.#find(manager, team)).map(({ id, published, draft }) => ({
      id,
      ...(published && {
        version: published.version,
        digest: hexOf(published.digest),
        publishedAt: published.publishedAt.toISOString(),
        definition: published.definition,
      }),
      ...(draft !== null && { draft }),
    }));
  }

  /** The newest first; undefined for an id that the team does not have. */
  async listVersions(
    manager: EntityManager,
    team: string,
    id: string,
    { before, rowsMax }: { readonly before: number | undefined; readonly rowsMax: number },
  ): Promise<VersionPage | undefined> {
    const definition = await manager.findOneBy(this.entities.definition, { tenant: team, id });
    if (!definition) return undefined;
    const { publishedVersion, draftDigest, changedAt, changedBy } = definition;
    const versions = await manager.find(this.entities.version, {
      select: { version: true, digest: true, publishedAt: true, publishedBy: true },
      where: { tenant: team, id, ...(before !== undefined && { version: LessThan(before) }) },
      order: { version: 'DESC' },
      take: rowsMax,
    });
    return {
      ...(publishedVersion !== null && { publishedVersion }),
      ...(draftDigest && { draft: { digest: hexOf(draftDigest), changedAt: changedAt.toISOString(), changedBy } }),
      versions: versions.map(({ version, digest, publishedAt, publishedBy }) => ({
        ...{ version, digest: hexOf(digest), publishedAt: publishedAt.toISOString(), publishedBy },
      })),
    };
  }

  /** Undefined when the team does not have it. */
  async readVersion(
    manager: EntityManager,
    team: string,
    id: string,
    wanted: number | 'published' | 'draft',
  ): Promise<StoredVersion | undefined> {
    const definition = await manager.findOneBy(this.entities.definition, { tenant: team, id });
    if (!definition) return undefined;
    const { draft, draftDigest, publishedVersion } = definition;
    if (wanted === 'draft')
      return draftDigest ? { version: 'draft', digest: hexOf(draftDigest), definition: draft } : undefined;
    const version = wanted === 'published' ? publishedVersion : wanted;
    const found =
      version === null ? null : await manager.findOneBy(this.entities.version, { tenant: team, id, version });
    return found ? { version: found.version, digest: hexOf(found.digest), definition: found.definition } : undefined;
  }

  /** Each is what everybody reads from the commit on; a draft that was there goes. */
  async insertVersions(
    { manager, team, subject }: DefinitionWriteContext,
    versions: readonly NewDefinitionVersion[],
  ): Promise<void> {
    const { definition: Definition, version: Version } = this.entities;
    await manager.upsert(
      Definition,
      versions.map(({ definition: { id }, version }) => ({
        ...{ tenant: team, id, publishedVersion: version, draft: null, draftDigest: null },
        ...{ changedAt: transactionStart, changedBy: subject },
      })),
      definitionKey,
    );
    await manager.insert(
      Version,
      versions.map(({ definition, digest, version }) => ({
        ...{ tenant: team, id: definition.id, version, definition },
        ...{ digest: Buffer.from(digest, 'hex'), publishedBy: subject },
      })),
    );
  }

  async writeDrafts(
    { manager, team, subject }: DefinitionWriteContext,
    drafts: readonly NewDefinitionDraft[],
  ): Promise<void> {
    await manager.upsert(
      this.entities.definition,
      drafts.map(({ definition, digest, isDropped }) => ({
        ...{ tenant: team, id: definition.id, draft: isDropped ? null : definition },
        ...{ draftDigest: isDropped ? null : Buffer.from(digest, 'hex') },
        ...{ changedAt: transactionStart, changedBy: subject },
      })),
      definitionKey,
    );
  }

  /** With its draft and its versions. */
  async remove(manager: EntityManager, team: string, id: string): Promise<void> {
    await manager.delete(this.entities.definition, { tenant: team, id });
  }

  async #find(manager: EntityManager, team: string): Promise<readonly DefinitionColumns[]> {
    const found = await manager.find(this.entities.definition, {
      where: { tenant: team },
      relations: { published: true },
    });
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }
}

const definitionKey = ['tenant', 'id'];
const transactionStart = (): string => 'now()';
const hexOf = (digest: Buffer): string => digest.toString('hex');

type Unpublished = Readonly<Record<'id' | 'version' | 'digest' | 'definition', null>>;
type PublishedColumns = { readonly revision: string } & (PublishedDefinition | Unpublished);

/** A team that has nothing published has one row with its revision alone. */
const publishedRow = ({ id, version, digest, definition }: PublishedColumns): readonly PublishedDefinition[] =>
  version === null ? [] : [{ id, version, digest, definition }];

const statementsOf = (schema: string, noun: string) => {
  const id = `${noun}_id`;
  const statement = (use: string, text: string) => (values: unknown[]) => ({
    name: `${schema}_${noun}_${use}`,
    text,
    values,
  });
  return {
    openTeam: statement('openTeam', `insert into ${schema}.team_state (tenant) values ($1) on conflict do nothing`),
    lockTeam: statement('lockTeam', `select from ${schema}.team_state where tenant = $1 for update`),
    raiseRevision: statement(
      'raiseRevision',
      `update ${schema}.team_state set revision = revision + 1 where tenant = $1`,
    ),
    revision: statement('revision', `select revision::text from ${schema}.team_state where tenant = $1`),
    // One statement, so that the revision is the one of all the rest.
    published: statement(
      'published',
      `select t.revision::text, v.${id} as id, v.version, encode(v.digest, 'hex') as digest,
        case when encode(v.digest, 'hex') = any($2::text[]) then null else v.definition end as definition
      from ${schema}.team_state t
      left join ${schema}.${noun} m on m.tenant = t.tenant
      left join ${schema}.${noun}_version v
        on v.tenant = m.tenant and v.${id} = m.${id} and v.version = m.published_version
      where t.tenant = $1 order by v.${id} collate "C"`,
    ),
    draft: statement(
      'draft',
      `select encode(draft_digest, 'hex') as digest,
        case when encode(draft_digest, 'hex') = $3 then null else draft end as definition
      from ${schema}.${noun} where tenant = $1 and ${id} = $2 and draft is not null`,
    ),
  };
};
