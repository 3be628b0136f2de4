/**
 * What the specification of every model has alike: credentials, failures, headers of the rate limit, parameters that name
 * nothing of the model.
 */
import { rateLimitHeaders, retryAfterHeader, securitySchemes } from '@tessera/contracts';
import { readModelQuery } from '@tessera/contracts/knowledge-models';
import { memberSchemasOf, createComponentRef, type Schema } from './schema.js';

const errorSchemaName = 'errorDTO';

const failures: readonly (readonly [string, string, string])[] = [
  ['400', 'BadRequest', 'The request has a fault; `detail` says which and what is accepted.'],
  ['401', 'Unauthorized', 'The credential is missing or not valid.'],
  ['403', 'Forbidden', 'The credential lacks the scope `knowledge-models:read`.'],
  ['404', 'NotFound', 'The model or the record is not there.'],
  ['429', 'TooManyRequests', 'The limit of requests per hour is reached.'],
  ['500', 'InternalError', 'Something went wrong that should not.'],
  ['503', 'Unavailable', 'The service is down, busy or late.'],
];

const headers = { ...rateLimitHeaders, 'Retry-After': retryAfterHeader };

export const rateLimitHeaderRefs: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, createComponentRef('headers', name)]),
);

/** By status, as references. */
export const failureResponseRefs: Readonly<Record<string, Schema>> = Object.fromEntries(
  failures.map(([status, name]) => [status, createComponentRef('responses', name)]),
);

const headersOf = (status: string): Schema => {
  const rated = status === '401' ? {} : rateLimitHeaderRefs;
  return status === '429' || status === '503'
    ? { ...rated, 'Retry-After': createComponentRef('headers', 'Retry-After') }
    : rated;
};

const responses: Readonly<Record<string, Schema>> = Object.fromEntries(
  failures.map(([status, name, description]) => [
    name,
    {
      description,
      headers: headersOf(status),
      content: { 'application/problem+json': { schema: createComponentRef('schemas', errorSchemaName) } },
    },
  ]),
);

const errorSchema: Schema = {
  type: 'object',
  required: ['title', 'status', 'detail', 'errorCode', 'type'],
  properties: {
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong and the way out.' },
    errorCode: { type: 'string', description: 'Programs decide by it.' },
    type: { type: 'string', format: 'uri-reference' },
    error: { type: 'string', description: 'With status 401 only.' },
  },
};

const sharedNames = ['page', 'pageSize', 'filterExpr', 'options', 'searchTerm', 'searchPrecision'];

/** The parameters of a query of the model, those of a query of a record among them, as the contract says them. */
export const queryParameterSchemas = memberSchemasOf(readModelQuery.request);

export const toQueryParameter = (name: string, { description, explode, ...schema }: Schema): Schema => ({
  name,
  in: 'query',
  ...(description !== undefined && { description }),
  schema,
  ...(schema['type'] === 'array' && { style: 'form', explode: explode === true }),
});

const parameters: Readonly<Record<string, Schema>> = Object.fromEntries(
  sharedNames.map((name) => [name, toQueryParameter(name, queryParameterSchemas[name] ?? {})]),
);

/** Of what every query takes; a search only where there is something to search. */
export const listSharedParameterRefs = (isSearchable: boolean): readonly Schema[] =>
  sharedNames
    .filter((name) => isSearchable || !name.startsWith('search'))
    .map((name) => createComponentRef('parameters', name));

export const commonComponents = { headers, responses, securitySchemes, parameters } as const;
export const commonSchemas: Readonly<Record<string, Schema>> = { [errorSchemaName]: errorSchema };
