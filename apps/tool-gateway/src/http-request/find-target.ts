/**
 * Where a request goes: what the operator says of its host, else every address that its name has, once, all of them
 * public. Whoever connects uses these addresses and asks no name again.
 * Never tells apart, in words or in time, a name that leads inside from one that leads nowhere: whoever writes tools could ask
 * for names of the operator's network. The log says which it was.
 */
import { isIP } from 'node:net';
import { Logger } from '@nestjs/common';
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

const logger = new Logger('HttpRequest');

/** Told by the address alone. */
const notAllowed = fail(
  'TOOL_FAILED',
  'The host of the tool is not of the public Internet, and the operator has not listed it.',
);
const notFound = fail(
  'TOOL_FAILED',
  'The host of the tool was not found in the public Internet, and the operator has not listed it.',
);
const listedNotFound = fail(
  'TOOL_FAILED',
  'The host of the tool was not found where the operator has said that it is.',
);

/** The address of a request as its target, with names resolved. */
export const findTarget = async (url: URL, surroundings: RequestSurroundings): Promise<Result<Target>> => {
  const listed = listedAddress(url, surroundings);
  if (listed === undefined && unlistedFault(url) !== undefined) return notAllowed;
  const address = listed ?? url;
  const addresses = await (listed ? addressesOf : publicAddressesOf)(bareHost(address), surroundings);
  if (addresses.length === 0) return listed ? listedNotFound : notFound;
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

/** Those that may be connected to, as soon as they are known; none, whatever the reason, when the time for look-ups is over. */
const publicAddressesOf = async (
  host: string,
  surroundings: RequestSurroundings,
): Promise<readonly ResolvedAddress[]> => {
  const { promise: timeIsOver, resolve: end } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => end(undefined), surroundings.lookupMs);
  const found = await Promise.race([addressesOf(host, surroundings), timeIsOver]);
  if (found && found.length > 0 && found.every(({ address }) => isPublicAddress(address))) {
    clearTimeout(timer);
    return found;
  }
  const reason = {
    none: 'has no address',
    inside: 'leads to an address that is not public',
    late: 'was not found in time',
  };
  const why = found === undefined ? 'late' : found.length === 0 ? 'none' : 'inside';
  logger.warn(`A tool of the team ${surroundings.team} asked for the host ${host}, whose name ${reason[why]}.`);
  await timeIsOver;
  return [];
};
