/**
 * What of an error may be logged: its type, its code, where it was thrown, and its message only where that consists of names
 * and numbers of the system (sockets, connections, PostgreSQL's states that quote no value, `LoggableMessageError`). Never any other
 * message or member; they quote callers, as PostgreSQL's `detail` does.
 */
import { types } from 'node:util';

/** An error whose message names what operators run and nothing of a caller. */
export class LoggableMessageError extends Error {}

type LoggableError = {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  /** Of PostgreSQL: names of the schema, none of a row. */
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: LoggableError;
};

const causesMax = 3;
const framesMax = 20;

export const toLoggableError = (error: unknown, causesLeft = causesMax): LoggableError => {
  if (!isError(error)) return { type: typeof error };
  const message = loggableMessage(error);
  const constraint = isDatabaseError(error) ? textIn(error, 'constraint') : undefined;
  const code = textIn(error, 'code');
  const stack = getStackFrames(error.stack ?? '');
  return {
    type: typeOf(error),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(constraint !== undefined && { constraint }),
    ...(stack !== '' && { stack }),
    ...(error.cause !== undefined && causesLeft > 0 && { cause: toLoggableError(error.cause, causesLeft - 1) }),
  };
};

/** The same in a few words, for a line that names a reason. */
export const toLoggableReason = (error: unknown): string => {
  const { type, code, message } = toLoggableError(error, 0);
  return message ?? (code === undefined ? type : `${type} ${code}`);
};

/** The lines of a stack that say where, without those of the message. */
export const getStackFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => framePattern.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim())
    .join('\n');
const framePattern = /^ {4}at .*(?::\d+:\d+\)?|\(native\)|<anonymous>\)?)$/;

/** Errors of Node are of another realm under a test runner. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/** The name of the class, since `name` can be set to anything. */
const typeOf = (error: Error): string => error.constructor.name;

const textIn = (error: object, member: string): string | undefined => {
  const value: unknown = Reflect.get(error, member);
  return typeof value === 'string' && value !== '' && value.length <= 128 ? value : undefined;
};

const isDatabaseError = (error: Error): boolean =>
  textIn(error, 'severity') !== undefined && /^[0-9A-Z]{5}$/.test(textIn(error, 'code') ?? '');

/** Classes of SQLSTATE whose messages name objects of the schema or the state of the server. */
const loggableStates = /^(?:08|23|25|26|28|3D|3F|40|42|53|54|55|57|58)/;

/** What the pool and its connections say of themselves. */
const loggableMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;

const loggableMessage = (error: Error): string | undefined => {
  if (error instanceof LoggableMessageError) return error.message;
  const isPlain = isDatabaseError(error)
    ? loggableStates.test(textIn(error, 'code') ?? '')
    : textIn(error, 'syscall') !== undefined || loggableMessages.test(error.message);
  return isPlain ? error.message : undefined;
};
