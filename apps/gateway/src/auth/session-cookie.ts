/**
 * The cookies of the platform, and the requests for which that of a session counts: those of pages of the platform itself. A page from
 * elsewhere that makes a browser send the cookie is refused, even where SameSite did not hold it back.
 */
import type { HttpBinding } from '@tessera/contracts';
import { fail, type Failure } from '@tessera/failures';
import type { FastifyRequest } from 'fastify';
import { publicUrlOf } from '../http/exchange.js';

const pageHeader = 'x-tessera-request';
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Browsers keep a cookie that is Secure over plain http nowhere; on this machine there is nobody who could listen. */
const isPlainLocal = (publicUrl: string): boolean => {
  const url = URL.parse(publicUrl);
  return url?.protocol === 'http:' && localHosts.has(url.hostname);
};

/** What a browser keeps: a session, and while somebody signs in the attempt, the token of a form, and whom the issuer has named. */
export type CookieKind = 'session' | 'attempt' | 'form' | 'person';

const cookieNameOf = (publicUrl: string, kind: CookieKind): string => {
  if (isPlainLocal(publicUrl)) return `tessera-${kind}`;
  return kind === 'session' ? '__Host-tessera' : `__Host-tessera-${kind}`;
};

export type CookieOptions = {
  /** 0 takes the cookie back. */
  readonly maxAgeSeconds: number;
  /** `Lax` for what has to come back from another site. */
  readonly sameSite?: 'Strict' | 'Lax';
};

/** `Set-Cookie`. */
export const cookieOf = (
  publicUrl: string,
  kind: CookieKind,
  value: string,
  { maxAgeSeconds, sameSite = 'Strict' }: CookieOptions,
): string => {
  const secure = isPlainLocal(publicUrl) ? '' : ' Secure;';
  const name = cookieNameOf(publicUrl, kind);
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly;${secure} SameSite=${sameSite}`;
};

/** What the request carries as such a cookie: nothing, one, or several that nobody can tell apart. */
export const cookieValuesIn = (request: FastifyRequest, kind: CookieKind): readonly string[] => {
  const { cookie } = request.headers;
  if (cookie === undefined) return [];
  const start = `${cookieNameOf(publicUrlOf(request), kind)}=`;
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
};

export const readSessionSecrets = (request: FastifyRequest): readonly string[] => cookieValuesIn(request, 'session');

/** A page of the platform asks, whether its session still lives or not. */
export const isBrowserPageRequest = (request: FastifyRequest): boolean =>
  request.headers[pageHeader] !== undefined || readSessionSecrets(request).length > 0;

/** Programs call MCP servers and OData services; a browser's cookie counts for neither. */
export const acceptsSessions = (http: Pick<HttpBinding, 'isMcp' | 'isOData'> | undefined): boolean =>
  http !== undefined && !http.isMcp && !http.isOData;

/** Why the request is none of a page of the platform; a browser lets no other page say what it says here. */
export const csrfFault = (request: FastifyRequest): Failure | undefined => {
  const { headers, method } = request;
  const fault = originFault(request);
  if (fault) return fault;
  if (method !== 'GET' && method !== 'HEAD' && headers[pageHeader] !== '1')
    return refused('With a session, whatever is not GET or HEAD needs the header "X-Tessera-Request: 1".');
  return undefined;
};

/** The same for the forms of these pages, which cannot send a header of their own. */
export const originFault = (request: FastifyRequest): Failure | undefined => {
  const { headers } = request;
  const publicUrl = publicUrlOf(request);
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refused('Sessions count for pages of the platform alone; this request comes from another site.');
  if (site === undefined && headers.origin !== publicUrl)
    return refused(
      `Sessions count for pages of ${publicUrl} alone; the request has neither "Sec-Fetch-Site: same-origin" nor that Origin.`,
    );
  return undefined;
};

const refused = (detail: string): Failure => fail('SESSION_REQUEST_REFUSED', detail).failure;
