/**
 * The product under measure: started as a user starts it, with an empty data folder and free ports, or one that runs
 * already. Every process and folder that it creates is removed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseJson } from '../json.js';
import { findChildPids, type ProcessGroups } from '../processes.js';
import { registerCleanup } from '../cleanup.js';

type Environment = Readonly<Record<string, string>>;

const unquoted = (text: string): string => (/^'.*'$/.test(text) ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text);

const parseEnvironment = (text: string): Environment =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^export ([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, unquoted(value)]];
    }),
  );

const readEnvironment = (path: string): Environment => parseEnvironment(readFileSync(path, 'utf8'));

/** A value without which nothing can be measured. */
export const requireVariable = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (!value) throw new Error(`The environment file has no ${name}.`);
  return value;
};

export const checkoutFolder = fileURLToPath(new URL('../../../..', import.meta.url));

export type Product = {
  readonly environment: Environment;
  /** From `npm start` to READY; undefined when it ran already. */
  readonly readySeconds: number | undefined;
  /** Processes by the name of what they are, PostgreSQL and the services with their children, e.g. the columnar engine. */
  readonly processes: () => ProcessGroups;
  /** The longest blocks of a process's event loop since the last call. */
  readonly longestBlock: (pid: number) => Promise<EventLoopBlock | undefined>;
  /** The transactions that a process sent to PostgreSQL and committed while `work` ran; of a product started here only. */
  readonly recordStatements?: (pid: number, work: () => Promise<void>) => Promise<readonly Transaction[]>;
  readonly stop: () => Promise<void>;
};

/** In milliseconds: by the clock, and of those that the process worked itself, whoever else had the processor. */
export type EventLoopBlock = { readonly longestMs: number; readonly longestWorkMs: number };

/** What went over the wire, in order: without a name it was not prepared, without values it was text alone. */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly (string | null)[];
};
export type Transaction = readonly Statement[];

type DemoSize = 'demo' | 'load' | 'none';

/** The largest demo has millions of rows. */
const startMaxMs = 900_000;
const stopMaxMs = 10_000;
const preloadedModules = ['watch-event-loop.mjs', 'record-statements.mjs'].map(
  (name) => pathToFileURL(join(checkoutFolder, 'apps', 'bench', 'bin', name)).href,
);

export const startProduct = async (demo: DemoSize, settings: NodeJS.ProcessEnv = {}): Promise<Product> => {
  const home = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  // PostgreSQL runs under another account when we are root, and must get to its data.
  chmodSync(home, 0o711);
  const begunAt = performance.now();
  const launcher = spawn('npm', ['start', '--silent'], {
    cwd: checkoutFolder,
    env: {
      ...process.env,
      ...settings,
      TESSERA_HOME: home,
      TESSERA_DEMO: demo,
      GATEWAY_PORT: String(await freePort()),
      NODE_OPTIONS: preloadedModules.map((watcher) => `--import=${watcher}`).join(' '),
      BENCH_WATCH_FOLDER: home,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = registerCleanup(async () => {
    await waitForEnd(launcher, home);
    rmSync(home, { recursive: true, force: true });
  });
  try {
    await readyLine(launcher);
  } catch (error) {
    await stop();
    throw error;
  }
  const readySeconds = (performance.now() - begunAt) / 1_000;
  return {
    ...productAt(home),
    readySeconds,
    longestBlock: (pid) => readLongestBlock(home, pid),
    recordStatements: (pid, work) => recordStatements(home, pid, work),
    stop,
  };
};

/** A product that was started elsewhere with the data folder `home`; its event loops cannot be measured. */
export const attachToRunningProduct = (home: string): Product => ({
  ...productAt(home),
  readySeconds: undefined,
  longestBlock: () => Promise.resolve(undefined),
  stop: () => Promise.resolve(),
});

const productAt = (home: string): Pick<Product, 'environment' | 'processes'> => ({
  environment: readEnvironment(join(home, 'env')),
  processes: () =>
    Object.fromEntries(
      Object.entries(readPids(home)).map(([name, own]) => [
        name,
        // Those of the launcher are all the others.
        name === 'launcher' ? own : own.flatMap((pid) => [pid, ...findChildPids(pid)]),
      ]),
    ),
});

const readyLine = (launcher: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    const giveUp = (why: string): void => reject(new Error(`npm start ${why}:\n${output.slice(-4_000)}`));
    const timer = setTimeout(() => giveUp('was not ready in time'), startMaxMs);
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!/^READY gateway=/m.test(output)) return;
      clearTimeout(timer);
      // Nobody reads the output any more, but the pipe must not fill.
      for (const stream of [launcher.stdout, launcher.stderr]) stream?.off('data', listen).resume();
      resolve();
    };
    for (const stream of [launcher.stdout, launcher.stderr]) stream?.on('data', listen);
    launcher.once('exit', (code) => {
      clearTimeout(timer);
      giveUp(`ended with ${code}`);
    });
  });

/** npm may be gone before the launcher, which ends last of all that it has started. */
const waitForEnd = async (npm: ChildProcess, home: string): Promise<void> => {
  const pids = readPids(home)['launcher'] ?? [];
  if (npm.exitCode === null && npm.signalCode === null) {
    const exited = new Promise((resolve) => npm.once('exit', resolve));
    npm.kill('SIGTERM');
    await exited;
  }
  const until = Date.now() + stopMaxMs;
  while (pids.some((pid) => existsSync(`/proc/${pid}`)) && Date.now() < until) await sleep(50);
};

/** Files that this checkout's own programs have written. */
const readJson = <T>(file: string): T => parseJson<T>(readFileSync(file, 'utf8'));

/** Empty when there is no such file (any more). */
const readPids = (home: string): ProcessGroups => {
  const file = join(home, 'pids.json');
  return existsSync(file) ? readJson<ProcessGroups>(file) : {};
};

const readLongestBlock = async (home: string, pid: number): Promise<EventLoopBlock | undefined> => {
  const file = join(home, `${pid}.json`);
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 100; tries++) {
    await sleep(20);
    try {
      return readJson<EventLoopBlock>(file);
    } catch {
      // Not written yet, or this was the first signal, which only begins.
      if (tries > 10) return undefined;
    }
  }
  return undefined;
};

const recordStatements = async (
  home: string,
  pid: number,
  work: () => Promise<void>,
): Promise<readonly Transaction[]> => {
  const file = join(home, `${pid}.statements.json`);
  process.kill(pid, 'SIGWINCH');
  await sleep(500);
  await work();
  process.kill(pid, 'SIGWINCH');
  for (let tries = 0; tries < 100 && !existsSync(file); tries++) await sleep(50);
  return readJson<readonly Transaction[]>(file);
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

/** The data folder of a product that was started in this checkout. */
export const defaultHome = (): string => process.env['TESSERA_HOME'] ?? join(checkoutFolder, '.tessera');
