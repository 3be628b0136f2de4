/** The settings of the gateway. Never two ways of checking tokens at once, nor tokens without issuer and audience. */
import { address, anyText, commonSettings, databaseSettings, booleanText, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';

const words = (each: RegExp, expected: string) =>
  z
    .string(expected)
    .transform((given) => given.split(',').map((word) => word.trim()))
    .refine((list) => list.every((word) => each.test(word)), expected);

const tokenAlgorithms = ['RS256', 'PS256', 'ES256'] as const;

const networkSettings = {
  GATEWAY_HOST: anyText('a host name or an address of this machine')
    .default('127.0.0.1')
    .describe('The interface that callers reach; containers need `0.0.0.0`.'),
  GATEWAY_PORT: wholeNumber(0, 65_535).default(8080).describe('The port that callers reach; 0 takes any that is free.'),
  LISTEN_WAIT_MS: wholeNumber(0, 600_000, 'milliseconds')
    .default(30_000)
    .describe(
      'How long the port stays closed while NATS or the schema are not there yet; then it opens, and `/health/ready` tells what is missing.',
    ),
  PUBLIC_URL: address('http', 'https')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Scheme, host and port that callers use; every URI in a body begins with it. `http://localhost:<GATEWAY_PORT>` when absent.',
    ),
  TRUST_PROXY: words(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, 'addresses or networks, separated by commas')
    .optional()
    .describe(
      'Proxies whose X-Forwarded-For tells the address of a caller, and whose X-Forwarded-Host and X-Forwarded-Proto count when there is no PUBLIC_URL.',
    ),
  MCP_ALLOWED_ORIGINS: words(
    /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?|[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i,
    'origins or host names, separated by commas',
  )
    .optional()
    .describe(
      'Origins, and host names with whatever scheme and port, whose pages may speak to MCP servers beside the public host. Where that is this machine, these host names may be called as well.',
    ),
  PUBLIC_METRICS: booleanText()
    .default(true)
    .describe('Whether the public port answers `/metrics`, beside the management port; it names no team and no key.'),
};

const accessSettings = {
  APP_KEY_HEADERS: words(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'header names of letters, digits and -, separated by commas')
    .default(['AppKey'])
    .describe('The headers that may carry an API key.'),
  JWT_ISSUER: anyText('the issuer that tokens name')
    .optional()
    .describe('`iss` of the tokens that are accepted; needed with JWT_JWKS_URL and with JWT_SECRET.'),
  JWT_AUDIENCE: anyText('the audience that tokens name')
    .optional()
    .describe('`aud` of the tokens that are accepted; needed with JWT_JWKS_URL and with JWT_SECRET.'),
  JWT_JWKS_URL: address('http', 'https')
    .optional()
    .describe("Where the issuer's public keys are; tokens are accepted when it is set."),
  JWT_ALGORITHMS: words(/^(RS256|PS256|ES256)$/, `of ${tokenAlgorithms.join(', ')}, separated by commas`)
    .transform((list) => tokenAlgorithms.filter((known) => list.includes(known)))
    .default([...tokenAlgorithms])
    .describe('How tokens may be signed by the keys of JWT_JWKS_URL.'),
  JWT_SECRET: z.string('at least 32 characters').min(32, 'at least 32 characters').optional().meta({
    description: 'A shared secret for tokens signed with HS256, in place of JWT_JWKS_URL; for development.',
    secret: true,
  }),
  JWT_TEAM_CLAIM: anyText('the name of a claim').default('team').describe('The claim of a token that names the team.'),
  JWT_ADMIN_TEAMS: words(/^(\*|[a-z0-9][a-z0-9-]{0,62})$/, 'teams, separated by commas, or *')
    .optional()
    .describe(
      'The teams in which the scope `admin` of a token counts; `*` for every team but `operators`, which has to be named for its tokens to be taken at all. Without it administration is by API keys alone.',
    ),
  JWT_LIFETIME_MAX_SECONDS: wholeNumber(60, 31_536_000, 'seconds')
    .optional()
    .describe('Tokens that live longer, from `iat` to `exp`, are refused, and those without `iat`.'),
  RATE_LIMIT_PER_HOUR: wholeNumber(1, 2_000_000_000, 'requests')
    .default(6000)
    .describe('For credentials that carry no limit of their own.'),
};

const boundSettings = {
  BODY_MAX_BYTES: wholeNumber(1024, 64 * 1024 * 1024, 'bytes')
    .default(1024 * 1024)
    .describe('Larger bodies of requests are refused.'),
  URL_MAX_LENGTH: wholeNumber(256, 65_536, 'characters')
    .default(16 * 1024)
    .describe('Longer addresses are refused.'),
  CONNECTIONS_MAX: wholeNumber(1, 100_000, 'connections')
    .default(10_000)
    .describe('Connections of callers at the same time; further ones are closed.'),
  DATABASE_CONNECTIONS_MAX: wholeNumber(1, 100, 'connections')
    .default(5)
    .describe('Connections to the database, for keys and limits.'),
  REQUEST_TIMEOUT_MS: wholeNumber(1000, 600_000, 'milliseconds')
    .default(30_000)
    .describe('After so long without an answer of a service a request is answered as unavailable.'),
  TURN_TIMEOUT_MS: wholeNumber(1000, 600_000, 'milliseconds')
    .default(125_000)
    .describe('The same for turns of conversations; not shorter than REQUEST_TIMEOUT_MS.'),
  READER_TIMEOUT_MS: wholeNumber(1000, 600_000, 'milliseconds')
    .default(15_000)
    .describe(
      'A connection that takes no byte of its answer for so long is closed, and what makes the answer is cancelled.',
    ),
  SLOW_REQUEST_MS: wholeNumber(1, 600_000, 'milliseconds').default(2000).describe('Slower requests are logged.'),
};

export const gatewaySettings = z
  .object({
    ...commonSettings,
    ...databaseSettings,
    DRAIN_DELAY_MS: commonSettings.DRAIN_DELAY_MS.unwrap()
      .default(500)
      .describe('Time in which clients with open connections hear that they should go elsewhere.'),
    ...networkSettings,
    ...accessSettings,
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
  .refine(({ TURN_TIMEOUT_MS, REQUEST_TIMEOUT_MS }) => TURN_TIMEOUT_MS >= REQUEST_TIMEOUT_MS, {
    path: ['TURN_TIMEOUT_MS'],
    message: 'at least REQUEST_TIMEOUT_MS',
  });

export type GatewayConfiguration = Readonly<z.output<typeof gatewaySettings>>;
