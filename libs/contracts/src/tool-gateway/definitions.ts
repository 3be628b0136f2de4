/**
 * An asset of agent tools as a workspace file states it. Rules that span members (duplicate tools, placeholders without an
 * argument, invalid schemas, unknown models) are checks of the tool gateway.
 */
import { z } from 'zod';
import { definitionId, description, displayName, jsonSchemaMember, storableText } from '../definition-parts.js';

export const toolId = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'expected an id: a letter, then letters, digits, _ or -, at most 64');

/** A call names a tool with `-` and `_` as it likes. */
export const normaliseToolId = (id: string): string => id.replaceAll('_', '-');

const toolMembers = {
  id: toolId,
  name: displayName.optional().describe('What people read; the id when absent.'),
  description: description.optional().describe('What a language model reads; that of the kind when absent.'),
};
const knowledgeModel = definitionId.describe('The knowledge model that the tool asks.');

const knowledgeModelToolSchema = <Kind extends string>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), ...toolMembers, knowledgeModel });

const FindContentTool = z.strictObject({
  kind: z.literal('find-content'),
  ...toolMembers,
  storage: z
    .string()
    .regex(/^[^/\s]{1,64}\/[^/\s]{1,64}$/, 'expected a storage of the team: collection/storage')
    .describe('The storage that is searched: `collection/storage`.'),
});

const requestMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

export const HttpRequestTool = z.strictObject({
  kind: z.literal('http-request'),
  ...toolMembers,
  request: z.strictObject({
    method: z.enum(requestMethods),
    url: storableText(2_000)
      .min(1)
      .describe(
        'https, with a fixed host; `{argument}` in path and query stands for an argument. Further arguments become the query of GET and DELETE, and the JSON body of the others.',
      ),
    headers: z
      .record(z.string().regex(headerName, 'expected the name of a header'), storableText(2_000))
      .refine((headers) => Object.keys(headers).length <= 50, 'expected at most 50 headers')
      .optional()
      .describe('`{secret:NAME}` stands for a secret that the operator has given to the team and the host.'),
  }),
  inputSchema: jsonSchemaMember('The arguments'),
  outputSchema: jsonSchemaMember('What the answer has to fit; members that it does not know are left out').optional(),
  isReadOnly: z
    .boolean()
    .optional()
    .describe('Whether calls change nothing, so that one may be made again; when absent, true for GET alone.'),
});

export const ToolDefinition = z
  .discriminatedUnion('kind', [
    knowledgeModelToolSchema('search-data'),
    knowledgeModelToolSchema('load-data'),
    knowledgeModelToolSchema('get-knowledge-model'),
    knowledgeModelToolSchema('get-insights'),
    FindContentTool,
    HttpRequestTool,
  ])
  .meta({ id: 'ToolDefinition' });

export const maxCallsPerMinute = 1_000_000;

export const AgentToolsAssetDefinition = z
  .strictObject({
    kind: z.literal('AgentToolsAsset'),
    id: definitionId,
    name: displayName.optional(),
    description: description.optional(),
    instructions: storableText(8_000)
      .optional()
      .describe('What a language model should know before it uses the tools.'),
    limits: z
      .strictObject({ callsPerMinute: z.int().min(1).max(maxCallsPerMinute).optional() })
      .optional()
      .describe("Calls of all tools together in a minute; the platform's standard when absent."),
    tools: z.array(ToolDefinition).min(1).max(100),
  })
  .meta({ id: 'AgentToolsAssetDefinition' });

export type ToolDefinition = z.output<typeof ToolDefinition>;
export type ToolKind = ToolDefinition['kind'];
export type HttpRequestTool = z.output<typeof HttpRequestTool>;
export type AgentToolsAssetDefinition = z.output<typeof AgentToolsAssetDefinition>;
