/**
 * Whose pages may speak to MCP servers from a browser: those of the public host, those that the operator allows, and when
 * the public host is this machine those of this machine. Then a name that was made to point here is told by `Host` as well.
 * Refuses: to judge programs that send no Origin; their credential does.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { fail, type Failure } from '@tessera/failures';

/** What keeps the request out, or nothing. */
export type OriginGuard = (headers: IncomingHttpHeaders, publicUrl: string) => Failure | undefined;

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** `allowed` are origins, and host names with whatever scheme and port. */
export const originGuardOf = (allowed: readonly string[] = []): OriginGuard => {
  const words = allowed.map((word) => word.toLowerCase());
  const origins = new Set(words.filter((word) => word.includes('://')));
  const namesOf = (publicUrl: string) => {
    const name = URL.parse(publicUrl)?.hostname ?? '';
    const isLocal = localNames.includes(name);
    return { publicUrl, isLocal, names: new Set([...(name ? [name] : []), ...words, ...(isLocal ? localNames : [])]) };
  };
  let here = namesOf('');
  return ({ origin, host = '' }, publicUrl) => {
    if (here.publicUrl !== publicUrl) here = namesOf(publicUrl);
    const isAllowed = (page: string) => origins.has(page.toLowerCase()) || here.names.has(nameOf(page));
    if (origin !== undefined && !isAllowed(origin))
      return refuse(`Pages of "${excerpt(origin)}" may not speak to MCP servers here.`);
    if (here.isLocal && !here.names.has(nameIn(host)))
      return refuse(`MCP servers here are not called "${excerpt(host)}"; the public address is ${publicUrl}.`);
    return undefined;
  };
};

/** Of an origin; what is no address has none. */
const nameOf = (origin: string): string => URL.parse(origin)?.hostname ?? '';
/** Of a header Host: without the port. */
const nameIn = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

const excerpt = (text: string): string => text.slice(0, 100);

const refuse = (detail: string): Failure => fail('MCP_ORIGIN_REFUSED', detail).failure;
