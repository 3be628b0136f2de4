import { describe, expect, it } from '@jest/globals';
import { keepWorking, type WorkTurn } from './keep-working.js';
import type { Log } from './log.js';

/** Turns that answer one after the other; the last one is told when it comes. */
const working = async (answers: readonly (WorkTurn | Error)[]) => {
  const warnings: unknown[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  const { promise: last, resolve } = Promise.withResolvers<AbortSignal>();
  let turns = 0;
  const log = { warn: (...line: readonly unknown[]) => void warnings.push(line) } as Partial<Log> as Log;
  keepWorking(
    { log, onStop: (_phase, step) => void stops.push(step) },
    {
      failed: 'it went wrong',
      pauseMs: 1,
      shortPauseMs: 1,
      turn: (signal) => {
        const answer = answers[turns] ?? 'done';
        turns += 1;
        if (turns === answers.length) resolve(signal);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  );
  const signal = await last;
  return { warnings, signal, stop: () => Promise.all(stops.map((step) => step())), turns: () => turns };
};

describe('work that comes again', () => {
  it('goes on after turns of every outcome, and logs those that fail', async () => {
    const error = new Error('away');
    const { warnings, stop } = await working(['more', error, 'busy', 'done', 'done']);
    await stop();
    expect(warnings).toEqual([[{ err: error }, 'it went wrong']]);
  });

  it('ends with the service', async () => {
    const { signal, stop, turns } = await working(['done']);
    expect(signal.aborted).toBe(false);
    await stop();
    const before = turns();
    expect(signal.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(turns()).toBe(before);
  });
});
