/**
 * The request of a call: arguments go where the URL names them, the others into the query (GET, DELETE) or a JSON body.
 * Never lets an argument reach another path, or change what the URL says itself.
 */
import { createHash } from 'node:crypto';
import type { HttpRequestTool } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import type { OutgoingRequest } from '@tessera/outgoing-http';
import type { JsonObject } from '../tools/tool.js';
import { fillTemplate, getFixedQueryNames, type RequestTemplate } from './request-template.js';

const pathLengthMax = 8_000;

type Method = HttpRequestTool['request']['method'];
export const hasBody = (method: Method): boolean => method !== 'GET' && method !== 'DELETE';

type Call = {
  readonly method: Method;
  readonly template: RequestTemplate;
  readonly headers: Readonly<Record<string, string>>;
  readonly arguments_: JsonObject;
  readonly isReadOnly: boolean;
  readonly requestId: string;
  readonly team: string;
};

export const buildRequest = (call: Call): Result<OutgoingRequest> => {
  const { method, template, arguments_, requestId } = call;
  const rest = Object.entries(arguments_).filter(([name]) => !template.argumentNames.has(name));
  const query = hasBody(method)
    ? []
    : rest.flatMap(([name, value]) => textsOf(value).map((text) => [name, text] as const));
  const fixed = getFixedQueryNames(template);
  const taken = query.find(([name]) => fixed.has(name));
  if (taken)
    return invalidArgument(taken[0], 'expected another name; the address of the tool has an option of this name');
  const filled = fillTemplate(template, (argument) => textsOf(arguments_[argument]).join(','), query);
  if ('message' in filled) return invalidArgument(filled.argument, filled.message);
  if (filled.path.length > pathLengthMax)
    return invalidArgument('', `expected shorter arguments; the address has more than ${pathLengthMax} characters`);
  const body = hasBody(method) ? JSON.stringify(Object.fromEntries(rest)) : undefined;
  const headers = {
    accept: 'application/json, text/*;q=0.9, */*;q=0.1',
    'user-agent': 'tessera',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...lowerCase(call.headers),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...(/^[\x21-\x7e]{1,200}$/.test(requestId) && { 'x-request-id': requestId }),
    ...(!call.isReadOnly && { 'idempotency-key': idempotencyKeyOf(call, filled.path, body) }),
  };
  return succeed({ method, path: filled.path, headers, ...(body !== undefined && { body }) });
};

const invalidArgument = (argument: string, message: string): Result<never> =>
  fail('TOOL_ARGUMENTS_INVALID', 'An argument does not fit into the address of the tool.', {
    faults: [{ in: 'body', path: argument, rule: 'path', message }],
  });

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Lists are repeated; nothing is left out. */
const textsOf = (value: unknown): readonly string[] => {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
};

/** The same for the same call of the same request, so that the foreign system recognises a repetition. */
const idempotencyKeyOf = (
  { team, requestId, method, template }: Call,
  path: string,
  body: string | undefined,
): string =>
  createHash('sha256')
    .update(JSON.stringify([team, requestId, method, template.origin.href, path, body ?? '']))
    .digest('hex')
    .slice(0, 32);
