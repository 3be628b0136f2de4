/**
 * Processes by id. The system reuses ids: before ending a process that an earlier run has left, compare its start mark.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;

/** State and start time (in ticks since boot) of a process on Linux. */
const linuxStatus = (pid: number): { readonly state: string; readonly startTicks: string } | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses itself; what follows the last one is regular.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
  } catch {
    return undefined;
  }
};

/** Whether a process with this id runs; one that has ended and was not collected yet does not. */
export const isRunning = (pid: number): boolean => {
  // Zero and negative ids are groups of processes to the system.
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return linuxStatus(pid)?.state !== 'Z';
};

/** The start time of a process, which differs for a reused id. Undefined when the process is gone. */
export const readProcessStartTime = (pid: number): string | undefined => {
  if (process.platform === 'linux') {
    const status = linuxStatus(pid);
    return status?.state === 'Z' ? undefined : status?.startTicks;
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
};

/** The command line of a process, empty when it is gone. */
export const readCommandLine = (pid: number): string => {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
};

/** Waits until the process is gone; false when it still runs after `timeoutMs`. */
export const waitForProcessEnd = async (pid: number, timeoutMs: number): Promise<boolean> => {
  const until = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() >= until) return false;
    await sleep(pollMs);
  }
  return true;
};

export const signalProcess = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
};

type EndingStep = { readonly signal: NodeJS.Signals; readonly waitMs: number };

/** Ends a process: sends each step's signal and waits; the last step is SIGKILL. */
export const endProcess = async (pid: number, steps: readonly EndingStep[]): Promise<void> => {
  for (const step of [...steps, { signal: 'SIGKILL', waitMs: 2_000 } as const]) {
    if (!isRunning(pid)) return;
    signalProcess(pid, step.signal);
    if (await waitForProcessEnd(pid, step.waitMs)) return;
  }
};
