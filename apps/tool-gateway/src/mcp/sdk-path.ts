/**
 * Answers any message, but no batch, with the SDK: stateless revisions by the SDK's handler; those with `initialize` by a transport of their
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
import { type McpExchange, replyFromResponse, resolveRevision, statelessRevision, withErrorData } from './protocol.js';
import { isObject } from '../tools/tool.js';

const logger = new Logger('Mcp');
const logCloseError = (error: unknown): void => logger.error('A server of MCP did not close.', error);
/** The SDK wants one; nothing is made of it. */
const placeholderAddress = 'http://mcp.invalid/';

export const handleWithSdk = async (exchange: McpExchange, message: unknown): Promise<ByteReply> => {
  const { protocolVersion, methodHeader, nameHeader } = exchange.headers;
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
    ...(methodHeader !== undefined && { mcpMethodHeader: methodHeader }),
    ...(nameHeader !== undefined && { mcpNameHeader: nameHeader }),
  });
  return withErrorData(
    await (route.kind === 'legacy' ? handleLegacy(exchange, message) : handleStateless(exchange, message)),
  );
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
  const response = transport.handleRequest(requestOf(exchange), { parsedBody: message });
  return replyFromResponse(await Promise.race([response, whenAborted(signal)]), end);
};

/** A closed transport leaves its answer open. */
const whenAborted = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) => {
    const answer = () => resolve(new Response(null, { status: 503 }));
    if (signal.aborted) answer();
    else signal.addEventListener('abort', answer, { once: true });
  });

const memberOf = (message: unknown, name: string): unknown => (isObject(message) ? message[name] : undefined);

const isStreamed = ({ shape }: McpExchange, message: unknown): boolean => {
  if (shape !== 'either') return shape === 'events';
  return memberOf(memberOf(memberOf(message, 'params'), '_meta'), 'progressToken') !== undefined;
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
