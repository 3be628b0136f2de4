/**
 * A ClickHouse for differential specs, where npm is all there is: the package `chdb` has the engine as a library, which a process of its
 * own offers over HTTP. It takes 550 MB, so it is fetched into the cache when it is asked for, and is no dependency.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheFolder, installFolder } from '@tessera/local-stack';

const run = promisify(execFile);

const packageVersion = '3.4.0';
const [user, password, database] = ['tessera', 'clickhouse-of-specs', 'tessera'];

export type ClickhouseServer = {
  /** With user, password and database. */
  readonly url: string;
  readonly version: string;
  readonly stop: () => void;
};

/** Rejects when the package cannot be fetched, or does not run on this machine. */
export const startClickhouse = async (): Promise<ClickhouseServer> => {
  const folder = await installFolder(join(findCacheFolder(process.env), `chdb-${packageVersion}`), async (place) => {
    const options = ['--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...options, `chdb@${packageVersion}`]);
  });
  const program = join(import.meta.dirname, 'clickhouse-process.ts');
  const child = fork(program, [folder, user, password, database], { execArgv: [] });
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof said !== 'object' || said === null) throw new Error('The engine of chdb did not start.');
  const { port, version } = said;
  return {
    url: `http://${user}:${password}@127.0.0.1:${port}/${database}`,
    version,
    stop: () => child.kill('SIGKILL'),
  };
};
