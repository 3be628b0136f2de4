/**
 * Work that comes again as long as the service runs: soon after one that left something to do, else after a long pause.
 * Refuses: to end because one turn failed; that is logged, and the next turn tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommonConfiguration } from './configuration.js';
import type { ServiceProcess } from './service-process.js';

/** `busy`: another replica is at it. */
export type WorkTurn = 'done' | 'more' | 'busy';

export type RepeatedWork = {
  /** What the log says of a turn that failed, or of a part of one. */
  readonly failed: string;
  readonly turn: (signal: AbortSignal, onFailure: (reason: unknown) => void) => Promise<WorkTurn>;
  readonly pauseMs?: number;
  readonly shortPauseMs?: number;
};

const hourMs = 3_600_000;
const fewSecondsMs = 5_000;

export const keepWorking = (
  { log, onStop }: Pick<ServiceProcess<CommonConfiguration>, 'log' | 'onStop'>,
  { failed, turn, pauseMs = hourMs, shortPauseMs = fewSecondsMs }: RepeatedWork,
): void => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const onFailure = (error: unknown): void => log.warn({ err: error }, failed);
  const attempt = async (): Promise<WorkTurn> => {
    try {
      return await turn(signal, onFailure);
    } catch (error) {
      onFailure(error);
      return 'busy';
    }
  };
  const working = (async () => {
    let waitMs = shortPauseMs;
    for (;;) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      waitMs = (await attempt()) === 'more' ? shortPauseMs : pauseMs;
    }
  })();
  onStop('serving', () => {
    stopping.abort();
    return working;
  });
};
