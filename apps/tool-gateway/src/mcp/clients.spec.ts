/** The official client against both paths, by a `fetch` that calls them: it accepts only what the protocol allows. */
import { describe, expect, it } from '@jest/globals';
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { succeed } from '@tessera/failures';
import { runUnsliced } from '@tessera/fair-queue';
import { handleWithoutSdk } from './fast-path.js';
import { chooseResponseFormat, parseMessage } from './mcp.handler.js';
import { handleWithSdk } from './sdk-path.js';
import { createTestExchange, createTestTool, createTestView } from './testing/test-exchange.js';

const outputSchema = { type: 'object', properties: { given: { type: 'object' } }, required: ['given'] };
const view = createTestView([
  createTestTool({ outputSchema }),
  createTestTool({
    id: 'walk',
    run: async (_given, { progress }) => {
      for (const done of [1, 2]) progress?.(done, 2);
      return succeed({ value: 'there' });
    },
  }),
]);

const paths = {
  both: (exchange: ReturnType<typeof createTestExchange>, message: unknown) =>
    handleWithoutSdk(exchange, message) ?? handleWithSdk(exchange, message),
  sdk: handleWithSdk,
};

/** Answers as the edge does: POST alone, events as they come. */
const fetchBy =
  (path: keyof typeof paths): FetchLike =>
  async (_url, { method, headers, body } = {}) => {
    if (method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const given = new Headers(headers);
    const exchange = createTestExchange(view, {
      shape: chooseResponseFormat(given.get('accept') ?? undefined) ?? 'json',
      protocolVersion: given.get('mcp-protocol-version') ?? undefined,
      methodHeader: given.get('mcp-method') ?? undefined,
      nameHeader: given.get('mcp-name') ?? undefined,
    });
    const reply = await paths[path](exchange, runUnsliced(parseMessage(typeof body === 'string' ? body : '')));
    const bytes = reply.body instanceof Uint8Array ? Uint8Array.from(reply.body) : ReadableStream.from(reply.body);
    const { status = 200, contentType } = reply;
    return new Response(status === 202 ? null : bytes, { status, headers: { 'content-type': contentType } });
  };

const modes = [
  ['as it is', {}, '2025-11-25'],
  ['when it negotiates', { versionNegotiation: { mode: 'auto' as const } }, '2026-07-28'],
] as const;

describe.each(['both', 'sdk'] as const)('the official MCP client, served by the code path %s', (path) => {
  it.each(modes)('lists and calls tools and receives progress: %s', async (_, options, revision) => {
    const client = new Client({ name: 'spec', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL('http://mcp.example/'), { fetch: fetchBy(path) }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toBe('Load before you search.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ['load-data', 'Load data'],
      ['walk', 'Load data'],
    ]);
    const result = await client.callTool({ name: 'load-data', arguments: { top: 2 } });
    expect(result.structuredContent).toEqual({ given: { top: 2 } });
    const progressed: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void progressed.push(progress);
    await client.callTool({ name: 'walk' }, { onprogress });
    expect(progressed).toEqual([1, 2]);
    await expect(client.callTool({ name: 'lode-data' })).rejects.toThrow('load-data');
    await client.close();
  });
});
