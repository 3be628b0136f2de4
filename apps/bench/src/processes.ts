/** Processor time, memory and children of processes, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** One clock tick of /proc in milliseconds; Linux has had 100 a second on every platform for decades. */
const tickMs = 10;

const readProc = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** The name in parentheses may hold blanks; what follows the last one is regular and begins with the third field. */
const statOf = (pid: number): readonly string[] => {
  const text = readProc(pid, 'stat');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
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

const megabytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1024;

/** Resident memory in MB; 0 when the process is gone. */
export const readResidentMb = (pid: number): number => megabytes(readProc(pid, 'status'), 'VmRSS');

/** Memory in MB of processes together, of each page that others have as well its share; 0 of those that are gone. */
export const readProportionalMb = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + megabytes(readProc(pid, 'smaps_rollup'), 'Pss'), 0);

/** Names of processes -> their ids. */
export type ProcessGroups = Readonly<Record<string, readonly number[]>>;

/** Processor time per group since the call, in milliseconds. */
export const startCpuClock = (groups: () => ProcessGroups): (() => Readonly<Record<string, number>>) => {
  const total = (): readonly (readonly [string, number])[] =>
    Object.entries(groups()).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuMs(pid), 0)] as const);
  const before = Object.fromEntries(total());
  return () => Object.fromEntries(total().map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
};

const sampleMs = 50;

export type MemoryGrowth<T> = {
  readonly value: T;
  /** Growth in MB, by name. */
  readonly growthMb: Readonly<Record<string, number>>;
  readonly peakMb: Readonly<Record<string, number>>;
};

/** The most memory that there was while `work` ran, by the name of what reads it in MB. */
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
    const growth = Object.entries(peakMb).map(([name, peak]) => [name, peak - (before[name] ?? 0)] as const);
    return { value, growthMb: Object.fromEntries(growth), peakMb };
  } finally {
    clearInterval(timer);
  }
};
