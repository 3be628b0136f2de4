/**
 * What the launcher is told by its environment, made once at start.
 * Refuses: a value it does not understand; the message names the setting and what was expected.
 */
import { join, resolve } from 'node:path';
import { type ServiceName, serviceNames, StartError } from '@tessera/local-stack';

export const demoSizes = ['demo', 'tiny', 'load', 'none'] as const;
export type DemoSize = (typeof demoSizes)[number];

export type Settings = {
  /** The data folder. */
  readonly home: string;
  readonly gatewayPort: number;
  readonly demo: DemoSize;
  readonly replicas: Readonly<Record<ServiceName, number>>;
  /** Servers of the user's own; without them they are started here. */
  readonly databaseUrl?: string;
  readonly natsUrl?: string;
};

const replicasMax = 16;
const defaultGatewayPort = 8080;

const filled = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

const wholeNumber = (setting: string, text: string, smallest: number, largest: number): number => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (value >= smallest && value <= largest) return value;
  throw new StartError(`${setting} is "${text}"; expected a number from ${smallest} to ${largest}.`, setting);
};

const demoSize = (text: string): DemoSize => {
  const size = demoSizes.find((known) => known === text);
  if (size !== undefined) return size;
  throw new StartError(`TESSERA_DEMO is "${text}"; expected one of ${demoSizes.join(', ')}.`, 'TESSERA_DEMO');
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

const address = (setting: string, text: string | undefined, protocols: readonly string[]): string | undefined => {
  const fits = (part: string): boolean => protocols.some((protocol) => part.startsWith(protocol)) && URL.canParse(part);
  // NATS takes several addresses, separated by commas; a comma has no other place in an address.
  if (text === undefined || text.split(',').every((part) => fits(part.trim()))) return text;
  throw new StartError(`${setting} is no address; expected one that begins with ${protocols.join(' or ')}.`, setting);
};

/** The settings in `environment`; relative folders are below the checkout. */
export const readSettings = (environment: NodeJS.ProcessEnv, checkout: string): Settings => {
  const databaseUrl = address('DATABASE_URL', filled(environment['DATABASE_URL']), ['postgres://', 'postgresql://']);
  const natsUrl = address('NATS_URL', filled(environment['NATS_URL']), ['nats://', 'tls://', 'ws://', 'wss://']);
  return Object.freeze({
    home: resolve(checkout, filled(environment['TESSERA_HOME']) ?? '.tessera'),
    gatewayPort: wholeNumber(
      'GATEWAY_PORT',
      filled(environment['GATEWAY_PORT']) ?? String(defaultGatewayPort),
      1,
      65_535,
    ),
    demo: demoSize(filled(environment['TESSERA_DEMO']) ?? 'demo'),
    replicas: replicaCounts(filled(environment['LAUNCHER_REPLICAS']) ?? ''),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(natsUrl !== undefined && { natsUrl }),
  });
};

/** The files of a data folder. */
export const homeFiles = (home: string) => ({
  lock: join(home, 'launcher.lock'),
  pids: join(home, 'pids.json'),
  environment: join(home, 'env'),
  secrets: join(home, 'secrets'),
  ports: join(home, 'ports.json'),
  postgres: join(home, 'postgres'),
  nats: join(home, 'nats'),
  demo: join(home, 'demo'),
});
export type HomeFiles = ReturnType<typeof homeFiles>;
