/** Programs with the official SDK, of both generations: they know the address of an MCP server and have OAuth for the rest. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClient } from './oauth-client.js';

type Connection = {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/**
 * Connects, by way of its user where it has no right that holds: `askUser` leads a browser to the program's destination and on, and
 * returns the address at which it came back.
 */
type Connect = (address: URL, program: OAuthClient, askUser: () => Promise<URL>) => Promise<Connection>;

const identity = { name: 'spec', version: '1' };

const connect: Connect = async (address, { provider }, askUser) => {
  const open = () => new StreamableHTTPClientTransport(address, { authProvider: provider });
  const client = new Client(identity, { versionNegotiation: { mode: 'auto' } });
  const transport = open();
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth((await askUser()).searchParams);
    const authorized = new Client(identity, { versionNegotiation: { mode: 'auto' } });
    await authorized.connect(open());
    return authorized;
  }
};

const connectOlder: Connect = async (address, { provider }, askUser) => {
  const open = () => new OlderTransport(address, { authProvider: provider });
  const client = new OlderClient(identity);
  const transport = open();
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof OlderUnauthorizedError)) throw error;
    await transport.finishAuth((await askUser()).searchParams.get('code') ?? '');
    const authorized = new OlderClient(identity);
    await authorized.connect(open());
    return authorized;
  }
};

export const generations = [
  ['version 1', connectOlder],
  ['version 2', connect],
] as const;
