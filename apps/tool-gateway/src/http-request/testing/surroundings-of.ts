/** Surroundings of a team for specs: nothing is listed, no name is known and nobody is reached unless a spec says so. */
import type { CallFrame } from '@tessera/contracts';
import { HttpRequestTool } from '@tessera/contracts/tool-gateway';
import type { ResolvedAddress } from '@tessera/outgoing-http';
import type { ToolContext } from '../../tools/tool.js';
import { exchange } from '../exchange.js';
import { HostTraffic } from '../host-traffic.js';
import type { RequestSurroundings } from '../surroundings.js';

export const surroundingsOf = (more: Partial<RequestSurroundings> = {}): RequestSurroundings => ({
  team: 'meridian',
  hosts: {},
  secrets: {},
  resolve: () => Promise.reject(new Error('no such name')),
  exchange,
  traffic: new HostTraffic({ callsPerHost: 50 }),
  lookupMs: 20,
  timeoutMs: 30_000,
  ...more,
});

/** A resolver that answers the lists one after the other, the last one for ever, and counts how often it was asked. */
export const resolverOf = (...answers: readonly (readonly string[])[]) => {
  const asked: string[] = [];
  const resolve = (hostName: string): Promise<readonly ResolvedAddress[]> => {
    const addresses = answers[Math.min(asked.push(hostName), answers.length) - 1] ?? [];
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return { resolve, asked };
};

const noArguments = { type: 'object', properties: {}, additionalProperties: false };

type Definition = Partial<Omit<HttpRequestTool, 'request'>> & {
  readonly request?: Partial<HttpRequestTool['request']>;
};

/** A definition as the contract reads it; GET of a host that nobody listed, unless said otherwise. */
export const definitionOf = ({ request, ...more }: Definition = {}): HttpRequestTool =>
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

export const contextOf = (more: Partial<ToolContext> = {}): ToolContext => ({
  ...frame,
  signal: new AbortController().signal,
  ...more,
});
