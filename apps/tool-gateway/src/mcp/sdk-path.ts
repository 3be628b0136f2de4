/**
 * Answers any message with the SDK: stateless revisions by the SDK's handler; those with `initialize` by a transport of their
 * own, since that handler answers them only as a stream of events. Never opens a stream without an end.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import type { ByteReply } from '@tessera/contracts';
import { createMcpServer } from './open-server.js';
import {
  type McpExchange,
  canUseBatches,
  isLegacyRevision,
  replyFromResponse,
  resolveRevision,
  createJsonRpcError,
  statelessRevision,
} from './protocol.js';
import { isObject } from '../tools/tool.js';

const logger = new Logger('Mcp');
const logCloseError = (error: unknown): void => logger.error('A server of MCP did not close.', error);
/** The SDK wants one; nothing is made of it. */
const placeholderAddress = 'http://mcp.invalid/';
const invalidRequest = -32_600;

export const handleWithSdk = (exchange: McpExchange, message: unknown): Promise<ByteReply> => {
  const { protocolVersion, methodHeader, nameHeader } = exchange.headers;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
    ...(methodHeader !== undefined && { mcpMethodHeader: methodHeader }),
    ...(nameHeader !== undefined && { mcpNameHeader: nameHeader }),
  });
  return route.kind === 'legacy' ? handleLegacy(exchange, message) : handleStateless(exchange, message);
};

const handleStateless = async (exchange: McpExchange, message: unknown): Promise<ByteReply> => {
  const errors: Error[] = [];
  const handler = createMcpHandler(() => createMcpServer(exchange, statelessRevision), {
    legacy: 'reject',
    keepAliveMs: 0,
    responseMode: exchange.shape === 'events' ? 'sse' : 'auto',
    onerror: (error) => errors.push(error),
  });
  const response = await handler.fetch(requestOf(exchange), { parsedBody: message });
  // Clients get the faults of their messages; faults of the server are only logged.
  if (response.status >= 500) errors.forEach((error) => logger.error('A request of MCP failed by a bug.', error));
  return replyFromResponse(response, () => void handler.close().catch(logCloseError));
};

const handleLegacy = async (exchange: McpExchange, message: unknown): Promise<ByteReply> => {
  const refusal = Array.isArray(message) ? refuseBatch(message, exchange.headers.protocolVersion) : undefined;
  if (refusal) return refusal;
  const messages = Array.isArray(message) ? message.filter((each) => !isCancellation(each)) : message;
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isStreamed(exchange, message),
    keepAliveMs: 0,
  });
  const signal = exchange.signal();
  const server = createMcpServer(exchange, resolveRevision(exchange.headers.protocolVersion));
  await server.connect(transport);
  const end = (): void => {
    signal.removeEventListener('abort', end);
    void server.close().catch(logCloseError);
  };
  signal.addEventListener('abort', end);
  const response = transport.handleRequest(requestOf(exchange), { parsedBody: messages });
  const reply = await replyFromResponse(await Promise.race([response, whenAborted(signal)]), end);
  return Array.isArray(message) ? asList(reply) : reply;
};

const openBrace = 0x7b;

/** The SDK answers the only request of a batch without the list around it. */
const asList = (reply: ByteReply): ByteReply => {
  const { status, body } = reply;
  if (status !== 200 || !(body instanceof Uint8Array) || body[0] !== openBrace) return reply;
  return { ...reply, body: Buffer.concat([Buffer.from('['), body, Buffer.from(']')]) };
};

/** A closed transport leaves its answer open. */
const whenAborted = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) => {
    const answer = () => resolve(new Response(null, { status: 503 }));
    if (signal.aborted) answer();
    else signal.addEventListener('abort', answer, { once: true });
  });

/** As many messages as the SDK takes in one batch. */
const batchSizeMax = 100;

/** What the SDK would say of a batch that is too long; to hear it from there holds everybody up for all of its messages. */
export const refuseLongBatch = (messages: readonly unknown[], header: string | undefined): ByteReply | undefined =>
  messages.length <= batchSizeMax
    ? undefined
    : (refuseRevision(header) ??
      createJsonRpcError(400, invalidRequest, `Invalid Request: Batch must not exceed ${batchSizeMax} messages`));

const refuseRevision = (header: string | undefined): ByteReply | undefined => {
  const revision = resolveRevision(header);
  return revision === statelessRevision || (isLegacyRevision(revision) && !canUseBatches(header))
    ? createJsonRpcError(400, invalidRequest, `Invalid Request: revision ${revision} has no batches.`)
    : undefined;
};

const refuseBatch = (messages: readonly unknown[], header: string | undefined): ByteReply | undefined => {
  const refusal = refuseRevision(header);
  if (refusal) return refusal;
  const ids = messages.flatMap((each) => idOf(each) ?? []);
  return new Set(ids).size === ids.length
    ? undefined
    : createJsonRpcError(400, invalidRequest, 'Invalid Request: two requests of the batch have the same id.');
};

const memberOf = (message: unknown, name: string): unknown => (isObject(message) ? message[name] : undefined);

const idOf = (message: unknown): unknown =>
  memberOf(message, 'method') === undefined ? undefined : memberOf(message, 'id');

/** A request that is cancelled has no answer, and a batch waits for all of its answers. */
const isCancellation = (message: unknown): boolean => memberOf(message, 'method') === 'notifications/cancelled';

const isStreamed = ({ shape }: McpExchange, message: unknown): boolean => {
  if (shape !== 'either') return shape === 'events';
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  return messages.some((each) => memberOf(memberOf(memberOf(each, 'params'), '_meta'), 'progressToken') !== undefined);
};

const requestOf = ({ headers, signal }: McpExchange): Request => {
  const { protocolVersion, methodHeader, nameHeader } = headers;
  return new Request(placeholderAddress, {
    method: 'POST',
    headers: {
      // What is welcome was chosen before; the transport asks for both.
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
      ...(methodHeader !== undefined && { 'mcp-method': methodHeader }),
      ...(nameHeader !== undefined && { 'mcp-name': nameHeader }),
    },
    signal: signal(),
  });
};
