/**
 * A request body as one JSON value, read in steps. What is wrong is said with its position: text that is not UTF-8 or not
 * JSON, nesting deeper than 64, and members called `__proto__`.
 */
import type { Sliced } from '@tessera/fair-queue';
import { fail, succeed, type Failure, type Result } from '@tessera/failures';
import { membersMax, parseJsonSliced } from '@tessera/messaging';
import { jsonFaultOf } from './json-fault.js';

export const depthMax = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** An empty body is no value: undefined. */
export function* parseJsonBody(bytes: Uint8Array): Sliced<Result<unknown>> {
  if (bytes.length === 0) return succeed(undefined);
  yield;
  if (depthOf(bytes) > depthMax) return malformed(`The body is nested deeper than ${depthMax} levels.`);
  yield;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformed('The body is not UTF-8.');
  }
  let value: unknown;
  try {
    let isCut = false;
    value = yield* parseJsonSliced(text, () => (isCut = true));
    if (isCut && typeof value === 'object' && value !== null) cutBodies.add(value);
  } catch {
    const { position, line, column, expected } = yield* jsonFaultOf(text);
    const message = `The body is not JSON: at line ${line}, column ${column} ${expected} was expected.`;
    return malformed(message, { faults: [{ in: 'body', path: '', message, rule: 'json', position }] });
  }
  yield;
  // Each of its letters may be written as an escape.
  if (/__proto__|\\u00[5-7]/i.test(text) && (yield* hasPrototypeMember(value)))
    return malformed('The body has a member "__proto__", which is not accepted.');
  return succeed(value);
}

const cutBodies = new WeakSet<object>();

/** What is wrong with a body of which not all was kept, when all that was kept is right. */
export const faultOfCut = (body: unknown): Failure | undefined =>
  typeof body === 'object' && body !== null && cutBodies.has(body)
    ? fail('GENERAL_CONSTRAINT_VIOLATION', `An object in the body has more than ${membersMax} members.`).failure
    : undefined;

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

function* hasPrototypeMember(value: unknown): Sliced<boolean> {
  if (typeof value !== 'object' || value === null) return false;
  yield;
  if (Object.hasOwn(value, '__proto__')) return true;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value))
    if (yield* hasPrototypeMember(Reflect.get(value, name))) return true;
  return false;
}
