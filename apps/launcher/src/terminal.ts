/**
 * The launcher's output, readable unless LOG_FORMAT is json: lines with time and source, steps with their seconds. No colours
 * without a terminal or with NO_COLOR.
 */
import { openOutput } from '../bin/output.mjs';
import { isLogRecord, parseLogLine } from './log-line.js';
import { isJsonLog } from './settings.js';

export type Terminal = {
  readonly line: (source: string, text: string) => void;
  /** The one line that programs wait for: at the beginning of a line, without a source. */
  readonly ready: (addresses: Readonly<Record<string, string>>) => void;
  /** A problem, in words. */
  readonly problem: (text: string) => void;
  /** Runs `run` and says what goes on; the line afterwards holds `done` and the duration. */
  readonly step: <T>(
    title: { readonly running: string; readonly done: string },
    run: (tell: (detail: string) => void) => Promise<T>,
  ) => Promise<T>;
};

type Stream = { readonly isTTY?: boolean; readonly columns?: number; readonly write: (text: string) => unknown };

const colours = [36, 32, 33, 35, 34, 96, 92, 93];

export const openTerminal = (stream: Stream, environment: NodeJS.ProcessEnv): Terminal => {
  const json = isJsonLog(environment);
  const coloured = stream.isTTY === true && !json && environment['NO_COLOR'] === undefined;
  const colourOf = new Map<string, number>();
  const paint = (source: string, padded: string): string => {
    if (!coloured) return padded;
    const colour = colourOf.get(source) ?? colours[colourOf.size % colours.length] ?? 0;
    colourOf.set(source, colour);
    return `\u001b[${colour}m${padded}\u001b[0m`;
  };
  const output = openOutput(stream, { json, paint });
  const line = (source: string, text: string): void => {
    if (json && isLogRecord(text)) output.raw(text);
    else if (json) output.line(source, text);
    else {
      const { time, words } = parseLogLine(text);
      output.line(source, words, time);
    }
  };
  return {
    line,
    ready: (addresses) => {
      const words = Object.entries(addresses).map(([name, value]) => `${name}=${value}`);
      output.raw(
        json
          ? JSON.stringify({
              level: 'info',
              time: new Date().toISOString(),
              service: 'launcher',
              ...addresses,
              msg: 'READY',
            })
          : `READY ${words.join(' ')}`,
      );
    },
    problem: (text) => line('launcher', coloured ? `\u001b[31m${text}\u001b[0m` : text),
    step: async ({ running, done }, run) => {
      const step = output.begin(running);
      try {
        const value = await run(step.tell);
        step.end(done);
        return value;
      } catch (error) {
        step.end();
        throw error;
      }
    },
  };
};
