/**
 * Does the payload fit the operation's request? Answers the parsed request, or its faults, as many as are told. A large one
 * is read in slices.
 */
import {
  hasMoreValuesThan,
  parseSliced,
  pathParameterNames,
  type Operation,
  type SlicedParseResult,
} from '@tessera/contracts';
import { runInSlices, type SlicedWork } from '@tessera/fair-queue';
import { fail, succeed, type Fault, type Result } from '@tessera/failures';
import { parseJsonSliced } from './parse-json-sliced.js';
import { decodeText, parseJson } from './wire.js';

/** Which part of the HTTP request a member comes from; without HTTP the request is one body. */
const requestPartOf = ({ http }: Operation, member: string): string => {
  if (http === undefined || member === http.body) return 'body';
  if (http.headers !== undefined && Object.hasOwn(http.headers, member)) return 'header';
  return pathParameterNames(http).includes(member) ? 'path' : 'query';
};

type ValidationResult = Result<Record<string, unknown>>;

type Issues = Extract<SlicedParseResult<unknown>, { readonly success: false }>['issues'];

/** A shorter text, and a value with fewer values in it, is read at once; the same bounds as at the edge. */
const shortBytes = 16 * 1024;
const valuesAtOnce = 100;

/** `team`: that of the caller. */
export const validateRequest = (
  operation: Operation,
  payload: Uint8Array,
  team: string,
): ValidationResult | Promise<ValidationResult> => {
  const text = decodeText(payload);
  const value = payload.length <= shortBytes ? parseJson(text) : undefined;
  if (payload.length > shortBytes || hasMoreValuesThan(value, valuesAtOnce))
    return runInSlices(validateSliced(operation, text), team);
  const parsed = operation.request.safeParse(value);
  return parsed.success ? succeed(parsed.data) : refusedRequest(operation, parsed.error.issues);
};

function* validateSliced(operation: Operation, text: string): SlicedWork<ValidationResult> {
  const parsed = yield* parseSliced(operation.request, yield* valueOf(text));
  return parsed.success ? succeed(parsed.data) : refusedRequest(operation, parsed.issues);
}

/** Undefined when it is no JSON. */
function* valueOf(text: string): SlicedWork<unknown> {
  try {
    return yield* parseJsonSliced(text);
  } catch {
    return undefined;
  }
}

const refusedRequest = (operation: Operation, issues: Issues): ValidationResult => {
  const faults = issues.map((issue): Fault => ({
    in: issue.path.length === 0 ? 'body' : requestPartOf(operation, String(issue.path[0])),
    path: issue.path.map(String).join('.'),
    message: issue.message,
    rule: issue.code,
  }));
  return fail('GENERAL_CONSTRAINT_VIOLATION', 'The request does not fit the operation.', { faults });
};
