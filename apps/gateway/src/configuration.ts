/**
 * The settings of the gateway. Refuses: two ways of checking tokens at once, and tokens without issuer and audience.
 */
import { address, commonSettings, databaseSettings, flag, wholeNumber } from '@tessera/service-kit';
import { z } from 'zod';

const words = (each: RegExp, expected: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .refine((list) => list.every((word) => each.test(word)), expected);

const tokenAlgorithms = ['RS256', 'PS256', 'ES256'] as const;

export const gatewaySettings = z
  .object({
    ...commonSettings,
    ...databaseSettings,
    /** Time in which clients with open connections hear that they should go elsewhere. */
    DRAIN_DELAY_MS: wholeNumber(0, 60_000).default(500),
    DATABASE_CONNECTIONS_MAX: wholeNumber(1, 100).default(5),
    /** The interface that callers reach; containers need 0.0.0.0. */
    GATEWAY_HOST: z.string().default('127.0.0.1'),
    GATEWAY_PORT: wholeNumber(0, 65_535).default(8080),
    /** Scheme, host and port that callers use; every URI in a body begins with it. */
    PUBLIC_URL: address('http', 'https')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    /** Addresses and networks of proxies whose X-Forwarded-Host and -Proto count when there is no PUBLIC_URL. */
    TRUST_PROXY: words(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, 'addresses or networks, separated by commas').optional(),
    APP_KEY_HEADERS: words(
      /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
      'header names of letters, digits and -, separated by commas',
    ).default(['AppKey']),
    /**
     * Origins, and host names with whatever scheme and port, whose pages may speak to MCP servers beside the public host.
     * Where that is this machine, these host names may be called as well.
     */
    MCP_ALLOWED_ORIGINS: words(
      /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?|[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i,
      'origins or host names, separated by commas',
    ).optional(),
    JWT_ISSUER: z.string().optional(),
    JWT_AUDIENCE: z.string().optional(),
    JWT_JWKS_URL: address('http', 'https').optional(),
    JWT_ALGORITHMS: words(/^(RS256|PS256|ES256)$/, `of ${tokenAlgorithms.join(', ')}, separated by commas`)
      .transform((list) => tokenAlgorithms.filter((known) => list.includes(known)))
      .default([...tokenAlgorithms]),
    /** Shared secret for HS256; for development. */
    JWT_SECRET: z.string().min(32, 'at least 32 characters').optional(),
    JWT_TEAM_CLAIM: z.string().default('team'),
    /** For credentials that carry no limit of their own. */
    RATE_LIMIT_PER_HOUR: wholeNumber(1, 2_000_000_000).default(6000),
    /** Whether the public port answers /metrics, beside MANAGEMENT_PORT; it names no team and no key. */
    PUBLIC_METRICS: flag().default(true),
    BODY_MAX_BYTES: wholeNumber(1024, 64 * 1024 * 1024).default(1024 * 1024),
    URL_MAX_LENGTH: wholeNumber(256, 65_536).default(16 * 1024),
    CONNECTIONS_MAX: wholeNumber(1, 100_000).default(10_000),
    REQUEST_TIMEOUT_MS: wholeNumber(1000, 600_000).default(30_000),
    /** For turns of conversations, in place of REQUEST_TIMEOUT_MS. */
    TURN_TIMEOUT_MS: wholeNumber(1000, 600_000).default(125_000),
    /** Slower requests are logged. */
    SLOW_REQUEST_MS: wholeNumber(1, 600_000).default(2000),
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
