/**
 * Settings of a process: read once from the environment into one frozen, typed value. The only reader of process.env. Each
 * setting has a description (`describe`), whether it is secret (`meta`) and, in the message of its rejection, what is expected;
 * docs/configuration.md is made of that. Never starts with a wrong value, and never prints it.
 */
import { editDistance } from '@tessera/failures';
import { accessSync, constants } from 'node:fs';
import { z } from 'zod';

/** Wrong settings, one line each; meant for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

const digitsPattern = /^\d{1,15}$/;

/** A whole number, written in decimal digits; of what (`milliseconds`), unless its name says all. */
export const wholeNumberSetting = (min: number, max: number, unit?: string) => {
  const expected = `a whole number${unit === undefined ? '' : ` of ${unit}`} from ${min} to ${max}`;
  return z
    .string(expected)
    .regex(digitsPattern, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
};

/** A part of the whole. */
export const fractionSetting = () => {
  const expected = 'a number from 0 to 1, e.g. 0.05';
  return z
    .string(expected)
    .regex(/^(?:[01]|0?\.\d{1,9}|1\.0{1,9})$/, expected)
    .transform(Number);
};

/** `true` or `false`. */
export const booleanSetting = () => z.enum(['true', 'false'], 'true or false').transform((word) => word === 'true');

/** What any text fits. */
export const textSetting = (expected: string) => z.string(expected);

/** The path of a file that is there. */
export const readableFileSetting = (expected: string) => z.string(expected).refine(isReadable, expected);

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

/** An address with one of these protocols, e.g. `nats`. */
export const addressSetting = (...protocols: readonly string[]) => {
  const expected = `an address that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`;
  return z.string(expected).refine((given) => {
    const protocol = URL.parse(given)?.protocol.slice(0, -1);
    return protocol !== undefined && protocols.includes(protocol);
  }, expected);
};

/** Several of them, separated by commas. */
export const addressListSetting = (...protocols: readonly string[]) => {
  const expected = `addresses that begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}, separated by commas`;
  return z
    .string(expected)
    .refine(
      (given) => given.split(',').every((part) => addressSetting(...protocols).safeParse(part.trim()).success),
      expected,
    );
};

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What every service takes; spread it into the service's own `z.object`. */
export const commonSettingsShape = {
  NATS_URL: addressListSetting('nats', 'tls').default('nats://127.0.0.1:4222').meta({
    description:
      'The NATS servers, with the user and the password of this service in the first address; those count for all. With `tls://` the connection is encrypted, and a server that cannot is refused.',
    secret: true,
  }),
  NATS_CA_FILE: readableFileSetting('the path of a PEM file that can be read')
    .optional()
    .describe(
      'Certificates that the certificate of a NATS server may be signed by, in place of those that Node.js trusts.',
    ),
  MANAGEMENT_PORT: wholeNumberSetting(1, 65_535)
    .optional()
    .describe('The port of `/health/live`, `/health/ready` and `/metrics`; there is none when absent.'),
  MANAGEMENT_HOST: textSetting('a host name or an address of this machine')
    .default('127.0.0.1')
    .describe('The interface of the management port; containers need `0.0.0.0`.'),
  LOG_LEVEL: z
    .enum(logLevels, `one of ${logLevels.join(', ')}`)
    .default('info')
    .describe('Log lines below this level are left out.'),
  DRAIN_DELAY_MS: wholeNumberSetting(0, 60_000, 'milliseconds')
    .default(0)
    .describe('Time between "not ready" and the end of serving, so that who asks for readiness sees it.'),
  STOP_TIMEOUT_MS: wholeNumberSetting(100, 300_000, 'milliseconds')
    .default(4000)
    .describe('When stopping takes longer, the process ends all the same. The drain delay is part of it.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: addressSetting('http', 'https')
    .optional()
    .describe('Where traces are sent by OTLP over HTTP; none are made when absent.'),
  OTEL_TRACES_SAMPLER_ARG: fractionSetting()
    .default(0)
    .describe(
      'Of the requests whose caller sends no `traceparent`, the share that is traced. Who sends one decides by its flag. It counts at the gateway, where traces begin.',
    ),
};
export const commonSettingsSchema = z.object(commonSettingsShape);
export type CommonConfiguration = Readonly<z.output<typeof commonSettingsSchema>>;

/** For services with a database. */
export const databaseSettingsShape = {
  DATABASE_URL: addressSetting('postgres', 'postgresql').meta({
    description:
      'The PostgreSQL database with the role of this service and its password. For TLS with a check of the certificate it ends in `?sslmode=verify-full`; `&sslrootcert=<path>` names a PEM file of the certificates that may have signed it, in place of those that Node.js trusts.',
    secret: true,
  }),
};

/** For services that tell events. */
export const eventSettingsShape = {
  EVENT_STREAM_REPLICAS: wholeNumberSetting(1, 5)
    .default(1)
    .describe(
      'How many members of a cluster of NATS keep the stream of events, when this service is the one that makes it.',
    ),
};
export type EventConfiguration = { readonly EVENT_STREAM_REPLICAS: number };

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a service declares: the schemas of its settings by their names. */
export type SettingsSchema<C> = z.ZodType<C> & { readonly shape: Readonly<Record<string, z.ZodType>> };

/** In `meta` of a setting: it counts for nothing unless one of the first is set, or as long as one of the second is. */
const dependencySchema = z.object({
  onlyWith: z.array(z.string()).default([]),
  onlyWithout: z.array(z.string()).default([]),
});
export const settingDependencyOf = (setting: z.ZodType): z.output<typeof dependencySchema> =>
  dependencySchema.parse(setting.meta() ?? {});

/** Settings that were given and have no effect: somebody meant something by them. */
const ineffectiveFaults = (shape: SettingsSchema<unknown>['shape'], given: Environment): readonly string[] =>
  Object.entries(shape).flatMap(([name, setting]) => {
    if (given[name] === undefined) return [];
    const { onlyWith, onlyWithout } = settingDependencyOf(setting);
    const hindering = onlyWithout.filter((other) => given[other] !== undefined);
    return [
      ...(onlyWith.length > 0 && onlyWith.every((other) => given[other] === undefined)
        ? [`${name} is set and counts for nothing; expected ${onlyWith.join(' or ')} beside it, or neither`]
        : []),
      ...hindering.map((other) => `${name} is set and counts for nothing; expected it without ${other}`),
    ];
  });

/**
 * The frozen configuration; throws a ConfigurationError that lists every wrong variable, and every one that counts for nothing.
 * Blanks around a value do not count, since files of secrets end in a line break; an empty variable is an absent one.
 */
export const readConfiguration = <C>(schema: SettingsSchema<C>, environment: Environment): Readonly<C> => {
  const given = Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  const ineffective = ineffectiveFaults(schema.shape, given);
  if (parsed.success && ineffective.length === 0) return Object.freeze(parsed.data);
  const faults = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = path.map(String).join('.');
    return `${name} is ${given[name] === undefined ? 'missing' : 'wrong'}; expected ${message}`;
  });
  throw new ConfigurationError([...new Set([...faults, ...ineffective])]);
};

export type MisspeltSetting = { readonly found: string; readonly meant: string };

/** Distances below this one are misspellings. */
const misspellingsMax = 2;

export const findMisspeltSettings = (
  names: readonly string[],
  environment: Environment,
): readonly MisspeltSetting[] => {
  const absent = names.filter((name) => !environment[name]);
  return Object.keys(environment)
    .filter((found) => !names.includes(found))
    .flatMap((found) => {
      const meant = absent.find((name) => editDistance(found.toUpperCase(), name, misspellingsMax) < misspellingsMax);
      return meant === undefined ? [] : [{ found, meant }];
    });
};

/** `shape` describes the whole; messages of `name` and `entry` say what was expected (`at least 1`). Empty when absent. */
export const jsonByNameSetting = <Entry extends z.ZodType>(
  shape: string,
  name: z.core.$ZodRecordKey & z.ZodType<string>,
  entry: Entry,
) => {
  const entries = z.record(name, entry, 'an object');
  return z
    .string(shape)
    .transform((text, context): Readonly<Record<string, z.output<Entry>>> => {
      const parsed = entries.safeParse(jsonOf(text));
      if (parsed.success) return parsed.data;
      const faults = parsed.error.issues.map(faultText).filter((fault) => fault !== '');
      context.addIssue({ code: 'custom', message: [shape, ...new Set(faults)].join('; ') });
      return z.NEVER;
    })
    .default({});
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const faultText = (issue: z.core.$ZodIssue): string => {
  if (issue.path.length === 0) return '';
  const member = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `${member} has no member ${issue.keys.join(', ')}`;
  return issue.code === 'invalid_key'
    ? `the name ${member} should be ${issue.issues[0]?.message ?? 'another'}`
    : `${member} should be ${issue.message}`;
};
