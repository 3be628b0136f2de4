/** What is wrong with a batch as a whole, at every place, and with the address or headers of one of its parts. */
import type { BatchPart } from '@tessera/contracts/knowledge-models';
import {
  fail,
  type Failure,
  type Fault,
  maxNameSuggestions,
  findNearestName,
  type Result,
  succeed,
} from '@tessera/failures';
import { failureFromFaults } from '../http/faults.js';

/** Names that stand twice, parts of a group that do not stand together, dependencies on what is not before. */
export const checkBatch = (parts: readonly BatchPart[]): Failure | undefined => {
  const faults: Fault[] = [];
  const note = (path: string, rule: string, message: string, suggestion?: string): void =>
    void faults.push({
      in: 'body',
      path: `requests.${path}`,
      rule,
      message,
      ...(suggestion !== undefined && { suggestion }),
    });
  const ids = new Set<string>();
  const groups = new Set<string>();
  for (const [place, { id, atomicityGroup: group, dependsOn = [] }] of parts.entries()) {
    if (faults.length >= maxNameSuggestions) break;
    if (ids.has(id) || groups.has(id))
      note(`${place}.id`, 'twice', `There is another ${shorten(id)}; each has an id of its own.`);
    for (const [at, name] of dependsOn.entries()) {
      if (faults.length >= maxNameSuggestions) break;
      if (ids.has(name) || (groups.has(name) && name !== group)) continue;
      const nearest = findNearestName(name, [...ids, ...groups]);
      const meant = nearest === undefined ? '' : `; did you mean "${shorten(nearest)}"?`;
      const message = `There is no part or group ${shorten(name)} before this one${meant || '.'}`;
      note(`${place}.dependsOn.${at}`, 'unknown', message, nearest);
    }
    if (group !== undefined && groups.has(group) && parts[place - 1]?.atomicityGroup !== group)
      note(`${place}.atomicityGroup`, 'apart', `Parts of the group ${shorten(group)} stand behind each other.`);
    if (group !== undefined && ids.has(group))
      note(`${place}.atomicityGroup`, 'twice', `${shorten(group)} is the id of a part; give the group another name.`);
    ids.add(id);
    if (group !== undefined) groups.add(group);
  }
  return faults.length > 0 ? failureFromFaults(faults) : undefined;
};

const shownMax = 60;
const shorten = (text: string): string =>
  (text.length > shownMax ? `${text.slice(0, shownMax)}...` : text).toWellFormed();

export type ServiceAddress = {
  /** Scheme, host and port as callers see them. */
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
};

/** The path and query of a part, which is one of the service that the batch was sent to. */
export const resolvePartTarget = (
  { method, url, if: condition, body }: BatchPart,
  service: ServiceAddress,
): Result<string> => {
  if (method.toLowerCase() !== 'get')
    return fail('ODATA_OPTION_UNSUPPORTED', `A part reads: its method is get, and not ${shorten(method)}.`);
  if (condition !== undefined || body !== undefined)
    return fail('ODATA_OPTION_UNSUPPORTED', 'A part has neither if nor body here.');
  if (url.startsWith('$') && !/^\$metadata(?:$|\?)/.test(url))
    return fail(
      'ODATA_OPTION_UNSUPPORTED',
      `${shorten(url)}: addresses that begin with the answer of another part are not supported.`,
    );
  const root = `${service.origin}${service.path}/`;
  const target = URL.parse(url, root);
  if (!target || target.origin !== new URL(root).origin || !isInside(target.pathname, service.path))
    return fail(
      'GENERAL_PARAMETER_ILLEGAL',
      `The url of a part is one of this service, from ${service.path}/ on, e.g. RECORD_entries?$top=1.`,
    );
  return succeed(target.pathname + target.search);
};

const isInside = (path: string, service: string): boolean => path === service || path.startsWith(`${service}/`);

/** What the batch says for all of its parts. */
const batchHeaders: ReadonlySet<string> = new Set([
  ...['authorization', 'host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'forwarded'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'accept-encoding', 'traceparent', 'x-request-id'],
]);

/** In lower case, without what a part cannot say for itself; a credential that is not the batch's own is refused. */
export const filterPartHeaders = (
  { headers = {} }: BatchPart,
  keyHeaders: readonly string[],
  ofBatch: Readonly<Record<string, unknown>>,
): Result<Readonly<Record<string, string>>> => {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const isCredential = (name: string): boolean => name === 'authorization' || keyHeaders.includes(name);
  const credential = named.find(([name, value]) => isCredential(name) && value !== ofBatch[name]);
  if (credential)
    return fail(
      'GENERAL_PARAMETER_ILLEGAL',
      `A part has no ${credential[0]} of its own; the credential of the batch is that of its parts.`,
    );
  const odd = named.find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  if (odd) return fail('GENERAL_PARAMETER_ILLEGAL', `The header ${shorten(odd[0])} of a part is none of HTTP.`);
  return succeed(Object.fromEntries(named.filter(([name]) => !batchHeaders.has(name) && !isCredential(name))));
};
