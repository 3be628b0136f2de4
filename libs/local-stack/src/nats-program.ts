/**
 * Finds nats-server on the PATH or in the cache folder, or installs it there from the pinned release or from Debian's
 * package, without root. Never installs a download whose checksum differs.
 */
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { findCacheFolder, installFolder } from './folders.js';
import { type LogLine, runProgram } from './running-server.js';
import { StartError } from './start-error.js';

/** The one version of nats-server: images, the values of the chart and this download; `.config/containers.spec.ts` compares. */
export const natsRelease = '2.15.1';
/** SHA-256 of the release archives, by Node's names of platform and processor. */
const checksums: Readonly<Record<string, { readonly name: string; readonly sha256: string }>> = {
  'linux-x64': { name: 'linux-amd64', sha256: 'bf5edc7b1ce98e885c368cb43a886eb148dc5d0551d99f3cf6141fb5e1954c70' },
  'linux-arm64': { name: 'linux-arm64', sha256: 'e2fbab4cad7d3c76e3052eb959570393c9d73ba756b70bf8e9eea61e9ae6d49c' },
};
const downloadTimeoutMs = 20_000;
const connectTimeoutMs = 4_000;
const packageTimeoutMs = 120_000;

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const findOnPath = (environment: NodeJS.ProcessEnv): string | undefined =>
  (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, process.platform === 'win32' ? 'nats-server.exe' : 'nats-server'))
    .find(isProgram);

/** Downloads `address`; the connect timeout is short for machines without network. */
const download = async (address: string): Promise<Buffer> => {
  const giveUp = new AbortController();
  const noConnection = setTimeout(() => giveUp.abort(new Error('no connection')), connectTimeoutMs);
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([giveUp.signal, AbortSignal.timeout(downloadTimeoutMs)]),
    });
    clearTimeout(noConnection);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } finally {
    clearTimeout(noConnection);
  }
};

/** The one file `nats-server` somewhere below `folder`. */
const findProgram = (folder: string): string => {
  const entry = readdirSync(folder, { withFileTypes: true, recursive: true }).find(
    (found) => found.isFile() && found.name === 'nats-server',
  );
  if (entry === undefined) throw new Error('the archive holds no nats-server');
  return join(entry.parentPath, entry.name);
};

const copyProgram = (found: string, folder: string): void => {
  copyFileSync(found, join(folder, 'nats-server'));
  chmodSync(join(folder, 'nats-server'), 0o755);
};

export const checksumMatches = (bytes: Uint8Array, sha256: string): boolean =>
  createHash('sha256').update(bytes).digest('hex') === sha256;

const fromRelease = async (folder: string): Promise<void> => {
  const pinned = checksums[`${process.platform}-${process.arch}`];
  if (pinned === undefined) throw new Error(`no pinned release for ${process.platform} on ${process.arch}`);
  const name = `nats-server-v${natsRelease}-${pinned.name}`;
  const bytes = await download(
    `https://github.com/nats-io/nats-server/releases/download/v${natsRelease}/${name}.tar.gz`,
  );
  if (!checksumMatches(bytes, pinned.sha256))
    throw new Error('the checksum of the download differs from the pinned one');
  const work = join(folder, 'unpack');
  mkdirSync(work);
  writeFileSync(join(work, 'archive.tar.gz'), bytes);
  await runProgram('tar', ['-xzf', 'archive.tar.gz'], { cwd: work, timeoutMs: downloadTimeoutMs });
  copyProgram(findProgram(work), folder);
  rmSync(work, { recursive: true });
};

const fromDebianPackage = async (folder: string): Promise<void> => {
  const work = join(folder, 'unpack');
  for (const path of ['lists/partial', 'cache/archives/partial', 'files'])
    mkdirSync(join(work, path), { recursive: true });
  // Package lists of our own and no change of account: apt then needs no root, and still checks the signatures.
  const options = [
    '-o',
    `Dir::State::Lists=${join(work, 'lists')}`,
    '-o',
    `Dir::Cache=${join(work, 'cache')}`,
    '-o',
    'APT::Sandbox::User=',
  ];
  await runProgram('apt-get', [...options, 'update'], { cwd: work, timeoutMs: packageTimeoutMs });
  await runProgram('apt-get', [...options, 'download', 'nats-server'], { cwd: work, timeoutMs: packageTimeoutMs });
  const archive = readdirSync(work).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get downloaded no package');
  await runProgram('dpkg', ['-x', archive, 'files'], { cwd: work, timeoutMs: packageTimeoutMs });
  copyProgram(findProgram(join(work, 'files')), folder);
  rmSync(work, { recursive: true });
};

/** Installs the program as `nats-server` into an empty folder. */
export type NatsServerSource = {
  readonly title: string;
  /** Name in the cache folder; it says version and platform. */
  readonly folder: string;
  readonly fill: (folder: string) => Promise<void>;
};

const defaultSources: readonly NatsServerSource[] = [
  {
    title: `release ${natsRelease}`,
    folder: `nats-server-${natsRelease}-${process.platform}-${process.arch}`,
    fill: fromRelease,
  },
  { title: 'Debian package', folder: `nats-server-debian-${process.arch}`, fill: fromDebianPackage },
];

/** The path of nats-server; logs where it comes from. */
export const findOrInstallNatsServer = async (
  log: LogLine = () => undefined,
  environment: NodeJS.ProcessEnv = process.env,
  sources: readonly NatsServerSource[] = defaultSources,
): Promise<string> => {
  const installed = findOnPath(environment);
  if (installed !== undefined) return installed;
  const cache = findCacheFolder(environment);
  const cached = sources.map(({ folder }) => join(cache, folder, 'nats-server')).find(isProgram);
  if (cached !== undefined) return cached;
  const refusals: string[] = [];
  for (const source of sources) {
    const target = join(cache, source.folder);
    try {
      // A folder without the program is damaged and must be replaced.
      if (existsSync(target)) rmSync(target, { recursive: true });
      log(`getting nats-server: ${source.title}`);
      await installFolder(target, source.fill);
      return join(target, 'nats-server');
    } catch (error) {
      refusals.push(`${source.title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new StartError(
    `nats-server could not be obtained; install it, or set NATS_URL to the address of a running one.\n  ${refusals.join('\n  ')}`,
    'NATS_URL',
  );
};
