/**
 * The assets that teams have published, kept in a bounded cache. The team's revision is compared with the database unless
 * that was begun a moment ago; callers at the same time share the read.
 * Refuses: to answer from the cache alone for longer than whoever publishes waits.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { definitionId } from '@tessera/contracts';
import { AgentToolsAssetDefinition, type ToolDefinition } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { orDatabaseFailure, type Pool, type PublishedRow } from '@tessera/persistence';
import { SharedWork } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import type { ToolSource } from '../tools/tool-source.js';
import { assetTables } from './asset-tables.repository.js';
import type { AssetVersion } from './asset-version.js';
import { Assets, assetsFreshMs, noDraft, unknownAsset } from './assets.js';

export type StoredAssetsOptions = {
  readonly pool: Pool;
  readonly makeTool: (definition: ToolDefinition, team: string) => ToolSource;
  /** Of an asset that says nothing of it. */
  readonly callsPerMinute: number;
};

/** What is kept of a team. */
type Known = { readonly revision: string; readonly versions: ReadonlyMap<string, AssetVersion>; readonly size: number };

const teamsMax = 500;
const draftsMax = 500;
/** Characters of definitions. */
const definitionsSizeMax = 32 * 1024 * 1024;

const nothing: Known = Object.freeze({ revision: '0', versions: new Map(), size: 1 });

export class StoredAssets extends Assets {
  readonly #logger = new Logger('Assets');
  readonly #known = new LRUCache<string, Known>({
    max: teamsMax,
    maxSize: definitionsSizeMax,
    // A team that alone is too large is kept in place of all others.
    sizeCalculation: ({ size }) => Math.min(size, definitionsSizeMax),
  });
  /** Until when, by the clock of this process, what is known of a team needs no look. */
  readonly #freshUntilMs = new LRUCache<string, number>({ max: teamsMax });
  readonly #drafts = new LRUCache<string, AssetVersion>({ max: draftsMax });
  readonly #revisions: SharedWork<string | undefined>;
  readonly #reading: SharedWork<Known>;

  constructor(private readonly options: StoredAssetsOptions) {
    super();
    this.#revisions = new SharedWork((team) => assetTables.readRevision(options.pool, team), {
      // Calls that came in together share one read.
      gather: () => othersTurn(),
    });
    this.#reading = new SharedWork((team) => this.#read(team));
  }

  find(team: string, assetId: string, isDraft: boolean): Promise<Result<AssetVersion>> {
    return orDatabaseFailure(async () => {
      // What is no id names no draft; the database is not asked for just any text.
      const mayBeDraft = isDraft && definitionId.safeParse(assetId).success;
      const draft = mayBeDraft ? await this.#draftOf(team, assetId) : undefined;
      if (draft) return succeed(draft);
      const { versions } = await this.#now(team);
      const found = versions.get(assetId);
      if (found) return isDraft ? noDraft : succeed(found);
      return unknownAsset(assetId, versions.keys());
    });
  }

  async #now(team: string): Promise<Known> {
    const askedMs = performance.now();
    const known = this.#known.get(team);
    if (known && askedMs < (this.#freshUntilMs.get(team) ?? 0)) return known;
    const revision = await this.#revisions.of(team);
    if (revision === undefined) return nothing;
    const now = known?.revision === revision ? known : await this.#reading.of(team);
    this.#freshUntilMs.set(team, askedMs + assetsFreshMs);
    return now;
  }

  async #read(team: string): Promise<Known> {
    const before = this.#known.get(team)?.versions ?? nothing.versions;
    const digests = [...before.values()].map(({ digest }) => digest);
    const rows = await assetTables.readPublished(this.options.pool, team, digests);
    if (!rows) return nothing;
    const versions = new Map<string, AssetVersion>();
    for (const row of rows.published) {
      const version = keptVersion(before, row) ?? this.#versionOf(team, row);
      if (version) versions.set(row.id, version);
    }
    const known = { revision: rows.revision, versions, size: sizeOf(versions) };
    this.#known.set(team, known);
    return known;
  }

  async #draftOf(team: string, assetId: string): Promise<AssetVersion | undefined> {
    const name = `${team} ${assetId}`;
    const known = this.#drafts.get(name);
    const draft = await assetTables.readDraft(this.options.pool, team, assetId, known?.digest);
    if (!draft || draft.digest === known?.digest) return draft && known;
    const made = this.#versionOf(team, { id: assetId, version: 'draft', ...draft });
    if (made) this.#drafts.set(name, made);
    return made;
  }

  #versionOf(team: string, row: Stored): AssetVersion | undefined {
    const parsed = AgentToolsAssetDefinition.safeParse(row.definition);
    if (!parsed.success) {
      this.#logger.error(`The asset ${row.id} of the team ${team} does not parse any more: ${parsed.error.message}`);
      return undefined;
    }
    const { id, name, description, instructions, limits, tools } = parsed.data;
    return Object.freeze({
      assetId: id,
      version: row.version,
      digest: row.digest,
      name: name ?? id,
      description: description ?? '',
      ...(instructions !== undefined && { instructions }),
      callsPerMinute: limits?.callsPerMinute ?? this.options.callsPerMinute,
      tools: Object.freeze(tools.map((tool) => this.options.makeTool(tool, team))),
    });
  }
}

type Stored = Omit<PublishedRow, 'version'> & { readonly version: number | 'draft' };

/** A version never changes, and what was said in another one is another one. */
const keptVersion = (before: Known['versions'], { id, version, digest }: PublishedRow): AssetVersion | undefined => {
  const known = before.get(id);
  return known?.version === version && known.digest === digest ? known : undefined;
};

/** Of the compiled tools, by the number of them; at least 1, as the cache wants it. */
const sizeOf = (versions: Known['versions']): number =>
  [...versions.values()].reduce((size, { tools }) => size + tools.length * toolSize, 1);
const toolSize = 4_000;
