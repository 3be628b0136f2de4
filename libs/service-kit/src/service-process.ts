/**
 * What every service process has: configuration, log, metrics, health, the connection to NATS with a client on it, and an
 * end in the right order. Refuses: to know what the service serves.
 */
import { connectNats, OperationClient, type NatsLink } from '@tessera/messaging';
import type { Owner } from '@tessera/contracts';
import type { z } from 'zod';
import { ConfigurationError, readConfiguration, type CommonConfiguration } from './configuration.js';
import { Health } from './health.js';
import { openLog, type Log } from './log.js';
import { startManagementServer } from './management.js';
import { makeMetrics, type Metrics } from './metrics.js';
import { watchProcess } from './process-life.js';
import { startTraces } from './traces.js';

/**
 * `draining` is told at once (still serving, newcomers are sent elsewhere), after the delay `serving` ends (no new work,
 * running work is answered), then `publishing` (what that work left to tell), then NATS, then `resources` (pools, files).
 */
export type StopPhase = 'draining' | 'serving' | 'publishing' | 'resources';

export type ServiceProcess<C extends CommonConfiguration> = {
  readonly name: Owner;
  readonly configuration: Readonly<C>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly link: NatsLink;
  readonly client: OperationClient;
  /** A step of the stop; steps of one phase run at the same time. */
  readonly onStop: (phase: StopPhase, step: () => Promise<unknown>) => void;
  /** Says that the service is set up; the parent hears `ready` as soon as every health check is up. */
  readonly started: () => void;
  /** Stops in order and ends the process. */
  readonly end: (reason: string, exitCode: number) => void;
};

export type ProcessOptions<C extends CommonConfiguration> = {
  readonly name: Owner;
  readonly settings: z.ZodType<C>;
};

/** Starts the process's surroundings. Ends the process with code 78 when the configuration is wrong. */
export const startProcess = async <C extends CommonConfiguration>({
  name,
  settings,
}: ProcessOptions<C>): Promise<ServiceProcess<C>> => {
  const configuration = configurationOrExit(name, settings);
  const opened = openLog(name, configuration.LOG_LEVEL);
  const { log } = opened;
  const metrics = makeMetrics(name);
  const health = new Health();
  const link = connectNats({ url: configuration.NATS_URL, service: name, log });
  const client = new OperationClient({ link, observer: metrics.observer });
  health.register('nats', () => link.connected);
  const endpoint = configuration.OTEL_EXPORTER_OTLP_ENDPOINT;
  const traces = endpoint === undefined ? undefined : await startTraces(name, endpoint);
  const steps: { readonly phase: StopPhase; readonly step: () => Promise<unknown> }[] = [];
  const runPhase = (phase: StopPhase) =>
    Promise.allSettled(steps.filter((each) => each.phase === phase).map(({ step }) => step())).then((outcomes) => {
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') log.error({ err: outcome.reason, phase }, 'a step of the stop failed');
    });
  const stop = async (): Promise<void> => {
    health.stop();
    await runPhase('draining');
    await new Promise((resolve) => setTimeout(resolve, configuration.DRAIN_DELAY_MS));
    await runPhase('serving');
    await runPhase('publishing');
    await client.close(500);
    await link.close();
    await runPhase('resources');
    await traces?.stop();
  };
  const { end } = watchProcess({ ...opened, stop, stopTimeoutMs: configuration.STOP_TIMEOUT_MS });
  if (configuration.MANAGEMENT_PORT !== undefined) {
    const managed = { health, metrics };
    const server = await startManagementServer(managed, configuration.MANAGEMENT_HOST, configuration.MANAGEMENT_PORT);
    steps.push({ phase: 'resources', step: server.close });
  }
  return {
    name,
    configuration,
    log,
    metrics,
    health,
    link,
    client,
    onStop: (phase, step) => void steps.push({ phase, step }),
    started: () => void announceReadiness(health, log),
    end,
  };
};

const configurationOrExit = <C>(name: string, settings: z.ZodType<C>): Readonly<C> => {
  try {
    return readConfiguration(settings, process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(78);
  }
};

/** Logs once what is missing, waits until nothing is, and tells the parent process. */
const announceReadiness = async (health: Health, log: Log): Promise<void> => {
  let told = '';
  for (;;) {
    const { status, checks } = await health.readiness();
    if (status === 'stopping') return;
    if (status === 'ready') break;
    const missing = Object.keys(checks).filter((check) => checks[check] === 'down');
    if (missing.join() !== told) log.warn({ missing }, 'waiting for what the service depends on');
    told = missing.join();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  log.info({}, 'ready');
  process.send?.('ready');
};
