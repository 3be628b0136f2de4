import { describe, expect, it } from '@jest/globals';
import { RecurringJobs, type JobOutcome } from './recurring-jobs.js';

/** Runs that answer one after the other; resolves when the last one has come. */
const working = async (answers: readonly (JobOutcome | Error)[]) => {
  const warnings: unknown[] = [];
  const { promise: last, resolve } = Promise.withResolvers<AbortSignal>();
  let runs = 0;
  const jobs = new RecurringJobs(
    { warn: (...line: readonly unknown[]) => void warnings.push(line) },
    new AbortController().signal,
  );
  jobs.start({
    failed: 'it went wrong',
    pauseMs: 1,
    shortPauseMs: 1,
    run: async (signal) => {
      const answer = answers[runs] ?? 'done';
      runs += 1;
      if (runs === answers.length) resolve(signal);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const signal = await last;
  return { warnings, signal, stop: () => jobs.beforeApplicationShutdown(), runs: () => runs };
};

describe('recurring jobs', () => {
  it('run again after every outcome, and log failures', async () => {
    const error = new Error('away');
    const { warnings, stop } = await working(['more', error, 'busy', 'done', 'done']);
    await stop();
    expect(warnings).toEqual([[{ err: error }, 'it went wrong']]);
  });

  it('stop with the service', async () => {
    const { signal, stop, runs } = await working(['done']);
    expect(signal.aborted).toBe(false);
    await stop();
    const before = runs();
    expect(signal.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(runs()).toBe(before);
  });
});
