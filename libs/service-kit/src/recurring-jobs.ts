/**
 * Work that comes again as long as the service runs: soon after one that left something to do, else after a long pause.
 * A run that failed is logged, and the next one tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Log } from './log.js';
import { logToken, stopSignalToken } from './tokens.js';

/** `busy`: another replica is at it. */
export type JobOutcome = 'done' | 'more' | 'busy';

type RecurringJob = {
  /** What the log says of a run that failed, or of a part of one. */
  readonly failed: string;
  readonly run: (signal: AbortSignal, onFailure: (reason: unknown) => void) => Promise<JobOutcome>;
  readonly pauseMs?: number;
  readonly shortPauseMs?: number;
};

const hourMs = 3_600_000;
const fewSecondsMs = 5_000;

@Injectable()
export class RecurringJobs implements BeforeApplicationShutdown {
  readonly #running: Promise<void>[] = [];
  readonly #closing = new AbortController();
  readonly #stopping: AbortSignal;

  constructor(
    @Inject(logToken) private readonly log: Pick<Log, 'warn'>,
    @Inject(stopSignalToken) stopping: AbortSignal,
  ) {
    this.#stopping = AbortSignal.any([stopping, this.#closing.signal]);
  }

  /** To be called when the application has started. */
  start(job: RecurringJob): void {
    this.#running.push(this.#repeat(job));
  }

  /** Waits for those that are at work; a process that stops has told them before, by its signal. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
  }

  async #repeat({ failed, run, pauseMs = hourMs, shortPauseMs = fewSecondsMs }: RecurringJob): Promise<void> {
    const onFailure = (error: unknown): void => this.log.warn({ err: error }, failed);
    let waitMs = shortPauseMs;
    for (;;) {
      await sleep(waitMs, undefined, { signal: this.#stopping, ref: false }).catch(() => undefined);
      if (this.#stopping.aborted) return;
      const outcome = await run(this.#stopping, onFailure).catch(onFailure);
      waitMs = outcome === 'more' ? shortPauseMs : pauseMs;
    }
  }
}
