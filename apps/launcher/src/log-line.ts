/**
 * Formats a service's JSON log line for a person: time, level, message and the other members as `name=value`. Other
 * lines stay as they are.
 */
type LogRecord = Readonly<Record<string, unknown>>;

const timeOfDay = /T(\d\d:\d\d:\d\d)/;
const omittedMembers = new Set(['level', 'time', 'service', 'pid', 'msg']);

const parseRecord = (text: string): LogRecord | undefined => {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'msg' in value && 'level' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const plain = (value: unknown): string =>
  typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);

/** Stacks of errors go below the line, as they were written. */
const stackOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
    ? `\n${value.stack}`
    : '';

const withoutStack = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { ...value, stack: undefined } : value;

export const readableLine = (text: string): string => {
  const record = parseRecord(text);
  if (record === undefined) return text;
  const time = timeOfDay.exec(String(record['time']))?.[1] ?? '';
  const rest = Object.entries(record).filter(([name]) => !omittedMembers.has(name));
  const facts = rest.map(([name, value]) => `${name}=${plain(stackOf(value) === '' ? value : withoutStack(value))}`);
  const head = [time, String(record['level']).padEnd(5), String(record['msg']), ...facts].filter((part) => part !== '');
  return head.join(' ') + rest.map(([, value]) => stackOf(value)).join('');
};
