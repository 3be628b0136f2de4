/**
 * The launcher's output: each line begins with its source, and each step ends with its duration. No colours without a
 * terminal or with NO_COLOR.
 */
import { readableLine } from './log-line.js';

export type Terminal = {
  readonly line: (source: string, text: string) => void;
  /** The one line that programs wait for: at the beginning of a line, without a source. */
  readonly ready: (text: string) => void;
  /** A problem, in words. */
  readonly problem: (text: string) => void;
  /** Runs a step; the line afterwards holds the answer of `describe` and the duration. */
  readonly step: <T>(title: string, run: () => Promise<T>, describe?: (value: T) => string) => Promise<T>;
};

type Output = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

const sourceWidth = 17;
const colours = [36, 32, 33, 35, 34, 96, 92, 93];

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const openTerminal = (output: Output, environment: NodeJS.ProcessEnv): Terminal => {
  const isWatched = output.isTTY === true;
  const coloured = isWatched && environment['NO_COLOR'] === undefined;
  const colourOf = new Map<string, number>();
  const paint = (source: string, padded: string): string => {
    if (!coloured) return padded;
    const colour = colourOf.get(source) ?? colours[colourOf.size % colours.length] ?? 0;
    colourOf.set(source, colour);
    return `\u001b[${colour}m${padded}\u001b[0m`;
  };
  const line = (source: string, text: string): void => {
    output.write(`${paint(source, `${source.padEnd(sourceWidth)} |`)} ${isWatched ? readableLine(text) : text}\n`);
  };
  return {
    line,
    ready: (text) => void output.write(`${text}\n`),
    problem: (text) => line('launcher', coloured ? `\u001b[31m${text}\u001b[0m` : text),
    step: async (title, run, describe) => {
      const began = Date.now();
      const value = await run();
      const detail = describe?.(value) ?? '';
      line('launcher', `${title}${detail === '' ? '' : ` ${detail}`} (${seconds(Date.now() - began)})`);
      return value;
    },
  };
};
