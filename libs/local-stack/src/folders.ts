/**
 * Folders of the servers: their access rights, the cache folder, and installing into it so that two installers at once
 * do no harm. Never uses a shared folder that another user owns or may write to.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { StartError } from './start-error.js';

/** PostgreSQL refuses to run as root; the account that every system has and that owns nothing takes its place. */
export type Account = { readonly uid: number; readonly gid: number };

/** The real path of what exists already, with the rest as it will be. */
const realPath = (path: string): string => {
  const full = resolve(path);
  if (existsSync(full)) return realpathSync(full);
  const parent = dirname(full);
  return parent === full ? full : join(realPath(parent), full.slice(parent.length));
};

/** Whether every folder on the way to `path` lets any account pass. What does not exist yet is made by us and passes. */
export const isEnterableByAll = (path: string): boolean => {
  const full = realPath(path);
  const passes = !existsSync(full) || (statSync(full).mode & 0o001) !== 0;
  const parent = dirname(full);
  return passes && (parent === full || isEnterableByAll(parent));
};

/** Makes a folder with exactly this mode, whatever the umask says; a folder that exists keeps its own. */
export const ensureFolder = (path: string, mode: number): void => {
  if (existsSync(path)) return;
  ensureFolder(dirname(path), 0o755);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
};

const isOurs = (path: string): boolean => {
  const status = statSync(path);
  return (process.getuid === undefined || status.uid === process.getuid()) && (status.mode & 0o002) === 0;
};

const tryFolder = (path: string, mustBeEnterable: boolean): boolean => {
  try {
    ensureFolder(path, 0o755);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return isOurs(path) && (!mustBeEnterable || isEnterableByAll(path));
  } catch {
    return false;
  }
};

/**
 * The folder for what was downloaded or copied and can be made again: TESSERA_CACHE, or the first usable one of
 * `~/.cache/tessera`, `/var/cache/tessera` and a folder of this user's in the temporary folder.
 */
export const findCacheFolder = (
  environment: NodeJS.ProcessEnv = process.env,
  options: { readonly enterableByAll?: boolean } = {},
): string => {
  const mustBeEnterable = options.enterableByAll ?? false;
  const chosen = environment['TESSERA_CACHE'];
  if (chosen !== undefined && chosen !== '') {
    if (tryFolder(resolve(chosen), mustBeEnterable)) return resolve(chosen);
    const need = mustBeEnterable
      ? 'belong to this user and let other accounts enter it'
      : 'belong to this user and be writable';
    throw new StartError(`TESSERA_CACHE=${chosen} cannot be used: the folder must ${need}.`, 'TESSERA_CACHE');
  }
  const user = process.getuid?.() ?? 'user';
  const candidates = [
    join(environment['HOME'] ?? homedir(), '.cache', 'tessera'),
    '/var/cache/tessera',
    join(tmpdir(), `tessera-cache-${user}`),
  ];
  const usable = candidates.find((path) => tryFolder(path, mustBeEnterable));
  if (usable !== undefined) return usable;
  throw new StartError(
    `No cache folder can be used (tried ${candidates.join(', ')}); set TESSERA_CACHE to one.`,
    'TESSERA_CACHE',
  );
};

/**
 * Makes `target` by filling a folder beside it and renaming it into place. When two do this at once both succeed and
 * one copy stays; when it is cut short nothing is left under the final name.
 */
export const installFolder = async (
  target: string,
  fill: (folder: string) => Promise<void> | void,
): Promise<string> => {
  if (existsSync(target)) return target;
  const unfinished = `${target}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
  ensureFolder(unfinished, 0o755);
  try {
    await fill(unfinished);
    renameSync(unfinished, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return target;
};

/** A short, stable name for a path. */
export const pathDigest = (path: string): string =>
  createHash('sha256').update(realPath(path)).digest('hex').slice(0, 16);
