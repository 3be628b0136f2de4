/** What all paths of the protocol share: the exchange, revisions (dates, which compare as text), replies of JSON-RPC. */
import {
  type ClientCapabilities,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { ByteReply } from '@tessera/contracts';
import { toJsonRpcErrorData, type Result } from '@tessera/failures';
import type { ResponseFormat } from './mcp.handler.js';
import type { CallOptions } from '../calls/tool-calls.js';
import type { AssetView } from '../tools/asset-tools.js';
import { isObject, type JsonObject, type Tool, type ToolResult } from '../tools/tool.js';

/** One message of a client, with what answering it needs. */
export type McpExchange = {
  readonly view: AssetView;
  readonly headers: {
    readonly protocolVersion?: string | undefined;
    readonly methodHeader?: string | undefined;
    readonly nameHeader?: string | undefined;
  };
  readonly shape: ResponseFormat;
  /** Aborts when nobody waits for the answer any more. Made on demand. */
  readonly signal: () => AbortSignal;
  /** How much longer the view is the one that its caller sees. */
  readonly freshForMs: () => number;
  /** A call by the one path of calls, as the caller of this exchange. */
  readonly call: (tool: Tool, arguments_: JsonObject, options?: CallOptions) => Promise<Result<ToolResult>>;
};

/** The revision without `initialize`, in which each request says what its client is. */
export const statelessRevision = '2026-07-28';

const firstStructuredRevision = '2025-06-18';

/**
 * A request without the header is of 2025-03-26 or older, whose clients pass over members that they do not know, or of one
 * that skips `initialize` and reads what there is: both get all that the newest of these has.
 */
export const resolveRevision = (header: string | undefined): string => header ?? LATEST_PROTOCOL_VERSION;

/** Those that begin with `initialize`. */
const legacyRevisions: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

export const isLegacyRevision = (revision: string): boolean => legacyRevisions.has(revision);

/** Titles, output schemas and structured results. */
export const hasStructuredContent = (revision: string): boolean => revision >= firstStructuredRevision;

/** Many messages in one array: only the revisions before structure have them, and who says none may be of one. */
export const canUseBatches = (header: string | undefined): boolean =>
  header === undefined || !hasStructuredContent(header);

const jsonType = 'application/json';

export const createJsonRpcReply = (body: string | Uint8Array, status = 200): ByteReply => ({
  status,
  contentType: jsonType,
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

/** Without an id, since the id of the request is not known. */
export const createJsonRpcError = (status: number, code: number, message: string): ByteReply =>
  createJsonRpcReply(
    JSON.stringify({ jsonrpc: '2.0', error: { code, message, data: toJsonRpcErrorData(code, message) }, id: null }),
    status,
  );

/** A reply whose error has no data yet, with it. */
export const withErrorData = (reply: ByteReply): ByteReply => {
  const { body, contentType } = reply;
  if (!(body instanceof Uint8Array) || !contentType.startsWith(jsonType) || body.length > errorBytesMax) return reply;
  const answer: unknown = JSON.parse(Buffer.from(body).toString());
  const error = isObject(answer) ? answer['error'] : undefined;
  if (!isObject(error) || error['data'] !== undefined) return reply;
  const data = toJsonRpcErrorData(Number(error['code']), String(error['message']));
  return { ...reply, body: Buffer.from(JSON.stringify({ ...Object(answer), error: { ...error, data } })) };
};

/** Errors of the SDK are shorter. */
const errorBytesMax = 16 * 1024;

/** A member of the parameters that is null is as absent, and so are parameters that are null. */
export const withoutNullParams = (message: unknown): unknown => {
  if (!isObject(message)) return message;
  const { params, ...others } = message;
  if (params === null) return others;
  if (!isObject(params) || !Object.values(params).includes(null)) return message;
  return { ...message, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) };
};

const passedHeaders = ['allow', 'cache-control', 'x-accel-buffering'];

/** `end` is called when the body was read or abandoned. */
export const replyFromResponse = async (response: Response, end: () => void): Promise<ByteReply> => {
  const { status, headers, body } = response;
  const more = Object.fromEntries(
    passedHeaders.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  );
  const head = { status, contentType: headers.get('content-type') ?? '', headers: more };
  if (body !== null && head.contentType.startsWith('text/event-stream')) return { ...head, body: chunksOf(body, end) };
  const whole = body === null ? new Uint8Array(0) : new Uint8Array(await response.arrayBuffer());
  end();
  return { ...head, body: whole };
};

const chunksOf = async function* (body: ReadableStream<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } finally {
    end();
  }
};

/** What a client has to be able to do before a tool may run. */
const capabilitiesByTool = new WeakMap<Tool, ClientCapabilities>();

export const setRequiredCapabilities = (tool: Tool, capabilities: ClientCapabilities): Tool => {
  capabilitiesByTool.set(tool, capabilities);
  return tool;
};

export const getRequiredCapabilities = (tool: Tool): ClientCapabilities | undefined => capabilitiesByTool.get(tool);
