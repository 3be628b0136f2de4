/** Undoes what the benchmark started when a signal or the end of its parent ends it. */
type Cleanup = () => Promise<void>;

const pendingCleanups = new Set<Cleanup>();

/** Registers `undo`, which runs once, when called or at the end. */
export const registerCleanup = (undo: Cleanup): Cleanup => {
  let begun: Promise<void> | undefined;
  const once = (): Promise<void> => {
    begun ??= undo().finally(() => pendingCleanups.delete(once));
    return begun;
  };
  pendingCleanups.add(once);
  return once;
};

const hasBeenEnded = 130;

const end = (): void => {
  void Promise.allSettled([...pendingCleanups].map((undo) => undo())).then(() => process.exit(hasBeenEnded));
};

/** Listens for the end, which may be called for several times; called once, at the start. */
export const cleanUpOnExit = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, end);
};
