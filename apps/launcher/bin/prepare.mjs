/**
 * Installs the dependencies of the lock file and builds. Plain JavaScript for Node 20, without node_modules: it is what
 * installs them.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const programs = join(checkout, 'node_modules', '.bin');
const nodeMajorNeeded = 24;

/** The Node version that the product runs on, installed as a dependency. */
export const productNode = () => {
  const installed = join(programs, process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= nodeMajorNeeded) return process.execPath;
  throw new Error(`Node ${nodeMajorNeeded} is not in node_modules; run "npm ci" with install scripts allowed.`);
};

/** The environment in which `node` and the tools are those of node_modules. */
export const toolEnvironment = () => ({
  ...process.env,
  PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
});

/** npm replaces node_modules while it runs, so it must not run on a Node from there; and it says why it failed. */
const npmEnvironment = () => ({
  ...process.env,
  npm_config_loglevel: 'error',
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(checkout, 'node_modules')))
    .join(delimiter),
});

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Why the dependencies have to be installed, or undefined when they are as the lock file says. npm leaves a list of
 * what it installed as its very last act, so an installation that was cut short shows as well.
 */
export const staleDependencies = (root = checkout) => {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (wanted === undefined) return 'package-lock.json cannot be read';
  if (present === undefined) return 'they are missing';
  for (const [path, { version, link, optional }] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || link) continue;
    // What is for another platform only is not there, and need not be.
    if (present[path] === undefined ? !optional : present[path].version !== version)
      return `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version} is not installed`;
  }
  return undefined;
};

/** A project that is newer than the installation, in a checkout that was updated: all that it needs is its link. */
export const linkNewProjects = () => {
  for (const [path, { link, resolved }] of Object.entries(readJson(join(checkout, 'package-lock.json')).packages))
    if (link && !existsSync(join(checkout, path)))
      symlinkSync(relative(dirname(path), resolved), join(checkout, path), 'junction');
};

const running = new Set();

/** Ends the tools that run now. */
export const cancelPreparation = () => running.forEach((child) => child.kill('SIGTERM'));

/** Runs a tool to its end. Its output is shown at once, or kept and answered. */
export const runTool = (command, parameters, { env, show }) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      cwd: checkout,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      shell: process.platform === 'win32',
    });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ succeeded: code === 0, output, signal });
    });
  });

const partsOf = (text) => Object.keys(text?.packages ?? {}).filter((path) => path.startsWith('node_modules/'));

/** How many of the packages of the lock file have their folders. */
const installedCount = (paths) => paths.filter((path) => existsSync(join(checkout, path))).length;

/** Installs when it is needed. `begin` opens a step of the output. */
export const installDependencies = async (begin) => {
  const reason = staleDependencies();
  if (reason === undefined) return linkNewProjects();
  const paths = partsOf(readJson(join(checkout, 'package-lock.json')));
  const step = begin(`installing packages (${reason}; takes a minute or two)`);
  const counting = setInterval(() => step.tell(`${installedCount(paths)}/${paths.length}`), 1_000).unref();
  const { succeeded, output } = await runTool('npm', ['ci', '--no-audit', '--no-fund'], {
    env: npmEnvironment(),
    show: false,
  }).finally(() => clearInterval(counting));
  step.end(succeeded ? 'packages installed' : undefined);
  if (!succeeded) throw new Error(`"npm ci" failed:\n${output}`);
};

const isWritable = () => {
  try {
    accessSync(checkout, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Builds what has changed since the last build; in a checkout of somebody else the build that is there has to do. */
export const build = async (begin) => {
  if (!isWritable() && existsSync(join(checkout, 'apps', 'gateway', 'dist', 'main.js'))) return;
  // The compiler is one of the dependencies.
  const { buildCheckout } = await import('../../../.config/build.mjs');
  const step = begin('building');
  let built = 'build is up to date';
  try {
    await buildCheckout(checkout, (done, all) => {
      step.tell(`${done}/${all} projects`);
      built = `${all} projects built`;
    });
  } catch (error) {
    step.end();
    throw new Error(`the build failed:\n${error instanceof Error ? error.message : error}`, { cause: error });
  }
  step.end(built);
};
