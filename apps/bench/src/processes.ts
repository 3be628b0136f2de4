/** Processor time, memory and children of processes, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** One clock tick of /proc in milliseconds; Linux has had 100 a second on every platform for decades. */
const tickMs = 10;

const statOf = (pid: number): readonly string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks; what follows the last one is regular and begins with the third field.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};

/**
 * User and system time since the process began, with that of its children that have ended, as parallel workers of PostgreSQL do
 * after each statement; 0 when it is gone.
 */
const cpuMs = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);

export const findChildPids = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(statOf(candidate)[1]) === pid);

/** Resident memory in MB; 0 when the process is gone. */
export const readResidentMb = (pid: number): number => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Memory in MB of processes together, of each page that others have as well its share; 0 of those that are gone. */
export const readProportionalMb = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
      return sum + Number(kilobytes ?? 0) / 1024;
    } catch {
      return sum;
    }
  }, 0);

/** Names of processes -> their ids. */
export type ProcessGroups = Readonly<Record<string, readonly number[]>>;

/** Processor time per group while `work` runs, in milliseconds. */
export const measureCpu = async <T>(
  groups: () => ProcessGroups,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly cpuMs: Readonly<Record<string, number>> }> => {
  const total = (): Readonly<Record<string, number>> =>
    Object.fromEntries(
      Object.entries(groups()).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuMs(pid), 0)]),
    );
  const before = total();
  const value = await work();
  const after = total();
  return {
    value,
    cpuMs: Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)])),
  };
};

const sampleMs = 50;

type MemoryGrowth<T> = {
  readonly value: T;
  readonly growthMb: Readonly<Record<string, number>>;
  readonly peakMb: Readonly<Record<string, number>>;
};

/** The most memory that each process had while `work` ran, in MB beyond what it had before. */
export const measureMemoryGrowth = <T>(
  pids: Readonly<Record<string, number>>,
  work: () => Promise<T>,
): Promise<MemoryGrowth<T>> =>
  measureGrowth(Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, () => readResidentMb(pid)])), work);

/** The same of memory that is read otherwise, in MB. */
export const measureGrowth = async <T>(
  reads: Readonly<Record<string, () => number>>,
  work: () => Promise<T>,
): Promise<MemoryGrowth<T>> => {
  const before = Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read()]));
  const peakMb: Record<string, number> = { ...before };
  const sample = (): void => {
    for (const [name, read] of Object.entries(reads)) peakMb[name] = Math.max(peakMb[name] ?? 0, read());
  };
  const timer = setInterval(sample, sampleMs);
  try {
    const value = await work();
    sample();
    const growthMb = Object.fromEntries(
      Object.keys(reads).map((name) => [name, (peakMb[name] ?? 0) - (before[name] ?? 0)]),
    );
    return { value, growthMb, peakMb };
  } finally {
    clearInterval(timer);
  }
};
