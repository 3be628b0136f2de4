/**
 * Checks before routing. Never repairs an ambiguous head, which two servers could read differently: two hosts, credentials,
 * content types or idempotency keys are 400.
 */
import { idempotencyHeader } from '@tessera/contracts';
import { odataPrefix } from '@tessera/contracts/knowledge-models';
import { fail, type Failure } from '@tessera/failures';
import type { IncomingMessage } from 'node:http';

const unrepeatableHeaders = ['host', 'authorization', 'content-type', idempotencyHeader] as const;
const controlCharacter = /%00|%0[ad]/i;

export type EdgeRules = { readonly urlMaxLength: number; readonly keyHeaders: readonly string[] };

/** True for a request that the server sends to itself: a part of a batch, whose address came in a body. */
export const isBatchPart = (message: IncomingMessage): boolean => 'isLightMyRequest' in message;

export const checkRequestHead = (message: IncomingMessage, rules: EdgeRules): Failure | undefined => {
  const { url = '', rawHeaders } = message;
  if (url.charCodeAt(0) !== 0x2f) return illegalParameter('The target of the request is not a path of this host.');
  if (url.length > rules.urlMaxLength && !isBatchPart(message))
    return illegalParameter(`The URL is longer than ${rules.urlMaxLength} characters.`);
  if (controlCharacter.test(url)) return illegalParameter('The URL contains a control character (%00, %0A or %0D).');
  return checkHeaders(rawHeaders, rules);
};

/** Only names of the right length are compared; this runs on every request. */
const checkHeaders = (rawHeaders: readonly string[], { keyHeaders }: EdgeRules): Failure | undefined => {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const single = singleHeader(name, keyHeaders);
    if (single === undefined) continue;
    if (seen.includes(`${single} `)) return illegalParameter(`The header ${single} is there twice.`);
    seen += `${single} `;
  }
  return undefined;
};

const singleHeader = (name: string, keyHeaders: readonly string[]): string | undefined => {
  for (const single of unrepeatableHeaders)
    if (name.length === single.length && name.toLowerCase() === single) return single;
  for (const single of keyHeaders) if (name.length === single.length && name.toLowerCase() === single) return single;
  return undefined;
};

const illegalParameter = (detail: string): Failure => fail('GENERAL_PARAMETER_ILLEGAL', detail).failure;

/** An absolute-form target of our own host becomes its path; any other target stays and is refused. */
export const pathOfTarget = (target: string, publicUrl: string): string => {
  if (target.charCodeAt(0) === 0x2f || !target.startsWith(`${publicUrl}/`)) return target;
  return target.slice(publicUrl.length);
};

const contentPrefix = /^\/(?:[^/?]+\/[^/?]+\/)?_api\//;
/** Pages whose relative links begin at the slash. */
const pagePrefix = /^\/(?:console|docs)\/$/;

/**
 * The target as the routes have it: a slash at its end is the same path, a path of group A may begin with `_api/release`, and
 * clients of OData may encode the `$` of a segment.
 */
export const normaliseTarget = (target: string): string => {
  const queryAt = target.indexOf('?');
  const written = queryAt < 0 ? target : target.slice(0, queryAt);
  const isPage = pagePrefix.test(written);
  const path = isPage ? written : written.replace(/(?<=[^/])\/$/, '');
  return normalisePath(path) + target.slice(written.length);
};

const normalisePath = (path: string): string => {
  if (isODataPath(path)) return path.replaceAll('/%24', '/$');
  const content = path.includes('/_api/release/') ? contentPrefix.exec(path)?.[0] : undefined;
  return content === undefined || !path.startsWith('release/', content.length)
    ? path
    : `${content}rest/${path.slice(content.length)}`;
};

const servicesPrefix = odataPrefix.slice(0, odataPrefix.indexOf('{'));

/** Also of paths that nobody serves: who asks there reads failures as a client of OData. */
export const isODataPath = (path: string): boolean => path.startsWith(servicesPrefix);
