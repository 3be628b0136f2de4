/**
 * Makes the file of a generation: PostgreSQL is asked for the size of its values, COPY writes its rows beside the file, the engine
 * reads them, and what it counted has to be what PostgreSQL counted. Never leaves anything behind that is not whole.
 */
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedQueue } from '@tessera/fair-queue';
import { duckdbStorage, type StoredColumns, type DatabaseColumn } from '@tessera/knowledge-model';
import { copyRows, type ReadableTable } from './columnar.repository.js';
import { EngineFailure, type EngineProcess } from './engine-process.js';
import { manifestFormat, type GenerationManifest } from './generation-file.js';
import type { GenerationIdentity } from './generation-identity.js';
import { checkCounts, MakingFailure, measureGeneration } from './measure-generation.js';

export type MakingOptions = {
  readonly engine: EngineProcess;
  readonly folder: string;
  /** What may still be written. */
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export type MadeGeneration = { readonly unfinished: string; readonly manifest: GenerationManifest };

/** The file is synced and not yet in its place. Rejects with the error of pg, `EngineFailure` or `MakingFailure`. */
export const makeGenerationFile = async (
  table: ReadableTable,
  columns: ReadonlyMap<string, DatabaseColumn>,
  identity: GenerationIdentity,
  options: MakingOptions,
): Promise<MadeGeneration> => {
  const { engine, folder, signal, timeoutMs, bytesMax } = options;
  const stored = await measureGeneration(table, columns, duckdbStorage, signal);
  const partOf = (kind: string): string => join(folder, `${randomUUID()}.${kind}.part`);
  const [csv, unfinished] = [partOf('csv'), partOf('duckdb')];
  try {
    await writeCsv(csv, table, stored, options);
    const counted = [...stored.counted.keys()];
    const command = { kind: 'make', csv, columns: stored.types, target: unfinished, counted } as const;
    const made = await makeInTurn(engine, identity.team, signal, () => engine.run(command, { signal, timeoutMs }));
    const version = await engine.version();
    if (!made) throw new EngineFailure('failed', 'The engine said nothing of the file.');
    checkCounts(stored, made);
    if (made.bytes > bytesMax) throw diskFull();
    const { columns: kept, omitted, rows } = stored;
    const described = { ...identity, rows, omitted: [...omitted], counted: Object.fromEntries(stored.counted) };
    const { bytes, digest } = made;
    return {
      unfinished,
      manifest: { format: manifestFormat, engine: version, ...described, columns: [...kept], bytes, digest },
    };
  } catch (error) {
    await removeUnfinished(unfinished);
    throw isDiskFull(error) ? diskFull() : error;
  } finally {
    await rm(csv, { force: true });
  }
};

const queueByEngine = new WeakMap<EngineProcess, KeyedQueue>();

/** The process has the memory of one making beside the questions. */
const makeInTurn = async (
  engine: EngineProcess,
  team: string,
  signal: AbortSignal,
  make: () => ReturnType<EngineProcess['run']>,
): Promise<Awaited<ReturnType<EngineProcess['run']>>['made']> => {
  const queue = queueByEngine.get(engine) ?? new KeyedQueue({ limit: 1 });
  queueByEngine.set(engine, queue);
  const release = await queue.acquire(team, { signal });
  try {
    return (await make()).made;
  } finally {
    release();
  }
};

/** With what DuckDB keeps beside a database that it writes. */
export const removeUnfinished = async (path: string): Promise<void> => {
  for (const file of [path, `${path}.wal`]) await rm(file, { force: true });
};

const writeCsv = async (
  path: string,
  table: ReadableTable,
  { cells }: StoredColumns,
  { signal, timeoutMs, bytesMax }: MakingOptions,
): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const piece of copyRows(table, cells, { timeoutMs, signal })) {
      bytes += piece.length;
      if (bytes > bytesMax) throw diskFull();
      await file.write(piece);
    }
  } finally {
    await file.close();
  }
};

export const diskFull = (): MakingFailure =>
  new MakingFailure(
    'disk-full',
    'There is no room for the file: neither more than COLUMNAR_DISK_BYTES nor than the disk has.',
  );

const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export const isDiskFull = (error: unknown): boolean =>
  (error instanceof EngineFailure && error.reason === 'disk-full') ||
  (error instanceof Error && 'code' in error && fullDiskCodes.has(String(error.code)));
