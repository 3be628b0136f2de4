/**
 * The files by columns that this replica has: one for each generation that is large enough, made in the background when a catalogue
 * shows a new one, checked when the service starts, taken away when nobody reads them any more. Never shows a file that was not
 * compared with the generation in place.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ColumnarTable, ColumnarTableKey, ColumnarTables } from '@tessera/knowledge-model';
import type { Log } from '@tessera/service-kit';
import type { Catalogs } from '../catalog/catalogs.js';
import { readSchemaColumns } from '../database/columns.repository.js';
import type { Pools } from '../database.module.js';
import { readGenerations, type Generation } from './columnar.repository.js';
import type { EngineProcess } from './engine-process.js';
import type { AttachedFile } from './engine/engine-messages.js';
import {
  filePath,
  generationId,
  idOfManifest,
  publishFile,
  readManifest,
  removeFile,
  tableOf,
  type GenerationIdentity,
  type GenerationManifest,
} from './generation-file.js';
import {
  diskFull,
  isDiskFull,
  makeGenerationFile,
  MakingFailure,
  removeUnfinished,
  type MadeGeneration,
} from './make-generation-file.js';
import type { Obtained, SharedFiles } from './shared-files.js';

export type ColumnarFilesOptions = {
  readonly engine: EngineProcess;
  readonly pools: Pick<Pools, 'light' | 'loads'>;
  readonly catalogs: Pick<Catalogs, 'of'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Of this replica alone. */
  readonly folder: string;
  /** Whether the folder goes when the service stops. */
  readonly isTemporary: boolean;
  readonly rowsMin: number;
  readonly bytesMax: number;
  readonly timeoutMs: number;
  /** Of all replicas; without it each makes its own. */
  readonly shared?: Pick<SharedFiles, 'obtain'> | undefined;
  /** Told how each making ended: `made`, `fetched`, or why not. */
  readonly onMade: (outcome: string, seconds: number) => void;
  /** Between a failed making and the next try; twice as long after each. */
  readonly retryMs?: number;
  /** Between two looks for a file that another replica makes. */
  readonly awaitMs?: number;
};

type StoredFile = {
  readonly id: string;
  readonly manifest: GenerationManifest;
  readonly table: ColumnarTable;
  readers: number;
  isRetired: boolean;
};

type Failures = { readonly count: number; readonly notBeforeMs: number };

const firstRetryMs = 60_000;
const retryMaxMs = 3_600_000;
const usualAwaitMs = 5_000;
/** What is unfinished for so long belongs to a process that is gone. */
const leftoverMs = 6 * 3_600_000;

const keyText = ({ team, schema, table, dataVersion }: ColumnarTableKey): string =>
  JSON.stringify([team, schema, table, dataVersion]);

export class ColumnarFiles implements ColumnarTables {
  /** What may be asked, by key. */
  readonly #current = new Map<string, StoredFile>();
  /** Found at the start and not yet compared with what the team has, by id. */
  readonly #found = new Map<string, StoredFile>();
  readonly #failed = new Map<string, Failures>();
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly options: ColumnarFilesOptions) {}

  get count(): number {
    return this.#current.size;
  }

  /** Of all files that are kept. */
  get bytes(): number {
    return [...this.#current.values(), ...this.#found.values()].reduce((sum, { manifest }) => sum + manifest.bytes, 0);
  }

  find(key: ColumnarTableKey): ColumnarTable | undefined {
    return this.#current.get(keyText(key))?.table;
  }

  /** Keeps the file until `close` is called; undefined when there is none. */
  open(key: ColumnarTableKey): { readonly file: AttachedFile; readonly close: () => void } | undefined {
    const stored = this.#current.get(keyText(key));
    if (!stored) return undefined;
    stored.readers += 1;
    const close = (): void => {
      stored.readers -= 1;
      void this.#removeIfUnread(stored);
    };
    return { file: { name: `t_${stored.id}`, path: filePath(this.options.folder, stored.id) }, close };
  }

  /** Looks for the files of an earlier start, in the background. */
  start(): void {
    this.#turn = this.#turn
      .then(() => this.#openFolder())
      .catch((error: unknown) => this.#warn('columnar files of an earlier start were not looked at', error));
    void this.#turn.then(() => {
      for (const team of new Set([...this.#found.values()].map(({ manifest }) => manifest.team)))
        void this.ensure(team);
    });
  }

  /** Resolves when what the team should have is made, could not be, or is being made by another replica. Calls that wait share one run. */
  ensure(team: string): Promise<void> {
    const waiting = this.#waiting.get(team);
    if (waiting) return waiting;
    const work = this.#turn
      .then(() => {
        this.#waiting.delete(team);
        return this.#synchronise(team);
      })
      .catch((error: unknown) => this.#warn('the files of a team were not looked at', error, team));
    this.#waiting.set(team, work);
    this.#turn = work;
    return work;
  }

  /** What is being made is cut off and taken away. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#turn;
    if (this.options.isTemporary) await rm(this.options.folder, { recursive: true, force: true });
  }

  async #openFolder(): Promise<void> {
    const { folder } = this.options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    const ids = names.flatMap((name) => idOfManifest(name) ?? []);
    const version = ids.length > 0 ? await this.options.engine.version() : '';
    for (const id of ids) {
      if (this.#stopping.signal.aborted) return;
      const manifest = await readManifest(this.options.folder, id);
      if (manifest && (await this.#isWhole(id, manifest, version))) this.#found.set(id, storedFile(manifest));
      else {
        this.options.log.warn({ file: id }, 'a columnar file is not as its manifest says; it is made anew');
        await removeFile(this.options.folder, id);
      }
    }
    await this.#removeLeftovers(names, new Set(ids));
  }

  async #isWhole(id: string, { engine, bytes, digest }: GenerationManifest, version: string): Promise<boolean> {
    const path = filePath(this.options.folder, id);
    const size = await stat(path).then(
      (found) => found.size,
      () => -1,
    );
    if (engine !== version || size !== bytes) return false;
    const { signal } = this.#stopping;
    const read = await this.options.engine.run({ kind: 'digest', path }, { signal, timeoutMs: this.options.timeoutMs });
    return read.digest === digest;
  }

  /** Files without a manifest, and what another process left unfinished. */
  async #removeLeftovers(names: readonly string[], ids: ReadonlySet<string>): Promise<void> {
    for (const name of names) {
      const path = join(this.options.folder, name);
      const [id = '', kind] = name.split('.');
      const isOrphan = kind === 'duckdb' && name.endsWith('.duckdb') && !ids.has(id);
      if (isOrphan || (/\.part(?:\.wal)?$/.test(name) && Date.now() - (await stat(path)).mtimeMs > leftoverMs))
        await rm(path, { force: true });
    }
  }

  async #synchronise(team: string): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const generations = await readGenerations(this.options.pools.light, team);
    const wanted = new Map(
      generations
        .filter((generation) => this.#isWanted(generation, generations))
        .map((generation) => {
          const identity = { ...generation, team };
          return [generationId(identity), identity] as const;
        }),
    );
    for (const stored of [...this.#current.values(), ...this.#found.values()])
      if (stored.manifest.team === team && !wanted.has(stored.id)) await this.#retire(stored);
    for (const [id, identity] of wanted) {
      const found = this.#found.get(id);
      // One that no load has made cannot be told from another with its number.
      if (found && identity.loadedAt !== null) this.#admit(found);
      else if (found) await this.#retire(found);
      if (!this.find(identity)) await this.#makeUnlessFailed(id, identity);
    }
  }

  /** A small table costs little, and questions that join it to a large one need both. */
  #isWanted({ schema, columnar }: Generation, generations: readonly Generation[]): boolean {
    const isLarge = (one: Generation): boolean => one.columnar ?? one.rows >= this.options.rowsMin;
    return columnar ?? generations.some((one) => one.schema === schema && isLarge(one));
  }

  #admit(stored: StoredFile): void {
    this.#found.delete(stored.id);
    this.#current.set(keyText(stored.table.key), stored);
  }

  async #retire(stored: StoredFile): Promise<void> {
    this.#found.delete(stored.id);
    const key = keyText(stored.table.key);
    if (this.#current.get(key) === stored) this.#current.delete(key);
    stored.isRetired = true;
    await this.#removeIfUnread(stored);
  }

  async #removeIfUnread({ id, table, readers, isRetired }: StoredFile): Promise<void> {
    if (!isRetired || readers > 0) return;
    // The same generation may have been made again in the meantime.
    if (this.#found.has(id) || this.#current.get(keyText(table.key))?.id === id) return;
    await removeFile(this.options.folder, id).catch((error: unknown) =>
      this.#warn('an old columnar file was not removed', error),
    );
  }

  async #makeUnlessFailed(id: string, identity: GenerationIdentity & Generation): Promise<void> {
    const { signal } = this.#stopping;
    const failures = this.#failed.get(id);
    if (signal.aborted || (failures && performance.now() < failures.notBeforeMs)) return;
    const startMs = performance.now();
    const outcome = await this.#make(identity).catch((error: unknown) => {
      if (signal.aborted) return 'stopped';
      this.#warn('a columnar file was not made; PostgreSQL answers', error, identity.team, identity.table);
      this.#retryLater(id, identity.team, failures?.count ?? 0);
      return error instanceof MakingFailure ? error.reason : 'failed';
    });
    const seconds = (performance.now() - startMs) / 1000;
    if (outcome === 'awaited') return this.#lookAgain(identity.team, this.options.awaitMs ?? usualAwaitMs);
    this.options.onMade(outcome, seconds);
    if (outcome !== 'made' && outcome !== 'fetched') return;
    this.#failed.delete(id);
    const { team, schema, table, rows } = identity;
    this.options.log.info({ team, table: `${schema}.${table}`, rows, seconds }, `a columnar file was ${outcome}`);
  }

  #retryLater(id: string, team: string, count: number): void {
    const waitMs = Math.min((this.options.retryMs ?? firstRetryMs) * 2 ** count, retryMaxMs);
    this.#failed.set(id, { count: count + 1, notBeforeMs: performance.now() + waitMs });
    this.#lookAgain(team, waitMs + 1);
  }

  #lookAgain(team: string, waitMs: number): void {
    setTimeout(() => void this.ensure(team), waitMs).unref();
  }

  async #make(identity: GenerationIdentity & Generation): Promise<Obtained> {
    const { engine, pools, catalogs, timeoutMs, bytesMax, shared } = this.options;
    const { team, schema, table, dataVersion, loadedAt } = identity;
    const place = (await catalogs.of(team)).schemas.get(schema);
    const columns = (await readSchemaColumns(pools.light, team, schema)).get(table);
    if (!place || !columns) return 'outdated';
    const source = { pool: pools.loads, team, role: place.role, physical: place.physical, table };
    const { signal } = this.#stopping;
    const room = { engine, folder: this.options.folder, bytesMax: bytesMax - this.bytes, timeoutMs, signal };
    const generation = { team, schema, table, dataVersion, loadedAt };
    const make = (): Promise<MadeGeneration> => makeGenerationFile(source, columns, generation, room);
    const use = (made: MadeGeneration): Promise<'made' | 'outdated'> => this.#use(made);
    // One that no load has made cannot be told from another with its number.
    return shared && loadedAt !== null ? shared.obtain(generation, room, { make, use }) : use(await make());
  }

  async #use({ unfinished, manifest }: MadeGeneration): Promise<'made' | 'outdated'> {
    try {
      // Rows were read by the name of the table: when its version is still the same, they were of no other.
      const now = await readGenerations(this.options.pools.light, manifest.team);
      const id = generationId(manifest);
      if (!now.some((found) => generationId({ ...found, team: manifest.team }) === id)) return 'outdated';
      await publishFile(this.options.folder, unfinished, manifest);
    } catch (error) {
      throw isDiskFull(error) ? diskFull() : error;
    } finally {
      await removeUnfinished(unfinished);
    }
    this.#admit(storedFile(manifest));
    return 'made';
  }

  #warn(message: string, error: unknown, team?: string, table?: string): void {
    if (this.#stopping.signal.aborted) return;
    const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
    this.options.log.warn({ err: error, team, table, reason }, message);
  }
}

const storedFile = (manifest: GenerationManifest): StoredFile => ({
  id: generationId(manifest),
  manifest,
  table: tableOf(manifest),
  readers: 0,
  isRetired: false,
});
