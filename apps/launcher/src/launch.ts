/**
 * Starts everything up to READY, step by step, and stops it again. Never leaves a process behind, wherever it is
 * interrupted.
 */
import { accessSync, constants } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureFolder, findCacheFolder, findFullDisk, StartError } from '@tessera/local-stack';
import { ensureDemoKeys } from './demo-keys.js';
import { ensureDemoMembers, formatDemoAccounts } from './demo-people.js';
import { readEnvironmentFile, writeEnvironmentFile } from './environment-file.js';
import { startGeneratingDemo, loadDemo } from './load-demo.js';
import { type MockErp, startMockErp } from './mock-erp.js';
import { ensureSecrets } from './private-file.js';
import { openProcessRegistry, type ProcessRegistry } from './process-register.js';
import { type DatabaseAddresses, type NatsAddresses, ensureDatabase, ensureNats, prepareDatabase } from './servers.js';
import { chooseGatewayPorts, startServices } from './services.js';
import { resolveHomeFilePaths, type HomeFilePaths, type Settings } from './settings.js';
import type { SupervisedProcess } from './supervision.js';
import type { Terminal } from './terminal.js';

type LaunchOptions = {
  readonly settings: Settings;
  readonly checkout: string;
  readonly terminal: Terminal;
  readonly stopping: AbortSignal;
  /** Called when the stop is not over in time, after every process was ended by force. */
  readonly giveUp: () => void;
};

type Launch = LaunchOptions & {
  readonly files: HomeFilePaths;
  readonly register: ProcessRegistry;
  readonly servers: SupervisedProcess[];
  readonly services: SupervisedProcess[];
};

const stopWithinMs = 4_500;

const gatewayUrl = (port: number | undefined): string => `http://localhost:${port}`;

const startServers = async (
  launch: Launch,
): Promise<{ readonly database: DatabaseAddresses; readonly messages: NatsAddresses }> => {
  const { settings, terminal, files } = launch;
  const context = { ...launch, keep: (started: SupervisedProcess) => void launch.servers.push(started) };
  const opened = await Promise.allSettled([
    terminal.step(
      settings.databaseUrl === undefined
        ? { running: 'starting PostgreSQL 18', done: 'PostgreSQL 18 started' }
        : { running: 'looking for PostgreSQL at DATABASE_URL', done: 'PostgreSQL at DATABASE_URL' },
      () => ensureDatabase(context),
    ),
    terminal.step(
      settings.natsUrl === undefined
        ? { running: 'starting nats-server', done: 'nats-server started' }
        : { running: 'looking for NATS at NATS_URL', done: 'NATS at NATS_URL' },
      () => ensureNats(context),
    ),
  ]);
  // Both have settled, so that whatever came up is known and can be stopped.
  const [adminUrl, messages] = opened;
  if (adminUrl.status === 'rejected') throw adminUrl.reason;
  if (messages.status === 'rejected') throw messages.reason;
  launch.stopping.throwIfAborted();
  const database = await terminal.step({ running: 'migrating the database', done: 'database migrated' }, () =>
    prepareDatabase(adminUrl.value, files),
  );
  return { database, messages: messages.value };
};

/** Writes the environment file and returns its values. */
const writeEnvironment = async (
  { settings, checkout, files }: Launch,
  database: DatabaseAddresses,
  messages: NatsAddresses,
  gatewayPorts: readonly number[],
): Promise<Readonly<Record<string, string>>> => {
  const databaseUrl = database.urlFor('gateway') ?? database.adminUrl;
  const earlier = readEnvironmentFile(files.environment);
  const keys = await ensureDemoKeys(databaseUrl, earlier);
  const passwords = settings.demo === 'none' ? {} : await ensureDemoMembers(databaseUrl, earlier);
  const values = {
    TESSERA_HOME: settings.home,
    GATEWAY_URL: gatewayUrl(gatewayPorts[0]),
    ...(gatewayPorts.length > 1 && { GATEWAY_URLS: gatewayPorts.map(gatewayUrl).join(',') }),
    ...keys,
    ...passwords,
    DATABASE_URL: database.adminUrl,
    NATS_URL: messages.operatorUrl,
    ...startedHere(settings, database.adminUrl, messages.operatorUrl),
  };
  writeEnvironmentFile(files.environment, values, join(checkout, 'apps', 'cli', 'bin'));
  return values;
};

/** A start in a shell that has read the file must not take these servers for the user's own. */
const startedHere = (settings: Settings, database: string, messages: string): Readonly<Record<string, string>> => {
  const started = [
    ...(settings.databaseUrl === undefined ? [database] : []),
    ...(settings.natsUrl === undefined ? [messages] : []),
  ];
  return started.length === 0 ? {} : { LAUNCHER_SERVERS: started.join(' ') };
};

/** The system that the demo's tools act in; it runs here, and its token stays the same from one start to the next. */
const startErp = async ({ settings, files, terminal, servers }: Launch): Promise<MockErp | undefined> => {
  if (settings.demo === 'none') return undefined;
  const { token } = ensureSecrets(files.secrets, 'mock-erp.json', ['token']);
  const erp = await terminal.step({ running: 'starting the ERP of the demo', done: 'ERP of the demo started' }, () =>
    startMockErp(token),
  );
  servers.push(erp);
  return erp;
};

const runToStop = async (launch: Launch): Promise<void> => {
  const { settings, terminal, files, stopping } = launch;
  const began = Date.now();
  const gatewayPorts = await chooseGatewayPorts(settings);
  const drawn = startGeneratingDemo(launch);
  const { database, messages } = await startServers(launch);
  stopping.throwIfAborted();
  const environment = await terminal.step({ running: 'writing the keys', done: 'keys written' }, () =>
    writeEnvironment(launch, database, messages, gatewayPorts),
  );
  stopping.throwIfAborted();
  const erp = await startErp(launch);
  const keep = (started: SupervisedProcess): void => void launch.services.push(started);
  const context = { ...launch, database, messages, gatewayPorts, erp, keep };
  await terminal.step({ running: 'starting the services', done: 'services started' }, (tell) =>
    startServices(context, tell),
  );
  stopping.throwIfAborted();
  await loadDemo({ ...launch, environment, databaseIdentity: database.identity, drawn });
  stopping.throwIfAborted();
  for (const port of gatewayPorts.slice(1)) terminal.line('launcher', `further gateway at ${gatewayUrl(port)}`);
  const first = gatewayUrl(gatewayPorts[0]);
  terminal.line('launcher', `started in ${((Date.now() - began) / 1_000).toFixed(1)} s`);
  terminal.line('launcher', `in a second terminal: . ${files.environment}   then, from any folder: tessera status`);
  const people = formatDemoAccounts(environment);
  if (people.length > 0) terminal.line('launcher', 'people of the team meridian, who sign in with:');
  for (const person of people) terminal.line('launcher', person);
  terminal.ready({ gateway: first, docs: `${first}/docs`, env: shownPath(launch.checkout, files.environment) });
};

/** A path relative to the working directory. */
const shownPath = (checkout: string, path: string): string => {
  const below = relative(checkout, path);
  return below.startsWith('..') ? path : below;
};

/** With the log of its database, which grows while the demo is loaded. */
const neededMegabytes = { none: 200, tiny: 200, demo: 1_500, load: 1_500 } as const;

/** Where root starts, the database may be in the cache folder. */
const fullDiskOf = (error: unknown, { home, demo }: Settings): StartError | undefined => {
  const folders = [home, ...(process.getuid?.() === 0 ? [findCacheFolder(process.env, { enterableByAll: true })] : [])];
  return findFullDisk(error, folders, neededMegabytes[demo]);
};

const openHome = (home: string): void => {
  try {
    ensureFolder(home, 0o711);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new StartError(
      `The data folder ${home} cannot be written to; set TESSERA_HOME to one that can.`,
      'TESSERA_HOME',
    );
  }
};

const stopAll = (started: readonly SupervisedProcess[]): Promise<unknown> =>
  Promise.allSettled(started.map((one) => one.stop()));

/** Runs until `stopping` fires; rejects when the start fails. Afterwards nothing of it runs any more. */
export const launch = async (options: LaunchOptions): Promise<void> => {
  const { settings, terminal, stopping } = options;
  openHome(settings.home);
  const files = resolveHomeFilePaths(settings.home);
  const register = await openProcessRegistry(files, settings.home, (text) => terminal.line('launcher', text));
  // Set for the stop as a whole: a step that hangs, or one that cannot be interrupted, does not hold it up.
  let overdue: NodeJS.Timeout | undefined;
  const watchStop = (): void => {
    overdue = setTimeout(() => {
      terminal.problem('stopping took too long; ending every process by force');
      register.kill();
      register.release();
      options.giveUp();
    }, stopWithinMs);
  };
  stopping.addEventListener('abort', watchStop, { once: true });
  const launched: Launch = { ...options, files, register, servers: [], services: [] };
  try {
    await runToStop(launched);
    if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
  } catch (error) {
    if (!stopping.aborted) throw fullDiskOf(error, settings) ?? error;
  } finally {
    const began = Date.now();
    await stopAll(launched.services);
    await stopAll(launched.servers);
    stopping.removeEventListener('abort', watchStop);
    clearTimeout(overdue);
    register.release();
    terminal.line('launcher', `stopped (${((Date.now() - began) / 1_000).toFixed(1)} s)`);
  }
};
