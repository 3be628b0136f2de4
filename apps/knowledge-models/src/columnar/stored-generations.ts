/**
 * Keeps what an engine of columns has stored in step with the generations of the teams: made in the background, one after the other of
 * each team, when a catalogue shows a new one; retired when none shows it any more. Where and how they are stored is the store's. Never shows one
 * that was not compared with the generation in place.
 */
import { KeyedQueue } from '@tessera/fair-queue';
import type { ColumnarTable, ColumnarTableKey, DatabaseColumn } from '@tessera/knowledge-model';
import type { Log } from '@tessera/service-kit';
import type { Catalogs } from '../catalog/catalogs.js';
import { TeamLooks } from '../catalog/team-looks.js';
import { readTableColumns } from '../database/columns.repository.js';
import { isMakingCancelled, makingQueueOf } from '../database/makings.repository.js';
import type { Pools } from '../database.module.js';
import { type Generation, type ReadableTable, readGenerations } from './columnar.repository.js';
import { type GenerationIdentity, generationId } from './generation-identity.js';
import { MakingFailure } from './measure-generation.js';

export type StoredGenerationsOptions = {
  readonly pools: Pick<Pools, 'light' | 'loads'>;
  readonly catalogs: Pick<Catalogs, 'of'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly rowsMin: number;
  /** Told how each making ended: `made`, `fetched`, or why not. */
  readonly onMade: (outcome: string, seconds: number) => void;
  /** Between a failed making and the next try; twice as long after each. */
  readonly retryMs?: number;
  /** Between two looks for what another replica makes. */
  readonly awaitMs?: number;
};

export type StoredGeneration = {
  readonly id: string;
  readonly table: ColumnarTable;
  /** Seconds since 1970; null for one that no load has made. */
  readonly loadedAt: string | null;
};

export type MakingSource = {
  readonly identity: GenerationIdentity;
  readonly rows: ReadableTable;
  readonly columns: ReadonlyMap<string, DatabaseColumn>;
  /** Rows are read by the name of their table: when its generation is still the same, they are of no other. */
  readonly isInPlace: () => Promise<boolean>;
};

/** `outdated`: another load came between; `awaited`: another replica makes it. */
export type MakingOutcome = 'made' | 'fetched' | 'outdated' | 'awaited';

export type GenerationStore<Stored extends StoredGeneration> = {
  readonly isStorable: (generation: Generation) => boolean;
  /** What is there at the start. */
  readonly open: () => Promise<readonly Stored[]>;
  /** What others have stored of the team since then. */
  readonly look: (team: string) => Promise<readonly Stored[]>;
  /** `use`: from then on it may be asked, whatever is still done for others. Rejects with `MakingFailure` and others. */
  readonly make: (source: MakingSource, use: (stored: Stored) => void) => Promise<MakingOutcome>;
  /** No new question asks it; the same generation may be made again. */
  readonly retire: (stored: Stored) => Promise<void>;
};

type Failures = { readonly count: number; readonly notBeforeMs: number };

const firstRetryMs = 60_000;
const retryMaxMs = 3_600_000;
const usualAwaitMs = 5_000;

const keyText = ({ team, schema, table, dataVersion }: ColumnarTableKey): string =>
  JSON.stringify([team, schema, table, dataVersion]);

export class StoredGenerations<Stored extends StoredGeneration> {
  /** What may be asked, by key. */
  readonly #current = new Map<string, Stored>();
  /** Not yet compared with what the team has, by id. */
  readonly #found = new Map<string, Stored>();
  readonly #failed = new Map<string, Failures>();
  readonly #looks = new TeamLooks((team) => this.#look(team));
  /** What is there is compared for one team after the other, whose requests need the same connections. */
  readonly #comparing = new KeyedQueue({ limit: 1 });
  readonly #stopping = new AbortController();
  #opened: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: StoredGenerationsOptions,
    private readonly store: GenerationStore<Stored>,
  ) {}

  /** Aborted when the service stops. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Of those that may be asked. */
  get count(): number {
    return this.#current.size;
  }

  /** Those that may be asked, and those that are not compared yet. */
  get all(): readonly Stored[] {
    return [...this.#current.values(), ...this.#found.values()];
  }

  find(key: ColumnarTableKey): Stored | undefined {
    return this.#current.get(keyText(key));
  }

  /** After a question that did not find it: the next look takes it again if it is there, or makes it anew. */
  doubt(key: ColumnarTableKey): void {
    if (this.#current.delete(keyText(key)))
      this.#looks.later(key.team, 'awaited', this.options.awaitMs ?? usualAwaitMs);
  }

  /** Looks for what is there already, in the background. */
  start(): void {
    this.#opened = this.store.open().then(
      (found) => {
        for (const stored of found) this.#found.set(stored.id, stored);
      },
      (error: unknown) => this.warn('copies by columns of an earlier start were not looked at', error),
    );
    void this.#opened.then(() => {
      for (const team of new Set([...this.#found.values()].map(({ table }) => table.key.team))) void this.ensure(team);
    });
  }

  /** Resolves when what the team should have is made, could not be, or is being made by another replica. Calls that wait share one run. */
  ensure(team: string): Promise<void> {
    return this.#looks.now(team);
  }

  /** What is being made is cut off. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#opened;
    await this.#looks.ended();
  }

  warn(message: string, error: unknown, team?: string, table?: string): void {
    if (this.signal.aborted) return;
    const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
    this.options.log.warn({ err: error, team, table, reason }, message);
  }

  /** By id: of the generations of the team that are to be stored. */
  async wanted(team: string): Promise<ReadonlyMap<string, GenerationIdentity & Generation>> {
    const generations = await readGenerations(this.options.pools.light, team);
    return new Map(
      generations
        .filter((generation) => this.store.isStorable(generation) && this.#isWanted(generation, generations))
        .map((generation) => {
          const identity = { ...generation, team };
          return [generationId(identity), identity] as const;
        }),
    );
  }

  async #look(team: string): Promise<void> {
    try {
      await this.#opened;
      for (const [id, identity] of await this.#compare(team)) await this.#makeInTurn(id, identity);
    } catch (error) {
      this.warn('the copies by columns of a team were not looked at', error, team);
      this.#looks.later(team, 'not looked at', this.options.retryMs ?? firstRetryMs);
    }
  }

  /** Admits and retires what is there; answers what is missing, by id. */
  async #compare(team: string): Promise<readonly (readonly [string, GenerationIdentity & Generation])[]> {
    const release = await this.#comparing.acquire(team);
    try {
      if (this.signal.aborted) return [];
      const wanted = await this.wanted(team);
      const known = new Set(this.all.map(({ id }) => id));
      for (const stored of await this.store.look(team)) if (!known.has(stored.id)) this.#found.set(stored.id, stored);
      for (const stored of this.all)
        if (stored.table.key.team === team && !wanted.has(stored.id)) await this.#retire(stored);
      for (const id of wanted.keys()) {
        const found = this.#found.get(id);
        // One that no load has made cannot be told from another with its number.
        if (found && found.loadedAt !== null) this.#admit(found);
        else if (found) await this.#retire(found);
      }
      return [...wanted].filter(([, identity]) => !this.find(identity));
    } finally {
      release();
    }
  }

  /** A small table costs little, and questions that join it to a large one need both. */
  #isWanted({ schema, columnar }: Generation, generations: readonly Generation[]): boolean {
    const isLarge = (one: Generation): boolean => one.columnar ?? one.rows >= this.options.rowsMin;
    return columnar ?? generations.some((one) => one.schema === schema && isLarge(one));
  }

  #admit(stored: Stored): void {
    this.#found.delete(stored.id);
    this.#current.set(keyText(stored.table.key), stored);
  }

  async #retire(stored: Stored): Promise<void> {
    this.#found.delete(stored.id);
    const key = keyText(stored.table.key);
    if (this.#current.get(key) === stored) this.#current.delete(key);
    await this.store.retire(stored);
  }

  async #makeInTurn(id: string, identity: GenerationIdentity & Generation): Promise<void> {
    const failures = this.#failed.get(id);
    if (failures && performance.now() < failures.notBeforeMs) return;
    const release = await makingQueueOf(this.options.pools.loads).acquire(identity.team);
    try {
      if (!this.signal.aborted) await this.#makeNow(id, identity, failures?.count ?? 0);
    } finally {
      release();
    }
  }

  async #makeNow(id: string, identity: GenerationIdentity & Generation, failedBefore: number): Promise<void> {
    const startMs = performance.now();
    const outcome = await this.#make(id, identity).catch((error: unknown) => {
      if (this.signal.aborted) return 'stopped';
      this.#retryLater(id, identity.team, failedBefore);
      // After a load that is refused the generation is still the same.
      if (isMakingCancelled(error)) return 'cancelled';
      this.warn('a copy by columns was not made; PostgreSQL answers', error, identity.team, identity.table);
      return error instanceof MakingFailure ? error.reason : 'failed';
    });
    if (outcome === 'awaited') return this.#looks.later(identity.team, 'awaited', this.options.awaitMs ?? usualAwaitMs);
    const seconds = (performance.now() - startMs) / 1000;
    this.options.onMade(outcome, seconds);
    if (outcome !== 'made' && outcome !== 'fetched') return;
    this.#failed.delete(id);
    const { team, schema, table, rows } = identity;
    this.options.log.info({ team, table: `${schema}.${table}`, rows, seconds }, `a copy by columns was ${outcome}`);
  }

  #retryLater(id: string, team: string, count: number): void {
    const waitMs = Math.min((this.options.retryMs ?? firstRetryMs) * 2 ** count, retryMaxMs);
    this.#failed.set(id, { count: count + 1, notBeforeMs: performance.now() + waitMs });
    this.#looks.later(team, `failed ${id} ${count}`, waitMs + 1);
  }

  async #make(id: string, generation: GenerationIdentity & Generation): Promise<MakingOutcome> {
    const { pools, catalogs } = this.options;
    const { team, schema, table, dataVersion, loadedAt } = generation;
    const place = (await catalogs.of(team)).schemas.get(schema);
    const columns = await readTableColumns(pools.light, { team, schema, table });
    if (!place || !columns) return 'outdated';
    const source: MakingSource = {
      identity: { team, schema, table, dataVersion, loadedAt },
      rows: { pool: pools.loads, team, role: place.role, physical: place.physical, table },
      columns,
      isInPlace: async () => {
        const now = await readGenerations(pools.light, team);
        return now.some((found) => generationId({ ...found, team }) === id);
      },
    };
    return this.store
      .make(source, (stored) => this.#admit(stored))
      .catch(async (error: unknown): Promise<MakingOutcome> => {
        // Some of what was read may be of the other one.
        const isOutdated =
          !this.signal.aborted && !isMakingCancelled(error) && !(await source.isInPlace().catch(() => true));
        if (isOutdated) return 'outdated';
        throw error;
      });
  }
}
