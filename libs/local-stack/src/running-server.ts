/**
 * Starts server programs and follows their output and end. Each has its own process group, so that Ctrl-C reaches only
 * the parent, which stops them in the right order.
 */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Account } from './folders.js';
import { StartError } from './start-error.js';

export type LogLine = (line: string) => void;

/** The output goes to a listener, or to a file; with a file the server may outlive its parent. */
type Output = LogLine | { readonly file: string };

export type RunningServer = {
  readonly pid: number;
  /** The last lines of output, for error messages. */
  readonly lastLines: () => string;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
  readonly hasEnded: () => boolean;
};

const linesKept = 20;

const readLines = (stream: Readable | null, onLine: LogLine): void => {
  if (stream !== null) createInterface({ input: stream }).on('line', onLine);
};

const describeEnd = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;

type ServerOptions = {
  readonly cwd: string;
  readonly account?: Account | undefined;
  readonly output: Output;
};

/** Keeps the last lines of output and passes each line to `log`. */
const followLines = (child: ChildProcess, log: LogLine): (() => string) => {
  const kept: string[] = [];
  const keep: LogLine = (line) => {
    kept.push(line);
    if (kept.length > linesKept) kept.shift();
    log(line);
  };
  readLines(child.stdout, keep);
  readLines(child.stderr, keep);
  return () => kept.join('\n');
};

const spawnServer = (program: string, parameters: readonly string[], options: ServerOptions): ChildProcess => {
  const file = typeof options.output === 'function' ? undefined : openSync(options.output.file, 'a', 0o600);
  const spawnOptions: SpawnOptions = {
    cwd: options.cwd,
    detached: true,
    stdio: file === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', file, file],
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
    ...options.account,
  };
  const child = spawn(program, [...parameters], spawnOptions);
  if (file !== undefined) {
    closeSync(file);
    child.unref();
  }
  return child;
};

/** Starts `program` in the background. */
export const startServer = (program: string, parameters: readonly string[], options: ServerOptions): RunningServer => {
  const { output } = options;
  const child = spawnServer(program, parameters, options);
  const lastLines =
    typeof output === 'function'
      ? followLines(child, output)
      : () => readFileSync(output.file, 'utf8').split('\n').slice(-linesKept).join('\n');
  let over = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(describeEnd(code, signal)));
  }).then((how) => {
    over = true;
    return how;
  });
  return { pid: child.pid ?? 0, lastLines, ended, hasEnded: () => over };
};

/** Runs `program` to its end and returns its output, which is part of the error when it fails. */
export const runProgram = async (
  program: string,
  parameters: readonly string[],
  options: { readonly cwd: string; readonly account?: Account | undefined; readonly timeoutMs: number },
): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = spawn(program, [...parameters], {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs,
    ...options.account,
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.once('error', (error) => resolve(error.message));
  child.once('close', (code, signal) => resolve(code === 0 ? '' : describeEnd(code, signal)));
  const problem = await promise;
  if (problem !== '') throw new StartError(`${program} failed (${problem}): ${output.trim()}`);
  return output;
};
