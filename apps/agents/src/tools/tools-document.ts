/** The OpenAPI document of an agent's tools as their caller sees them: one operation a tool. */
import {
  fillPath,
  rateLimitHeaders,
  retryAfterHeader,
  securityRequirements,
  securitySchemes,
} from '@tessera/contracts';
import { agentByIdPrefix, executeTool, type openApiVersions } from '@tessera/contracts/agents';
import { isSchemaObject, resolveReference } from '@tessera/json-schema';
import type { AgentVersion } from '../agents/agents.js';
import type { JsonObject } from '../models/model.js';
import type { AgentTool } from './agent-tool.js';
import { toOpenApiSchema } from './openapi-schema.js';
import { mapMembers, mapSubschemas } from './subschemas.js';

export type DocumentOptions = {
  readonly version: (typeof openApiVersions)[number];
  readonly publicUrl: string;
};

export const createToolsDocument = (
  { agentId, version, definition }: Pick<AgentVersion, 'agentId' | 'version' | 'definition'>,
  tools: readonly AgentTool[],
  options: DocumentOptions,
): JsonObject => {
  const address = fillPath({ path: agentByIdPrefix }, () => encodeURIComponent(agentId));
  const { name = agentId, description = '' } = definition;
  return {
    openapi: options.version === '3.0' ? '3.0.3' : '3.1.1',
    info: { title: name, ...(description !== '' && { description }), version: String(version) },
    servers: [{ url: `${options.publicUrl}${address}` }],
    tags: [{ name: tag, description: `The tools of ${name}.` }],
    security: securityRequirements,
    paths: Object.fromEntries(tools.map((tool) => [pathOf(tool.id), { post: operationOf(tool, version === 'draft') }])),
    components: { ...commonComponents, schemas: { ...commonComponents.schemas, ...schemasOf(tools, options.version) } },
  };
};

const tag = 'tools';
const { path } = executeTool.http;
const pathOf = (toolId: string): string => fillPath({ path: path.slice(agentByIdPrefix.length) }, () => toolId);

const operationOf = ({ id, title, description }: AgentTool, isDraft: boolean): JsonObject => ({
  operationId: id,
  tags: [tag],
  summary: title,
  ...(description !== '' && { description }),
  ...(isDraft && { parameters: [draftParameter] }),
  requestBody: { required: true, content: { 'application/json': { schema: reference('schemas', argumentsOf(id)) } } },
  responses: {
    '200': {
      description: 'What the tool answers.',
      headers: rateHeaders,
      content: { 'application/json': { schema: reference('schemas', resultOf(id)) } },
    },
    ...failureResponses,
  },
});

/** The document of a draft is one of the draft. */
const draftParameter: JsonObject = {
  name: 'draft' satisfies keyof (typeof executeTool)['request']['shape'],
  in: 'query',
  required: true,
  description: 'The draft of the agent instead of what is published.',
  schema: { type: 'boolean', enum: [true] },
};

/** Ids of tools have no dots, so no name stands for two schemas. */
const argumentsOf = (toolId: string): string => `${toolId}.arguments`;
const resultOf = (toolId: string): string => `${toolId}.result`;

const schemasOf = (tools: readonly AgentTool[], version: DocumentOptions['version']): JsonObject => {
  const schemas = tools.flatMap(({ id, inputSchema, outputSchema = freeResult }) => [
    hoistDefinitions(argumentsOf(id), inputSchema),
    hoistDefinitions(resultOf(id), outputSchema),
  ]);
  const all = Object.fromEntries(schemas.flatMap(Object.entries<JsonObject>));
  return version === '3.1' ? all : mapMembers(all, toOpenApiSchema);
};

const freeResult: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', description: 'The answer of a tool that answers a text.' } },
  additionalProperties: true,
};

/** Schemas by their name in the document: `name` itself, and `name.<definition>` for each that it refers to. */
const hoistDefinitions = (name: string, root: JsonObject): Readonly<Record<string, JsonObject>> => {
  const schemas: Record<string, JsonObject> = {};
  const hoist = (as: string, schema: JsonObject): void => {
    if (Object.hasOwn(schemas, as)) return;
    // It may refer to itself.
    schemas[as] = {};
    schemas[as] = without(schema);
  };
  const without = ({ $schema: _dialect, $defs: _definitions, ...schema }: JsonObject): JsonObject => {
    const inner = mapSubschemas(schema, (value) => (isSchemaObject(value) ? without(value) : value));
    const { $ref: reference, ...rest } = inner;
    if (typeof reference !== 'string') return inner;
    const target = resolveReference(root, reference);
    if (target === undefined) return rest;
    const as = `${name}.${reference.slice('#/$defs/'.length)}`;
    hoist(as, target);
    return { $ref: `#/components/schemas/${as}`, ...rest };
  };
  hoist(name, root);
  return schemas;
};

const reference = (kind: 'schemas' | 'headers' | 'responses', name: string): JsonObject => ({
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

const rateHeaders: JsonObject = Object.fromEntries(
  Object.keys(rateLimitHeaders).map((name) => [name, reference('headers', name)]),
);

const headersOf = (status: string): JsonObject => ({
  ...(status !== '401' && rateHeaders),
  ...((status === '429' || status === '503') && { 'Retry-After': reference('headers', 'Retry-After') }),
});

/** By status, as references. */
const failureResponses: JsonObject = Object.fromEntries(
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

const commonComponents = { headers, responses, securitySchemes, schemas: { Problem } };
