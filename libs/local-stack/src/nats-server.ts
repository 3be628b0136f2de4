/**
 * A nats-server on the loopback interface with JetStream and a user per service. A server that an earlier run has left
 * on the folder is stopped first.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureFolder } from './folders.js';
import { findFreePort, isPortFree } from './free-port.js';
import { findOrInstallNatsServer } from './nats-program.js';
import { printNatsConfiguration, type NatsUser, type NatsPasswords } from './nats-configuration.js';
import { serviceNames } from './nats-permissions.js';
import { readProcessStartTime, readCommandLine, endProcess, isRunning } from './processes.js';
import { type LogLine, type RunningServer, startServer } from './running-server.js';
import { StartError } from './start-error.js';

type NatsOptions = {
  /** The folder for configuration and stream data; made when it is missing. */
  readonly folder: string;
  /** Without it any free port. */
  readonly port?: number | undefined;
  /** Passwords by user; without them random ones are made. `none` lets everybody do everything. */
  readonly users?: NatsPasswords | 'none' | undefined;
  readonly log?: LogLine | undefined;
};

export type NatsServer = {
  /** Address of the user who may do everything. */
  readonly url: string;
  readonly urlFor: (user: NatsUser) => string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
};

const readyTimeoutMs = 60_000;
const pollMs = 10;
const stopSteps = [{ signal: 'SIGTERM', waitMs: 2_000 }] as const;

/** A random password for each service and for the operator. */
export const createRandomNatsPasswords = (): NatsPasswords =>
  Object.fromEntries([...serviceNames, 'operator' as const].map((user) => [user, randomBytes(18).toString('hex')]));

/** Whether a server greets at this port. */
const isNatsListening = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean): void => {
      socket.destroy();
      settle(answer);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('data', (bytes) => end(bytes.toString('utf8').startsWith('INFO ')));
    socket.once('error', () => end(false));
  });

const stopLeftOver = async (pidFile: string, folder: string, log: LogLine): Promise<void> => {
  let text: string;
  try {
    text = readFileSync(pidFile, 'utf8');
  } catch {
    return;
  }
  const [pidText, mark] = text.split(' ');
  const pid = Number(pidText);
  if (
    !Number.isInteger(pid) ||
    pid <= 1 ||
    !isRunning(pid) ||
    readProcessStartTime(pid) !== mark ||
    !readCommandLine(pid).includes(folder)
  )
    return;
  log(`stopping the nats-server (process ${pid}) that an earlier run has left`);
  await endProcess(pid, stopSteps);
};

const waitUntilReady = async (server: RunningServer, port: number): Promise<void> => {
  const until = Date.now() + readyTimeoutMs;
  while (!server.hasEnded() && Date.now() < until) {
    if (await isNatsListening(port)) return;
    await sleep(pollMs);
  }
  await endProcess(server.pid, stopSteps);
  throw new StartError(
    `nats-server did not start on port ${port}; set NATS_URL to use another server. It wrote:\n${server.lastLines()}`,
    'NATS_URL',
  );
};

/** Starts the server and resolves when it accepts connections. */
export const startNats = async (options: NatsOptions): Promise<NatsServer> => {
  const log = options.log ?? (() => undefined);
  const folder = resolve(options.folder);
  const users = options.users ?? createRandomNatsPasswords();
  const pidFile = join(folder, 'process');
  ensureFolder(folder, 0o700);
  const program = await findOrInstallNatsServer(log);
  await stopLeftOver(pidFile, folder, log);
  const port = options.port ?? (await findFreePort());
  if (!(await isPortFree(port)))
    throw new StartError(
      `Port ${port}, meant for nats-server, is in use; leave the choice to the launcher, or set NATS_URL.`,
      'NATS_URL',
    );
  const storeFolder = join(folder, 'streams');
  mkdirSync(storeFolder, { recursive: true });
  const configurationFile = join(folder, 'nats-server.conf');
  writeFileSync(configurationFile, printNatsConfiguration({ port, storeFolder, users }), { mode: 0o600 });
  chmodSync(configurationFile, 0o600);
  const server = startServer(program, ['--config', configurationFile], { cwd: folder, output: log });
  writeFileSync(pidFile, `${server.pid} ${readProcessStartTime(server.pid) ?? ''}`);
  await waitUntilReady(server, port);
  const urlFor = (user: NatsUser): string => {
    const password = users === 'none' ? undefined : users[user];
    return password === undefined ? `nats://127.0.0.1:${port}` : `nats://${user}:${password}@127.0.0.1:${port}`;
  };
  return {
    url: urlFor('operator'),
    urlFor,
    port,
    pid: server.pid,
    ended: server.ended,
    stop: async () => {
      await endProcess(server.pid, stopSteps);
      await server.ended;
    },
  };
};
