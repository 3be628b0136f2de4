/**
 * The floor of agent tools: the stateless server of the protocol's own SDK with one trivial tool, behind bare Fastify, as its
 * documentation makes it: no key, no limit, no log, no tenant.
 */
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { fastify } from 'fastify';

const handle = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'floor', version: '1.0.0' });
    server.registerTool('trivial', { description: 'Answers a text.' }, () => ({
      content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    }));
    return server;
  }),
);

const app = fastify();
app.post('/*', async (request, reply) => {
  reply.hijack();
  const { raw } = request;
  await handle(Object.assign(raw, { method: raw.method ?? '', url: raw.url ?? '' }), reply.raw, request.body);
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void app.close().then(() => process.exit()));
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
