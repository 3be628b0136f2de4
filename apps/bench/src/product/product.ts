/**
 * The product under measure: started as a user starts it, with an empty data folder and free ports, or one that runs
 * already. Every process and folder that it creates is removed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findFreePort, waitForProcessEnd } from '@tessera/local-stack';
import { parseJson } from '../answers.js';
import { registerCleanup } from '../child.js';
import { findChildPids, type ProcessGroups } from '../processes.js';

export const checkoutFolder = fileURLToPath(new URL('../../../..', import.meta.url));

/** Team of the demo, in which everything is measured. */
export const benchTeam = 'meridian';
export const benchTeamName = 'Meridian Coatings';

export type Product = {
  /** A variable of its environment file; without it nothing can be measured. */
  readonly variable: (name: string) => string;
  /** From `npm start` to READY; undefined when it ran already. */
  readonly readySeconds: number | undefined;
  /** Processes by the name of what they are, PostgreSQL and the services with their children, e.g. the columnar engine. */
  readonly processes: () => ProcessGroups;
  /** The longest blocks of a process's event loop since the last call; undefined for a product that ran already. */
  readonly longestBlock: (pid: number) => Promise<EventLoopBlock | undefined>;
  /** The transactions that a process sent to PostgreSQL and committed while `work` ran. */
  readonly recordStatements: (pid: number, work: () => Promise<unknown>) => Promise<readonly Transaction[]>;
  readonly stop: () => Promise<void>;
};

/** In milliseconds: by the clock, and of those that the process worked itself, whoever else had the processor. */
export type EventLoopBlock = { readonly longestMs: number; readonly longestWorkMs: number };

/** Statements as they went over the wire, in order: without a name one was not prepared, without values it was text alone. */
export type Transaction = readonly {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly (string | null)[];
}[];

export type DemoSize = 'demo' | 'load' | 'none';

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
      GATEWAY_PORT: String(await findFreePort()),
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
  return { ...productAt(home), readySeconds: (performance.now() - begunAt) / 1_000, stop };
};

/** The product that was started in this checkout; its event loops cannot be measured. */
export const attachToRunningProduct = (): Product => ({
  ...productAt(process.env['TESSERA_HOME'] ?? join(checkoutFolder, '.tessera')),
  readySeconds: undefined,
  longestBlock: () => Promise.resolve(undefined),
  stop: () => Promise.resolve(),
});

/** Runs `measure` against a product that ends with it. */
export const withProduct = async <T>(
  start: Product | Promise<Product>,
  measure: (product: Product) => Promise<T>,
): Promise<T> => {
  const product = await start;
  try {
    return await measure(product);
  } finally {
    await product.stop();
  }
};

const productAt = (home: string): Omit<Product, 'readySeconds' | 'stop'> => {
  const environment = new Map(
    [...readFileSync(join(home, 'env'), 'utf8').matchAll(/^export ([A-Z_][A-Z0-9_]*)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1').replaceAll(`'\\''`, "'")] as const,
    ),
  );
  return {
    variable: (name) => {
      const value = environment.get(name);
      if (!value) throw new Error(`The environment file has no ${name}.`);
      return value;
    },
    processes: () =>
      Object.fromEntries(
        Object.entries(readPids(home)).map(([name, own]) => [
          name,
          // Those of the launcher are all the others.
          name === 'launcher' ? own : own.flatMap((pid) => [pid, ...findChildPids(pid)]),
        ]),
      ),
    longestBlock: (pid) => signalForFile(pid, 'SIGUSR2', join(home, `${pid}.json`)),
    recordStatements: async (pid, work) => {
      process.kill(pid, 'SIGWINCH');
      await sleep(500);
      await work();
      const recorded = await signalForFile<readonly Transaction[]>(
        pid,
        'SIGWINCH',
        join(home, `${pid}.statements.json`),
      );
      return recorded ?? [];
    },
  };
};

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
  for (const pid of pids) await waitForProcessEnd(pid, stopMaxMs);
};

/** Empty when there is no such file (any more). */
const readPids = (home: string): ProcessGroups => {
  const file = join(home, 'pids.json');
  return existsSync(file) ? parseJson<ProcessGroups>(readFileSync(file, 'utf8')) : {};
};

/** The file that a process writes when it gets the signal; undefined when it writes none, as for the signal that only begins. */
const signalForFile = async <T>(pid: number, signal: NodeJS.Signals, file: string): Promise<T | undefined> => {
  rmSync(file, { force: true });
  process.kill(pid, signal);
  for (let tries = 0; tries < 20; tries++) {
    await sleep(50);
    try {
      return parseJson<T>(readFileSync(file, 'utf8'));
    } catch {
      // It is not there, or not whole yet.
    }
  }
  return undefined;
};
