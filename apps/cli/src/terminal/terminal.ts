/**
 * Where a command writes: results to `out`, everything else to `err`. A bar while something takes long, when a person
 * watches; otherwise nothing but the lines of the result.
 */
import type { Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';

export type Terminal = {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** A line for the person who waits. */
  readonly note: (line: string) => void;
  readonly openBar: (label: string, total: number) => Bar;
};

export type Bar = { readonly advance: (steps: number) => void; readonly close: () => void };

const noBar: Bar = { advance: () => undefined, close: () => undefined };

export const openTerminal = (out: Writable, err: Writable & { readonly isTTY?: boolean }): Terminal => ({
  print: (line) => void out.write(`${line}\n`),
  note: (line) => void err.write(`${line}\n`),
  openBar: (label, total) => {
    if (!err.isTTY || total === 0) return noBar;
    const format = `${label} {bar} {value}/{total} {percentage} % {duration_formatted}`;
    const bar = new SingleBar({ stream: err, format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
    bar.start(total, 0);
    return { advance: (steps) => bar.increment(steps), close: () => bar.stop() };
  },
});
