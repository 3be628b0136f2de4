/** The shared parts of the OpenAPI documents: credentials, failures, rate limit headers. */
import { rateLimitHeaders, retryAfterHeader, securitySchemes } from '@tessera/contracts';
import type { JsonObject } from '../models/model.js';

export const reference = (kind: 'schemas' | 'headers' | 'responses', name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
});

const failures: readonly (readonly [status: string, name: string, description: string])[] = [
  ['400', 'BadRequest', 'The arguments do not fit; `detail` says what was expected.'],
  ['401', 'Unauthorized', 'The credential is missing or not valid.'],
  ['403', 'Forbidden', 'The credential lacks a scope; `detail` names it.'],
  ['404', 'NotFound', 'The agent or the tool is not there.'],
  [
    '429',
    'TooManyRequests',
    'A limit is reached: the requests of the credential in an hour, or the calls of the tools in a minute.',
  ],
  ['500', 'InternalError', 'Something went wrong that should not.'],
  ['503', 'Unavailable', 'A service is down, busy or late.'],
  ['default', 'Failure', 'Any other failure, such as a foreign system that failed behind the tool.'],
];

const headers = { ...rateLimitHeaders, 'Retry-After': retryAfterHeader };

export const rateHeaders: JsonObject = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, reference('headers', name)]),
);

const headersOf = (status: string): JsonObject => ({
  ...(status !== '401' && rateHeaders),
  ...((status === '429' || status === '503') && { 'Retry-After': reference('headers', 'Retry-After') }),
});

/** By status, as references. */
export const failureResponses: JsonObject = Object.fromEntries(
  failures.map(([status, name]) => [status, reference('responses', name)]),
);

const problemContent = { 'application/problem+json': { schema: reference('schemas', 'Problem') } };
const responses: JsonObject = Object.fromEntries(
  failures.map(([status, name, description]) => [
    name,
    { description, headers: headersOf(status), content: problemContent },
  ]),
);

const Problem: JsonObject = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri-reference', default: 'about:blank' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 100, maximum: 599 },
    detail: { type: 'string', description: 'What was wrong and the way out.' },
    instance: { type: 'string', format: 'uri-reference' },
    code: { type: 'string', description: 'Programs decide by it.' },
    next: { type: 'string', description: 'What to do next.' },
  },
};

export const commonComponents = { headers, responses, securitySchemes, schemas: { Problem } };
