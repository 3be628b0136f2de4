/**
 * The files by columns that this replica has: one for each generation that is large enough, checked when the service starts, taken
 * away when nobody reads them any more.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ColumnarTable, ColumnarTableKey, ColumnarTables } from '@tessera/knowledge-model';
import type { EngineProcess } from './engine-process.js';
import type { AttachedFile } from './engine/engine-messages.js';
import { generationId, tableOf } from './generation-identity.js';
import {
  filePath,
  idOfManifest,
  publishFile,
  readManifest,
  removeFile,
  type GenerationManifest,
} from './generation-file.js';
import {
  diskFull,
  isDiskFull,
  makeGenerationFile,
  removeUnfinished,
  type MadeGeneration,
} from './make-generation-file.js';
import type { SharedFiles } from './shared-files.js';
import {
  type MakingOutcome,
  type MakingSource,
  type StoredGeneration,
  StoredGenerations,
  type StoredGenerationsOptions,
} from './stored-generations.js';

export type ColumnarFilesOptions = StoredGenerationsOptions & {
  readonly engine: EngineProcess;
  /** Of this replica alone. */
  readonly folder: string;
  /** Whether the folder goes when the service stops. */
  readonly isTemporary: boolean;
  readonly bytesMax: number;
  readonly timeoutMs: number;
  /** Of all replicas; without it each makes its own. */
  readonly shared?: Pick<SharedFiles, 'obtain'> | undefined;
};

type StoredFile = StoredGeneration & {
  readonly bytes: number;
  readers: number;
  isRetired: boolean;
};

/** What is unfinished for so long belongs to a process that is gone. */
const leftoverMs = 6 * 3_600_000;

export class ColumnarFiles implements ColumnarTables {
  readonly #generations: StoredGenerations<StoredFile>;

  constructor(private readonly options: ColumnarFilesOptions) {
    this.#generations = new StoredGenerations(options, {
      isStorable: () => true,
      open: () => this.#openFolder(),
      // The folder is of this replica alone.
      look: async () => [],
      make: (source, use) => this.#make(source, use),
      retire: (stored) => {
        stored.isRetired = true;
        return this.#removeIfUnread(stored);
      },
    });
  }

  get count(): number {
    return this.#generations.count;
  }

  /** Of all files that are kept. */
  get bytes(): number {
    return this.#generations.all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Bytes that files may still take: what the limit leaves, or the disk where that is less. */
  async freeBytes(): Promise<number> {
    const { folder, bytesMax } = this.options;
    const left = Math.max(0, bytesMax - this.bytes);
    if (!existsSync(folder)) return left;
    const { bavail, bsize } = await statfs(folder);
    return Math.min(left, bavail * bsize);
  }

  find(key: ColumnarTableKey): ColumnarTable | undefined {
    return this.#generations.find(key)?.table;
  }

  /** Keeps the file until `close` is called; undefined when there is none. */
  open(key: ColumnarTableKey): { readonly file: AttachedFile; readonly close: () => void } | undefined {
    const stored = this.#generations.find(key);
    if (!stored) return undefined;
    stored.readers += 1;
    const close = (): void => {
      stored.readers -= 1;
      void this.#removeIfUnread(stored);
    };
    return { file: { name: `t_${stored.id}`, path: filePath(this.options.folder, stored.id) }, close };
  }

  /** After a question could not be answered: a file that is not there any more, e.g. after temporary files were cleared, is made anew. */
  doubt(key: ColumnarTableKey): void {
    const stored = this.#generations.find(key);
    if (stored && !existsSync(filePath(this.options.folder, stored.id))) this.#generations.doubt(key);
  }

  /** Looks for the files of an earlier start, in the background. */
  start(): void {
    this.#generations.start();
  }

  /** Resolves when what the team should have is made, or could not be. Calls that wait share one run. */
  ensure(team: string): Promise<void> {
    return this.#generations.ensure(team);
  }

  /** What is being made is cut off and taken away. */
  async stop(): Promise<void> {
    await this.#generations.stop();
    if (this.options.isTemporary) await rm(this.options.folder, { recursive: true, force: true });
  }

  async #openFolder(): Promise<readonly StoredFile[]> {
    const { folder } = this.options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    const ids = names.flatMap((name) => idOfManifest(name) ?? []);
    const version = ids.length > 0 ? await this.options.engine.version() : '';
    const found: StoredFile[] = [];
    for (const id of ids) {
      if (this.#generations.signal.aborted) return found;
      const manifest = await readManifest(this.options.folder, id);
      if (manifest && (await this.#isWhole(id, manifest, version))) found.push(storedFile(manifest));
      else {
        this.options.log.warn({ file: id }, 'a columnar file is not as its manifest says; it is made anew');
        await removeFile(this.options.folder, id);
      }
    }
    await this.#removeLeftovers(names, new Set(ids));
    return found;
  }

  async #isWhole(id: string, { engine, bytes, digest }: GenerationManifest, version: string): Promise<boolean> {
    const path = filePath(this.options.folder, id);
    const size = await stat(path).then(
      (found) => found.size,
      () => -1,
    );
    if (engine !== version || size !== bytes) return false;
    const { signal } = this.#generations;
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

  async #removeIfUnread({ id, readers, isRetired }: StoredFile): Promise<void> {
    if (!isRetired || readers > 0) return;
    // The same generation may have been made again in the meantime.
    if (this.#generations.all.some((stored) => stored.id === id)) return;
    await removeFile(this.options.folder, id).catch((error: unknown) =>
      this.#generations.warn('an old columnar file was not removed', error),
    );
  }

  async #make(
    { identity, rows, columns, isInPlace }: MakingSource,
    use: (stored: StoredFile) => void,
  ): Promise<MakingOutcome> {
    const { engine, folder, timeoutMs, bytesMax, shared } = this.options;
    const { signal } = this.#generations;
    const room = { engine, folder, bytesMax: bytesMax - this.bytes, timeoutMs, signal };
    const make = (): Promise<MadeGeneration> => makeGenerationFile(rows, columns, identity, room);
    const publish = async (made: MadeGeneration): Promise<'made' | 'outdated'> => {
      if (!(await this.#publish(made, isInPlace))) return 'outdated';
      use(storedFile(made.manifest));
      return 'made';
    };
    // One that no load has made cannot be told from another with its number.
    return shared && identity.loadedAt !== null
      ? shared.obtain(identity, room, { make, use: publish })
      : publish(await make());
  }

  /** Whether its generation is still in place. */
  async #publish({ unfinished, manifest }: MadeGeneration, isInPlace: MakingSource['isInPlace']): Promise<boolean> {
    try {
      if (!(await isInPlace())) return false;
      // Another making has taken it meanwhile.
      if (manifest.bytes > this.options.bytesMax - this.bytes) throw diskFull();
      await publishFile(this.options.folder, unfinished, manifest);
      return true;
    } catch (error) {
      throw isDiskFull(error) ? diskFull() : error;
    } finally {
      await removeUnfinished(unfinished);
    }
  }
}

const storedFile = (manifest: GenerationManifest): StoredFile => ({
  id: generationId(manifest),
  table: tableOf(manifest),
  loadedAt: manifest.loadedAt,
  bytes: manifest.bytes,
  readers: 0,
  isRetired: false,
});
