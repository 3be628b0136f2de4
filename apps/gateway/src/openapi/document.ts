/** OpenAPI 3.1 of everything that is served, from the contracts of the served routes alone. */
import { applyDecorators, SetMetadata, type INestApplication } from '@nestjs/common';
import { ApiExtension, ApiOperation, DocumentBuilder, SwaggerModule, DECORATORS } from '@nestjs/swagger';
import {
  examplePublicUrl,
  pathParameterNames,
  rateLimitHeaders,
  retryAfterHeader,
  securityRequirements,
  securitySchemes,
  acceptsIdempotencyKey,
  type HttpOperation,
  type OwningService,
} from '@tessera/contracts';
import { examples } from '@tessera/contracts/examples';
import { productVersion } from '@tessera/service-kit';
import {
  addFailureSchemas,
  failureResponsesOf,
  responseHeadersOf,
  createHeaderReferences,
} from './failure-responses.js';
import { isSchemaRecord, SchemaCollection, type ResponseObject, type Schema } from './schemas.js';

const tagByOwner: Readonly<Record<OwningService, string>> = {
  'content-repo': 'Content repository',
  'knowledge-models': 'Knowledge models',
  'tool-gateway': 'Agent tools',
  agents: 'Agents',
  gateway: 'Administration',
};

const commonComponents = {
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
    'X-Total-Count': { description: 'How many entries there are on all pages.', schema: { type: 'integer' } },
    Link: {
      description: 'The address of the next page, as `<https://...>; rel="next"`; absent on the last one.',
      schema: { type: 'string' },
    },
    'OData-Version': { description: 'Of the answer.', schema: { type: 'string', enum: ['4.0', '4.01'] } },
    Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
    'WWW-Authenticate': { description: 'The schemes that are accepted.', schema: { type: 'string' } },
  },
};

const schemas = new SchemaCollection();
addFailureSchemas(schemas);

/** Describes the operation of a controller method as its contract declares it. */
export const ApiContract = (operation: HttpOperation): MethodDecorator => {
  const { name, summary, description, scope, owner, http } = operation;
  const request = schemas.add(operation.request, 'input');
  const describe = ApiOperation({
    operationId: name,
    tags: [tagByOwner[owner]],
    summary,
    description: [description, scope === 'none' ? 'Needs no scope.' : `Needs the scope \`${scope}\`.`]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    ...bodyOf(operation, request),
    responses: {
      200: responseOf(operation),
      ...(http.isMcp && { 202: acceptedResponse }),
      ...(http.method === 'get' && isConditional(operation) && { 304: notModifiedResponse }),
      ...failureResponsesOf(operation),
    },
  });
  // What @ApiParam, @ApiQuery and @ApiHeader add to, one by one, with members of their own.
  return applyDecorators(
    describe,
    ApiExtension('x-scope', scope),
    SetMetadata(DECORATORS.API_PARAMETERS, parametersOf(operation, request)),
  );
};

/** In the order in which people read them; Nest sorts them by name. */
const operationMembers = [
  'operationId',
  'tags',
  'summary',
  'description',
  'x-scope',
  'parameters',
  'requestBody',
  'responses',
];

const mapMembers = (value: object, map: (member: object) => object): object =>
  Object.fromEntries(Object.entries(value).map(([name, member]: [string, object]) => [name, map(member)]));

const inMemberOrder = (described: object): Schema => {
  const members = new Map<string, unknown>(Object.entries(described));
  return Object.fromEntries(
    operationMembers.flatMap((name) => {
      if (!members.has(name)) return [];
      const value = members.get(name);
      const isParameters = name === 'parameters' && Array.isArray(value);
      return [[name, isParameters ? withExamples(String(members.get('operationId')), value) : value]];
    }),
  );
};

/**
 * Nest drops the examples of parameters, so they come last. They are one request that works, which /docs fills in; parameters that
 * go with no others have theirs in the schema, where readers see them.
 */
const withExamples = (operation: string, described: readonly Schema[]): readonly Schema[] => {
  const { parameters = {}, further = {} } = examples[operation] ?? {};
  return described.map((parameter) => {
    const { name, schema } = parameter;
    if (typeof name !== 'string') return parameter;
    if (name in parameters) return { ...parameter, example: parameters[name] };
    const isFurther = name in further && typeof schema === 'object';
    return isFurther ? { ...parameter, schema: { ...schema, examples: [further[name]] } } : parameter;
  });
};

/** The JSON of /openapi.json: the operations of all controllers. */
export const createOpenApiDocument = (app: INestApplication, publicUrl: string): string => {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tessera')
    .setDescription('Content repository, agent tools, agents and knowledge models behind one address.')
    .setVersion(productVersion)
    .addServer(publicUrl)
    .build();
  const { openapi, info, servers, paths } = SwaggerModule.createDocument(app, config, { autoTagControllers: false });
  return schemas
    .complete({
      openapi,
      info: { title: info.title, version: info.version, description: info.description },
      servers,
      tags: Object.values(tagByOwner).map((name) => ({ name })),
      security: securityRequirements,
      paths: mapMembers(paths, (methods) => mapMembers(methods, inMemberOrder)),
      components: commonComponents,
    })
    .replaceAll(examplePublicUrl, publicUrl);
};

/** What a service reads as text is JSON of a protocol to its clients. */
const bodyOf = ({ name, http: { body, isTextBody } }: HttpOperation, request: Schema): Schema => {
  const example = examples[name]?.body;
  const member = body === undefined ? undefined : membersOf(request)[body];
  if (body === undefined || member === undefined) return {};
  const { type: _text, default: _none, ...described } = member;
  return {
    requestBody: {
      required: isTextBody === true || requiredOf(request).includes(body),
      content: {
        'application/json': {
          schema: isTextBody ? described : member,
          ...(example !== undefined && { example }),
        },
      },
    },
  };
};

const acceptedResponse: ResponseObject = {
  description: 'Taken; there is nothing to answer.',
  headers: responseHeadersOf(202, false),
};

/** Whether answers carry an ETag and may be asked for only when they have changed. */
const isConditional = ({ http }: HttpOperation): boolean => Object.values(http.headers ?? {}).includes('if-none-match');

const notModifiedResponse: ResponseObject = {
  description: 'What the caller has is still right.',
  headers: { ...responseHeadersOf(304, false), ...createHeaderReferences('ETag') },
};

const parametersOf = ({ http }: HttpOperation, request: Schema): readonly Schema[] => {
  const required = requiredOf(request);
  const pathMembers = pathParameterNames(http);
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
        ...(place === 'query' && schema['type'] === 'object' && { style: 'form', explode: true }),
        // Each of its members is a parameter of its own.
        ...(place === 'query' && schema['type'] === 'object' && { style: 'form', explode: true }),
      },
    ];
  });
};

const responseOf = (operation: HttpOperation): ResponseObject => {
  const { reply } = operation;
  const isRendered = 'kind' in reply;
  const schema = schemas.add(isRendered ? reply.schema : reply, 'output');
  const mediaTypes = isRendered ? reply.mediaTypes : ['application/json'];
  const answers = examples[operation.name]?.answers ?? {};
  const content = mediaTypes.map((mediaType) => {
    const [type = ''] = mediaType.split(';');
    return [type, { schema: contentSchemas.get(type) ?? schema, ...(type in answers && { example: answers[type] }) }];
  });
  return {
    description: 'As asked for.',
    headers: {
      ...responseHeadersOf(200, acceptsIdempotencyKey(operation)),
      ...(isConditional(operation) && createHeaderReferences('ETag')),
      ...('$page' in operation.request.shape && createHeaderReferences('X-Total-Count', 'Link')),
      ...(operation.http.isOData && createHeaderReferences('OData-Version')),
    },
    content: Object.fromEntries(content),
  };
};

/** Of media types that are no JSON. Of what kinds events are says the operation. */
const contentSchemas: ReadonlyMap<string, Schema> = new Map([
  ['text/event-stream', { type: 'string', description: 'Server-sent events; the data of each is one JSON document.' }],
  ['text/csv', { type: 'string', description: 'A line of ids, then a line for each row (RFC 4180).' }],
]);

const requiredOf = ({ required }: Schema): readonly unknown[] => (Array.isArray(required) ? required : []);

const membersOf = ({ properties }: Schema): Readonly<Record<string, Schema>> =>
  isSchemaRecord(properties) ? properties : {};
