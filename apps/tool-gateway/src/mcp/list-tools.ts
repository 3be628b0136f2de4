/** The tools of an asset as `tools/list` answers them, without members that the protocolRevision does not know. */
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { hasStructuredContent } from './protocol.js';
import type { AssetView } from '../tools/asset-tools.js';
import { isObject, type JsonObject, type Tool, type ToolSource } from '../tools/tool.js';

export const toMcpToolList = ({ tools, sourceOf }: AssetView, protocolRevision: string): ListedTool[] =>
  tools.map((tool) => listTool(tool, sourceOf(tool).kind, hasStructuredContent(protocolRevision)));

const listTool = (tool: Tool, kind: ToolSource['kind'], isStructured: boolean): ListedTool => ({
  name: tool.id,
  ...(isStructured && { title: tool.title }),
  description: tool.description,
  inputSchema: schemaOf(tool.inputSchema),
  ...(isStructured && tool.outputSchema?.['type'] === 'object' && { outputSchema: schemaOf(tool.outputSchema) }),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.isReadOnly,
    destructiveHint: !tool.isReadOnly,
    idempotentHint: tool.isReadOnly,
    openWorldHint: kind === 'http-request',
  },
});

const schemaOf = (schema: JsonObject) => ({ ...withoutHeaders(schema), type: 'object' as const });

const headerKeyword = 'x-mcp-header';
/** Keywords whose members are named by the author of the schema. */
const schemaMapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords that hold data. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** The keyword promises a header that this server does not compare. */
const withoutHeaders = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== headerKeyword)
      .map(([keyword, value]) => {
        if (dataKeywords.has(keyword)) return [keyword, value];
        if (schemaMapKeywords.has(keyword) && isObject(value))
          return [
            keyword,
            Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutHeadersIn(part)])),
          ];
        return [keyword, withoutHeadersIn(value)];
      }),
  );

const withoutHeadersIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutHeadersIn);
  return isObject(value) ? withoutHeaders(value) : value;
};
