/** The columnar engine of the service: its process, its files, who asks it, and what the metrics tell of them. */
import { randomUUID } from 'node:crypto';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type Provider,
} from '@nestjs/common';
import type { ColumnarReader, ColumnarTables } from '@tessera/knowledge-model';
import { logToken, metricsToken, RecurringJobs, settingsToken, type Log, type Metrics } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';
import { Catalogs } from '../catalog/catalogs.js';
import { Pools } from '../database.module.js';
import type { Settings } from '../settings.js';
import { ColumnarFiles } from './columnar-files.js';
import { DuckdbReader } from './duckdb-reader.js';
import { EngineProcess } from './engine-process.js';
import { ObjectStore } from './object-store.js';
import { SharedFiles } from './shared-files.js';

/** Injection token of a `ColumnarReader`. */
export const columnarReaderToken = Symbol('columnar reader');
/** Injection token of `ColumnarTables`. */
export const columnarTablesToken = Symbol('columnar tables');

const concurrencyMax = 16;
/** The log says once a minute that questions are answered elsewhere for the same reason. */
const sameReasonMs = 60_000;
/** Part of how it works. */
const usualOutcomes = new Set(['answered', 'cancelled', 'no-table', 'too-many-groups']);

type ColumnarSettings = Pick<
  Settings,
  | 'COLUMNAR'
  | 'COLUMNAR_FOLDER'
  | 'COLUMNAR_MIN_ROWS'
  | 'COLUMNAR_MEMORY_BYTES'
  | 'COLUMNAR_DISK_BYTES'
  | 'COLUMNAR_TEMPORARY_BYTES'
  | 'COLUMNAR_STORE'
  | 'COLUMNAR_STORE_ENDPOINT'
  | 'COLUMNAR_STORE_REGION'
  | 'COLUMNAR_STORE_ACCESS_KEY_ID'
  | 'COLUMNAR_STORE_SECRET_ACCESS_KEY'
  | 'COLUMNAR_STORE_SIGNING_SECRET'
  | 'STATEMENT_TIMEOUT_MS'
  | 'LOAD_STATEMENT_TIMEOUT_MS'
>;

@Injectable()
export class ColumnarEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly files: ColumnarFiles;
  readonly reader: ColumnarReader;
  /** Undefined without a store. */
  readonly shared: SharedFiles | undefined;
  readonly #process: EngineProcess;
  readonly #isOn: boolean;

  constructor(
    @Inject(settingsToken) settings: ColumnarSettings,
    @Inject(logToken) log: Pick<Log, 'info' | 'warn'>,
    @Inject(metricsToken) metrics: Metrics,
    pools: Pools,
    catalogs: Catalogs,
  ) {
    this.#isOn = settings.COLUMNAR === 'on';
    const concurrency = Math.min(availableParallelism(), concurrencyMax);
    // Each processor answers, and one more makes files.
    const shares = concurrency + 1;
    const folder = settings.COLUMNAR_FOLDER ?? join(tmpdir(), `tessera-columnar-${randomUUID()}`);
    const engine = new EngineProcess({
      temporaryFolder: join(folder, 'temporary'),
      memoryBytes: Math.floor(settings.COLUMNAR_MEMORY_BYTES / shares),
      temporaryBytes: Math.floor(settings.COLUMNAR_TEMPORARY_BYTES / shares),
      databasesMax: concurrency,
      concurrency,
      onEnd: (how) =>
        log.warn({ how }, 'the process of the columnar engine ended; PostgreSQL answers until it is back'),
    });
    const filesMade = metrics.counts('tessera_columnar_files_total', 'Files by columns, by how their making ended.', [
      'outcome',
    ]);
    // A series that is there from the beginning is one whose growth is seen.
    filesMade(0, 'made');
    const makingSeconds = metrics.durations('tessera_columnar_making_seconds', 'Time to make a file by columns.');
    this.shared = openSharedFiles(settings, metrics, { engine, pools, log, folder });
    this.files = new ColumnarFiles({
      ...{ engine, pools, catalogs, log, folder, shared: this.shared },
      isTemporary: settings.COLUMNAR_FOLDER === undefined,
      rowsMin: settings.COLUMNAR_MIN_ROWS,
      bytesMax: settings.COLUMNAR_DISK_BYTES,
      timeoutMs: settings.LOAD_STATEMENT_TIMEOUT_MS,
      onMade: (outcome, seconds) => {
        filesMade(1, outcome);
        if (outcome === 'made') makingSeconds(seconds);
      },
    });
    const { files } = this;
    const onAsked = observeQuestions(metrics, log);
    this.reader = new DuckdbReader({ engine, files, concurrency, timeoutMs: settings.STATEMENT_TIMEOUT_MS, onAsked });
    this.#process = engine;
    registerEngineMetrics(metrics, engine, files);
    if (this.#isOn) catalogs.onRevision((team) => void files.ensure(team));
  }

  onApplicationBootstrap(): void {
    if (this.#isOn) this.files.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#isOn) await this.files.stop();
    await this.shared?.close();
    await this.#process.stop();
  }
}

/** Undefined where no store is set, or nothing makes files. */
const openSharedFiles = (
  settings: ColumnarSettings,
  metrics: Metrics,
  room: Omit<ConstructorParameters<typeof SharedFiles>[0], 'store' | 'signingSecret' | 'onTransfer'>,
): SharedFiles | undefined => {
  const { COLUMNAR_STORE_ACCESS_KEY_ID: accessKeyId, COLUMNAR_STORE_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const { COLUMNAR_STORE: place, COLUMNAR_STORE_SIGNING_SECRET: signingSecret } = settings;
  const transfers = metrics.counts(
    'tessera_columnar_store_transfers_total',
    'Looks into the store of files by columns and copies to it, by how they ended.',
    ['direction', 'outcome'],
  );
  transfers(0, 'fetch', 'fetched');
  transfers(0, 'put', 'put');
  if (settings.COLUMNAR === 'off' || place === undefined || signingSecret === undefined) return undefined;
  const store = new ObjectStore({
    ...place,
    endpoint: settings.COLUMNAR_STORE_ENDPOINT,
    region: settings.COLUMNAR_STORE_REGION,
    keys: accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
  });
  const onTransfer = (direction: string, outcome: string): void => transfers(1, direction, outcome);
  return new SharedFiles({ ...room, store, signingSecret, onTransfer });
};

@Injectable()
export class RemoveOldSharedFilesJob implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly engine: ColumnarEngine,
  ) {}

  onApplicationBootstrap(): void {
    const { shared } = this.engine;
    if (!shared) return;
    this.jobs.start({
      failed: 'old files by columns were not removed from the store; it is tried again',
      run: (signal) => shared.removeOld(signal),
    });
  }
}

const observeQuestions = (metrics: Metrics, log: Pick<Log, 'warn'>) => {
  const count = metrics.counts(
    'tessera_columnar_questions_total',
    'Questions to the columnar engine: answered, cancelled, or why PostgreSQL answered.',
    ['outcome'],
  );
  count(0, 'answered');
  const seconds = metrics.durations('tessera_columnar_question_seconds', 'Time of answers of the columnar engine.');
  const told = new LRUCache<string, true>({ max: 100, ttl: sameReasonMs });
  return (outcome: string, took: number): void => {
    count(1, outcome);
    if (outcome === 'answered') seconds(took);
    if (usualOutcomes.has(outcome) || told.has(outcome)) return;
    told.set(outcome, true);
    log.warn({ reason: outcome }, 'the columnar engine did not answer; PostgreSQL does');
  };
};

const registerEngineMetrics = (metrics: Metrics, engine: EngineProcess, files: ColumnarFiles): void => {
  metrics.total('tessera_columnar_starts_total', 'Starts of the process of the columnar engine.', () => engine.starts);
  metrics.gauge(
    'tessera_columnar_memory_bytes',
    'Memory of the process of the columnar engine; 0 while none runs.',
    () => engine.memoryBytes(),
  );
  metrics.gauge(
    'tessera_columnar_tables',
    'Tables that the columnar engine can be asked about.',
    async () => files.count,
  );
  metrics.gauge('tessera_columnar_disk_bytes', 'What the files by columns take.', async () => files.bytes);
};

export const columnarProviders: readonly Provider[] = [
  ColumnarEngine,
  RemoveOldSharedFilesJob,
  { provide: columnarReaderToken, inject: [ColumnarEngine], useFactory: ({ reader }: ColumnarEngine) => reader },
  {
    provide: columnarTablesToken,
    inject: [ColumnarEngine],
    useFactory: ({ files }: ColumnarEngine): ColumnarTables => files,
  },
];
