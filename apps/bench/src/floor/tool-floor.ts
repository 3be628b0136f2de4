/**
 * The floor of agent tools: the stateless server of the MCP SDK with one trivial tool, behind plain Fastify, as its
 * documentation shows. Below `described` the tool has schemas and a structured result.
 */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { fastify } from 'fastify';
import { z } from 'zod';
import { serveAsChild } from '../child.js';

const createServer = (register: (server: McpServer) => void) =>
  toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'floor', version: '1.0.0' });
      register(server);
      return server;
    }),
  );

const plainServer = createServer((server) =>
  server.registerTool('trivial', { description: 'Answers a text.' }, () => ({
    content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  })),
);

const members = z.object({ email: z.string(), contactMethod: z.string() });
const describedServer = createServer((server) =>
  server.registerTool(
    'described',
    { title: 'Described', description: 'Answers its arguments.', inputSchema: members, outputSchema: members },
    (given) => ({ content: [{ type: 'text', text: JSON.stringify(given) }], structuredContent: given }),
  ),
);

const app = fastify();
const addServer = (path: string, handle: typeof plainServer): void => {
  app.post(path, async (request, reply) => {
    reply.hijack();
    const { raw } = request;
    await handle(Object.assign(raw, { method: raw.method ?? '', url: raw.url ?? '' }), reply.raw, request.body);
  });
};
addServer('/*', plainServer);
addServer('/described/*', describedServer);
serveAsChild(() => app.listen({ host: '127.0.0.1', port: 0 }));
