/** A columnar engine over the tables of a fixture, as a replica has one: its process, its files in a folder of their own, its reader. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ColumnarTable } from '@tessera/knowledge-model';
import { ColumnarFiles, type ColumnarFilesOptions } from '../columnar/columnar-files.js';
import { DuckdbReader } from '../columnar/duckdb-reader.js';
import type { ObjectStore } from '../columnar/object-store.js';
import { SharedFiles, type SharedFilesOptions } from '../columnar/shared-files.js';
import { EngineProcess, type EngineProcessOptions, type EngineProgram } from '../columnar/engine-process.js';
import type { Fixture } from './fixture.js';

const typescript = fileURLToPath(
  new URL('../../../../libs/service-kit/src/testing/run-typescript.mjs', import.meta.url),
);

/** The process from its source. */
export const engineProgram: EngineProgram = {
  path: fileURLToPath(new URL('../columnar/engine/main.ts', import.meta.url)),
  parameters: ['--conditions=development', '--import', typescript],
};

const megabyte = 1024 * 1024;
/** Of all replicas of an installation. */
export const signingSecret = 'a secret of all replicas of a test';

type ClientOptions = {
  readonly folder?: string;
  readonly files?: Partial<ColumnarFilesOptions>;
  readonly engine?: Partial<EngineProcessOptions>;
  /** One of several clients, which does not end with this one. */
  readonly process?: EngineProcess;
  /** By which it shares its files. */
  readonly store?: ObjectStore;
  readonly shared?: Partial<SharedFilesOptions>;
  readonly timeoutMs?: number;
  readonly waitMs?: number;
  readonly concurrency?: number;
};

export type ColumnarClient = {
  readonly files: ColumnarFiles;
  readonly reader: DuckdbReader;
  readonly process: EngineProcess;
  readonly folder: string;
  /** Undefined without a store. */
  readonly shared: SharedFiles | undefined;
  /** How looks into the store and copies to it ended. */
  readonly transfers: string[];
  /** How makings and questions ended. */
  readonly outcomes: string[];
  /** What the log was told. */
  readonly lines: string[];
  /** The table as it can be asked at this moment. */
  readonly table: (team: string, schema: string, table: string) => Promise<ColumnarTable | undefined>;
  /** The folder stays when it was given. */
  readonly end: () => Promise<void>;
};

export const openEngineProcess = (folder: string, options: Partial<EngineProcessOptions> = {}): EngineProcess =>
  new EngineProcess({
    temporaryFolder: join(folder, 'temporary'),
    memoryBytes: 128 * megabyte,
    temporaryBytes: 64 * megabyte,
    ...{ databasesMax: 2, concurrency: 2, threads: 2, program: engineProgram, onEnd: () => undefined },
    ...options,
  });

export const openColumnarClient = async (
  { pools, catalogs }: Pick<Fixture, 'pools' | 'catalogs'>,
  { folder: given, timeoutMs = 60_000, waitMs = 60_000, concurrency = 2, ...options }: ClientOptions = {},
): Promise<ColumnarClient> => {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'tessera-columnar-')));
  const [outcomes, lines, transfers]: [string[], string[], string[]] = [[], [], []];
  const process =
    options.process ??
    openEngineProcess(folder, {
      databasesMax: concurrency,
      concurrency,
      onEnd: (how) => lines.push(how),
      ...options.engine,
    });
  const write = (_fields: object, line = ''): void => void lines.push(line);
  const shared =
    options.store &&
    new SharedFiles({
      ...{ store: options.store, engine: process, pools, folder, log: { warn: write }, signingSecret },
      onTransfer: (direction, outcome) => transfers.push(`${direction} ${outcome}`),
      ...options.shared,
    });
  const files = new ColumnarFiles({
    shared,
    ...{ engine: process, pools, catalogs, folder, isTemporary: given === undefined, timeoutMs },
    log: { info: write, warn: write },
    rowsMin: 1,
    bytesMax: 1024 * megabyte,
    onMade: (outcome) => outcomes.push(outcome),
    ...options.files,
  });
  const onAsked = (outcome: string): void => void outcomes.push(outcome);
  const reader = new DuckdbReader({ engine: process, files, concurrency, timeoutMs, waitMs, onAsked });
  files.start();
  return {
    ...{ files, reader, process, folder, shared, transfers, outcomes, lines },
    table: async (team, schema, table) => {
      const dataVersion = (await catalogs.of(team)).tables.get(`${schema}.${table}`)?.dataVersion ?? '';
      return files.find({ team, schema, table, dataVersion });
    },
    end: async () => {
      await files.stop();
      if (!options.process) await process.stop();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};
