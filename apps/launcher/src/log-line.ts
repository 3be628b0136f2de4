/**
 * Formats a service's JSON log line for a person: level, message and the other members as `name=value`. Other lines stay as
 * they are.
 */
import { timeOfDay } from '../bin/output.mjs';

type LogRecord = Readonly<Record<string, unknown>>;

/** The ids of the trace are for programs. */
const omittedMembers = new Set(['level', 'time', 'service', 'pid', 'traceId', 'spanId', 'msg']);

const parseRecord = (text: string): LogRecord | undefined => {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'msg' in value && 'level' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const plainText = (value: unknown): string =>
  typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);

/** Stacks of errors go below the line, as they were written. */
const stackOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
    ? `\n${value.stack}`
    : '';

const withoutStack = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { ...value, stack: undefined } : value;

/** Whether a line is one of a log of ours. */
export const isLogRecord = (text: string): boolean => parseRecord(text) !== undefined;

/** The line in words, and its time of day where this is; another line has none. */
export const parseLogLine = (text: string): { readonly words: string; readonly time: string | undefined } => {
  const record = parseRecord(text);
  if (record === undefined) return { words: text, time: undefined };
  const written = Date.parse(String(record['time']));
  const rest = Object.entries(record).filter(([name]) => !omittedMembers.has(name));
  const facts = rest.map(
    ([name, value]) => `${name}=${plainText(stackOf(value) === '' ? value : withoutStack(value))}`,
  );
  const words = [String(record['level']).padEnd(5), String(record['msg']), ...facts].join(' ');
  return {
    words: words + rest.map(([, value]) => stackOf(value)).join(''),
    time: Number.isNaN(written) ? undefined : timeOfDay(new Date(written)),
  };
};
