/** Exchanges of a spec: an asset of tools of its own, called without quota and log. */
import type { ByteReply } from '@tessera/contracts';
import { succeed } from '@tessera/failures';
import type { AssetVersion } from '../../assets/assets.js';
import type { ResponseFormat } from '../mcp.handler.js';
import type { McpExchange } from '../protocol.js';
import { indexAssetTools, type AssetView } from '../../tools/asset-tools.js';
import { createFixedToolSource, type JsonObject, type Tool, type ToolContext } from '../../tools/tool.js';

export const createTestTool = (more: Partial<Tool> = {}): Tool => ({
  id: 'load-data',
  title: 'Load data',
  description: 'Loads rows.',
  isReadOnly: true,
  inputSchema: { type: 'object', properties: { top: { type: 'integer' } } },
  run: async (given) => succeed({ value: { given } }),
  ...more,
});

export const createTestView = (tools: readonly Tool[], more: Partial<AssetVersion> = {}): AssetView => {
  const asset: AssetVersion = {
    assetId: 'p2p',
    version: 3,
    digest: 'd0'.repeat(32),
    name: 'Purchase to pay',
    description: '',
    instructions: 'Load before you search.',
    callsPerMinute: 500,
    tools: tools.map((tool) => createFixedToolSource(tool, 'load-data')),
    ...more,
  };
  return indexAssetTools(asset, tools);
};

export type McpHeaders = {
  readonly protocolVersion?: string | undefined;
  readonly methodHeader?: string | undefined;
  readonly nameHeader?: string | undefined;
};

export type ExchangeOptions = McpHeaders & {
  readonly shape?: ResponseFormat;
  readonly signal?: AbortSignal;
  readonly freshForMs?: number;
};

export const createTestExchange = (
  view: AssetView,
  { shape = 'either', signal, freshForMs = 0, ...headers }: ExchangeOptions = {},
): McpExchange => {
  const waiting = signal ?? new AbortController().signal;
  return {
    view,
    headers,
    shape,
    signal: () => waiting,
    freshForMs: () => freshForMs,
    call: (tool, arguments_, options) => tool.run(arguments_, { ...toolContext(waiting), ...options }),
  };
};

const toolContext = (signal: AbortSignal): ToolContext => ({
  caller: { team: 'meridian', subject: 'tester', scopes: ['tools:execute'] },
  requestId: 'request-1',
  deadlineMs: Date.now() + 30_000,
  publicUrl: 'https://tessera.example',
  signal,
});

/** What a reply is, its JSON read; events as the list of their messages. */
export const readMcpReply = async ({ status = 200, contentType, body }: ByteReply) => {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : await textOf(body);
  return { status, contentType, body: contentType === 'text/event-stream' ? eventsIn(text) : text && jsonIn(text) };
};

const textOf = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString();
};

const jsonIn = (text: string): unknown => JSON.parse(text);

const eventsIn = (text: string): readonly unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => jsonIn(data));

/** Requests as clients of a revision make them. */
export const createLegacyRequest = (method: string, params?: JsonObject, id: number | string = 1): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});

export const statelessMeta: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const createStatelessRequest = (
  method: string,
  params: JsonObject = {},
  id: number | string = 1,
): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: statelessMeta },
});

export const createStatelessHeaders = (methodHeader: string, nameHeader?: string): McpHeaders => ({
  protocolVersion: '2026-07-28',
  methodHeader,
  nameHeader,
});
