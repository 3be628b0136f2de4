/** Starts the five services and keeps them running. Never gives a service the address or the secret of another. */
import { join } from 'node:path';
import { findFreePort, isPortFree, type ServiceName, serviceNames, StartError } from '@tessera/local-stack';
import { keyVariableNames } from './demo-keys.js';
import { passwordVariableNames } from './demo-people.js';
import { type MockErp, withMockErpSettings } from './mock-erp.js';
import { writePrivateFile } from './private-file.js';
import type { ProcessRegistry } from './process-register.js';
import type { DatabaseAddresses, NatsAddresses } from './servers.js';
import { startService } from './service-process.js';
import type { HomeFilePaths, Settings } from './settings.js';
import { superviseProcess, type SupervisedProcess } from './supervision.js';
import type { Terminal } from './terminal.js';

type ServicesContext = {
  readonly settings: Settings;
  readonly checkout: string;
  readonly register: ProcessRegistry;
  readonly terminal: Terminal;
  readonly database: DatabaseAddresses;
  readonly messages: NatsAddresses;
  readonly gatewayPorts: readonly number[];
  readonly files: Pick<HomeFilePaths, 'columnar' | 'managementPorts'>;
  /** Of the demo. */
  readonly erp?: MockErp | undefined;
  readonly stopping: AbortSignal;
  readonly keep: (started: SupervisedProcess) => void;
};

/** What belongs to the launcher alone and no service may see. */
const ownSettings = [
  'DATABASE_URL',
  'NATS_URL',
  'TESSERA_HOME',
  'TESSERA_DEMO',
  'LAUNCHER_REPLICAS',
  'LAUNCHER_MANAGEMENT_PORTS',
  'GATEWAY_PORT',
  // One port for five processes cannot be.
  'MANAGEMENT_PORT',
  // The shell may have read the environment file.
  'LAUNCHER_SERVERS',
  'LOG_FORMAT',
  ...keyVariableNames,
  ...passwordVariableNames,
];

/** Addresses and secrets of foreign systems, only for the service that calls them. */
const foreignSettings: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  'tool-gateway': ['HTTP_TOOL_HOSTS', 'TOOL_SECRETS'],
  agents: ['MODEL_HOSTS'],
};

const settingsWithheldFrom = (service: ServiceName): readonly string[] => [
  ...ownSettings,
  ...serviceNames.flatMap((other) => (other === service ? [] : (foreignSettings[other] ?? []))),
];

/** Shorter than what the launcher waits before it ends a service by force. */
const serviceStopMs = '2800';

/** The ports of the gateways: the first as it was set, free ones for its replicas. */
export const chooseGatewayPorts = async ({ gatewayPort, replicas }: Settings): Promise<readonly number[]> => {
  if (!(await isPortFree(gatewayPort)))
    throw new StartError(
      `Port ${gatewayPort} is in use by another program; stop it, or set GATEWAY_PORT to a free port.`,
      'GATEWAY_PORT',
    );
  const ports = [gatewayPort];
  while (ports.length < replicas.gateway) {
    const next = (ports.at(-1) ?? gatewayPort) + 1;
    ports.push(next <= 65_535 && (await isPortFree(next)) ? next : await findFreePort());
  }
  return ports;
};

const environmentOf = (
  context: ServicesContext,
  service: ServiceName,
  replica: number,
  managementPort: number | undefined,
): NodeJS.ProcessEnv => {
  const { database, messages, gatewayPorts, erp, files } = context;
  const withheld = settingsWithheldFrom(service);
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.includes(name)));
  const databaseUrl = database.urlFor(service);
  return {
    STOP_TIMEOUT_MS: serviceStopMs,
    ...inherited,
    // Each replica has files of its own, whatever is set for one.
    ...(service === 'knowledge-models' && { COLUMNAR_FOLDER: join(files.columnar, String(replica + 1)) }),
    SERVICE: service,
    NATS_URL: messages.urlFor(service),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...(service === 'tool-gateway' && erp && withMockErpSettings(inherited, erp)),
    ...(service === 'gateway' && { GATEWAY_PORT: String(gatewayPorts[replica]) }),
    ...(managementPort !== undefined && { MANAGEMENT_PORT: String(managementPort) }),
  };
};

/** Starts every service with its replicas at once; resolves when all are ready. `tell` hears how many are. */
export const startServices = async (context: ServicesContext, tell: (detail: string) => void): Promise<void> => {
  const { settings, register, terminal } = context;
  const abandoned = new AbortController();
  const stopping = AbortSignal.any([context.stopping, abandoned.signal]);
  let ready = 0;
  const managementPorts: Partial<Record<ServiceName, number[]>> = {};
  const startOne = async (service: ServiceName, replica: number): Promise<void> => {
    const managementPort = settings.managementPorts ? await findFreePort() : undefined;
    if (managementPort !== undefined) (managementPorts[service] ??= []).push(managementPort);
    const name = settings.replicas[service] > 1 ? `${service}.${replica + 1}` : service;
    const started = await superviseProcess({
      name,
      stopping,
      say: (text) => terminal.problem(text),
      start: (stop) =>
        startService({
          service,
          checkout: context.checkout,
          environment: environmentOf(context, service, replica, managementPort),
          log: (line) => terminal.line(name, line),
          onSpawn: (pid) => register.add(service, pid),
          stopping: stop,
        }),
    });
    context.keep(started);
    tell(`${++ready}/${starts.length}`);
  };
  /** What the others wait for may never come then. */
  const giveUp = (error: unknown): never => {
    abandoned.abort();
    throw error;
  };
  const starts = serviceNames.flatMap((service) =>
    Array.from({ length: settings.replicas[service] }, (_, replica) => startOne(service, replica).catch(giveUp)),
  );
  try {
    await Promise.all(starts);
  } finally {
    await Promise.allSettled(starts);
  }
  if (settings.managementPorts) writePrivateFile(context.files.managementPorts, JSON.stringify(managementPorts));
};
