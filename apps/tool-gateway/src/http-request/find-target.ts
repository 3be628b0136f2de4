/**
 * Where a request goes: what the operator says of its host, else every address that its name has, once, all of them
 * public. Whoever connects uses these addresses and asks no name again.
 * Refuses: hosts with one address that is not public, ports of unlisted hosts beside 443, and plain http to them.
 */
import { isIP } from 'node:net';
import { fail, type Result, succeed } from '@tessera/failures';
import { isPublicAddress } from './public-address.js';
import type { RequestSurroundings, ResolvedAddress } from './surroundings.js';

export type Target = {
  /** As the header Host says it. */
  readonly host: string;
  /** What a certificate has to be for. */
  readonly hostName: string;
  readonly isTls: boolean;
  readonly port: number;
  readonly addresses: readonly ResolvedAddress[];
};

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** `[::1]` without its brackets. */
const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** What the operator says of the host for this team. */
export const listedAddress = (url: URL, { hosts, team }: Pick<RequestSurroundings, 'hosts' | 'team'>) => {
  const listed = Object.hasOwn(hosts, url.hostname) ? hosts[url.hostname] : undefined;
  return listed?.teams.includes(team) ? new URL(listed.address) : undefined;
};

/** What is wrong with the address of a host that nobody listed, as far as it can be told without resolving it. */
export const unlistedFault = (url: URL): string | undefined => {
  const host = bareHost(url);
  if (url.protocol !== 'https:') return 'expected https';
  if (portOf(url) !== 443) return 'expected no port; only 443 of a host that the operator has not listed is reached';
  if (isIP(host) > 0 && !isPublicAddress(host)) return 'expected a host of the public Internet';
  return undefined;
};

const unreachable = 'The host of the tool could not be found.';
const notAllowed = 'The host of the tool is not of the public Internet, and the operator has not listed it.';

/** The address of a request as its target, with names resolved. */
export const findTarget = async (url: URL, surroundings: RequestSurroundings): Promise<Result<Target>> => {
  const listed = listedAddress(url, surroundings);
  if (listed === undefined && unlistedFault(url) !== undefined) return fail('TOOL_FAILED', notAllowed);
  const address = listed ?? url;
  const addresses = await addressesOf(bareHost(address), surroundings);
  if (addresses.length === 0) return fail('TOOL_FAILED', unreachable);
  const isAllowed = listed !== undefined || addresses.every((resolved) => isPublicAddress(resolved.address));
  if (!isAllowed) return fail('TOOL_FAILED', notAllowed);
  return succeed({
    host: url.host,
    hostName: bareHost(url),
    isTls: address.protocol === 'https:',
    port: portOf(address),
    addresses,
  });
};

const addressesOf = async (
  host: string,
  { resolve, team }: RequestSurroundings,
): Promise<readonly ResolvedAddress[]> => {
  const family = isIP(host);
  if (family > 0) return [{ address: host, family }];
  try {
    return await resolve(host, team);
  } catch {
    return [];
  }
};
