/**
 * A request body as one JSON value. What is wrong is said with its position.
 * Refuses: text that is not UTF-8, nesting deeper than 64, and members called `__proto__`.
 */
import { fail, succeed, type Failure, type Result } from '@tessera/failures';
import { jsonFaultOf } from './json-fault.js';

export const depthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** An empty body is no value: undefined. */
export const parseJsonBody = (bytes: Uint8Array): Result<unknown> => {
  if (bytes.length === 0) return succeed(undefined);
  if (depthOf(bytes) > depthMax) return malformed(`The body is nested deeper than ${depthMax} levels.`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('The body is not UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { position, line, column, expected } = jsonFaultOf(text);
    const message = `The body is not JSON: at line ${line}, column ${column} ${expected} was expected.`;
    return malformed(message, { faults: [{ in: 'body', path: '', message, rule: 'json', position }] });
  }
  if (/__proto__|\\u005f/i.test(text) && hasPrototypeMember(value))
    return malformed('The body has a member "__proto__", which is not accepted.');
  return succeed(value);
};

const malformed = (detail: string, more: Partial<Failure> = {}) => fail('GENERAL_BODY_MALFORMED', detail, more);

const quote = 0x22;
const backslash = 0x5c;

/** The deepest nesting of brackets outside of strings; a parser need not have run. */
const depthOf = (bytes: Uint8Array): number => {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (quoted) {
      if (byte === backslash) index++;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
};

const hasPrototypeMember = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeMember));
