/**
 * One launcher per data folder, and its processes, in two files: `launcher.lock` with start marks, so that the next
 * start can clean up after a kill -9; `pids.json` for people and tests. Never ends a process that only has the same id
 * as one of ours.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readProcessStartTime, endProcess, isRunning, signalProcess, StartError } from '@tessera/local-stack';
import { writePrivateFile } from './private-file.js';
import type { HomeFilePaths } from './settings.js';

type Entry = { readonly name: string; readonly pid: number; readonly mark: string };

export type ProcessRegistry = {
  /** Keeps a process under its name; answers what forgets it again. */
  readonly add: (name: string, pid: number) => () => void;
  /** The last resort: ends every process by force, at once. */
  readonly kill: () => void;
  /** Gives the data folder free. */
  readonly release: () => void;
};

/** SIGINT is the fast shutdown of PostgreSQL, and ends every other program too. */
const endSteps = [{ signal: 'SIGINT', waitMs: 3_000 }] as const;

const entryOf = (name: string, pid: number): Entry => ({ name, pid, mark: readProcessStartTime(pid) ?? '' });

const isSameProcess = ({ pid, mark }: Entry): boolean => isRunning(pid) && readProcessStartTime(pid) === mark;

/** The launcher first, then its processes; empty when there is no lock. */
const readEntries = (path: string): readonly Entry[] => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as readonly Entry[];
  } catch {
    return [];
  }
};

const rejectSecondLauncher = (path: string, home: string): void => {
  const [owner] = readEntries(path);
  if (owner !== undefined && isSameProcess(owner))
    throw new StartError(
      `The data folder ${home} is in use by the launcher with process id ${owner.pid}; stop it, or set TESSERA_HOME to another folder.`,
      'TESSERA_HOME',
    );
};

/** Takes the lock: a new file appears whole under its name, or not at all when another was faster. */
const acquireLock = (path: string, entries: readonly Entry[]): boolean => {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify(entries), { mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(own, { force: true });
  }
};

/** Moves a lock aside whose launcher is gone; answers what that launcher had started. */
const replaceStaleLock = (path: string, home: string): readonly Entry[] => {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    // Another start was faster; check the new holder of the lock.
  }
  const [owner, ...left] = readEntries(aside);
  if (owner !== undefined && isSameProcess(owner)) {
    // Between our look and our move another launcher has taken the lock: it gets it back.
    renameSync(aside, path);
    rejectSecondLauncher(path, home);
  }
  rmSync(aside, { force: true });
  return left;
};

/** Takes the data folder and ends what an earlier launcher has left there. `say` hears about each. */
export const openProcessRegistry = async (
  files: HomeFilePaths,
  home: string,
  say: (line: string) => void,
): Promise<ProcessRegistry> => {
  const self = entryOf('launcher', process.pid);
  rejectSecondLauncher(files.lock, home);
  let left: readonly Entry[] = [];
  if (!acquireLock(files.lock, [self])) {
    left = replaceStaleLock(files.lock, home);
    if (!acquireLock(files.lock, [self, ...left])) {
      rejectSecondLauncher(files.lock, home);
      throw new StartError(
        `The lock ${files.lock} cannot be taken; remove the file, or set TESSERA_HOME.`,
        'TESSERA_HOME',
      );
    }
  }
  await Promise.all(
    left.filter(isSameProcess).map(async (entry) => {
      say(`ending ${entry.name} (process ${entry.pid}), left by a launcher that was killed`);
      await endProcess(entry.pid, endSteps);
    }),
  );
  return createRegister(files, self);
};

const createRegister = (files: HomeFilePaths, self: Entry): ProcessRegistry => {
  const entries = new Set<Entry>();
  const write = (): void => {
    writePrivateFile(files.lock, JSON.stringify([self, ...entries]));
    const byName: Record<string, number[]> = { launcher: [self.pid] };
    for (const { name, pid } of entries) (byName[name] ??= []).push(pid);
    writePrivateFile(files.pids, `${JSON.stringify(byName, undefined, 2)}\n`);
  };
  write();
  return {
    add: (name, pid) => {
      const entry = entryOf(name, pid);
      entries.add(entry);
      write();
      return () => {
        if (entries.delete(entry)) write();
      };
    },
    kill: () => {
      for (const entry of entries) if (isSameProcess(entry)) signalProcess(entry.pid, 'SIGKILL');
    },
    release: () => {
      entries.clear();
      rmSync(files.pids, { force: true });
      rmSync(files.lock, { force: true });
    },
  };
};
