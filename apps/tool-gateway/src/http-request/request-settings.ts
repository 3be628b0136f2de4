/**
 * The settings of http-request tools: hosts that an operator vouches for, secrets that assets may name, and how many calls
 * a host takes at once.
 * Refuses: to tell an address or a secret; what is wrong is said by names alone.
 */
import { jsonByName, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';

const teams = z.array(z.string('a team').min(1, 'a team'), 'a list of teams').min(1, 'at least one team');

const isHostName = (text: string): boolean =>
  /^[a-z0-9.-]{1,253}$/.test(text) && URL.parse(`https://${text}`)?.hostname === text;
const hostName = z.string('a host name').refine(isHostName, 'a host name in lower case, without a port');

/** Protocol, host and port, and nothing else. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text);
};

const ListedHost = z.strictObject({
  /** Whose tools reach the host here; for other teams it is a host like any other. */
  teams,
  /** Where it is; may be private, and without TLS. */
  address: z.string('an address').refine(isOrigin, 'an address like http://127.0.0.1:4711, without a path'),
});

/** A shorter secret could not be told from what an answer says for itself. */
const secretLengthMin = 8;

const ToolSecret = z.strictObject({
  teams,
  hosts: z.array(hostName, 'a list of hosts').min(1, 'at least one host'),
  value: z
    .string('a text')
    .min(secretLengthMin, `of at least ${secretLengthMin} characters`)
    .max(4_000, 'of at most 4000 characters')
    .regex(/^[\x21-\x7e][\x20-\x7e]*[\x21-\x7e]$/, 'of printable ASCII characters'),
});

export type ListedHost = Readonly<z.output<typeof ListedHost>>;
export type ToolSecret = Readonly<z.output<typeof ToolSecret>>;

const secretName = z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'of letters, digits and _');

export const requestSettings = {
  /** Where hosts of http-request tools are, as JSON by host name. */
  HTTP_TOOL_HOSTS: jsonByName(
    'a JSON object like {"erp.example": {"teams": ["meridian"], "address": "http://127.0.0.1:4711"}}',
    hostName,
    ListedHost,
  ),
  /** Secrets that headers of http-request tools may name, as JSON by name. */
  TOOL_SECRETS: jsonByName(
    'a JSON object like {"ERP_TOKEN": {"teams": ["meridian"], "hosts": ["erp.example"], "value": "..."}}',
    secretName,
    ToolSecret,
  ),
  /** Calls of one team that one host answers at the same time, in each replica. */
  HTTP_TOOL_CALLS_PER_HOST: wholeNumber(1, 10_000).default(50),
};
export type RequestSettings = Readonly<{
  HTTP_TOOL_HOSTS: Readonly<Record<string, ListedHost>>;
  TOOL_SECRETS: Readonly<Record<string, ToolSecret>>;
  HTTP_TOOL_CALLS_PER_HOST: number;
}>;
