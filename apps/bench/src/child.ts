/**
 * Starts programs of the benchmark as child processes, so that each one's processor time and memory can be measured. A
 * child ends when its channel closes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type ChildProcessHandle = {
  readonly pid: number;
  /** The next message of the child; rejects when it ends before. */
  readonly next: () => Promise<unknown>;
  readonly send: (message: object) => void;
  readonly stop: () => Promise<void>;
};

const waitForExit = (child: ChildProcess): Promise<void> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.once('exit', () => resolve()))
    : Promise.resolve();

/** Starts the built module `path` (relative to the folder of this one). */
export const startChild = (path: string, environment: Readonly<Record<string, string>> = {}): ChildProcessHandle => {
  const child = fork(fileURLToPath(new URL(path, import.meta.url)), [], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    pid: child.pid ?? 0,
    next: () =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error(`${path} has ended.`));
        child.once('exit', ended);
        child.once('message', (message) => {
          child.off('exit', ended);
          resolve(message);
        });
      }),
    send: (message) => void child.send(message),
    stop: async () => {
      child.kill('SIGTERM');
      await waitForExit(child);
    },
  };
};
