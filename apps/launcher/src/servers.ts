/** PostgreSQL and NATS: the user's own by address, or local ones that keep their ports from one start to the next. */
import { existsSync, readFileSync } from 'node:fs';
import { types } from 'node:util';
import {
  type NatsServer,
  choosePort,
  type PostgresServer,
  type ServiceName,
  serviceNames,
  startNats,
  startPostgres,
  StartError,
} from '@tessera/local-stack';
import {
  databaseServices,
  type DatabaseServiceName,
  migrate,
  MigrationRefusedError,
  serviceDatabaseUrl,
} from '@tessera/persistence/migrate';
import pg from 'pg';
import { ensureSecrets, writePrivateFile } from './private-file.js';
import type { ProcessRegistry } from './process-register.js';
import type { HomeFilePaths, Settings } from './settings.js';
import { type RunningProcess, superviseProcess, type SupervisedProcess } from './supervision.js';
import type { Terminal } from './terminal.js';

type ServerContext = {
  readonly settings: Settings;
  readonly files: HomeFilePaths;
  readonly register: ProcessRegistry;
  readonly terminal: Terminal;
  /** Takes what has to be stopped as soon as it runs. */
  readonly keep: (started: SupervisedProcess) => void;
};

type Ports = { readonly postgres?: number; readonly nats?: number };

const databaseName = 'tessera';
/** What a server writes while all is well is of no use in the terminal. */
const postgresHint = /\b(WARNING|ERROR|FATAL|PANIC):/;
const natsHint = /\[(WRN|ERR|FTL)\]/;
const natsKnown = 'Plaintext passwords detected';

const readPorts = (files: HomeFilePaths): Ports =>
  existsSync(files.ports) ? (JSON.parse(readFileSync(files.ports, 'utf8')) as Ports) : {};

const rememberPort = (files: HomeFilePaths, ports: Ports): void =>
  writePrivateFile(files.ports, `${JSON.stringify({ ...readPorts(files), ...ports })}\n`);

/** Starts a server under supervision; the first one is the answer. */
const keepRunning = async <Server extends RunningProcess>(
  { register, terminal, keep }: ServerContext,
  name: string,
  start: () => Promise<Server>,
): Promise<Server> => {
  let first: Server | undefined;
  const registered = async (): Promise<Server> => {
    const server = await start();
    const forget = register.add(name, server.pid);
    void server.ended.then(forget);
    first ??= server;
    return server;
  };
  keep(await superviseProcess({ name, start: registered, say: (text) => terminal.problem(text) }));
  if (first === undefined) throw new Error(`${name} was supervised without a start`);
  return first;
};

const onDatabase = async <T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tessera-launcher' });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};

const withDatabase = (serverUrl: string, name: string): string => {
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  return address.href;
};

/** The administrator's address of the database: DATABASE_URL, or one on a server started here. */
export const ensureDatabase = async (context: ServerContext): Promise<string> => {
  const { settings, files, terminal } = context;
  if (settings.databaseUrl !== undefined) return settings.databaseUrl;
  const port = await choosePort(readPorts(files).postgres);
  const server = await keepRunning<PostgresServer>(context, 'postgres', () =>
    startPostgres({
      dataFolder: files.postgres,
      port,
      settings: { max_connections: '200', shared_buffers: '128MB' },
      log: (text) => {
        if (postgresHint.test(text)) terminal.line('postgres', text);
      },
    }),
  );
  rememberPort(files, { postgres: port });
  await onDatabase(server.url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  });
  return withDatabase(server.url, databaseName);
};

const isDatabaseService = (service: string): service is DatabaseServiceName => Object.hasOwn(databaseServices, service);

/** The schemas are made by the first migration, once: their number is never given again in this server. */
const databaseIdentity = (adminUrl: string): Promise<string> =>
  onDatabase(adminUrl, async (client) => {
    const { rows } = await client.query<{ readonly identity: string }>(
      `select current_database() || '/' || (select system_identifier from pg_control_system()) ||
        '/' || 'content_repo'::regnamespace::oid as identity`,
    );
    return rows[0]?.identity ?? '';
  });

export type DatabaseAddresses = {
  readonly adminUrl: string;
  /** Tells this database from every other, also at the same address. */
  readonly identity: string;
  /** Undefined for a service without tables. */
  readonly urlFor: (service: ServiceName) => string | undefined;
};

/** Servers that are away or refuse have codes; what else goes wrong is a bug. */
const startErrorOf = (error: unknown): StartError | undefined => {
  if (error instanceof MigrationRefusedError) return new StartError(error.message, 'DATABASE_URL');
  if (!types.isNativeError(error) || !('code' in error)) return undefined;
  const reason = error.message === '' ? String(error.code) : error.message;
  return new StartError(`The database at DATABASE_URL cannot be used: ${reason}.`, 'DATABASE_URL');
};

/** Schemas, roles and tables as this version expects them; each service gets a role with a password of its own. */
export const prepareDatabase = async (adminUrl: string, files: HomeFilePaths): Promise<DatabaseAddresses> => {
  const withTables = Object.keys(databaseServices).filter(isDatabaseService);
  const passwords = ensureSecrets(files.secrets, 'database-roles.json', withTables);
  await migrate({ url: adminUrl, passwords }).catch((error: unknown) => {
    throw startErrorOf(error) ?? error;
  });
  return {
    adminUrl,
    identity: await databaseIdentity(adminUrl),
    urlFor: (service) =>
      isDatabaseService(service) ? serviceDatabaseUrl(adminUrl, service, passwords[service]) : undefined,
  };
};

export type NatsAddresses = { readonly operatorUrl: string; readonly urlFor: (service: ServiceName) => string };

/** The address of the message server for each service: NATS_URL for all, or one with a user per service started here. */
export const ensureNats = async (context: ServerContext): Promise<NatsAddresses> => {
  const { settings, files, terminal } = context;
  const { natsUrl } = settings;
  if (natsUrl !== undefined) return { operatorUrl: natsUrl, urlFor: () => natsUrl };
  const users = ensureSecrets(files.secrets, 'nats-users.json', [...serviceNames, 'operator'] as const);
  const port = await choosePort(readPorts(files).nats);
  const log = (text: string): void => {
    if (text.startsWith('getting ')) terminal.line('launcher', text);
    else if (natsHint.test(text) && !text.includes(natsKnown)) terminal.line('nats-server', text);
  };
  const server = await keepRunning<NatsServer>(context, 'nats-server', () =>
    startNats({ folder: files.nats, port, users, log }),
  );
  rememberPort(files, { nats: port });
  return { operatorUrl: server.url, urlFor: server.urlFor };
};
