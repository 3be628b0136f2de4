/**
 * What http-request tools of one team need: who reaches which host, secrets, name resolution, the network, and circuit breakers.
 */
import { limitLookupsPerTeam, type ResolveHostName } from '@tessera/outgoing-http';
import { performExchange, type ExchangeFunction } from './exchange.js';
import { HostCallGuards } from './host-call-guards.js';
import type { AllowedHost, RequestSettings, ToolSecret } from './request-settings.js';

export type RequestContext = {
  readonly team: string;
  readonly hosts: Readonly<Record<string, AllowedHost>>;
  readonly secrets: Readonly<Record<string, ToolSecret>>;
  readonly resolve: ResolveHostName;
  readonly exchange: ExchangeFunction;
  readonly guards: HostCallGuards;
  /** For finding a host that is not listed; a host that is not reached takes all of it. */
  readonly lookupMs: number;
  /** Of a whole call: finding the host, sending, reading the answer. */
  readonly timeoutMs: number;
};

const lookupMs = 3_000;
const timeoutMs = 10_000;

/** Once for each process; a team's surroundings are these with its name. */
export type RequestOptions = Omit<RequestContext, 'team'>;

/** Injection token of `ProcessRequests`. */
export const requestOptionsToken = Symbol('requests');

export const toRequestOptions = (settings: RequestSettings): RequestOptions => ({
  hosts: settings.HTTP_TOOL_HOSTS,
  secrets: settings.TOOL_SECRETS,
  resolve: limitLookupsPerTeam(),
  exchange: performExchange,
  guards: new HostCallGuards({ callsPerHost: settings.HTTP_TOOL_CALLS_PER_HOST }),
  lookupMs,
  timeoutMs,
});
