/** The columnar engine of the service, beside it or in a cluster: where its copies are, who asks it, and what the metrics tell of them. */
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
import { ClickhouseConnection } from './clickhouse.repository.js';
import { ClickhouseReader } from './clickhouse-reader.js';
import { ClickhouseTables } from './clickhouse-tables.js';
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
/** Each takes some of the memory that a question has. */
const threadsMax = 4;
/** The log says once a minute that questions are answered elsewhere for the same reason. */
const sameReasonMs = 60_000;
/** Part of how it works. */
const usualOutcomes = new Set(['answered', 'cancelled', 'no-table', 'too-many-groups', 'values']);

type ColumnarSettings = Pick<
  Settings,
  | 'COLUMNAR'
  | 'COLUMNAR_FOLDER'
  | 'COLUMNAR_URL'
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

/** Where copies by columns are kept, as the service drives it. */
type ColumnarCopies = Pick<ColumnarFiles, 'find' | 'count' | 'ensure' | 'start' | 'stop'>;

/** What the engines have of the service. */
type EngineContext = {
  readonly settings: ColumnarSettings;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly metrics: Metrics;
  readonly pools: Pools;
  readonly catalogs: Catalogs;
};

@Injectable()
export class ColumnarEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly tables: ColumnarCopies;
  readonly reader: ColumnarReader;
  /** Undefined without a store, and with a cluster. */
  readonly shared: SharedFiles | undefined;
  readonly #close: () => Promise<void>;
  readonly #isOn: boolean;

  constructor(
    @Inject(settingsToken) settings: ColumnarSettings,
    @Inject(logToken) log: Pick<Log, 'info' | 'warn'>,
    @Inject(metricsToken) metrics: Metrics,
    pools: Pools,
    catalogs: Catalogs,
  ) {
    this.#isOn = settings.COLUMNAR === 'on';
    const context = { settings, log, metrics, pools, catalogs };
    const { COLUMNAR_URL: url } = settings;
    const { tables, reader, shared, close } =
      url === undefined ? openBesideService(context) : openCluster(context, url);
    this.tables = tables;
    this.reader = reader;
    this.shared = shared;
    this.#close = close;
    metrics.gauge(
      'tessera_columnar_tables',
      'Tables that the columnar engine can be asked about.',
      async () => tables.count,
    );
    if (this.#isOn) catalogs.onRevision((team) => void tables.ensure(team));
  }

  onApplicationBootstrap(): void {
    if (this.#isOn) this.tables.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#isOn) await this.tables.stop();
    await this.#close();
  }
}

type OpenedEngine = {
  readonly tables: ColumnarCopies;
  readonly reader: ColumnarReader;
  readonly shared?: SharedFiles | undefined;
  readonly close: () => Promise<void>;
};

/** A process beside this one, and files of this replica. */
const openBesideService = ({ settings, log, metrics, pools, catalogs }: EngineContext): OpenedEngine => {
  const concurrency = Math.min(availableParallelism(), concurrencyMax);
  // Each processor answers, and one more makes files.
  const shares = concurrency + 1;
  const folder = settings.COLUMNAR_FOLDER ?? join(tmpdir(), `tessera-columnar-${randomUUID()}`);
  const engine = new EngineProcess({
    temporaryFolder: join(folder, 'temporary'),
    memoryBytes: Math.floor(settings.COLUMNAR_MEMORY_BYTES / shares),
    temporaryBytes: Math.floor(settings.COLUMNAR_TEMPORARY_BYTES / shares),
    databasesMax: concurrency,
    threads: Math.min(concurrency, threadsMax),
    concurrency,
    onEnd: (how) => log.warn({ how }, 'the process of the columnar engine ended; PostgreSQL answers until it is back'),
  });
  const shared = openSharedFiles(settings, metrics, { engine, pools, log, folder });
  const files = new ColumnarFiles({
    ...{ engine, pools, catalogs, log, folder, shared },
    isTemporary: settings.COLUMNAR_FOLDER === undefined,
    rowsMin: settings.COLUMNAR_MIN_ROWS,
    bytesMax: settings.COLUMNAR_DISK_BYTES,
    timeoutMs: settings.LOAD_STATEMENT_TIMEOUT_MS,
    onMade: observeMaking(metrics),
  });
  const onAsked = observeQuestions(metrics, log);
  const timeoutMs = settings.STATEMENT_TIMEOUT_MS;
  registerEngineMetrics(metrics, engine, files);
  return {
    ...{ tables: files, shared },
    reader: new DuckdbReader({ engine, files, concurrency, timeoutMs, onAsked }),
    close: async () => {
      await shared?.close();
      await engine.stop();
    },
  };
};

/** Neither a process nor a file of this replica. */
const openCluster = ({ settings, log, metrics, pools, catalogs }: EngineContext, url: string): OpenedEngine => {
  const connection = new ClickhouseConnection({
    url,
    // Questions, what makes a table, and what looks for tables.
    connectionsMax: concurrencyMax + 2,
  });
  const tables = new ClickhouseTables({
    ...{ connection, pools, catalogs, log },
    rowsMin: settings.COLUMNAR_MIN_ROWS,
    timeoutMs: settings.LOAD_STATEMENT_TIMEOUT_MS,
    onMade: observeMaking(metrics),
  });
  const onAsked = observeQuestions(metrics, log);
  const timeoutMs = settings.STATEMENT_TIMEOUT_MS;
  return {
    tables,
    reader: new ClickhouseReader({
      ...{ connection, tables, timeoutMs, onAsked },
      concurrency: concurrencyMax,
      memoryBytes: settings.COLUMNAR_MEMORY_BYTES,
    }),
    close: () => connection.close(),
  };
};

const observeMaking = (metrics: Metrics) => {
  const made = metrics.counts('tessera_columnar_files_total', 'Copies by columns, by how their making ended.', [
    'outcome',
  ]);
  // A series that is there from the beginning is one whose growth is seen.
  for (const outcome of ['made', 'disk-full']) made(0, outcome);
  const makingSeconds = metrics.durations('tessera_columnar_making_seconds', 'Time to make a copy by columns.');
  return (outcome: string, seconds: number): void => {
    made(1, outcome);
    if (outcome === 'made') makingSeconds(seconds);
  };
};

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
  metrics.gauge('tessera_columnar_disk_bytes', 'What the files by columns take.', async () => files.bytes);
  metrics.gauge(
    'tessera_columnar_disk_free_bytes',
    'Room for more files by columns: what COLUMNAR_DISK_BYTES leaves, or the disk where that is less.',
    () => files.freeBytes(),
  );
};

export const columnarProviders: readonly Provider[] = [
  ColumnarEngine,
  RemoveOldSharedFilesJob,
  { provide: columnarReaderToken, inject: [ColumnarEngine], useFactory: ({ reader }: ColumnarEngine) => reader },
  {
    provide: columnarTablesToken,
    inject: [ColumnarEngine],
    useFactory: ({ tables }: ColumnarEngine): ColumnarTables => tables,
  },
];
