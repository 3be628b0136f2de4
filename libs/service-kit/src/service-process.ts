/**
 * What every service process has: configuration, log, metrics, health, the connection to NATS, and an end in the right
 * order. It does not know what the service serves.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectNats, type NatsLink } from '@tessera/messaging';
import type { OwningService } from '@tessera/contracts';
import { watchClock } from './clock-check.js';
import {
  ConfigurationError,
  readConfiguration,
  type CommonConfiguration,
  type SettingsSchema,
  findMisspeltSettings,
} from './configuration.js';
import { type CheckNeed, Health } from './health.js';
import { openLog, type Log } from './log.js';
import { findListenFault, startManagementServer, type ManagementSources, type ManagementServer } from './management.js';
import { makeMetrics, type Metrics, registerPoolMetrics, registerProcessMetrics } from './metrics.js';
import { exitWithConfigurationFaults, installShutdownHandlers } from './process-shutdown.js';
import {
  awaitDatabase,
  awaitNats,
  awaitPermissions,
  type RefuseSetting,
  type ServiceDatabase,
} from './start-checks.js';
import { startTraces } from './traces.js';

/**
 * `draining` is told at once (still serving, newcomers are sent elsewhere); after the delay `stopping` aborts and `serving`
 * ends (no new work, running work is answered), then NATS, then `resources` (pools, files).
 */
type StopPhase = 'draining' | 'serving' | 'resources';

export type ServiceProcess<C extends CommonConfiguration> = {
  readonly name: OwningService;
  readonly configuration: Readonly<C>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly link: NatsLink;
  /** Aborts when no new work is to begin; what runs may still be answered. */
  readonly stopping: AbortSignal;
  /** A step of the stop; steps of one phase run at the same time. */
  readonly onStop: (phase: StopPhase, step: () => Promise<unknown>) => void;
  /** Says that the process is set up; the parent hears `ready` as soon as every health check is up. */
  readonly started: () => void;
  /** Resolves when the database has what this version expects; at once for a service without one. */
  readonly databaseRight: Promise<void>;
  /** Stops in order and ends the process. */
  readonly end: (reason: string, exitCode: number) => void;
  /** Ends the process at once with one line about a setting that no start can succeed with. */
  readonly refuse: RefuseSetting;
};

export type ProcessOptions<C extends CommonConfiguration> = {
  readonly name: OwningService;
  readonly settings: SettingsSchema<C>;
  /** Whose operations it calls. */
  readonly calls?: readonly OwningService[];
  readonly database?: (configuration: Readonly<C>) => ServiceDatabase;
  /** It answers for what is away, so that it stays ready without NATS and its database once it has had both. */
  readonly answersOutages?: boolean;
};

/** Starts the process's surroundings. Ends the process with code 78 when a setting is wrong or turns out to be. */
export const startProcess = async <C extends CommonConfiguration>({
  name,
  settings,
  calls = [],
  database: openDatabase,
  answersOutages = false,
}: ProcessOptions<C>): Promise<ServiceProcess<C>> => {
  const configuration = readConfigurationOrExit(name, settings);
  const opened = openLog(name, configuration.LOG_LEVEL);
  const { log } = opened;
  const metrics = makeMetrics(name);
  const health = new Health();
  for (const { found, meant } of findMisspeltSettings(Object.keys(settings.shape), process.env))
    log.warn({ found, meant }, 'a variable that looks like a setting is not read');
  const need = answersOutages ? 'first' : 'always';
  const link = openLink(name, configuration, { health, log, need });
  registerProcessMetrics(metrics, health);
  const traces = await openTraces(name, configuration, log);
  const steps: { readonly phase: StopPhase; readonly step: () => Promise<unknown> }[] = [];
  const runPhase = (phase: StopPhase) =>
    Promise.allSettled(steps.filter((each) => each.phase === phase).map(({ step }) => step())).then((outcomes) => {
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') log.error({ err: outcome.reason, phase }, 'a step of the stop failed');
    });
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    health.stop();
    await runPhase('draining');
    await new Promise((resolve) => setTimeout(resolve, configuration.DRAIN_DELAY_MS));
    stopping.abort();
    await runPhase('serving');
    await link.close();
    await runPhase('resources');
    await traces?.stop();
  };
  const { end, refuse } = installShutdownHandlers({
    ...opened,
    service: name,
    stop,
    stopTimeoutMs: configuration.STOP_TIMEOUT_MS,
  });
  const surroundings = { health, metrics, log, refuse, need } as const;
  const management = await openManagement(configuration, surroundings);
  if (management !== undefined) steps.push({ phase: 'resources', step: management.close });
  void awaitNats(link, refuse);
  const database = openDatabase?.(configuration);
  if (database !== undefined) {
    registerPoolMetrics(metrics, database.poolFigures);
    steps.push({ phase: 'resources', step: database.close });
  }
  return {
    name,
    configuration,
    log,
    metrics,
    health,
    link,
    stopping: stopping.signal,
    onStop: (phase, step) => void steps.push({ phase, step }),
    databaseRight:
      database === undefined ? Promise.resolve() : prepareDatabase(database, surroundings, stopping.signal),
    started: () => {
      health.started();
      void becomeReady(health, log, awaitPermissions(link, calls, refuse));
    },
    end,
    refuse,
  };
};

const openLink = (
  service: OwningService,
  { NATS_URL: url, NATS_CA_FILE: caFile }: CommonConfiguration,
  { health, log, need }: Pick<Surroundings, 'health' | 'log' | 'need'>,
): NatsLink => {
  const link = connectNats({ url, caFile, service, log });
  health.register('nats', () => link.answers(), need);
  health.register('inbox', () => link.hears('inbox'));
  return link;
};

const openTraces = async (service: OwningService, configuration: CommonConfiguration, log: Log) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: sampledShare } = configuration;
  return endpoint === undefined ? undefined : startTraces({ service, endpoint, sampledShare, log });
};

type Surroundings = {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly refuse: RefuseSetting;
  readonly need: CheckNeed;
};

const prepareDatabase = async (
  database: ServiceDatabase,
  surroundings: Surroundings,
  stopping: AbortSignal,
): Promise<void> => {
  await awaitDatabase(database, surroundings);
  await watchClock(database, { ...surroundings, stopping });
};

const readConfigurationOrExit = <C>(name: string, settings: SettingsSchema<C>): Readonly<C> => {
  try {
    return readConfiguration(settings, process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return exitWithConfigurationFaults(name, error.faults);
  }
};

const openManagement = async (
  { MANAGEMENT_HOST, MANAGEMENT_PORT }: CommonConfiguration,
  { refuse, ...managed }: ManagementSources & { readonly refuse: RefuseSetting },
): Promise<ManagementServer | undefined> => {
  if (MANAGEMENT_PORT === undefined) return undefined;
  try {
    return await startManagementServer(managed, MANAGEMENT_HOST, MANAGEMENT_PORT);
  } catch (error) {
    const fault = findListenFault(error);
    if (fault === undefined) throw error;
    return refuse(fault[0] === 'port' ? 'MANAGEMENT_PORT' : 'MANAGEMENT_HOST', fault[1]);
  }
};

/** Says in the log and to the parent process that the service is ready, once it is. */
const becomeReady = async (health: Health, log: Log, permitted: Promise<unknown>): Promise<void> => {
  collectGarbage();
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  await Promise.all([waitUntilReady(health, log), permitted]);
  log.info({}, 'ready');
  process.send?.('ready');
};

/**
 * By how much the heap grows before all of it is searched for garbage. With the few hundred megabytes that a service may have, V8
 * does so almost twice a second under load, on threads that take a fifth of the processor time of the process; twice as much
 * growth halves the rest once more, for 30 MB.
 */
const heapGrowthPercent = 50;

/**
 * What loading modules leaves behind is a fifth of an idle process, and V8 would keep it until requests fill its heap. Called
 * once, before the process says that it is ready; takes some 60 ms.
 */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (isGarbageCollector(collect)) collect({ type: 'major', execution: 'sync' });
};

const isGarbageCollector = (value: unknown): value is NodeJS.GCFunction => typeof value === 'function';

/** Logs once what is missing and waits until nothing is; for ever when the process stops before. */
const waitUntilReady = async (health: Health, log: Log): Promise<void> => {
  let told = '';
  for (;;) {
    const { status, checks } = await health.readiness();
    if (status === 'stopping') await new Promise(() => {});
    if (status === 'ready') break;
    const missing = Object.keys(checks).filter((check) => checks[check] === 'down');
    if (missing.join() !== told) log.warn({ missing }, 'waiting for what the service depends on');
    told = missing.join();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
