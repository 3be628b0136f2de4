/**
 * What http-request tools of one team need of the process around them: who reaches which host, secrets, name resolution,
 * the network, and how the hosts have behaved so far.
 */
import { limitPerTeam, type Resolve } from '@tessera/outgoing-http';
import { exchange, type Exchange } from './exchange.js';
import { HostTraffic } from './host-traffic.js';
import type { ListedHost, RequestSettings, ToolSecret } from './request-settings.js';

export type RequestSurroundings = {
  readonly team: string;
  readonly hosts: Readonly<Record<string, ListedHost>>;
  readonly secrets: Readonly<Record<string, ToolSecret>>;
  readonly resolve: Resolve;
  readonly exchange: Exchange;
  readonly traffic: HostTraffic;
  /** For finding a host that nobody listed; a name that is not reached is told after all of it. */
  readonly lookupMs: number;
  /** Of a whole call: finding the host, sending, reading the answer. */
  readonly timeoutMs: number;
};

const lookupMs = 3_000;
const timeoutMs = 10_000;

/** Once for each process; a team's surroundings are these with its name. */
export type ProcessRequests = Omit<RequestSurroundings, 'team'>;

/** Injection token of `ProcessRequests`. */
export const requestsToken = Symbol('requests');

export const requestSurroundings = (settings: RequestSettings): ProcessRequests => ({
  hosts: settings.HTTP_TOOL_HOSTS,
  secrets: settings.TOOL_SECRETS,
  resolve: limitPerTeam(),
  exchange,
  traffic: new HostTraffic({ callsPerHost: settings.HTTP_TOOL_CALLS_PER_HOST }),
  lookupMs,
  timeoutMs,
});
