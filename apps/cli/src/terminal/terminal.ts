/** Where a command writes: results to `out`, everything else to `err`. Progress is shown only on a terminal. */
import type { Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';

export type Terminal = {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** A piece of the result, as it comes. */
  readonly write: (piece: string) => void;
  /** A line for the person who waits. */
  readonly note: (line: string) => void;
  readonly openBar: (label: string, total: number) => Bar;
  /** Counts bytes, with rows and rows per second; without an end when the size is unknown. */
  readonly openRowsBar: (label: string, bytes: number | undefined) => RowsBar;
};

type Bar = { readonly advance: (steps: number) => void; readonly close: () => void };
type RowsBar = { readonly advance: (bytes: number, rows: number) => void; readonly close: () => void };

const noBar: Bar & RowsBar = { advance: () => undefined, close: () => undefined };

type Screen = Writable & { readonly isTTY?: boolean };

export const openTerminal = (out: Screen, err: Screen): Terminal => ({
  print: (line) => void out.write(`${withoutControlCharacters(out, line)}\n`),
  write: (piece) => void out.write(withoutControlCharacters(out, piece)),
  note: (line) => void err.write(`${withoutControlCharacters(err, line)}\n`),
  openBar: (label, total) => {
    if (!err.isTTY || total === 0) return noBar;
    const format = `${label} {bar} {value}/{total} {percentage} % {duration_formatted}`;
    const bar = new SingleBar({ stream: err, format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
    bar.start(total, 0);
    return { advance: (steps) => bar.increment(steps), close: () => bar.stop() };
  },
  openRowsBar: (label, bytes) => {
    if (!err.isTTY) return noBar;
    const share = bytes === undefined ? '' : '{bar} {percentage} % ';
    const format = `${label} ${share}{rows} rows {rate} rows/s {duration_formatted}`;
    const bar = new SingleBar({ stream: err, format, hideCursor: true, clearOnComplete: true }, Presets.shades_classic);
    const began = Date.now();
    let sum = 0;
    bar.start(bytes ?? 0, 0, { rows: 0, rate: 0 });
    const advance = (more: number, rows: number): void => {
      sum += rows;
      bar.increment(more, { rows: formatCount(sum), rate: formatCount(ratePerSecond(sum, Date.now() - began)) });
    };
    return { advance, close: () => bar.stop() };
  },
});

/** Texts of foreign systems and of language models must not be commands of a screen; a file gets them as they are. */
const withoutControlCharacters = ({ isTTY }: Screen, text: string): string =>
  isTTY === true ? text.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd') : text;

/** `1,234,567` */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** A second, rounded. */
export const ratePerSecond = (count: number, elapsedMs: number): number =>
  Math.round(count / Math.max(elapsedMs / 1_000, 0.001));
