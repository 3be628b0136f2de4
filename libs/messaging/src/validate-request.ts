/**
 * Does the payload fit the operation's request? Answers the parsed request or every fault at once.
 * Refuses: text coercion, which is the edge's.
 */
import { pathMembersOf, type Operation } from '@tessera/contracts';
import { fail, succeed, type Fault, type Result } from '@tessera/failures';
import { decodeText, parseJson } from './wire.js';

/** Which part of the HTTP request a member comes from; without HTTP the request is one body. */
const partOf = ({ http }: Operation, member: string): string => {
  if (http === undefined || member === http.body) return 'body';
  if (http.headers !== undefined && Object.hasOwn(http.headers, member)) return 'header';
  return pathMembersOf(http).includes(member) ? 'path' : 'query';
};

export const validateRequest = (operation: Operation, payload: Uint8Array): Result<Record<string, unknown>> => {
  const parsed = operation.request.safeParse(parseJson(decodeText(payload)));
  if (parsed.success) return succeed(parsed.data);
  const faults = parsed.error.issues.map((issue): Fault => ({
    in: issue.path.length === 0 ? 'body' : partOf(operation, String(issue.path[0])),
    path: issue.path.map(String).join('.'),
    message: issue.message,
    rule: issue.code,
  }));
  return fail('GENERAL_CONSTRAINT_VIOLATION', 'The request does not fit the operation.', { faults });
};
