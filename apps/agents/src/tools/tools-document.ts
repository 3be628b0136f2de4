/** The OpenAPI document of an agent's tools as their caller sees them: one operation a tool. */
import { fillPath, security } from '@tessera/contracts';
import { agentPrefix, executeTool, type specVersions } from '@tessera/contracts/agents';
import type { AgentVersion } from '../agents/agent-version.js';
import type { JsonObject } from '../models/model.js';
import type { AgentTool } from './agent-tool.js';
import { commonComponents, failureResponses, rateHeaders, reference } from './document-parts.js';
import { hoistDefinitions } from './hoist-definitions.js';
import { mapMembers } from './subschemas.js';
import { openApiSchema } from './openapi-schema.js';

export type DocumentOptions = {
  readonly version: (typeof specVersions)[number];
  readonly publicUrl: string;
};

export const toolsDocument = (
  { agentId, version, definition }: Pick<AgentVersion, 'agentId' | 'version' | 'definition'>,
  tools: readonly AgentTool[],
  options: DocumentOptions,
): JsonObject => {
  const address = fillPath({ path: agentPrefix }, () => encodeURIComponent(agentId));
  const { name = agentId, description = '' } = definition;
  return {
    openapi: options.version === '3.0' ? '3.0.3' : '3.1.1',
    info: { title: name, ...(description !== '' && { description }), version: String(version) },
    servers: [{ url: `${options.publicUrl}${address}` }],
    tags: [{ name: tag, description: `The tools of ${name}.` }],
    security,
    paths: Object.fromEntries(tools.map((tool) => [pathOf(tool.id), { post: operationOf(tool, version === 'draft') }])),
    components: { ...commonComponents, schemas: { ...commonComponents.schemas, ...schemasOf(tools, options.version) } },
  };
};

const tag = 'tools';
const { path } = executeTool.http;
const pathOf = (toolId: string): string => fillPath({ path: path.slice(agentPrefix.length) }, () => toolId);

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
  return version === '3.1' ? all : mapMembers(all, openApiSchema);
};

const freeResult: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', description: 'The answer of a tool that answers a text.' } },
  additionalProperties: true,
};
