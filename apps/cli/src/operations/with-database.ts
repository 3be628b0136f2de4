/**
 * Runs work on a database and turns each way it can fail into one line. Never shows the whole address: it holds a
 * password.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { createPool, toOutageFailure } from '@tessera/persistence';
import type { CommandContext } from '../commands/command.js';
import { exitCodes, type ExitCode } from '../exit-code.js';

/** How long to wait for an unreachable server, and the pause between attempts. */
type RetryTimes = { readonly waitMs: number; readonly pauseMs: number };

export const defaultRetryTimes: RetryTimes = { waitMs: 60_000, pauseMs: 1_000 };

/** Runs `work` once the server answers. An error of the server is printed in one line; other errors are thrown. */
export const retryUntilDatabaseAnswers = async (
  { terminal, stopping }: CommandContext,
  url: string,
  work: () => Promise<ExitCode>,
  { waitMs, pauseMs }: RetryTimes = defaultRetryTimes,
): Promise<ExitCode> => {
  const pool = createPool({ url, applicationName: 'tessera', connectionsMax: 1, statementTimeoutMs: 5_000 });
  const until = Date.now() + waitMs;
  let waited = false;
  let answered = false;
  const isUp = async (): Promise<boolean> => {
    try {
      await pool.query('select');
      answered = true;
      return true;
    } catch (error) {
      if (!isUnreachable(error) || Date.now() >= until) throw error;
      if (!waited) terminal.note(`Waiting for PostgreSQL at ${serverName(url)}: ${causeOf(error)}.`);
      waited = true;
      return false;
    }
  };
  try {
    while (!(await isUp())) await sleep(pauseMs, undefined, { signal: stopping });
    return await work();
  } catch (error) {
    if (stopping.aborted) {
      terminal.note('Interrupted.');
      return exitCodes.interrupted;
    }
    const line = failureLine(error, url);
    // Before the server answered, nothing but the address and what it leads to can be wrong.
    if (answered && !isUnreachable(error) && sqlStateOf(error) === undefined) throw error;
    terminal.note(line);
    return exitCodes.server;
  } finally {
    await pool.end();
  }
};

/** `host:port/database` */
const serverName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** Files of certificates that cannot be read are no matter of time. */
const isUnreachable = (error: unknown): boolean =>
  toOutageFailure(error) !== undefined &&
  !(types.isNativeError(error) && 'syscall' in error && error.syscall === 'open');

/** The code of PostgreSQL for an error that is one of its own. */
const sqlStateOf = (error: unknown): string | undefined =>
  types.isNativeError(error) && 'severity' in error && 'code' in error ? String(error.code) : undefined;

const failureLine = (error: unknown, url: string): string => {
  const place = `PostgreSQL at ${serverName(url)}`;
  const cause = causeOf(error);
  if (isUnreachable(error)) return `${place} cannot be reached: ${cause}.`;
  switch (sqlStateOf(error)) {
    case '28P01':
    case '28000':
      return `${place} refuses the user or the password of DATABASE_URL: ${cause}.`;
    case '3D000':
      return `${place} has no such database; make it first ("create database ...").`;
    case '42501':
      return `${place}: the user of DATABASE_URL may not do this: ${cause}. Use the superuser or the role that migrated before.`;
    default:
      return `${place} cannot be used: ${cause}.`;
  }
};

const causeOf = (error: unknown): string => {
  if (!types.isNativeError(error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
};
