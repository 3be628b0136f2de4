/** Reads the launcher's settings from the environment, once at start. */
import { join, resolve } from 'node:path';
import { type ServiceName, serviceNames, StartError } from '@tessera/local-stack';
import type { Platform } from './load-missing.js';

type DemoSettings = {
  readonly size: DemoSize;
  readonly platform: Platform;
  readonly folder: string;
};

/** Files go below `temporary` unless TESSERA_HOME says otherwise. */
export const readDemoSettings = (environment: NodeJS.ProcessEnv, temporary: string): DemoSettings => {
  const gatewayUrl = emptyToUndefined(environment['GATEWAY_URL']);
  if (gatewayUrl === undefined || !/^https?:\/\//.test(gatewayUrl) || !URL.canParse(gatewayUrl))
    throw new StartError('GATEWAY_URL is missing or no address; expected one that begins with http:// or https://.');
  const adminKey = emptyToUndefined(environment['ADMIN_KEY']);
  if (adminKey === undefined) throw new StartError('ADMIN_KEY is missing; expected a key with the scope admin.');
  checkLogFormat(environment);
  const size = readDemoSize(environment);
  const home = emptyToUndefined(environment['TESSERA_HOME']) ?? join(temporary, 'tessera');
  return { size, platform: { gatewayUrl: gatewayUrl.replace(/\/+$/, ''), adminKey }, folder: join(home, 'demo', size) };
};

const demoSizes = ['demo', 'tiny', 'load', 'none'] as const;
export type DemoSize = (typeof demoSizes)[number];

export type Settings = {
  /** The data folder. */
  readonly home: string;
  readonly gatewayPort: number;
  readonly demo: DemoSize;
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** Whether each service has a management port; the data folder says which. */
  readonly managementPorts: boolean;
  /** Servers of the user's own; without them they are started here. */
  readonly databaseUrl?: string;
  readonly natsUrl?: string;
};

const logFormats = ['text', 'json'] as const;
const replicasMax = 16;
const defaultGatewayPort = 8080;

export const emptyToUndefined = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

const wholeNumber = (setting: string, text: string, smallest: number, largest: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (value >= smallest && value <= largest) return value;
  throw new StartError(`${setting} is "${text}"; expected a number from ${smallest} to ${largest}.`, setting);
};

export const readDemoSize = (environment: NodeJS.ProcessEnv): DemoSize => {
  const text = emptyToUndefined(environment['TESSERA_DEMO']) ?? 'demo';
  const size = demoSizes.find((known) => known === text);
  if (size !== undefined) return size;
  throw new StartError(`TESSERA_DEMO is "${text}"; expected one of ${demoSizes.join(', ')}.`, 'TESSERA_DEMO');
};

const parseFlag = (setting: string, text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new StartError(`${setting} is "${text}"; expected true or false.`, setting);
};

/** Of what is printed; wrong formats are told when the settings are read. */
export const isJsonLog = (environment: NodeJS.ProcessEnv): boolean =>
  emptyToUndefined(environment['LOG_FORMAT']) === 'json';

const checkLogFormat = (environment: NodeJS.ProcessEnv): void => {
  const text = emptyToUndefined(environment['LOG_FORMAT']);
  if (text === undefined || logFormats.some((format) => format === text)) return;
  throw new StartError(`LOG_FORMAT is "${text}"; expected one of ${logFormats.join(', ')}.`, 'LOG_FORMAT');
};

/** `gateway=2,content-repo=3` */
const replicaCounts = (text: string): Readonly<Record<ServiceName, number>> => {
  const counts = Object.fromEntries(serviceNames.map((service) => [service, 1])) as Record<ServiceName, number>;
  for (const part of text.split(',').map((entry) => entry.trim())) {
    if (part === '') continue;
    const [name, count] = part.split('=');
    const service = serviceNames.find((known) => known === name);
    if (service === undefined)
      throw new StartError(
        `LAUNCHER_REPLICAS names "${name}"; expected ${serviceNames.join(', ')}.`,
        'LAUNCHER_REPLICAS',
      );
    counts[service] = wholeNumber('LAUNCHER_REPLICAS', count ?? '', 1, replicasMax);
  }
  return counts;
};

const parseAddress = (setting: string, text: string | undefined, protocols: readonly string[]): string | undefined => {
  const fits = (part: string): boolean => protocols.some((protocol) => part.startsWith(protocol)) && URL.canParse(part);
  // NATS takes several addresses, separated by commas; a comma has no other place in an address.
  if (text === undefined || text.split(',').every((part) => fits(part.trim()))) return text;
  throw new StartError(`${setting} is no address; expected one that begins with ${protocols.join(' or ')}.`, setting);
};

/** The settings in `environment`; relative folders are below the checkout. */
export const readSettings = (environment: NodeJS.ProcessEnv, checkout: string): Settings => {
  checkLogFormat(environment);
  const startedHere = environment['LAUNCHER_SERVERS']?.split(' ') ?? [];
  const own = (value: string | undefined): string | undefined =>
    value !== undefined && startedHere.includes(value) ? undefined : emptyToUndefined(value);
  const databaseUrl = parseAddress('DATABASE_URL', own(environment['DATABASE_URL']), ['postgres://', 'postgresql://']);
  const natsUrl = parseAddress('NATS_URL', own(environment['NATS_URL']), ['nats://', 'tls://']);
  return Object.freeze({
    home: resolve(checkout, emptyToUndefined(environment['TESSERA_HOME']) ?? '.tessera'),
    gatewayPort: wholeNumber(
      'GATEWAY_PORT',
      emptyToUndefined(environment['GATEWAY_PORT']) ?? String(defaultGatewayPort),
      1,
      65_535,
    ),
    demo: readDemoSize(environment),
    replicas: replicaCounts(emptyToUndefined(environment['LAUNCHER_REPLICAS']) ?? ''),
    managementPorts: parseFlag(
      'LAUNCHER_MANAGEMENT_PORTS',
      emptyToUndefined(environment['LAUNCHER_MANAGEMENT_PORTS']) ?? 'false',
    ),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(natsUrl !== undefined && { natsUrl }),
  });
};

/** The same in words, for docs/configuration.md. */
export const settingDescriptions = [
  {
    name: 'TESSERA_HOME',
    means: 'The data folder: servers, secrets, and the file `env` with addresses and keys.',
    expected: 'the path of a folder; a relative one is below the checkout',
    preset: '.tessera',
  },
  {
    name: 'GATEWAY_PORT',
    means: 'The port of the first gateway; its replicas take the next free ones.',
    expected: 'a number from 1 to 65535',
    preset: String(defaultGatewayPort),
  },
  {
    name: 'TESSERA_DEMO',
    means: 'Which content is loaded after the start.',
    expected: `one of ${demoSizes.join(', ')}`,
    preset: 'demo',
  },
  {
    name: 'LAUNCHER_REPLICAS',
    means: 'How many processes of which services run.',
    expected: `counts from 1 to ${replicasMax} by service, such as gateway=2,content-repo=3`,
    preset: 'one of each',
  },
  {
    name: 'LAUNCHER_MANAGEMENT_PORTS',
    means: 'Whether each process gets a management port of its own, any that is free.',
    expected: 'true or false',
    preset: 'false',
  },
  {
    name: 'DATABASE_URL',
    means:
      'A PostgreSQL server of your own, with a role that may create schemas and roles; one is started when absent.',
    expected: 'an address that begins with postgres:// or postgresql://',
    isSecret: true,
  },
  {
    name: 'NATS_URL',
    means: 'NATS servers of your own, with a user who may do everything; one is started when absent.',
    expected: 'an address that begins with nats:// or tls://',
    isSecret: true,
  },
  {
    name: 'LAUNCHER_SERVERS',
    means:
      'Written into the file `env`: the servers that an earlier start has started. Where a shell that has read the file names them as DATABASE_URL or NATS_URL, they are no servers of your own.',
    expected: 'addresses, separated by blanks',
    isSecret: true,
  },
  {
    name: 'GATEWAY_URL',
    means: 'For the process that loads the demo into a platform elsewhere, alone: its gateway.',
    expected: 'an address that begins with http:// or https://',
  },
  {
    name: 'ADMIN_KEY',
    means: 'For that process alone: the API key that administers the platform.',
    expected: 'a key with the scope admin',
    isSecret: true,
  },
  {
    name: 'TESSERA_CACHE',
    means: 'Where programs of PostgreSQL and NATS that were fetched or copied are kept.',
    expected: 'the path of a folder of this user',
    preset: '~/.cache/tessera, or the first of /var/cache/tessera and the temporary folder that can be written to',
  },
  {
    name: 'LOG_FORMAT',
    means:
      'What `npm start` prints: lines for people, or lines of JSON for programs. A service that is started without it, as in a container, always writes JSON.',
    expected: `one of ${logFormats.join(', ')}`,
    preset: 'text',
  },
  { name: 'NO_COLOR', means: 'The terminal shows no colours when it is set.', expected: 'any text' },
  { name: 'HOME', means: 'The folder of the user, where the cache is.', expected: 'set by the operating system' },
  { name: 'PATH', means: 'Where nats-server is looked for first.', expected: 'set by the operating system' },
].map((described) => ({ isSecret: false, preset: undefined, isRequired: false, ...described }));

/** The files of a data folder. */
export const resolveHomeFilePaths = (home: string) => ({
  lock: join(home, 'launcher.lock'),
  pids: join(home, 'pids.json'),
  environment: join(home, 'env'),
  secrets: join(home, 'secrets'),
  ports: join(home, 'ports.json'),
  postgres: join(home, 'postgres'),
  nats: join(home, 'nats'),
  demo: join(home, 'demo'),
  columnar: join(home, 'columnar'),
  managementPorts: join(home, 'management-ports.json'),
});
export type HomeFilePaths = ReturnType<typeof resolveHomeFilePaths>;
