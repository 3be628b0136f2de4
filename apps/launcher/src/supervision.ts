/** Keeps a process running: restarts it with back-off when it dies, and stops it on request. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that has come up. */
export type RunningProcess = {
  readonly pid: number;
  /** Settles when it has ended, with how in words. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
};

export type SupervisedProcess = {
  readonly stop: () => Promise<void>;
};

export type BackOff = { readonly firstMs: number; readonly largestMs: number; readonly calmAfterMs: number };

const defaultBackOff: BackOff = { firstMs: 200, largestMs: 10_000, calmAfterMs: 30_000 };

type SupervisionOptions = {
  readonly name: string;
  /** Starts the process and answers when it is ready; gives up soon when `stopping` fires. */
  readonly start: (stopping: AbortSignal) => Promise<RunningProcess>;
  readonly say: (line: string) => void;
  /** Fires when the first start is not wanted any more. */
  readonly stopping?: AbortSignal;
  readonly backOff?: BackOff;
};

/** Rejects when the first start fails; every later one is tried again. */
export const superviseProcess = async (options: SupervisionOptions): Promise<SupervisedProcess> => {
  const { name, start, say, backOff = defaultBackOff } = options;
  const stopped = new AbortController();
  const stopping =
    options.stopping === undefined ? stopped.signal : AbortSignal.any([stopped.signal, options.stopping]);
  let current: RunningProcess | undefined = await start(stopping);

  const restart = async (delayMs: number): Promise<RunningProcess | undefined> => {
    say(`starting ${name} again in ${(delayMs / 1_000).toFixed(1)} s`);
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return undefined;
    try {
      const running = await start(stopping);
      say(`${name} is back (process ${running.pid})`);
      return running;
    } catch (error) {
      if (!stopping.aborted) say(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };

  const watch = async (): Promise<void> => {
    let delayMs = backOff.firstMs;
    for (;;) {
      if (current !== undefined) {
        const began = Date.now();
        const how = await current.ended;
        if (stopping.aborted) return;
        say(`${name} (process ${current.pid}) has died: ${how}`);
        if (Date.now() - began >= backOff.calmAfterMs) delayMs = backOff.firstMs;
      }
      current = await restart(delayMs);
      if (stopping.aborted) return;
      delayMs = Math.min(delayMs * 2, backOff.largestMs);
    }
  };

  const watching = watch();
  return {
    stop: async () => {
      stopped.abort();
      await current?.stop();
      await watching;
      // A start that was under way when the stop came may have succeeded meanwhile.
      await current?.stop();
    },
  };
};
