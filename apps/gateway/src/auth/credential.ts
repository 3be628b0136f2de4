/**
 * The credential of a request, told by its form alone.
 * Refuses: to choose between several. Whoever sends two means something that we would have to guess.
 */
import { fail, succeed, type Result } from '@tessera/failures';
import { looksLikeApiKey } from '@tessera/persistence';
import type { IncomingHttpHeaders } from 'node:http';

export type Credential = { readonly kind: 'key' | 'token'; readonly text: string };

const scheme = /^(bearer|appkey) +([^ ]+) *$/i;

/** `keyHeaders` are the lower case names of the headers that carry a key. */
export const readCredential = (headers: IncomingHttpHeaders, keyHeaders: readonly string[]): Result<Credential> => {
  let found: Credential | undefined;
  const { authorization } = headers;
  if (authorization !== undefined) {
    const [, name, text] = scheme.exec(authorization) ?? [];
    if (name === undefined || text === undefined) return missing;
    const isKey = looksLikeApiKey(text) || name.toLowerCase() === 'appkey';
    found = { kind: isKey ? 'key' : 'token', text };
  }
  for (const header of keyHeaders) {
    const text = headers[header];
    if (text === undefined) continue;
    if (found !== undefined || typeof text !== 'string') return several;
    found = { kind: 'key', text };
  }
  return found === undefined ? missing : succeed(found);
};

const several = fail('GENERAL_PARAMETER_ILLEGAL', 'The request carries several credentials; send one.');
const missing = fail(
  'ACCESS_UNAUTHORIZED',
  'The request carries no API key and no token; send "Authorization: Bearer <token or key>" or "AppKey: <key>".',
);
