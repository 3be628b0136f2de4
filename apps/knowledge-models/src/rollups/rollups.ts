/**
 * The rollups of published models as tables of PostgreSQL: made in the background for the data versions that a catalogue shows, each by
 * one replica, and dropped when no question can read them any more. What cannot be made is tried again later; PostgreSQL answers from the
 * rows meanwhile.
 */
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { KeyedQueue } from '@tessera/fair-queue';
import { openRollupGrains, type RollupAbsence, type RollupGrain, type RollupTable } from '@tessera/knowledge-model';
import type { Log } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import type { Catalogs, TeamCatalog } from '../catalog/catalogs.js';
import { TeamLooks } from '../catalog/team-looks.js';
import { isMakingCancelled, makingQueueOf } from '../database/makings.repository.js';
import type { Pools } from '../database.module.js';
import type { QuerySource } from '../queries/query-preparer.js';
import {
  dropRollup,
  hasOpenLoads,
  makeRollup,
  readRollups,
  rollupName,
  type MakingOutcome,
  type StoredRollup,
  type WantedRollup,
} from './rollups.repository.js';

export type RollupsOptions = {
  readonly pools: Pick<Pools, 'light' | 'loads'>;
  readonly catalogs: Pick<Catalogs, 'of'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Told how each making ended. */
  readonly onMade: (outcome: string, seconds: number) => void;
  /** A rollup with more is not made. */
  readonly groupsMax?: number;
  /** Between a failed making and the next try; twice as long after each. */
  readonly retryMs?: number;
  /** How long questions of before the last load may still read the rollups of before. */
  readonly keptMs?: number;
  /** Without another revision, before rollups are made. */
  readonly restMs?: number;
  /** From the first revision on, whatever is being loaded then. */
  readonly restMaxMs?: number;
};

/** When revisions came that nothing was made for yet. */
type Unrest = { readonly firstMs: number; readonly lastMs: number };

type MakingEnd = MakingOutcome | 'cancelled' | 'failed' | 'stopped' | 'waiting';

type ComparedRollups = {
  readonly wanted: ReadonlyMap<string, WantedRollup>;
  readonly unused: readonly StoredRollup[];
  readonly missing: readonly WantedRollup[];
};

type Failure = { readonly reason: RollupAbsence; readonly count: number; readonly notBeforeMs: number };

const standards = { groupsMax: 1_000_000, retryMs: 60_000, keptMs: 300_000, restMs: 1_000, restMaxMs: 60_000 };
const retryMaxMs = 3_600_000;
/** Another replica makes rollups; until then this one does not know them. */
const busyMs = 2_000;
const failuresKept = 10_000;

export class Rollups implements BeforeApplicationShutdown {
  readonly #options: Required<RollupsOptions>;
  /** What may be read, by team and by name. */
  readonly #tables = new Map<string, ReadonlyMap<string, RollupTable>>();
  readonly #failed = new LRUCache<string, Failure>({ max: failuresKept });
  /** Since when nobody wants them, by team and by name. */
  readonly #unused = new Map<string, ReadonlyMap<string, number>>();
  readonly #unrest = new Map<string, Unrest>();
  readonly #looks = new TeamLooks((team) => this.#look(team));
  /** What is there is compared for one team after the other, whose requests need the same connections. */
  readonly #comparing = new KeyedQueue({ limit: 1 });
  readonly #stopping = new AbortController();

  constructor(options: RollupsOptions) {
    this.#options = { ...standards, ...options };
  }

  get count(): number {
    return [...this.#tables.values()].reduce((sum, tables) => sum + tables.size, 0);
  }

  /** The rollup of the data that the source reads, or why there is none. Never waits. */
  find(
    { team, generationOf }: Pick<QuerySource, 'team' | 'generationOf'>,
    grain: RollupGrain,
  ): RollupTable | RollupAbsence {
    const name = rollupName(grain, (table) => generationOf(table)?.dataVersion);
    if (name === undefined) return 'not-made';
    return this.#tables.get(team)?.get(name) ?? this.#failed.get(name)?.reason ?? 'not-made';
  }

  /**
   * What is there is shown at once, and what is missing made when no other revision comes: tables of a schema are often loaded one after
   * the other.
   */
  noticeRevision(team: string): void {
    const nowMs = performance.now();
    this.#unrest.set(team, { firstMs: this.#unrest.get(team)?.firstMs ?? nowMs, lastMs: nowMs });
    void this.ensure(team);
  }

  /** Resolves when what the team should have is made, could not be, or waits for the end of its loads. Calls that wait share one run. */
  ensure(team: string): Promise<void> {
    return this.#looks.now(team);
  }

  /** What is being made is cut off. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#looks.ended();
  }

  async #look(team: string): Promise<void> {
    try {
      const { wanted, unused, missing } = await this.#compare(team);
      const outcomes: string[] = [];
      for (const one of missing) outcomes.push(await this.#makeInTurn(team, one));
      if (outcomes.some((outcome) => outcome === 'made' || outcome === 'found')) await this.#show(team, wanted);
      if (outcomes.includes('busy')) this.#looks.later(team, 'busy', busyMs);
      await this.#dropUnused(team, unused);
    } catch (error) {
      this.#warn('the rollups of a team were not looked at; it is tried again', { err: error, team });
      this.#looks.later(team, 'not looked at', this.#options.retryMs);
    }
  }

  /** Shows what is there; `missing`: what is to be made now. */
  async #compare(team: string): Promise<ComparedRollups> {
    const release = await this.#comparing.acquire(team);
    try {
      if (this.#stopping.signal.aborted) return { wanted: new Map(), unused: [], missing: [] };
      const wanted = await wantedRollups(await this.#options.catalogs.of(team));
      const stored = await this.#show(team, wanted);
      const there = new Set(stored.map(({ name }) => name));
      const missing = [...wanted.values()].filter(({ name }) => !there.has(name));
      const isAtRest = await this.#isAtRest(team, missing);
      if (!isAtRest) this.#looks.later(team, 'rest', this.#options.restMs);
      const unused = stored.filter(({ name }) => !wanted.has(name));
      return { wanted, unused, missing: isAtRest ? missing : [] };
    } finally {
      release();
    }
  }

  /** Whether no other generation of a table that these read is to be expected soon. */
  async #isAtRest(team: string, missing: readonly WantedRollup[]): Promise<boolean> {
    const { pools, restMs, restMaxMs } = this.#options;
    const unrest = this.#unrest.get(team);
    if (!unrest) return true;
    const nowMs = performance.now();
    const isUnderWay = async (): Promise<boolean> =>
      nowMs - unrest.lastMs < restMs || (await hasOpenLoads(pools.light, team, missing));
    if (missing.length > 0 && nowMs - unrest.firstMs < restMaxMs && (await isUnderWay())) return false;
    this.#unrest.delete(team);
    return true;
  }

  /** Answers all that are stored. */
  async #show(team: string, wanted: ReadonlyMap<string, WantedRollup>): Promise<readonly StoredRollup[]> {
    const stored = await readRollups(this.#options.pools.light, team);
    const shown = stored.filter(({ name, physical }) => wanted.get(name)?.physical === physical);
    if (shown.length > 0) this.#tables.set(team, new Map(shown.map((table) => [table.name, table])));
    else this.#tables.delete(team);
    return stored;
  }

  async #makeInTurn(team: string, wanted: WantedRollup): Promise<MakingEnd> {
    const failure = this.#failed.get(wanted.name);
    if (failure && performance.now() < failure.notBeforeMs) return 'waiting';
    const release = await makingQueueOf(this.#options.pools.loads).acquire(team);
    try {
      return this.#stopping.signal.aborted ? 'stopped' : await this.#makeNow(team, wanted, failure?.count ?? 0);
    } finally {
      release();
    }
  }

  async #makeNow(team: string, wanted: WantedRollup, failedBefore: number): Promise<MakingEnd> {
    const { pools, groupsMax, log, onMade } = this.#options;
    const { signal } = this.#stopping;
    const startMs = performance.now();
    const { model, grain } = wanted;
    const place = { team, model, rollup: grain.rollup };
    const outcome = await makeRollup(pools.loads, team, wanted, { groupsMax, signal }).catch((error: unknown) => {
      if (signal.aborted) return 'stopped' as const;
      if (isMakingCancelled(error)) return 'cancelled' as const;
      this.#warn('a rollup was not made; its questions are answered from the rows', { err: error, ...place });
      return 'failed' as const;
    });
    if (outcome === 'busy' || outcome === 'found') return outcome;
    const seconds = (performance.now() - startMs) / 1000;
    onMade(outcome, seconds);
    if (outcome === 'made') log.info({ ...place, seconds }, 'a rollup was made');
    // After a load that is refused the rows are still the same.
    if (outcome === 'failed' || outcome === 'cancelled')
      this.#retryLater(team, wanted.name, outcome === 'failed' ? 'failed' : 'not-made', failedBefore);
    if (outcome === 'too-many-groups' || outcome === 'multiplied') {
      // It is so until the next load.
      this.#failed.set(wanted.name, { reason: outcome, count: 1, notBeforeMs: Infinity });
      this.#warn('a rollup is not made; its questions are answered from the rows', { ...place, reason: outcome });
    }
    return outcome;
  }

  #retryLater(team: string, name: string, reason: RollupAbsence, count: number): void {
    const waitMs = Math.min(this.#options.retryMs * 2 ** count, retryMaxMs);
    this.#failed.set(name, { reason, count: count + 1, notBeforeMs: performance.now() + waitMs });
    this.#looks.later(team, `failed ${name} ${count}`, waitMs + 1);
  }

  async #dropUnused(team: string, unused: readonly StoredRollup[]): Promise<void> {
    const { pools, keptMs } = this.#options;
    const known = this.#unused.get(team);
    const nowMs = performance.now();
    const waiting = new Map<string, number>();
    for (const rollup of unused) {
      const sinceMs = known?.get(rollup.name) ?? nowMs;
      const isDropped =
        nowMs - sinceMs >= keptMs &&
        (await dropRollup(pools.loads, team, rollup).then(
          () => true,
          (error: unknown) => {
            this.#warn('an old rollup was not dropped; it is tried again', { err: error, team });
            return false;
          },
        ));
      if (!isDropped) waiting.set(rollup.name, sinceMs);
    }
    if (waiting.size === 0) return void this.#unused.delete(team);
    this.#unused.set(team, waiting);
    this.#looks.later(team, 'unused', keptMs + 1);
  }

  #warn(message: string, fields: object): void {
    if (!this.#stopping.signal.aborted) this.#options.log.warn(fields, message);
  }
}

/** By name: two models may want the same one. */
const wantedRollups = async ({ models, tables, schemas }: TeamCatalog): Promise<ReadonlyMap<string, WantedRollup>> => {
  const wanted = new Map<string, WantedRollup>();
  for (const [model, { checked }] of await models.whole()) {
    const { schema } = checked.model.source;
    const place = schemas.get(schema);
    if (!place) continue;
    for (const grain of checked.rollups.flatMap((rollup) => openRollupGrains(rollup, place.physical))) {
      const name = rollupName(grain, (table) => {
        const version = tables.get(`${schema}.${table}`)?.dataVersion;
        return version === unloadedVersion ? undefined : version;
      });
      if (name !== undefined) wanted.set(name, { name, grain, model, schema, ...place });
    }
  }
  return wanted;
};

const unloadedVersion = '0';
