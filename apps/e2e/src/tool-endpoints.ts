/** The HTTP and the MCP endpoint of an asset, with one key. */
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { memberOf, parseJson } from './json.js';

export type EndpointAnswer = {
  readonly status: number;
  readonly document: unknown;
  readonly text: string;
  readonly headers: Headers;
};

export type ToolEndpoints = {
  /** POST to the tool; without arguments without a body. */
  readonly http: (tool: string, args?: unknown, query?: string) => Promise<EndpointAnswer>;
  /** One message of JSON-RPC, of a client that takes JSON alone. */
  readonly mcp: (method: string, params?: object, query?: string) => Promise<EndpointAnswer>;
};

export const createToolEndpoints = (gateway: string, key: string, asset: string): ToolEndpoints => {
  const address = `${gateway}${mcpPrefix}/${asset}`;
  const post = async (url: string, body: string | undefined): Promise<EndpointAnswer> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        AppKey: key,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, document: isJson ? parseJson(text) : undefined, text, headers: response.headers };
  };
  return {
    http: (tool, args, query = '') =>
      post(`${address}/tool-api/${tool}${query}`, args === undefined ? undefined : JSON.stringify(args)),
    mcp: (method, params = {}, query = '') =>
      post(address + query, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  };
};

/** What a call over MCP answered as data, or its text when it says what was wrong. */
export const rpcResultOf = ({ document, text }: EndpointAnswer): unknown => {
  const result = memberOf(document, 'result');
  if (result === undefined) throw new Error(text);
  return memberOf(result, 'isError') === true
    ? memberOf(result, 'content', 0, 'text')
    : memberOf(result, 'structuredContent');
};
