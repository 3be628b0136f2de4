/**
 * Reads the published definitions and drafts of teams through a bounded cache. The team's revision is checked against the
 * database at most every 50 ms; concurrent callers share the read.
 */
import { setImmediate as yieldToOthers, setTimeout as passed } from 'node:timers/promises';
import { definitionId } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import {
  mapDatabaseErrors,
  type Pool,
  type PublishedDefinition,
  type VersionedDefinitions,
} from '@tessera/persistence';
import { LRUCache } from 'lru-cache';
import { RevisionCache } from './revision-cache.js';

/** Short enough to be waited for, long enough for many calls to share one look into the database. */
export const maxDefinitionAgeMs = 50;

/** Resolves when every replica sees what was committed before. Timers may be early by a millisecond. */
export const waitForReplicas = (): Promise<void> => passed(maxDefinitionAgeMs + 2);

/** What a version is made of. */
export type VersionRow = Omit<PublishedDefinition, 'version'> & { readonly version: number | 'draft' };

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

type Published<Version> = { readonly revision: string; readonly versions: ReadonlyMap<string, Version> };

/** Of small ones; the size bounds what many large ones take. */
const teamsMax = 10_000;
const draftsMax = 500;
const sizeMax = 32 * 1024 * 1024;

export class DefinitionReader<Version extends KeptVersion> {
  readonly #published: RevisionCache<Published<Version>>;
  readonly #drafts = new LRUCache<string, Version>({ max: draftsMax });

  constructor(private readonly options: ReaderOptions<Version>) {
    const { pool, tables, sizeOf } = options;
    this.#published = new RevisionCache({
      ...{ teamsMax, sizeMax, freshMs: maxDefinitionAgeMs },
      readRevision: (team) => tables.readRevision(pool, team),
      // Calls that came in together share one read.
      gather: () => yieldToOthers(),
      read: (team, before) => this.#read(team, before),
      sizeOf: ({ versions }) => [...versions.values()].reduce((size, version) => size + sizeOf(version), 0),
    });
  }

  /** What is published, or the draft. Failures: those of the options, and an outage of the database. */
  find(team: string, id: string, isDraft: boolean): Promise<Result<Version>> {
    const { noDraft, unknown } = this.options;
    return mapDatabaseErrors(async () => {
      // What is no id names no draft; the database is not asked for just any text.
      const mayBeDraft = isDraft && definitionId.safeParse(id).success;
      const draft = mayBeDraft ? await this.#draftOf(team, id) : undefined;
      if (draft) return succeed(draft);
      const versions = await this.#publishedOf(team);
      const found = versions.get(id);
      if (found) return isDraft ? noDraft : succeed(found);
      return unknown(id, versions.keys());
    });
  }

  /** How much longer this is what is published for sure: 0 when it is not, and for drafts. */
  freshForMs(team: string, id: string, version: Version): number {
    const { kept, freshForMs } = this.#published.peek(team);
    return kept?.versions.get(id) === version ? freshForMs : 0;
  }

  /** Everything that is published, in the order of the ids. */
  list(team: string): Promise<Result<readonly Version[]>> {
    return mapDatabaseErrors(async () => succeed([...(await this.#publishedOf(team)).values()]));
  }

  async #publishedOf(team: string): Promise<ReadonlyMap<string, Version>> {
    return (await this.#published.of(team))?.versions ?? new Map();
  }

  async #read(team: string, before?: Published<Version>): Promise<Published<Version> | undefined> {
    const { pool, tables, versionOf } = this.options;
    const digests = [...(before?.versions.values() ?? [])].map(({ digest }) => digest);
    const rows = await tables.readPublished(pool, team, digests);
    if (!rows) return undefined;
    const versions = new Map<string, Version>();
    for (const row of rows.published) {
      const version = keptVersion(before?.versions.get(row.id), row) ?? versionOf(team, row);
      if (version) versions.set(row.id, version);
    }
    return { revision: rows.revision, versions };
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
}

/** A version never changes, and what was said in another one is another one. */
const keptVersion = <Version extends KeptVersion>(
  before: Version | undefined,
  { version, digest }: PublishedDefinition,
): Version | undefined => (before?.version === version && before.digest === digest ? before : undefined);
