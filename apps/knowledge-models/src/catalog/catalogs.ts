/**
 * What each team has published and loaded, kept in a bounded cache. Every call compares the team's revision with the
 * database, so that a publication or a load by any replica is what the next request of every replica sees.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel, type CheckedModel } from '@tessera/knowledge-model';
import { SingleFlight } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import { Pools } from '../database.module.js';
import { modelTables } from '../definitions/definitions.repository.js';
import { readCatalog, readDrafts, type CatalogRows } from './catalog.repository.js';
import {
  checksInUse,
  PublishedModels,
  type CheckCache,
  type StoredModel,
  type OnUnavailable,
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

/** What is kept of a team. */
type Known = {
  readonly catalog: TeamCatalog;
  readonly stored: readonly StoredModel[];
  readonly checks: CheckCache;
  readonly size: number;
};

const teamsMax = 200;
/** Characters of definitions, whose compiled form is some ten times as large. */
const definitionsSizeMax = 32 * 1024 * 1024;

const nothing: Known = Object.freeze({
  catalog: Object.freeze({
    revision: '0',
    models: new PublishedModels([], new Map(), () => undefined),
    tables: new Map(),
    schemas: new Map(),
  }),
  stored: [],
  checks: new Map(),
  size: 1,
});

@Injectable()
export class Catalogs {
  readonly #logger = new Logger('Catalog');
  readonly #known = new LRUCache<string, Known>({
    max: teamsMax,
    maxSize: definitionsSizeMax,
    // A team that alone is too large is kept in place of all others.
    sizeCalculation: ({ size }) => Math.min(size, definitionsSizeMax),
  });
  readonly #revisions: SingleFlight<string | undefined>;
  readonly #reading: SingleFlight<Known>;

  #tellFirstRead: (team: string) => void = () => undefined;

  constructor(private readonly pools: Pools) {
    this.#revisions = new SingleFlight((team) => modelTables.readRevision(pools.light, team));
    this.#reading = new SingleFlight((team) => this.#read(team));
  }

  /** Called when what a team has is read and nothing of it is known yet: once a team, in a process that knows few. */
  onFirstRead(tell: (team: string) => void): void {
    this.#tellFirstRead = tell;
  }

  /** The catalog as it is now; an empty one for a team that has nothing. */
  async of(team: string): Promise<TeamCatalog> {
    return (await this.#now(team)).catalog;
  }

  /** The draft as it is now; undefined when the model has none. */
  async findDraft(team: string, modelId: string): Promise<DraftModel | undefined> {
    const [{ stored }, rows] = await Promise.all([this.#now(team), readDrafts(this.pools.light, team)]);
    const published = stored.map((model) => [model.id, model.definition] as const);
    const drafts = rows.flatMap(({ id, definition }) => {
      const parsed = KnowledgeModelDefinition.safeParse(definition);
      return parsed.success ? [[id, parsed.data] as const] : [];
    });
    const definition = new Map(drafts).get(modelId);
    if (!definition) return undefined;
    return { id: modelId, definition, checked: checkModel(definition, new Map([...published, ...drafts])) };
  }

  async #now(team: string): Promise<Known> {
    const revision = await this.#revisions.run(team);
    if (revision === undefined) return nothing;
    const known = this.#known.get(team);
    return known?.catalog.revision === revision ? known : this.#reading.run(team);
  }

  async #read(team: string): Promise<Known> {
    const before = this.#known.get(team) ?? nothing;
    const definitions = new Map(before.stored.map(({ digest, definition }) => [digest, definition]));
    const rows = await readCatalog(this.pools.light, team, [...definitions.keys()]);
    if (!rows) return nothing;
    const unavailable: OnUnavailable = (id, reason) =>
      this.#logger.error(`The published model ${id} of the team ${team} does not check any more: ${reason}`);
    const stored = await storedModels(rows, definitions, unavailable);
    const checks = checksInUse(stored, before.checks);
    const catalog = catalogOf(rows, new PublishedModels(stored, checks, unavailable));
    const known: Known = { catalog, stored, checks, size: sizeOf(stored) };
    this.#known.set(team, known);
    if (before === nothing) this.#tellFirstRead(team);
    return known;
  }
}

type DefinitionsByDigest = ReadonlyMap<string, KnowledgeModelDefinition>;

/** Other requests get their turn after each definition that is new here; a large one takes some milliseconds. */
const storedModels = async (
  { models }: CatalogRows,
  known: DefinitionsByDigest,
  unavailable: OnUnavailable,
): Promise<readonly StoredModel[]> => {
  const stored: StoredModel[] = [];
  for (const { definition, ...model } of models) {
    const kept = known.get(model.digest);
    const parsed = kept ? { success: true as const, data: kept } : KnowledgeModelDefinition.safeParse(definition);
    if (parsed.success) stored.push({ ...model, definition: parsed.data });
    else unavailable(model.id, parsed.error.issues[0]?.message ?? 'unknown');
    if (!kept) await eventLoopTurn();
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

/** At least 1, as the cache wants it. */
const sizeOf = (stored: readonly StoredModel[]): number =>
  stored.reduce((size, { definition }) => size + JSON.stringify(definition).length, 1);
