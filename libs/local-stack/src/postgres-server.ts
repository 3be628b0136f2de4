/**
 * A PostgreSQL 18 on the loopback interface with a password, from the npm package of the platform; it also starts for
 * root. A server that an earlier run has left on the data folder is stopped first.
 */
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, findCacheFolder, isEnterableByAll, ensureFolder, pathDigest } from './folders.js';
import { findFreePort, isPortFree } from './free-port.js';
import { type PostgresBinaries, findPostgresBinaries, findServerAccount } from './postgres-programs.js';
import { readCommandLine, endProcess, isRunning } from './processes.js';
import { type LogLine, runProgram, type RunningServer, startServer } from './running-server.js';
import { StartError } from './start-error.js';

type PostgresOptions = {
  /** The folder for the data and the superuser's password; made when it is missing. */
  readonly dataFolder: string;
  /** Without it any free port. */
  readonly port?: number | undefined;
  readonly log?: LogLine | undefined;
  /** The server writes here instead of to `log`, and may then outlive this process. */
  readonly logFile?: string | undefined;
  /** Server settings (`max_connections`, `fsync`, ...) beside our own. */
  readonly settings?: Readonly<Record<string, string>>;
};

export type PostgresServer = {
  /** Address of the superuser, for administration only; services get roles of their own. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The data folder: below the requested one, or in the cache folder. */
  readonly data: string;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<string>;
  /** Fast shutdown: transactions are rolled back, what was committed is on disk. */
  readonly stop: () => Promise<void>;
};

const superuser = 'postgres';
const majorVersion = '18';
const readyTimeoutMs = 60_000;
/** Names the origin folder of data in the cache folder. */
const originFile = 'origin';
const pollMs = 15;
const heldMemoryWaitMs = 30_000;
const heldMemoryPauseMs = 50;
const stopSteps = [
  { signal: 'SIGINT', waitMs: 3_000 },
  { signal: 'SIGQUIT', waitMs: 1_000 },
] as const;

/** The superuser's password, made once; the file is for its owner only. */
const readPassword = (folder: string): string => {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
};

/** Removes data in the cache folder whose origin folder is gone. */
const removeOrphans = (places: string): void => {
  if (!existsSync(places)) return;
  for (const name of readdirSync(places)) {
    const place = join(places, name);
    const origin = existsSync(join(place, originFile)) ? readFileSync(join(place, originFile), 'utf8') : undefined;
    const isUsed = origin === undefined || existsSync(origin) || isRunning(Number(readPidFile(join(place, 'data'))[0]));
    if (!isUsed) rmSync(place, { recursive: true, force: true });
  }
};

/** Where the data is: below `folder`, or in the cache folder when the server's account could not get there. */
const locateData = (folder: string, account: Account | undefined): string => {
  if (account === undefined || isEnterableByAll(folder)) return join(folder, 'data');
  const places = join(findCacheFolder(process.env, { enterableByAll: true }), 'postgres-data');
  removeOrphans(places);
  const place = join(places, pathDigest(folder));
  ensureFolder(place, 0o711);
  writeFileSync(join(place, originFile), folder);
  return join(place, 'data');
};

const initialise = async (
  initdb: string,
  data: string,
  password: string,
  account: Account | undefined,
): Promise<void> => {
  const unfinished = `${data}.unfinished`;
  const passwordFile = `${data}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) for (const path of [unfinished, passwordFile]) chownSync(path, account.uid, account.gid);
  const characterType = process.platform === 'linux' ? ['--lc-ctype=C.UTF-8'] : [];
  try {
    await runProgram(
      initdb,
      [
        '-D',
        unfinished,
        '-U',
        superuser,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--no-sync',
        '--locale=C',
      ].concat(characterType, ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--set', 'timezone=UTC']),
      { cwd: dirname(data), account, timeoutMs: 60_000 },
    );
    renameSync(unfinished, data);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
};

const checkDataVersion = (data: string): void => {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version !== majorVersion)
    throw new StartError(
      `${data} was made by PostgreSQL ${version}, this is ${majorVersion}; set TESSERA_HOME to another folder.`,
      'TESSERA_HOME',
    );
};

/** The lines of postmaster.pid: process id, data folder, start, port, ...; the eighth is the status. */
const readPidFile = (data: string): readonly string[] => {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Stops the server of an earlier, killed parent. */
const stopLeftOver = async (data: string, log: LogLine): Promise<void> => {
  const pid = Number(readPidFile(data)[0]);
  if (!isRunning(pid)) return;
  const command = readCommandLine(pid);
  // The id may have been reused; the server's command line contains its data folder.
  if (!command.includes('postgres') || !command.includes(data)) return;
  log(`stopping the PostgreSQL (process ${pid}) that an earlier run has left`);
  await endProcess(pid, stopSteps);
};

const spawnPostgres = (
  binaries: PostgresBinaries,
  data: string,
  port: number,
  account: Account | undefined,
  options: PostgresOptions,
) => {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    // No socket file: its path may be too long, and the password guards the port as well.
    unix_socket_directories: '',
    client_connection_check_interval: '500ms',
    ...options.settings,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startServer(binaries.postgres, ['-D', data, '-p', String(port), ...parameters], {
    cwd: dirname(data),
    account,
    output: options.logFile === undefined ? (options.log ?? (() => undefined)) : { file: options.logFile },
  });
};

/** True when the server accepts connections, false when it has ended or was killed after the timeout. */
const becomesReady = async (server: RunningServer, data: string): Promise<boolean> => {
  const until = Date.now() + readyTimeoutMs;
  for (;;) {
    const lines = readPidFile(data);
    if (lines[0]?.trim() === String(server.pid) && lines[7]?.trim() === 'ready') return true;
    if (server.hasEnded()) return false;
    if (Date.now() > until) {
      await endProcess(server.pid, stopSteps);
      return false;
    }
    await sleep(pollMs);
  }
};

/** Starts the server; retries while processes of a killed one still hold its shared memory. */
const startUntilReady = async (spawn: () => RunningServer, data: string, port: number): Promise<RunningServer> => {
  const until = Date.now() + heldMemoryWaitMs;
  for (;;) {
    const server = spawn();
    if (await becomesReady(server, data)) return server;
    // The last output may arrive after the end.
    await sleep(heldMemoryPauseMs);
    const wrote = server.lastLines();
    if (!wrote.includes('shared memory block') || Date.now() > until)
      throw new StartError(
        `PostgreSQL did not start on port ${port} with the data in ${data}; set DATABASE_URL to use another server. It wrote:\n${wrote}`,
        'DATABASE_URL',
      );
  }
};

/** Starts the server and resolves when it accepts connections: 1.5 s on an empty folder, 0.1 s after that. */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> => {
  const account = findServerAccount();
  const folder = resolve(options.dataFolder);
  ensureFolder(folder, 0o711);
  const binaries = await findPostgresBinaries(account);
  const password = readPassword(folder);
  const data = locateData(folder, account);
  const log = options.log ?? (() => undefined);
  if (existsSync(join(data, 'PG_VERSION'))) {
    checkDataVersion(data);
    await stopLeftOver(data, log);
  } else await initialise(binaries.initdb, data, password, account);
  const port = options.port ?? (await findFreePort());
  if (!(await isPortFree(port)))
    throw new StartError(
      `Port ${port}, meant for PostgreSQL, is in use; leave the choice to the launcher, or set DATABASE_URL.`,
      'DATABASE_URL',
    );
  const server = await startUntilReady(() => spawnPostgres(binaries, data, port, account, options), data, port);
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid: server.pid,
    data,
    ended: server.ended,
    stop: async () => {
      await endProcess(server.pid, stopSteps);
      await server.ended;
    },
  };
};
