/**
 * Files by columns that replicas share by a store of objects: one of them makes a file and puts it there, the others fetch it. A
 * store that fails stops nothing: then each replica makes its own. Never takes a file whose manifest was not signed by this
 * installation, says something else than was asked for, or does not fit it to the byte.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Pool } from '@tessera/persistence';
import type { JobOutcome, Log } from '@tessera/service-kit';
import { z } from 'zod';
import { readGenerations, runInColumnarTurn } from './columnar.repository.js';
import type { EngineProcess } from './engine-process.js';
import { filePath, manifestFormat, parseManifest, type GenerationManifest } from './generation-file.js';
import { generationId, jsonOf, type GenerationIdentity } from './generation-identity.js';
import {
  diskFull,
  isDiskFull,
  removeUnfinished,
  type MadeGeneration,
  type MakingOptions,
} from './make-generation-file.js';
import { MakingFailure } from './measure-generation.js';
import { StoreFailure, type ObjectStore } from './object-store.js';

export type SharedFilesOptions = {
  readonly store: ObjectStore;
  readonly engine: Pick<EngineProcess, 'run' | 'version'>;
  readonly pools: { readonly light: Pool; readonly loads: Pool };
  /** Where files are, of this replica alone. */
  readonly folder: string;
  /** By which all replicas of this installation sign what they put, and nobody else can. */
  readonly signingSecret: string;
  readonly log: Pick<Log, 'warn'>;
  /** How long old objects stay. */
  readonly graceMs?: number;
  /** Before a file is put there that could not be; twice as long after each try. */
  readonly retryMs?: number;
  /** Told of each look into the store and each file that was put there: `fetched`, `put`, or why not. */
  readonly onTransfer: (direction: 'fetch' | 'put', outcome: string) => void;
};

type Making = {
  readonly make: () => Promise<MadeGeneration>;
  /** Puts it in its place; `outdated` when its generation is another by now. */
  readonly use: (made: MadeGeneration) => Promise<'made' | 'outdated'>;
};

/** `awaited`: another replica is making it. */
export type Obtained = 'fetched' | 'made' | 'outdated' | 'awaited';

const signedManifest = z.object({ manifest: z.string(), signature: z.string() });
/** Far above what a table of 1,600 columns needs. */
const manifestBytesMax = 4 * 1024 ** 2;
/** What one request may put. */
const fileBytesMax = 5 * 1024 ** 3;
const manifestMs = 60_000;
/** Less than a megabyte a second is no store to share files by. */
const bytesPerMs = 1_000;
/** One that does not answer would hold up each file until its time is over. */
const leftAloneMs = 60_000;
/** Who has just read of a generation may still fetch it. */
const usualGraceMs = 3_600_000;
const firstRetryMs = 60_000;
const retryMaxMs = 3_600_000;
/** What another try would not change. */
const finalOutcomes = new Set(['put', 'too-large', 'stopped']);

export class SharedFiles {
  #version: string | undefined;
  #leftAloneUntilMs = 0;

  constructor(private readonly options: SharedFilesOptions) {}

  /** Rejects as making does. What is fetched counts as what is made: its size is bounded and its room on the disk the same. */
  async obtain(identity: GenerationIdentity, room: MakingOptions, { make, use }: Making): Promise<Obtained> {
    const isLeftAlone = performance.now() < this.#leftAloneUntilMs;
    const fetched = isLeftAlone ? 'failed' : await this.#fetch(identity, room);
    if (fetched === 'failed') return this.#makeWithoutStore(room.signal, { make, use });
    if (fetched !== 'missing') return (await use(fetched)) === 'made' ? 'fetched' : 'outdated';
    const id = generationId(identity);
    const obtained = await runInColumnarTurn(this.options.pools.loads, `file ${id}`, room.signal, async () => {
      // Another replica may have put it there before this one had the turn.
      const found = await this.#fetch(identity, room);
      if (typeof found !== 'string') return (await use(found)) === 'made' ? 'fetched' : 'outdated';
      const made = await make();
      const outcome = await use(made);
      if (outcome === 'made' && !finalOutcomes.has(await this.#put(made.manifest, room.signal)))
        this.#putLater(made.manifest, room.signal, 0);
      return outcome;
    });
    return obtained ?? 'awaited';
  }

  /** It goes there when the store is back. */
  async #makeWithoutStore(stop: AbortSignal, { make, use }: Making): Promise<'made' | 'outdated'> {
    const made = await make();
    const outcome = await use(made);
    if (outcome === 'made') this.#putLater(made.manifest, stop, 0);
    return outcome;
  }

  /**
   * Removes what the store has of generations that no team has any more, and of other versions of the engine, an hour after it was
   * put there. Rejects with `StoreFailure` or the error of pg.
   */
  async removeOld(signal: AbortSignal): Promise<JobOutcome> {
    const { pools, store, graceMs = usualGraceMs } = this.options;
    const outcome = await runInColumnarTurn(pools.loads, 'removal of old objects', signal, async () => {
      const listed = await store.list(signal);
      const objects = listed.flatMap(({ name, putAtMs }) => {
        const parsed = putAtMs < Date.now() - graceMs ? parseName(name) : undefined;
        return parsed ? [{ name, ...parsed }] : [];
      });
      for (const [team, ofTeam] of Map.groupBy(objects, (object) => object.team)) {
        // Read after the listing: what it does not have now is gone for good.
        const generations = await readGenerations(pools.light, team);
        const current = new Set(generations.map((generation) => generationId({ ...generation, team })));
        const isOld = ({ id, version }: ObjectName): boolean =>
          !current.has(id) || (this.#version !== undefined && version !== versionFolder(this.#version));
        const old = Object.groupBy(ofTeam.filter(isOld), ({ name }) =>
          name.endsWith('.json') ? 'manifests' : 'files',
        );
        // A file without a manifest is nobody's.
        for (const { name } of [...(old.manifests ?? []), ...(old.files ?? [])]) await store.remove(name, signal);
      }
      return 'done' as const;
    });
    return outcome ?? 'busy';
  }

  close(): Promise<void> {
    return this.options.store.close();
  }

  /** `missing`: there is none that may be used; `failed`: the store does not answer. Rejects with `MakingFailure` for a full disk. */
  async #fetch(identity: GenerationIdentity, room: MakingOptions): Promise<MadeGeneration | 'missing' | 'failed'> {
    let outcome: string = 'fetched';
    try {
      const manifest = await this.#fetchManifest(identity, room.signal);
      if (manifest) return await this.#fetchFile(manifest, room);
      outcome = 'missing';
      return 'missing';
    } catch (error) {
      outcome = outcomeOf(error, room.signal);
      room.signal.throwIfAborted();
      if (error instanceof MakingFailure) throw error;
      this.#tellFailure('a columnar file was not fetched from the store; it is made', error, identity);
      return outcome === 'refused' ? 'missing' : 'failed';
    } finally {
      this.options.onTransfer('fetch', outcome);
    }
  }

  /** Undefined when there is none. */
  async #fetchManifest(identity: GenerationIdentity, stop: AbortSignal): Promise<GenerationManifest | undefined> {
    const version = await this.options.engine.version();
    this.#version = version;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(manifestMs)]);
    const object = await this.options.store.get(manifestName(identity, version), signal);
    if (!object) return undefined;
    if (object.bytes > manifestBytesMax) {
      object.body.destroy();
      throw new StoreFailure('refused', `A manifest has ${object.bytes} bytes; expected at most ${manifestBytesMax}.`);
    }
    const signed = signedManifest.safeParse(jsonOf(await textOf(object.body)));
    if (!signed.success || !isEqual(this.#sign(signed.data.manifest), signed.data.signature))
      throw new StoreFailure('refused', 'A manifest was not signed by this installation.');
    const manifest = parseManifest(signed.data.manifest, generationId(identity));
    if (manifest?.engine !== version)
      throw new StoreFailure('refused', 'A manifest is that of another generation or another version of the engine.');
    return manifest;
  }

  /** The file is synced and not yet in its place. */
  async #fetchFile(manifest: GenerationManifest, room: MakingOptions): Promise<MadeGeneration> {
    const { bytes, digest } = manifest;
    if (bytes > room.bytesMax) throw diskFull();
    const unfinished = join(this.options.folder, `${randomUUID()}.duckdb.part`);
    const signal = AbortSignal.any([room.signal, AbortSignal.timeout(transferMs(bytes))]);
    try {
      const object = await this.options.store.get(fileName(manifest), signal);
      if (object?.bytes !== bytes) {
        object?.body.destroy();
        throw new StoreFailure('refused', `A file has ${object?.bytes ?? 0} bytes; expected ${bytes}.`);
      }
      const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(object.body, file, { signal });
      const { timeoutMs } = room;
      const read = await this.options.engine.run({ kind: 'digest', path: unfinished }, { signal, timeoutMs });
      if (read.digest !== digest) throw new StoreFailure('refused', 'A file has another digest than its manifest.');
      await chmod(unfinished, 0o400);
      return { unfinished, manifest };
    } catch (error) {
      await removeUnfinished(unfinished);
      throw isDiskFull(error) ? diskFull() : error;
    }
  }

  /** While the generation is the current one, its file is here and it is not there. */
  #putLater(manifest: GenerationManifest, stop: AbortSignal, tries: number): void {
    const waitMs = Math.min((this.options.retryMs ?? firstRetryMs) * 2 ** tries, retryMaxMs);
    const putAgain = async (): Promise<void> => {
      if (stop.aborted) return;
      const outcome = await this.#putUnlessThere(manifest, stop).catch((error: unknown) => {
        if (!stop.aborted) this.#tellFailure('a columnar file was not put into the store', error, manifest);
        const failed = outcomeOf(error, stop);
        this.options.onTransfer('put', failed);
        return failed;
      });
      if (!finalOutcomes.has(outcome)) this.#putLater(manifest, stop, tries + 1);
    };
    setTimeout(() => void putAgain(), waitMs).unref();
  }

  /** In a turn, so that replicas which all made the file put it there once. `put` as well where there is nothing to do any more. */
  async #putUnlessThere(manifest: GenerationManifest, stop: AbortSignal): Promise<string> {
    const id = generationId(manifest);
    const { pools, folder } = this.options;
    const outcome = await runInColumnarTurn(pools.loads, `file ${id}`, stop, async () => {
      const generations = await readGenerations(pools.light, manifest.team);
      const isCurrent = generations.some((one) => generationId({ ...one, team: manifest.team }) === id);
      if (!isCurrent || !existsSync(filePath(folder, id))) return 'put';
      const isThere = await this.#fetchManifest(manifest, stop).catch((error: unknown) => {
        if (error instanceof StoreFailure && error.reason === 'refused') return undefined;
        throw error;
      });
      return isThere ? 'put' : this.#put(manifest, stop);
    });
    return outcome ?? 'awaited';
  }

  /**
   * How it ended. The manifest last: a file without one is nobody's. Never rejects; the file is used here, whatever becomes of its copy.
   */
  async #put(manifest: GenerationManifest, stop: AbortSignal): Promise<string> {
    const { store, folder, onTransfer } = this.options;
    const { bytes, engine } = manifest;
    if (bytes > fileBytesMax) {
      onTransfer('put', 'too-large');
      return 'too-large';
    }
    const file = createReadStream(filePath(folder, generationId(manifest)));
    let outcome: string = 'put';
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(transferMs(bytes))]);
      await store.put(fileName(manifest), file, bytes, signal);
      const text = JSON.stringify(manifest);
      const signed = JSON.stringify({ manifest: text, signature: this.#sign(text) });
      await store.put(manifestName(manifest, engine), signed, Buffer.byteLength(signed), signal);
    } catch (error) {
      outcome = outcomeOf(error, stop);
      if (!stop.aborted) this.#tellFailure('a columnar file was not put into the store', error, manifest);
    } finally {
      file.destroy();
      onTransfer('put', outcome);
    }
    return outcome;
  }

  #sign(manifest: string): string {
    return createHmac('sha256', this.options.signingSecret).update(manifest).digest('hex');
  }

  #tellFailure(message: string, error: unknown, { team, schema, table }: GenerationIdentity): void {
    const reason = error instanceof StoreFailure ? error.reason : undefined;
    if (reason !== undefined && reason !== 'refused') this.#leftAloneUntilMs = performance.now() + leftAloneMs;
    this.options.log.warn({ err: error, team, table: `${schema}.${table}`, reason }, message);
  }
}

type ObjectName = { readonly team: string; readonly version: string; readonly id: string };

const versionFolder = (engine: string): string => `${engine}-${manifestFormat}`;
const folderOf = (team: string, engine: string): string => `team-${encodeURIComponent(team)}/${versionFolder(engine)}`;

const manifestName = (identity: GenerationIdentity, engine: string): string =>
  `${folderOf(identity.team, engine)}/${generationId(identity)}.json`;

/** With the digest, so that no manifest ever names the file of another making. */
const fileName = (manifest: GenerationManifest): string =>
  `${folderOf(manifest.team, manifest.engine)}/${generationId(manifest)}-${manifest.digest}.duckdb`;

/** Undefined for what was not put there by `SharedFiles`. */
const parseName = (name: string): ObjectName | undefined => {
  const [, encoded, version, id] =
    /^team-([^/]+)\/([^/]+)\/([0-9a-f]{32})(?:\.json|-[0-9a-f]{64}\.duckdb)$/.exec(name) ?? [];
  const team = encoded === undefined ? undefined : teamOf(encoded);
  return team === undefined || version === undefined || id === undefined ? undefined : { team, version, id };
};

const teamOf = (encoded: string): string | undefined => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

const isEqual = (expected: string, given: string): boolean => {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
};

const transferMs = (bytes: number): number => manifestMs + Math.ceil(bytes / bytesPerMs);

const outcomeOf = (error: unknown, stop: AbortSignal): string => {
  if (stop.aborted) return 'stopped';
  return error instanceof StoreFailure || error instanceof MakingFailure ? error.reason : 'failed';
};
