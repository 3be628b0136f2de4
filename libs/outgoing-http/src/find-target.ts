/**
 * Where a request goes. A host that the operator has listed is reached wherever the operator says. Any other host is looked
 * up once, all of its addresses have to be public, and the connection goes to these addresses without another look-up.
 * Never shows, by words or by time, whether a name leads inside or nowhere: whoever writes tools could search the operator's
 * network by names.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { KeyedQueue } from '@tessera/fair-queue';
import { isPublicAddress } from './public-address.js';

export type ResolvedAddress = { readonly address: string; readonly family: number };

export type Target = {
  /** The value of the header Host. */
  readonly host: string;
  /** The name that a certificate has to be for. */
  readonly hostName: string;
  readonly isTls: boolean;
  readonly port: number;
  /** Addresses that were checked, or a name (or address) of the operator, which Node looks up. */
  readonly connectTo: readonly ResolvedAddress[] | string;
};

/** Every address of a host name, looked up for a team; rejects when there is none. */
export type ResolveHostName = (hostName: string, team: string) => Promise<readonly ResolvedAddress[]>;

export type LookUpOptions = {
  readonly team: string;
  readonly resolve: ResolveHostName;
  /** For finding a host that is not listed. A host that is not reached takes all of it. */
  readonly lookupMs: number;
  /** Why a host that is not listed is not reached: "whose name ...", for the log alone. */
  readonly onRefused: (hostName: string, why: string) => void;
};

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** `[::1]` without its brackets. */
const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** What the operator says about the host of a URL for a team; undefined when it is not listed for the team. */
export const findAllowedHost = <Host extends { readonly teams: readonly string[] }>(
  { hosts, team }: { readonly hosts: Readonly<Record<string, Host>>; readonly team: string },
  { hostname }: URL,
): Host | undefined => {
  const host = Object.hasOwn(hosts, hostname) ? hosts[hostname] : undefined;
  return host?.teams.includes(team) ? host : undefined;
};

/** What is wrong with the URL of a host that is not listed, as far as it shows without a look-up. */
export const findUnlistedHostFault = (url: URL): string | undefined => {
  const host = bareHost(url);
  if (url.protocol !== 'https:') return 'expected https';
  if (portOf(url) !== 443) return 'expected no port; only 443 of a host that the operator has not listed is reached';
  if (isIP(host) > 0 && !isPublicAddress(host)) return 'expected a host of the public Internet';
  return undefined;
};

/** A host that the operator has named, at `address` when that is elsewhere. It may be private; connections stay open. */
export const createTrustedTarget = (url: URL, address: URL = url): Target => ({
  host: url.host,
  hostName: bareHost(url),
  isTls: address.protocol === 'https:',
  port: portOf(address),
  connectTo: bareHost(address),
});

/** `listed`: the operator's address of the host. Undefined when there is no address that may be connected to. */
export const findTarget = async (
  url: URL,
  listed: URL | undefined,
  lookUp: LookUpOptions,
): Promise<Target | undefined> => {
  if (listed === undefined && findUnlistedHostFault(url) !== undefined) return undefined;
  const target = createTrustedTarget(url, listed);
  const host = bareHost(listed ?? url);
  const addresses = await (listed === undefined ? publicAddressesOf : addressesOf)(host, lookUp);
  return addresses.length === 0 ? undefined : { ...target, connectTo: addresses };
};

const addressesOf = async (host: string, { resolve, team }: LookUpOptions): Promise<readonly ResolvedAddress[]> => {
  const family = isIP(host);
  if (family > 0) return [{ address: host, family }];
  try {
    return await resolve(host, team);
  } catch {
    return [];
  }
};

/** All of them public, as soon as they are known; none, for whatever reason, after the whole time for look-ups. */
const publicAddressesOf = async (host: string, lookUp: LookUpOptions): Promise<readonly ResolvedAddress[]> => {
  const { promise: timeIsOver, resolve: end } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => end(undefined), lookUp.lookupMs);
  const found = await Promise.race([addressesOf(host, lookUp), timeIsOver]);
  if (found && found.length > 0 && found.every(({ address }) => isPublicAddress(address))) {
    clearTimeout(timer);
    return found;
  }
  if (found === undefined) lookUp.onRefused(host, 'was not found in time');
  else lookUp.onRefused(host, found.length === 0 ? 'has no address' : 'leads to an address that is not public');
  await timeIsOver;
  return [];
};

/** Look-ups of one team that wait; further ones are rejected. */
const waitingMax = 50;

/**
 * One look-up of a team at a time: each takes one of the few threads that the whole process has, for as long as the name
 * servers like. Rejects with `QueueRefusal` when too many wait.
 */
export const limitLookupsPerTeam = (
  resolve: (hostName: string) => ReturnType<ResolveHostName> = (hostName) => lookup(hostName, { all: true }),
): ResolveHostName => {
  const queue = new KeyedQueue({ limit: Number.POSITIVE_INFINITY, limitPerKey: 1, waitingPerKeyMax: waitingMax });
  return async (hostName, team) => {
    const release = await queue.acquire(team);
    try {
      return await resolve(hostName);
    } finally {
      release();
    }
  };
};
