/**
 * The whole product, started as a user starts it, on free ports and in a data folder of its own.
 * Refuses: to leave anything behind; `stop` ends every process and removes the folder.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@tessera/local-stack';

export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

export type ProductOptions = {
  readonly demo: 'tiny' | 'demo' | 'load' | 'none';
  /** More than one process of a service, e.g. `{gateway: 2}`. */
  readonly replicas?: Readonly<Record<string, number>>;
  readonly settings?: Readonly<Record<string, string>>;
};

export type Product = {
  /** One address per gateway replica. */
  readonly gateways: readonly string[];
  readonly home: string;
  /** What `.tessera/env` says. */
  readonly environment: Readonly<Record<string, string>>;
  /** All that the launcher has printed. */
  readonly output: () => string;
  readonly pids: () => Promise<Readonly<Record<string, readonly number[]>>>;
  readonly stop: () => Promise<void>;
};

export const startProduct = async ({ demo, replicas = {}, settings = {} }: ProductOptions): Promise<Product> => {
  const home = await mkdtemp(join(tmpdir(), 'tessera-e2e-'));
  // As root the database runs under another account; where that cannot enter, its data would be kept elsewhere.
  await chmod(home, 0o711);
  const launcher = spawn('npm', ['start', '--silent'], {
    cwd: checkout,
    env: {
      ...process.env,
      TESSERA_HOME: home,
      TESSERA_DEMO: demo,
      GATEWAY_PORT: String(await freePort()),
      LAUNCHER_REPLICAS: Object.entries(replicas)
        .map(([service, count]) => `${service}=${count}`)
        .join(','),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(launcher);
  try {
    await ready(launcher, output);
  } catch (error) {
    await end(launcher, home);
    throw error;
  }
  const environment = parseEnvironment(await readFile(join(home, 'env'), 'utf8'));
  return {
    gateways: (environment['GATEWAY_URLS'] ?? environment['GATEWAY_URL'] ?? '').split(/[ ,]/),
    home,
    environment,
    output,
    pids: async () => parsePids(await readFile(join(home, 'pids.json'), 'utf8')),
    stop: () => end(launcher, home),
  };
};

const collect = (child: ChildProcess): (() => string) => {
  let text = '';
  const append = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  return () => text;
};

const ready = (launcher: ChildProcess, output: () => string): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = setInterval(() => {
      if (!/^READY gateway=/m.test(output())) return;
      clearInterval(look);
      resolve();
    }, 50);
    launcher.once('exit', (code) => {
      clearInterval(look);
      reject(new Error(`npm start ended with ${code} before READY:\n${output().slice(-4_000)}`));
    });
  });

const end = async (launcher: ChildProcess, home: string): Promise<void> => {
  if (launcher.exitCode === null && launcher.signalCode === null) {
    const exited = new Promise((resolve) => launcher.once('exit', resolve));
    launcher.kill('SIGTERM');
    await exited;
  }
  await rm(home, { recursive: true, force: true });
};

/** `NAME=value` lines in shell format; values may be quoted. */
export const parseEnvironment = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^(?:export )?([A-Z_]+)=(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')]),
  );

const parsePids = (text: string): Readonly<Record<string, readonly number[]>> => {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('pids.json holds no object.');
  return Object.fromEntries(Object.entries(parsed).map(([name, pid]) => [name, [pid].flat().map(Number)]));
};
