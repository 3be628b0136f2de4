/**
 * What each team has published and loaded, kept in a bounded cache. The team's revision is compared with the database at most
 * every 50 ms. Publications and loads are acknowledged when that time is over, so that the next request of every replica sees
 * them.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { maxDefinitionAgeMs, RevisionCache } from '@tessera/definitions';
import { runInSlices } from '@tessera/fair-queue';
import { checkModelInSteps, type CheckedModel } from '@tessera/knowledge-model';
import { LRUCache } from 'lru-cache';
import { Pools } from '../database.module.js';
import { versionedModelDefinitions } from '../definitions/definitions.repository.js';
import { readCatalog, readDrafts, type CatalogRows } from './catalog.repository.js';
import {
  retainUsedChecks,
  PublishedModels,
  type CheckCache,
  type StoredModel,
  type OnModelUnavailable,
} from './published-models.js';

type LoadedTable = {
  /** Another one after each load; `0` before the first. */
  readonly dataVersion: string;
  readonly rows: number;
};

type TeamSchema = {
  /** As PostgreSQL names it. */
  readonly physical: string;
  /** Who may read it and nothing else. */
  readonly role: string;
};

export type TeamCatalog = {
  /** Another one after each publication and each load of the team. */
  readonly revision: string;
  /** In the order of their ids. */
  readonly models: PublishedModels;
  /** By `schema.table`. */
  readonly tables: ReadonlyMap<string, LoadedTable>;
  /** By the name that definitions use. */
  readonly schemas: ReadonlyMap<string, TeamSchema>;
};

type DraftModel = {
  readonly id: string;
  readonly definition: KnowledgeModelDefinition;
  /** With other drafts as its bases before published ones; its base may have changed since it was stored. */
  readonly checked: CheckedModel;
};

type CachedCatalog = {
  readonly revision: string;
  readonly catalog: TeamCatalog;
  readonly stored: readonly StoredModel[];
  readonly checks: CheckCache;
};

/** Of small ones; the size bounds what many large ones take. */
const teamsMax = 10_000;
/** Far more than catalogues: who is told reads the catalogue, which drives out that of another team. */
const toldTeamsMax = 100_000;
/** Characters of definitions, whose compiled form is some ten times as large. */
const sizeMax = 32 * 1024 * 1024;
/** As many characters of a definition take as much. */
const tableSize = 100;

const emptyCatalog: TeamCatalog = Object.freeze({
  revision: '0',
  models: new PublishedModels([], new Map(), () => undefined),
  tables: new Map(),
  schemas: new Map(),
});

@Injectable()
export class Catalogs {
  readonly #logger = new Logger('Catalog');
  readonly #cached: RevisionCache<CachedCatalog>;

  #tellFirstRead: (team: string) => void = () => undefined;
  readonly #toldOfRevisions: ((team: string) => void)[] = [];
  readonly #openIds = new LRUCache<string, ReadonlySet<string>>({ max: teamsMax });
  /** The last one that was told, by team. */
  readonly #toldRevisions = new LRUCache<string, string>({ max: toldTeamsMax });

  constructor(private readonly pools: Pools) {
    this.#cached = new RevisionCache({
      ...{ teamsMax, sizeMax, freshMs: maxDefinitionAgeMs },
      readRevision: (team) => versionedModelDefinitions.readRevision(pools.light, team),
      read: (team, before) => this.#read(team, before),
      sizeOf: ({ stored, catalog }) => stored.reduce((sum, { size }) => sum + size, catalog.tables.size * tableSize),
    });
  }

  /** Called when what a team has is read for the first time in this process. */
  onFirstRead(tell: (team: string) => void): void {
    this.#tellFirstRead = tell;
  }

  /** Each is called once for each revision of what a team has, the first one too. */
  onRevision(tell: (team: string) => void): void {
    this.#toldOfRevisions.push(tell);
  }

  /** The catalog as it is now; an empty one for a team that has nothing. */
  async of(team: string): Promise<TeamCatalog> {
    return (await this.#cached.of(team))?.catalog ?? emptyCatalog;
  }

  /** Models in which a record leads to one with a policy and has none of its own, of those that were compiled here. */
  get openModels(): number {
    return [...this.#openIds.values()].reduce((count, ids) => count + ids.size, 0);
  }

  /** How much longer this is what the team has for sure; 0 when it is not. */
  freshForMs(team: string, catalog: TeamCatalog): number {
    const { kept, freshForMs } = this.#cached.peek(team);
    return kept?.catalog === catalog ? freshForMs : 0;
  }

  /** The draft as it is now; undefined when the model has none. */
  async findDraft(team: string, modelId: string): Promise<DraftModel | undefined> {
    const [cached, rows] = await Promise.all([this.#cached.of(team), readDrafts(this.pools.light, team)]);
    const published = (cached?.stored ?? []).map((model) => [model.id, model.definition] as const);
    const drafts = rows.flatMap(({ id, definition }) => {
      const parsed = KnowledgeModelDefinition.safeParse(definition);
      return parsed.success ? [[id, parsed.data] as const] : [];
    });
    const definition = new Map(drafts).get(modelId);
    if (!definition) return undefined;
    const all = new Map([...published, ...drafts]);
    return { id: modelId, definition, checked: await runInSlices(checkModelInSteps(definition, all), team) };
  }

  async #read(team: string, before?: CachedCatalog): Promise<CachedCatalog | undefined> {
    const known = new Map(before?.stored.map((model) => [model.digest, model]));
    const rows = await readCatalog(this.pools.light, team, [...known.keys()]);
    if (!rows) return undefined;
    const unavailable: OnModelUnavailable = (id, reason) =>
      this.#logger.error(`The published model ${id} of the team ${team} does not check any more: ${reason}`);
    const stored = await storedModels(rows, known, unavailable);
    const checks = retainUsedChecks(stored, before?.checks ?? new Map());
    const models = new PublishedModels(stored, checks, unavailable);
    await models.compileLarge(team);
    const catalog = catalogOf(rows, models);
    this.#openIds.set(team, models.openIds);
    this.#tellRevision(team, catalog.revision);
    return { revision: catalog.revision, catalog, stored, checks };
  }

  #tellRevision(team: string, revision: string): void {
    const before = this.#toldRevisions.get(team);
    if (before === revision) return;
    this.#toldRevisions.set(team, revision);
    if (before === undefined) this.#tellFirstRead(team);
    for (const tell of this.#toldOfRevisions) tell(team);
  }
}

/** Other requests get their turn after each definition that is new here; a large one takes some milliseconds. */
const storedModels = async (
  { models }: CatalogRows,
  known: ReadonlyMap<string, StoredModel>,
  unavailable: OnModelUnavailable,
): Promise<readonly StoredModel[]> => {
  const stored: StoredModel[] = [];
  for (const { definition, ...model } of models) {
    const kept = known.get(model.digest);
    if (kept) {
      stored.push({ ...model, definition: kept.definition, size: kept.size });
      continue;
    }
    const parsed = KnowledgeModelDefinition.safeParse(definition);
    if (parsed.success) stored.push({ ...model, definition: parsed.data, size: JSON.stringify(definition).length });
    else unavailable(model.id, parsed.error.issues[0]?.message ?? 'unknown');
    await eventLoopTurn();
  }
  return stored;
};

const catalogOf = ({ revision, tables, schemas }: CatalogRows, models: PublishedModels): TeamCatalog =>
  Object.freeze({
    revision,
    models,
    tables: new Map(tables.map(({ schema, table, ...loaded }) => [`${schema}.${table}`, loaded])),
    schemas: new Map(schemas.map(({ schema, ...place }) => [schema, place])),
  });
