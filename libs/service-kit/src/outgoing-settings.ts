/** Settings of foreign systems: team, address, and the secrets that go there. Messages never show an address or a secret. */
import { z } from 'zod';

export const teamListSchema = z
  .array(z.string('a team').min(1, 'a team'), 'a list of teams')
  .min(1, 'at least one team');

const isHostName = (text: string): boolean =>
  /^[a-z0-9.-]{1,253}$/.test(text) && URL.parse(`https://${text}`)?.hostname === text;
export const hostNameSchema = z.string('a host name').refine(isHostName, 'a host name in lower case, without a port');

/** Protocol, host and port, and nothing else. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text);
};
/** Where an operator says that a host is; may be private, and without TLS. */
export const hostAddressSchema = z
  .string('an address')
  .refine(isOrigin, 'an address like http://127.0.0.1:4711, without a path');

export const secretNameSchema = z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'of letters, digits and _');

/** A shorter secret could not be told from what an answer says for itself. */
const secretLengthMin = 8;

export const secretValueSchema = z
  .string('a text')
  .min(secretLengthMin, `of at least ${secretLengthMin} characters`)
  .max(4_000, 'of at most 4000 characters')
  .regex(/^[\x21-\x7e][\x20-\x7e]*[\x21-\x7e]$/, 'of printable ASCII characters');
