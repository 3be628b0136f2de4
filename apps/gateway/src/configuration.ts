/** The settings of the gateway. Never two ways of checking tokens at once, nor tokens without issuer and audience. */
import {
  addressSetting,
  textSetting,
  commonSettingsShape,
  databaseSettingsShape,
  booleanSetting,
  hostAddressSchema,
  hostNameSchema,
  jsonByNameSetting,
  wholeNumberSetting,
} from '@tessera/service-kit';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { z } from 'zod';
import { redirectFault } from './oauth/redirect-address.js';

const wordList = (each: RegExp, expected: string) =>
  z
    .string(expected)
    .transform((given) => given.split(',').map((word) => word.trim()))
    .refine((list) => list.every((word) => each.test(word)), expected);

const proxyList = () => {
  const expected = 'addresses or networks, separated by commas';
  return z
    .string(expected)
    .transform((given) => given.split(',').map((word) => word.trim()))
    .refine((list) => list.every((word) => isIP(word) > 0 || ipaddr.isValidCIDR(word)), expected);
};

const originPattern = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** As browsers write them: in lower case, without the port that goes without saying. An empty text is none. */
const originList = () =>
  z
    .string('origins, separated by commas')
    .transform((given) => given.split(',').flatMap((word) => word.trim() || []))
    .refine((list) => list.every((word) => originPattern.test(word)), 'origins, separated by commas')
    .transform((list) =>
      list.map((word) => {
        const origin = URL.parse(word)?.origin ?? 'null';
        return origin === 'null' ? word.toLowerCase() : origin;
      }),
    );

/** Tokens of the operator's issuer are taken with one of these. */
const issuerKeys = ['JWT_JWKS_URL', 'JWT_SECRET'];

const tokenAlgorithms = ['RS256', 'PS256', 'ES256'] as const;

const redirectAddress = z.string('an address').superRefine((address, context) => {
  const fault = redirectFault(address, true);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `an address that ${fault}` });
});

const ListedClient = z.strictObject({
  name: z.string('a name').min(1, 'a name').max(100, 'a name of at most 100 characters'),
  redirects: z.array(redirectAddress, 'a list of addresses').min(1, 'at least one address'),
});

const networkSettings = {
  GATEWAY_HOST: textSetting('a host name or an address of this machine')
    .default('127.0.0.1')
    .describe('The interface that callers reach; containers need `0.0.0.0`.'),
  GATEWAY_PORT: wholeNumberSetting(0, 65_535)
    .default(8080)
    .describe('The port that callers reach; 0 takes any that is free.'),
  LISTEN_WAIT_MS: wholeNumberSetting(0, 600_000, 'milliseconds')
    .default(30_000)
    .describe(
      'How long the port stays closed while NATS or the schema are not there yet; then it opens, and `/health/ready` tells what is missing.',
    ),
  PUBLIC_URL: addressSetting('http', 'https')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Scheme, host and port that callers use; every URI in a body begins with it. `http://localhost:<GATEWAY_PORT>` when absent.',
    ),
  TRUST_PROXY: proxyList()
    .optional()
    .describe(
      'Addresses or networks of proxies whose X-Forwarded-For tells the address of a caller, and whose X-Forwarded-Host and X-Forwarded-Proto count when there is no PUBLIC_URL. Without it everybody behind a proxy has the same address.',
    ),
  MCP_ALLOWED_ORIGINS: wordList(
    /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?|[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i,
    'origins or host names, separated by commas',
  )
    .optional()
    .describe(
      'Origins, and host names with whatever scheme and port, whose pages may speak to MCP servers beside the public host. Where that is this machine, these host names may be called as well.',
    ),
  CORS_ORIGINS: originList()
    .optional()
    .describe(
      'Origins (`https://app.example.com`) whose pages may read answers in a browser, MCP servers included; without credentials of the browser. No origin when absent.',
    ),
  IGNORED_PARAMETERS: wordList(/^[^\s&=#]{1,100}$/, 'names of parameters, separated by commas')
    .optional()
    .describe(
      'Parameters of the query, and members of bodies, that are ignored where they are not known, beside those that begin with `_` or `utm_`. Every other unknown name is refused.',
    ),
  PUBLIC_METRICS: booleanSetting()
    .default(true)
    .describe('Whether the public port answers `/metrics`, beside the management port; it names no team and no key.'),
};

const accessSettings = {
  APP_KEY_HEADERS: wordList(
    /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
    'header names of letters, digits and -, separated by commas',
  )
    .default(['AppKey'])
    .describe('The headers that may carry an API key.'),
  JWT_ISSUER: textSetting('the issuer that tokens name')
    .optional()
    .describe('`iss` of the tokens that are accepted; needed with JWT_JWKS_URL and with JWT_SECRET.')
    .meta({ onlyWith: issuerKeys }),
  JWT_AUDIENCE: textSetting('the audience that tokens name')
    .optional()
    .describe('`aud` of the tokens that are accepted; needed with JWT_JWKS_URL and with JWT_SECRET.')
    .meta({ onlyWith: issuerKeys }),
  JWT_JWKS_URL: addressSetting('http', 'https')
    .optional()
    .describe(
      "Where the issuer's public keys are; its tokens are accepted when it is set. Without it and JWT_SECRET the gateway issues tokens itself.",
    ),
  JWT_ALGORITHMS: wordList(/^(RS256|PS256|ES256)$/, `of ${tokenAlgorithms.join(', ')}, separated by commas`)
    .transform((list) => tokenAlgorithms.filter((known) => list.includes(known)))
    .default([...tokenAlgorithms])
    .describe('How tokens may be signed by the keys of JWT_JWKS_URL.')
    .meta({ onlyWith: ['JWT_JWKS_URL'] }),
  JWT_SECRET: z.string('at least 32 characters').min(32, 'at least 32 characters').optional().meta({
    description: 'A shared secret for tokens signed with HS256, in place of JWT_JWKS_URL; for development.',
    secret: true,
  }),
  JWT_TEAM_CLAIM: textSetting('the name of a claim')
    .default('team')
    .describe(
      'The claim of a token that names the team. A token without it is worth what the member is that its subject is, where that is so in one team alone.',
    )
    .meta({ onlyWith: issuerKeys }),
  JWT_ADMIN_TEAMS: wordList(/^(\*|[a-z0-9][a-z0-9-]{0,62})$/, 'teams, separated by commas, or *')
    .optional()
    .describe(
      'The teams in which the scope `admin` of a token counts; `*` for every team but `operators`, which has to be named for its tokens to be taken at all. Without it administration is by API keys alone.',
    )
    .meta({ onlyWith: issuerKeys }),
  JWT_LIFETIME_MAX_SECONDS: wholeNumberSetting(60, 31_536_000, 'seconds')
    .optional()
    .describe('Tokens that live longer, from `iat` to `exp`, are refused, and those without `iat`.')
    .meta({ onlyWith: issuerKeys }),
  SESSION_IDLE_SECONDS: wholeNumberSetting(60, 2_592_000, 'seconds')
    .default(8 * 3_600)
    .describe('A session without a request for so long ends.'),
  SESSION_LIFETIME_SECONDS: wholeNumberSetting(60, 31_536_000, 'seconds')
    .default(7 * 86_400)
    .describe('A session ends so long after the sign-in at the latest.'),
  OAUTH_CLIENTS: jsonByNameSetting(
    'a JSON object like {"desktop-app": {"name": "Desktop App", "redirects": ["http://127.0.0.1/callback"]}}',
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'a client id: letters, digits, . _ -'),
    ListedClient,
  )
    .describe(
      'Clients that act for people and are known beforehand, by their ids: what people read at the consent, and the addresses to which they are sent back. They keep no secret.',
    )
    .meta({ onlyWithout: issuerKeys }),
  OAUTH_DOCUMENT_HOSTS: jsonByNameSetting(
    'a JSON object like {"clients.example": {"address": "http://10.0.0.5:8080"}}',
    hostNameSchema,
    z.strictObject({ address: hostAddressSchema }),
  )
    .describe(
      'Hosts of documents about clients that the operator vouches for, and where they are; such an address may be private and without TLS. Other hosts are reached by https on the public Internet alone.',
    )
    .meta({ onlyWithout: issuerKeys }),
  OAUTH_REGISTRATION: booleanSetting()
    .default(true)
    .describe('Whether clients that act for people may register themselves.'),
  OAUTH_DOCUMENTS: booleanSetting()
    .default(true)
    .describe(
      'Whether such clients may be known by the address of a document about them, which the gateway fetches. Not where the gateway has no way out: clients that see it offered do not register.',
    ),
  TEAM_KEYS_MAX: wholeNumberSetting(1, 1_000_000, 'keys')
    .default(1_000)
    .describe('API keys of a team that are neither revoked nor expired; more are refused.'),
  RATE_LIMIT_PER_HOUR: wholeNumberSetting(1, 2_000_000_000, 'requests')
    .default(6000)
    .describe('For credentials that carry no limit of their own.'),
};

const signOnSettings = {
  SSO_ISSUER: addressSetting('http', 'https')
    .optional()
    .describe(
      'The issuer at which people sign in (OpenID Connect), as its documents write it; people sign in here alone without it. Members have it as the issuer of their identity.',
    ),
  SSO_CLIENT_ID: textSetting('the id of the gateway at the issuer')
    .optional()
    .describe('The client that the gateway is at SSO_ISSUER.'),
  SSO_CLIENT_SECRET: z
    .string('the secret of the client')
    .min(1, 'the secret of the client')
    .optional()
    .meta({ description: 'The secret of SSO_CLIENT_ID.', secret: true }),
  SSO_NAME: textSetting('a name')
    .default('single sign-on')
    .describe('What people call the issuer: the page shows "Sign in with" and this.')
    .meta({ onlyWith: ['SSO_ISSUER'] }),
  SSO_SCOPES: z
    .string('scopes, separated by spaces')
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'scopes, separated by spaces')
    .refine((text) => text.split(' ').includes('openid'), 'scopes with openid among them')
    .default('openid')
    .describe('What the issuer is asked for; `openid` has to be among them.')
    .meta({ onlyWith: ['SSO_ISSUER'] }),
  SSO_TEAMS_CLAIM: textSetting('the name of a claim')
    .optional()
    .describe(
      'A claim of the ID token with a team or a list of teams: who signs in there may choose among these alone. It gives no rights; without the setting every team counts in which the person is a member.',
    )
    .meta({ onlyWith: ['SSO_ISSUER'] }),
};

const boundSettings = {
  BODY_MAX_BYTES: wholeNumberSetting(1024, 64 * 1024 * 1024, 'bytes')
    .default(1024 * 1024)
    .describe(
      'Larger bodies are refused, of writes, imports, loads, definitions, batches, tools and completions; of other requests those over 256 KiB.',
    ),
  URL_MAX_LENGTH: wholeNumberSetting(256, 65_536, 'characters')
    .default(16 * 1024)
    .describe('Longer addresses are refused.'),
  CONNECTIONS_MAX: wholeNumberSetting(1, 100_000, 'connections')
    .default(10_000)
    .describe('Connections of callers at the same time; further ones are closed.'),
  DATABASE_CONNECTIONS_MAX: wholeNumberSetting(1, 100, 'connections')
    .default(5)
    .describe('Connections to the database, for keys and limits.'),
  REQUEST_TIMEOUT_MS: wholeNumberSetting(1000, 600_000, 'milliseconds')
    .default(30_000)
    .describe('After so long without an answer of a service a request is answered as unavailable.'),
  TURN_TIMEOUT_MS: wholeNumberSetting(1000, 600_000, 'milliseconds')
    .default(125_000)
    .describe('The same for turns of conversations; not shorter than REQUEST_TIMEOUT_MS.'),
  READER_TIMEOUT_MS: wholeNumberSetting(1000, 600_000, 'milliseconds')
    .default(15_000)
    .describe(
      'A connection that takes no byte of its answer for so long is closed, and what makes the answer is cancelled.',
    ),
  SLOW_REQUEST_MS: wholeNumberSetting(1, 600_000, 'milliseconds').default(2000).describe('Slower requests are logged.'),
};

export const gatewaySettings = z
  .object({
    ...commonSettingsShape,
    ...databaseSettingsShape,
    DRAIN_DELAY_MS: commonSettingsShape.DRAIN_DELAY_MS.unwrap()
      .default(500)
      .describe('Time in which clients with open connections hear that they should go elsewhere.'),
    ...networkSettings,
    ...accessSettings,
    ...signOnSettings,
    ...boundSettings,
  })
  .refine(({ JWT_JWKS_URL, JWT_SECRET }) => JWT_JWKS_URL === undefined || JWT_SECRET === undefined, {
    path: ['JWT_SECRET'],
    message: 'either JWT_SECRET or JWT_JWKS_URL, not both',
  })
  .refine(
    ({ JWT_JWKS_URL, JWT_SECRET, JWT_ISSUER, JWT_AUDIENCE }) =>
      (JWT_JWKS_URL ?? JWT_SECRET) === undefined || (JWT_ISSUER !== undefined && JWT_AUDIENCE !== undefined),
    { path: ['JWT_ISSUER'], message: 'JWT_ISSUER and JWT_AUDIENCE together with JWT_JWKS_URL or JWT_SECRET' },
  )
  .refine(
    ({ SSO_ISSUER, SSO_CLIENT_ID, SSO_CLIENT_SECRET }) =>
      new Set([SSO_ISSUER, SSO_CLIENT_ID, SSO_CLIENT_SECRET].map((given) => given === undefined)).size === 1,
    { path: ['SSO_ISSUER'], message: 'SSO_ISSUER, SSO_CLIENT_ID and SSO_CLIENT_SECRET together' },
  )
  .refine(({ TURN_TIMEOUT_MS, REQUEST_TIMEOUT_MS }) => TURN_TIMEOUT_MS >= REQUEST_TIMEOUT_MS, {
    path: ['TURN_TIMEOUT_MS'],
    message: 'at least REQUEST_TIMEOUT_MS',
  });

export type GatewayConfiguration = Readonly<z.output<typeof gatewaySettings>>;
