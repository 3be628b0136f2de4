/**
 * Programs of the benchmark as child processes, so that each one's processor time can be measured. A child ends when its channel
 * closes; what the benchmark has started ends with it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type ChildProcessHandle = {
  readonly pid: number;
  /** Scheme, host and port of its server. */
  readonly origin: string;
  readonly stop: () => Promise<void>;
};

/** Starts the built module `path` (relative to the folder of this one), sends it the options and waits for its address. */
export const startChild = async (path: string, options: object = {}): Promise<ChildProcessHandle> => {
  const child = fork(fileURLToPath(new URL(path, import.meta.url)), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(options);
  const origin = await Promise.race([
    once(child, 'message').then(([message]) => String(message)),
    once(child, 'exit').then(() => Promise.reject(new Error(`${path} has ended.`))),
  ]);
  return {
    pid: child.pid ?? 0,
    origin,
    stop: async () => {
      const ended = once(child, 'exit');
      if (child.kill('SIGTERM')) await ended;
    },
  };
};

/** The same from the side of the child: `listen` gets the options and answers the address. */
export const serveAsChild = <Options>(listen: (options: Options) => Promise<string>): void => {
  process.once('message', (options: Options) => void listen(options).then((origin) => process.send?.(origin)));
  for (const event of ['disconnect', 'SIGTERM'] as const) process.on(event, () => process.exit());
};

type Cleanup = () => Promise<void>;
const pendingCleanups = new Set<Cleanup>();

/** Registers `undo`, which runs once, when called or at the end. */
export const registerCleanup = (undo: Cleanup): Cleanup => {
  let begun: Promise<void> | undefined;
  const undoOnce = (): Promise<void> => (begun ??= undo().finally(() => pendingCleanups.delete(undoOnce)));
  pendingCleanups.add(undoOnce);
  return undoOnce;
};

const hasBeenEnded = 130;

/** Undoes what was started when a signal or the end of the parent ends this process. */
export const cleanUpOnExit = (): void => {
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
    process.on(event, () => {
      void Promise.allSettled([...pendingCleanups].map((undo) => undo())).then(() => process.exit(hasBeenEnded));
    });
};
