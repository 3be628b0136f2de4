/**
 * What http-request tools of one team need of the process around them: who reaches which host, secrets, name resolution,
 * the network, and how the hosts have behaved so far.
 * Refuses: to know a tool.
 */
import { lookup } from 'node:dns/promises';
import { KeyedQueue } from '@tessera/fair-queue';
import { exchange, type Exchange } from './exchange.js';
import { HostTraffic } from './host-traffic.js';
import type { ListedHost, RequestSettings, ToolSecret } from './request-settings.js';

export type ResolvedAddress = { readonly address: string; readonly family: number };

/** Every address of a host name, looked up for a team; rejects when there is none. */
export type Resolve = (hostName: string, team: string) => Promise<readonly ResolvedAddress[]>;

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
  resolve: limitPerTeam((hostName) => lookup(hostName, { all: true })),
  exchange,
  traffic: new HostTraffic({ callsPerHost: settings.HTTP_TOOL_CALLS_PER_HOST }),
  lookupMs,
  timeoutMs,
});

/** Look-ups of one team that wait; further ones are refused. */
const waitingMax = 50;

/**
 * One look-up of a team at a time: it waits in one of the few threads that the whole process has, for as long as the servers
 * of the name like. Rejects with `QueueRefusal` when too many wait.
 */
export const limitPerTeam = (look: (hostName: string) => ReturnType<Resolve>): Resolve => {
  const queue = new KeyedQueue({ limit: Number.POSITIVE_INFINITY, limitPerKey: 1, waitingPerKeyMax: waitingMax });
  return async (hostName, team) => {
    const endTurn = await queue.acquire(team);
    try {
      return await look(hostName);
    } finally {
      endTurn();
    }
  };
};
