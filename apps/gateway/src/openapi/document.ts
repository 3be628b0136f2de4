/**
 * OpenAPI 3.1 of everything that is served, from the contracts of the served routes and from nothing else.
 * Refuses: texts that are written only for the document.
 */
import {
  pathMembersOf,
  rateLimitHeaders,
  retryAfterHeader,
  security,
  securitySchemes,
  takesIdempotencyKey,
  type HttpBinding,
  type HttpOperation,
  type Owner,
} from '@tessera/contracts';
import { productVersion } from '@tessera/service-kit';
import { addFailureSchemas, failureResponsesOf, headersOf, refersTo } from './failure-responses.js';
import { isSchemas, SchemaCollection, type Schema } from './schemas.js';

const tags: Readonly<Record<Owner, string>> = {
  gateway: 'Administration',
  'content-repo': 'Content repository',
  'tool-gateway': 'Agent tools',
  agents: 'Agents',
  'knowledge-models': 'Knowledge models',
};

const components = {
  securitySchemes,
  headers: {
    'X-Request-Id': {
      description: 'Id of the request: taken over when one was sent, else made.',
      schema: { type: 'string' },
    },
    ...rateLimitHeaders,
    'Retry-After': retryAfterHeader,
    'Idempotency-Replayed': {
      description: 'Under the Idempotency-Key this was answered before; nothing was done again.',
      schema: { type: 'string', enum: ['true'] },
    },
    ETag: {
      description: 'Send it in If-None-Match to be told that nothing has changed.',
      schema: { type: 'string' },
    },
    'OData-Version': { description: 'Of the answer.', schema: { type: 'string', enum: ['4.0', '4.01'] } },
    Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
    'WWW-Authenticate': { description: 'The schemes that are accepted.', schema: { type: 'string' } },
  },
};

export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: Readonly<Record<string, object>>;
};

export const documentOf = (operations: readonly HttpOperation[], publicUrl: string): OpenApiDocument => {
  const schemas = new SchemaCollection();
  addFailureSchemas(schemas);
  const replies = new Map(operations.map((operation) => [operation.name, responseOf(operation, schemas)]));
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of operations) {
    (paths[operation.http.path] ??= {})[operation.http.method] = describe(
      operation,
      replies.get(operation.name) ?? {},
      schemas,
    );
  }
  const owners = new Set(operations.map(({ owner }) => tags[owner]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: productVersion,
      description: 'Content repository, agent tools, agents and knowledge models behind one address.',
    },
    servers: [{ url: publicUrl }],
    tags: [...owners].map((name) => ({ name })),
    security,
    paths,
    components: { ...components, schemas: schemas.all() },
  };
};

const describe = (operation: HttpOperation, reply: Schema, schemas: SchemaCollection): Schema => {
  const request = schemas.add(operation.request, 'input');
  const { name, summary, description, scope, owner, http } = operation;
  return {
    operationId: name,
    tags: [tags[owner]],
    summary,
    description: [description, `Needs the scope \`${scope}\`.`].filter((part) => part !== undefined).join('\n\n'),
    'x-scope': scope,
    parameters: parametersOf(operation, request),
    ...bodyOf(http, request),
    responses: {
      200: reply,
      ...(http.isMcp && { 202: taken }),
      ...(isConditional(operation) && { 304: unchanged }),
      ...failureResponsesOf(operation),
    },
  };
};

/** What a service reads as text is JSON of a protocol to its clients. */
const bodyOf = ({ body, isTextBody }: HttpBinding, request: Schema): Schema => {
  const member = body === undefined ? undefined : membersOf(request)[body];
  if (body === undefined || member === undefined) return {};
  const { type: _text, default: _none, ...described } = member;
  return {
    requestBody: {
      required: isTextBody === true || requiredOf(request).includes(body),
      content: { 'application/json': { schema: isTextBody ? described : member } },
    },
  };
};

const taken: Schema = { description: 'Taken; there is nothing to answer.', headers: headersOf(202, false) };

/** Whether answers carry an ETag and may be asked for only when they have changed. */
const isConditional = ({ http }: HttpOperation): boolean => Object.values(http.headers ?? {}).includes('if-none-match');

const unchanged: Schema = {
  description: 'What the caller has is still right.',
  headers: { ...headersOf(304, false), ...refersTo('ETag') },
};

const parametersOf = ({ http }: HttpOperation, request: Schema): readonly Schema[] => {
  const required = requiredOf(request);
  const pathMembers = pathMembersOf(http);
  return Object.entries(membersOf(request)).flatMap(([member, { description, explode, ...schema }]) => {
    if (member === http.body) return [];
    const header = http.headers?.[member];
    const place = header === undefined ? (pathMembers.includes(member) ? 'path' : 'query') : 'header';
    return [
      {
        name: header ?? member,
        in: place,
        required: place === 'path' || required.includes(member),
        ...(description !== undefined && { description }),
        schema,
        ...(place === 'query' && schema['type'] === 'array' && { style: 'form', explode: explode === true }),
      },
    ];
  });
};

const responseOf = (operation: HttpOperation, schemas: SchemaCollection): Schema => {
  const { reply } = operation;
  const isRendered = 'kind' in reply;
  const schema = schemas.add(isRendered ? reply.schema : reply, 'output');
  const mediaTypes = isRendered ? reply.mediaTypes : ['application/json'];
  const content = mediaTypes.map((mediaType) => [
    mediaType.split(';')[0],
    { schema: mediaType === 'text/event-stream' ? events : schema },
  ]);
  return {
    description: 'As asked for.',
    headers: {
      ...headersOf(200, takesIdempotencyKey(operation)),
      ...(isConditional(operation) && refersTo('ETag')),
      ...(operation.http.isOData && refersTo('OData-Version')),
    },
    content: Object.fromEntries(content),
  };
};

/** Of what kinds they are says the operation. */
const events: Schema = { type: 'string', description: 'Server-sent events; the data of each is one JSON document.' };

const requiredOf = ({ required }: Schema): readonly unknown[] => (Array.isArray(required) ? required : []);

const membersOf = ({ properties }: Schema): Readonly<Record<string, Schema>> =>
  isSchemas(properties) ? properties : {};
