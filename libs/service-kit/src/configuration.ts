/**
 * Settings of a process: read once from the environment into one frozen, typed value. The only reader of process.env.
 * Refuses: to start with a wrong value; it says which variable and what was expected, never what it held.
 */
import { z } from 'zod';

/** A wrong setting; the message is meant for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const digits = /^\d{1,15}$/;

/** A whole number, written in decimal digits. */
export const wholeNumber = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(digits, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
};

/** `true` or `false`. */
export const flag = () => z.enum(['true', 'false'], 'true or false').transform((word) => word === 'true');

/** An address with one of these protocols, e.g. `nats`. */
export const address = (...protocols: readonly string[]) =>
  z.string().refine(
    (text) => {
      const protocol = URL.parse(text)?.protocol.slice(0, -1);
      return protocol !== undefined && protocols.includes(protocol);
    },
    `an address that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  );

/** Several of them, separated by commas. */
export const addresses = (...protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => text.split(',').every((part) => address(...protocols).safeParse(part.trim()).success),
      `addresses that begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}, separated by commas`,
    );

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What every service takes; spread it into the service's own `z.object`. */
export const commonSettings = {
  NATS_URL: addresses('nats', 'tls').default('nats://127.0.0.1:4222'),
  MANAGEMENT_PORT: wholeNumber(1, 65_535).optional(),
  /** The interface of the management port. */
  MANAGEMENT_HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(logLevels, `one of ${logLevels.join(', ')}`).default('info'),
  /** Between "not ready" and the end of serving, so that who asks for readiness sees it. */
  DRAIN_DELAY_MS: wholeNumber(0, 60_000).default(0),
  /** When stopping takes longer, the process ends all the same. */
  STOP_TIMEOUT_MS: wholeNumber(100, 300_000).default(4000),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http', 'https').optional(),
};
export const commonSchema = z.object(commonSettings);
export type CommonConfiguration = Readonly<z.output<typeof commonSchema>>;

/** For services with a database. */
export const databaseSettings = {
  DATABASE_URL: address('postgres', 'postgresql'),
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The frozen configuration; throws a ConfigurationError that lists every wrong variable. An empty variable is an absent one. */
export const readConfiguration = <C>(schema: z.ZodType<C>, environment: Environment): Readonly<C> => {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = path.map(String).join('.');
    return given[name] === undefined ? `${name} is missing` : `${name} is wrong: expected ${message}`;
  });
  throw new ConfigurationError(
    `The configuration does not fit:\n${[...new Set(lines)].map((line) => `  ${line}`).join('\n')}`,
  );
};
