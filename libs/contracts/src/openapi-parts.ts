/** What the OpenAPI documents of the gateway, of knowledge models and of agents' tools share. */

const textSchema = { type: 'string' } as const;
const countSchema = { type: 'integer', format: 'int32' } as const;

/** On every answer to a known caller. */
export const rateLimitHeaders = {
  'X-RateLimit-Limit': { description: 'Request limit per hour.', schema: countSchema },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: countSchema },
  'X-RateLimit-Reset': {
    description: 'UTC instant at which the window resets.',
    schema: { ...textSchema, format: 'date-time' },
  },
} as const;

/** With 429 and 503. */
export const retryAfterHeader = { description: 'Seconds to wait.', schema: { type: 'integer' } } as const;

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A JSON Web Token of the configured issuer, or an API key. A key may also stand in `Authorization` without a scheme and, where knowledge models are read, as the password of `Basic` under any user name.',
  },
  appKey: { type: 'apiKey', in: 'header', name: 'AppKey', description: 'An API key: tsk_<id>_<secret>_<checksum>.' },
} as const;

/** One of them. */
export const securityRequirements = [{ bearer: [] }, { appKey: [] }];

/** What stands in recorded examples where the address of the gateway is; each gateway puts its own there. */
export const examplePublicUrl = 'http://localhost:8080';

/** Of one operation: a request that was sent to the demo, and what it answered. */
export type OperationExample = {
  /** By their names on the wire. They go together: it is one request. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Those that go with no others, or have no value that holds in every installation. */
  readonly further: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Media type -> answer; a text where it is no JSON. Long lists and texts are cut. */
  readonly answers: Readonly<Record<string, unknown>>;
};
