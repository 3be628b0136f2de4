/** The context of a team for specs: no host is listed, no name is known and nobody is reached unless a spec says so. */
import type { CallFrame } from '@tessera/contracts';
import { HttpRequestTool } from '@tessera/contracts/tool-gateway';
import type { ResolvedAddress } from '@tessera/outgoing-http';
import { performExchange } from '../exchange.js';
import { HostCallGuards } from '../host-call-guards.js';
import type { RequestContext } from '../request-context.js';
import type { ToolContext } from '../../tools/tool.js';

export const createRequestContext = (more: Partial<RequestContext> = {}): RequestContext => ({
  team: 'meridian',
  hosts: {},
  secrets: {},
  resolve: () => Promise.reject(new Error('no such name')),
  exchange: performExchange,
  guards: new HostCallGuards({ callsPerHost: 50 }),
  lookupMs: 20,
  timeoutMs: 30_000,
  ...more,
});

/** A resolver that answers the lists one after the other, the last one for ever, and counts how often it was asked. */
export const createResolver = (...answers: readonly (readonly string[])[]) => {
  const lookedUp: string[] = [];
  const resolve = (hostName: string): Promise<readonly ResolvedAddress[]> => {
    const addresses = answers[Math.min(lookedUp.push(hostName), answers.length) - 1] ?? [];
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return { resolve, lookedUp };
};

const noArguments = { type: 'object', properties: {}, additionalProperties: false };

type Definition = Partial<Omit<HttpRequestTool, 'request'>> & {
  readonly request?: Partial<HttpRequestTool['request']>;
};

/** A definition as the contract reads it; GET of a host that is not listed, unless given. */
export const createHttpRequestDefinition = ({ request, ...more }: Definition = {}): HttpRequestTool =>
  HttpRequestTool.parse({
    ...{ kind: 'http-request', id: 'ask-erp', inputSchema: noArguments },
    ...more,
    request: { method: 'GET', url: 'https://erp.example/', ...request },
  });

const frame: CallFrame = {
  caller: { team: 'meridian', subject: 'key:demo', scopes: ['tools:execute'] },
  requestId: 'request-1',
  deadlineMs: Number.MAX_SAFE_INTEGER,
  publicUrl: 'http://localhost',
};

export const createToolContext = (more: Partial<ToolContext> = {}): ToolContext => ({
  ...frame,
  signal: new AbortController().signal,
  ...more,
});
