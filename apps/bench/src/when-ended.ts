/** Undoes what the benchmark started when a signal or the end of its parent ends it. */
type Undo = () => Promise<void>;

const undos = new Set<Undo>();

/** Keeps `undo` until it has run once, whoever calls for it. */
export const undoWhenEnded = (undo: Undo): Undo => {
  let begun: Promise<void> | undefined;
  const once = (): Promise<void> => {
    begun ??= undo().finally(() => undos.delete(once));
    return begun;
  };
  undos.add(once);
  return once;
};

const endedByOthers = 130;

const end = (): void => {
  void Promise.allSettled([...undos].map((undo) => undo())).then(() => process.exit(endedByOthers));
};

/** Listens for the end, which may be called for several times; called once, at the start. */
export const watchForEnd = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(signal, end);
};
