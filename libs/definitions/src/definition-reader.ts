/**
 * Reads the published definitions and drafts of teams through a bounded cache. The team's revision is checked against the
 * database at most every 50 ms; concurrent callers share the read.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { definitionId } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, type Pool, type PublishedRow, type VersionedDefinitions } from '@tessera/persistence';
import { SingleFlight } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';

/** Short enough to be waited for, long enough for many calls to share one look into the database. */
export const definitionsFreshMs = 50;

/** What a version is made of. */
export type VersionRow = Omit<PublishedRow, 'version'> & { readonly version: number | 'draft' };

/** The same object stands for a version as long as it is the newest, so whatever is made of it may hang on it. */
type KeptVersion = { readonly version: number | 'draft'; readonly digest: string };

type ReaderOptions<Version extends KeptVersion> = {
  readonly pool: Pool;
  readonly tables: VersionedDefinitions;
  /** Undefined for what does not parse any more: it is then not there. */
  readonly versionOf: (team: string, row: VersionRow) => Version | undefined;
  /** What it holds in memory, in characters or so. */
  readonly sizeOf: (version: Version) => number;
  /** What is answered for a published definition that has no draft. */
  readonly noDraft: Result<never>;
  /** What is answered for an id that the team does not have; `known`: those that it has. */
  readonly unknown: (id: string, known: Iterable<string>) => Result<never>;
};

/** What is kept of a team. */
type Known<Version> = {
  readonly revision: string;
  readonly versions: ReadonlyMap<string, Version>;
  readonly size: number;
};

const teamsMax = 500;
const draftsMax = 500;
const sizeMax = 32 * 1024 * 1024;

export class DefinitionReader<Version extends KeptVersion> {
  readonly #nothing: Known<Version> = Object.freeze({ revision: '0', versions: new Map(), size: 1 });
  readonly #known = new LRUCache<string, Known<Version>>({
    max: teamsMax,
    maxSize: sizeMax,
    // A team that alone is too large is kept in place of all others.
    sizeCalculation: ({ size }) => Math.min(size, sizeMax),
  });
  /** Until when, by the clock of this process, what is known of a team needs no look. */
  readonly #freshUntilMs = new LRUCache<string, number>({ max: teamsMax });
  readonly #drafts = new LRUCache<string, Version>({ max: draftsMax });
  readonly #revisions: SingleFlight<string | undefined>;
  readonly #reading: SingleFlight<Known<Version>>;

  constructor(private readonly options: ReaderOptions<Version>) {
    const { pool, tables } = options;
    // Calls that came in together share one read.
    this.#revisions = new SingleFlight((team) => tables.readRevision(pool, team), { gather: () => yieldToOthers() });
    this.#reading = new SingleFlight((team) => this.#read(team));
  }

  /** What is published, or the draft. Failures: those of the options, and an outage of the database. */
  find(team: string, id: string, isDraft: boolean): Promise<Result<Version>> {
    const { noDraft, unknown } = this.options;
    return mapDatabaseErrors(async () => {
      // What is no id names no draft; the database is not asked for just any text.
      const mayBeDraft = isDraft && definitionId.safeParse(id).success;
      const draft = mayBeDraft ? await this.#draftOf(team, id) : undefined;
      if (draft) return succeed(draft);
      const { versions } = await this.#now(team);
      const found = versions.get(id);
      if (found) return isDraft ? noDraft : succeed(found);
      return unknown(id, versions.keys());
    });
  }

  /** Everything that is published, in the order of the ids. */
  list(team: string): Promise<Result<readonly Version[]>> {
    return mapDatabaseErrors(async () => succeed([...(await this.#now(team)).versions.values()]));
  }

  async #now(team: string): Promise<Known<Version>> {
    const askedMs = performance.now();
    const known = this.#known.get(team);
    if (known && askedMs < (this.#freshUntilMs.get(team) ?? 0)) return known;
    const revision = await this.#revisions.run(team);
    if (revision === undefined) return this.#nothing;
    const now = known?.revision === revision ? known : await this.#reading.run(team);
    this.#freshUntilMs.set(team, askedMs + definitionsFreshMs);
    return now;
  }

  async #read(team: string): Promise<Known<Version>> {
    const { pool, tables, versionOf } = this.options;
    const before = this.#known.get(team)?.versions ?? this.#nothing.versions;
    const digests = [...before.values()].map(({ digest }) => digest);
    const rows = await tables.readPublished(pool, team, digests);
    if (!rows) return this.#nothing;
    const versions = new Map<string, Version>();
    for (const row of rows.published) {
      const version = keptVersion(before, row) ?? versionOf(team, row);
      if (version) versions.set(row.id, version);
    }
    const known = { revision: rows.revision, versions, size: this.#sizeOf(versions) };
    this.#known.set(team, known);
    return known;
  }

  async #draftOf(team: string, id: string): Promise<Version | undefined> {
    const { pool, tables, versionOf } = this.options;
    const name = `${team} ${id}`;
    const known = this.#drafts.get(name);
    const draft = await tables.readDraft(pool, team, id, known?.digest);
    if (!draft || draft.digest === known?.digest) return draft && known;
    const made = versionOf(team, { id, version: 'draft', ...draft });
    if (made) this.#drafts.set(name, made);
    return made;
  }

  /** At least 1, as the cache wants it. */
  #sizeOf(versions: Known<Version>['versions']): number {
    return [...versions.values()].reduce((size, version) => size + this.options.sizeOf(version), 1);
  }
}

/** A version never changes, and what was said in another one is another one. */
const keptVersion = <Version extends KeptVersion>(
  before: ReadonlyMap<string, Version>,
  { id, version, digest }: PublishedRow,
): Version | undefined => {
  const known = before.get(id);
  return known?.version === version && known.digest === digest ? known : undefined;
};
