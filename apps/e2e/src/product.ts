/**
 * Starts the whole product by its launcher, on free ports and in its own data folder: the shared one by `npm start`, as a
 * user does, others after one build for all. A start takes about ten seconds of both processors, so a spec file uses
 * `getSharedProduct()`, started once for all, unless it ends processes, needs settings or inspects what others leave behind;
 * then `startProduct()`. Specs of the shared product leave the demo's and the test model's rows unchanged and give unique
 * names to what they create; files run in any order. The end of the run stops what still runs.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '@tessera/local-stack';
import { makeOncePerTestRun, testRunFolder } from '@tessera/testing';

const run = promisify(execFile);
export const checkoutFolder = fileURLToPath(new URL('../../..', import.meta.url));

type ProductOptions = {
  readonly demo: 'tiny' | 'demo' | 'load' | 'none';
  /** More than one process of a service, e.g. `{gateway: 2}`. */
  readonly replicas?: Readonly<Record<string, number>>;
  readonly settings?: Readonly<Record<string, string>>;
};

export type RunningProduct = {
  /** One address per gateway replica. */
  readonly gateways: readonly string[];
  readonly home: string;
  /** What `.tessera/env` says. */
  readonly environment: Readonly<Record<string, string>>;
  /** All that the launcher has printed. */
  readonly output: () => string;
  readonly pids: () => Promise<Readonly<Record<string, readonly number[]>>>;
  /** By service, with LAUNCHER_MANAGEMENT_PORTS=true. */
  readonly managementPorts: () => Promise<Readonly<Record<string, readonly number[]>>>;
};

type Command = readonly [program: string, ...parameters: string[]];

export type Product = RunningProduct & { readonly stop: () => Promise<void> };

/** What most specs can work with. */
const sharedSettings: ProductOptions = {
  demo: 'tiny',
  replicas: { gateway: 2, 'knowledge-models': 2 },
  settings: { MCP_FIXTURE_ASSET: 'true' },
};

export const startProduct = async (options: ProductOptions): Promise<Product> => {
  const place = await mkdtemp(join(testRunFolder(), 'product-'));
  // Owners are kept: as root the database runs under another account.
  if (options.demo === 'tiny') await run('cp', ['-a', await homeWithDemo(), homeIn(place)]);
  const launcher = await launchIn(place, options, directly);
  return { ...(await openProduct(place)), stop: () => end(launcher, place) };
};

/**
 * Of each worker of Jest one, because a worker runs one spec file at a time; its data is loaded at its start, as a user's is. It
 * is not stopped by those who use it.
 */
export const getSharedProduct = async (): Promise<RunningProduct> => {
  const name = `product-${process.env['JEST_WORKER_ID'] ?? '1'}`;
  const place = await makeOncePerTestRun(name, async () => {
    const folder = join(testRunFolder(), name);
    await mkdir(folder);
    const launcher = await launchIn(folder, sharedSettings, ['npm', 'start', '--silent']);
    // The run ends it, by the file that names its process.
    launcher.unref();
    return folder;
  });
  return openProduct(place);
};

const homeIn = (place: string): string => join(place, 'home');
/** A file, because who started the launcher may be gone before it. */
const logIn = (place: string): string => join(place, 'launcher.log');

const directly = [process.execPath, join('apps', 'launcher', 'dist', 'main.js')] as const;

/** A data folder with the small demo, made once in a run and copied: loading takes more than the rest of a start. */
const homeWithDemo = (): Promise<string> =>
  makeOncePerTestRun('home', async () => {
    const place = join(testRunFolder(), 'home-with-demo');
    await mkdir(place);
    const launcher = await launchIn(place, { demo: 'tiny' }, directly);
    await stop(launcher);
    // Each copy has ports of its own.
    await rm(join(homeIn(place), 'ports.json'));
    return homeIn(place);
  });

/** Starts a product in a folder, with what is built now, and waits until it is ready. */
const launchIn = async (
  place: string,
  { demo, replicas = {}, settings = {} }: ProductOptions,
  [program, ...parameters]: Command,
): Promise<ChildProcess> => {
  await makeOncePerTestRun('build', async () => {
    await run('npm', ['run', '--silent', 'build'], { cwd: checkoutFolder });
    return '';
  });
  // As root the database runs under another account; where that cannot enter, its data would be kept elsewhere.
  await chmod(place, 0o711);
  const log = openSync(logIn(place), 'a');
  const launcher = spawn(program, parameters, {
    cwd: checkoutFolder,
    env: {
      ...process.env,
      TESSERA_HOME: homeIn(place),
      TESSERA_DEMO: demo,
      GATEWAY_PORT: String(await findFreePort()),
      LAUNCHER_REPLICAS: Object.entries(replicas)
        .map(([service, count]) => `${service}=${count}`)
        .join(','),
      ...settings,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  try {
    await writeFile(join(place, 'process'), String(launcher.pid));
    await ready(launcher, () => readFileSync(logIn(place), 'utf8'));
  } catch (error) {
    await end(launcher, place);
    throw error;
  }
  return launcher;
};

const openProduct = async (place: string): Promise<RunningProduct> => {
  const home = homeIn(place);
  const environment = parseEnvironment(await readFile(join(home, 'env'), 'utf8'));
  return {
    gateways: (environment['GATEWAY_URLS'] ?? environment['GATEWAY_URL'] ?? '').split(/[ ,]/),
    home,
    environment,
    output: () => readFileSync(logIn(place), 'utf8'),
    pids: async () => parseNumbers(await readFile(join(home, 'pids.json'), 'utf8')),
    managementPorts: async () => parseNumbers(await readFile(join(home, 'management-ports.json'), 'utf8')),
  };
};

const ready = (launcher: ChildProcess, output: () => string): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      clearInterval(look);
      launcher.off('exit', early);
    };
    const early = (code: number | null): void => {
      settle();
      reject(new Error(`the launcher ended with ${code} before READY:\n${output().slice(-4_000)}`));
    };
    const look = setInterval(() => {
      if (!/^READY gateway=|"msg":"READY"/m.test(output())) return;
      settle();
      resolve();
    }, 50);
    launcher.once('exit', early);
  });

const stop = async (launcher: ChildProcess): Promise<void> => {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  const exited = new Promise((resolve) => launcher.once('exit', resolve));
  launcher.kill('SIGTERM');
  await exited;
};

const end = async (launcher: ChildProcess, place: string): Promise<void> => {
  await stop(launcher);
  await rm(place, { recursive: true, force: true });
};

/** `NAME=value` lines in shell format; values may be quoted. */
const parseEnvironment = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^(?:export )?([A-Z_]+)=(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')]),
  );

const parseNumbers = (text: string): Readonly<Record<string, readonly number[]>> => {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('The file holds no object.');
  return Object.fromEntries(Object.entries(parsed).map(([name, numbers]) => [name, [numbers].flat().map(Number)]));
};
