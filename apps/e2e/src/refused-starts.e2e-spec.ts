import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, serviceNames, type ServiceName } from '@tessera/local-stack';
import { waitUntil, createTestDatabase, startTestNats, type TestDatabase, type TestNats } from '@tessera/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { checkoutFolder } from './product.js';

type Settings = Readonly<Record<string, string>>;
type Started = {
  readonly child: ChildProcess;
  readonly errors: () => string;
  readonly output: () => string;
  readonly isReady: () => boolean;
};

const children = new Set<ChildProcess>();

const start = (service: ServiceName, environment: Settings): Started => {
  const child = fork(join(checkoutFolder, 'apps', service, 'dist', 'main.js'), [], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.add(child);
  let [output, errors, isReady] = ['', '', false];
  child.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  child.on('message', () => (isReady = true));
  return { child, errors: () => errors, output: () => output + errors, isReady: () => isReady };
};

/** What a start that is refused says on standard error; everything that it wrote is free of secrets. */
const startFailure = async (service: ServiceName, environment: Settings): Promise<string> => {
  const { child, errors, output } = start(service, environment);
  await Promise.all([
    once(child, 'exit'),
    ...[child.stdout, child.stderr].map((stream) => stream && once(stream, 'end')),
  ]);
  expect([child.exitCode, output()]).toEqual([78, expect.not.stringMatching(/top-secret|only-for-tests/)]);
  return errors();
};

type Readiness = { readonly status?: string; readonly checks: Readonly<Record<string, string>> };

const readiness = async (port: number): Promise<Readiness> => {
  const answer: Readiness = JSON.parse(await (await fetch(`http://127.0.0.1:${port}/health/ready`)).text());
  return answer;
};

const expectedAddress = 'expected an address that begins with postgres:// or postgresql://';

describe('the start of a service', () => {
  let database: TestDatabase;
  let nats: TestNats;
  beforeAll(async () => {
    [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });
  afterAll(() => Promise.all([database.drop(), nats.stop()]));

  const settingsOf = (service: ServiceName, more: Settings = {}): Settings => ({
    DATABASE_URL: database.urlFor(service),
    NATS_URL: nats.urlFor(service),
    ...(service === 'gateway' && { GATEWAY_PORT: '0' }),
    ...more,
  });
  const databaseUrl = (change: (address: URL) => void): string => {
    const address = new URL(database.urlFor('agents'));
    change(address);
    return address.href;
  };
  /** Answers the first column of the first row. */
  const changeDatabase = async (statement: string): Promise<string> => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    try {
      const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
      return String(rows[0]?.[0]);
    } finally {
      await client.end();
    }
  };
  const failuresOf = (services: readonly ServiceName[], more: Settings): Promise<readonly string[]> =>
    Promise.all(services.map((service) => startFailure(service, settingsOf(service, more))));
  const linesOf = (services: readonly ServiceName[], ...lines: readonly string[]): readonly string[] =>
    services.map((service) => lines.map((line) => `${service}: ${line}\n`).join(''));
  /** All others start as the agents do, by `runService`. */
  const both = ['agents', 'gateway'] as const;

  it('reports every missing or wrong setting and what is expected', async () => {
    const wrong = { DATABASE_URL: ' ', NATS_URL: 'http://top-secret@nats', LOG_LEVEL: 'loud' };
    expect(await failuresOf(both, wrong)).toEqual(
      linesOf(
        both,
        'NATS_URL is wrong; expected addresses that begin with nats:// or tls://, separated by commas',
        'LOG_LEVEL is wrong; expected one of trace, debug, info, warn, error, fatal, silent',
        `DATABASE_URL is missing; ${expectedAddress}`,
      ),
    );
  });

  it('fails with one line when PostgreSQL rejects the password', async () => {
    const wrong = databaseUrl((address) => (address.password = 'top-secret'));
    expect(await failuresOf(serviceNames, { DATABASE_URL: wrong })).toEqual(
      linesOf(
        serviceNames,
        'DATABASE_URL is wrong; expected a role and a password that PostgreSQL accepts; tessera migrate makes the roles',
      ),
    );
  });

  it('fails with one line when NATS rejects the password', async () => {
    const wrong = nats.urlFor('agents').replace(/:[^:@]+@/, ':top-secret@');
    expect(await startFailure('agents', settingsOf('agents', { NATS_URL: wrong }))).toBe(
      'agents: NATS_URL is wrong; expected a user and a password that NATS accepts\n',
    );
  });

  it('fails with one line when NATS denies a subject of the service', async () => {
    const agents = settingsOf('agents', { NATS_URL: nats.urlFor('knowledge-models') });
    const gateway = settingsOf('gateway', { NATS_URL: nats.urlFor('tool-gateway') });
    expect(await Promise.all([startFailure('agents', agents), startFailure('gateway', gateway)])).toEqual([
      expect.stringMatching(
        /^agents: NATS_URL is wrong; expected a user with the permissions of agents; NATS refuses [^\n]+ and \d+ more\n$/,
      ),
      expect.stringMatching(
        /^gateway: NATS_URL is wrong; expected a user with the permissions of gateway; NATS refuses [^\n]+\n$/,
      ),
    ]);
  });

  it('fails with one line when NATS must use TLS and does not', async () => {
    const settings = settingsOf('agents', { NATS_URL: nats.urlFor('agents').replace('nats://', 'tls://') });
    expect(await startFailure('agents', settings)).toBe(
      'agents: NATS_URL is wrong; expected a server that encrypts, as tls:// and NATS_CA_FILE demand\n',
    );
  });

  it('fails with one line when a port is in use', async () => {
    const server: Server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const lines = await Promise.all([
      startFailure('gateway', settingsOf('gateway', { GATEWAY_PORT: port })),
      startFailure('content-repo', settingsOf('content-repo', { MANAGEMENT_PORT: port })),
    ]);
    server.close();
    expect(lines).toEqual([
      'gateway: GATEWAY_PORT is wrong; expected a port that no other program uses\n',
      'content-repo: MANAGEMENT_PORT is wrong; expected a port that no other program uses\n',
    ]);
  });

  it('waits for an unreachable database, and reports it once', async () => {
    const port = await findFreePort();
    const unreachable = databaseUrl((address) => (address.port = '1'));
    const settings = settingsOf('agents', { DATABASE_URL: unreachable, MANAGEMENT_PORT: String(port) });
    const { child, output } = start('agents', settings);
    await waitUntil(() => output().includes('waiting for the database'));
    expect(await readiness(port)).toMatchObject({ status: 'not ready', checks: { database: 'down', schema: 'down' } });
    await waitUntil(() => output().includes('NATS connected'));
    expect(child.exitCode).toBeNull();
    expect(output().match(/waiting for the database/g)).toHaveLength(1);
  });

  it('waits for missing migrations', async () => {
    const port = await findFreePort();
    const name = await changeDatabase(
      `delete from agents.migration where id = (select max(id) from agents.migration) returning name`,
    );
    const { output, isReady } = start('agents', settingsOf('agents', { MANAGEMENT_PORT: String(port) }));
    await waitUntil(() => output().includes(`migrations are missing (${name}): run tessera migrate`));
    expect(await readiness(port)).toMatchObject({ status: 'not ready', checks: { database: 'up', schema: 'down' } });
    expect(isReady()).toBe(false);
    await changeDatabase(`insert into agents.migration (timestamp, name) values (1, '${name}')`);
    await waitUntil(isReady);
  });

  it('fails for a role without rights; running services continue and become ready when the rights are back', async () => {
    const port = await findFreePort();
    const { child, isReady } = start('agents', settingsOf('agents', { MANAGEMENT_PORT: String(port) }));
    await waitUntil(isReady);
    const own = new URL(database.adminUrl).pathname.slice(1);
    await changeDatabase(`revoke connect on database ${own} from public`);
    await changeDatabase(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tessera_agents' and datname = '${own}'`,
    );
    await waitUntil(async () => (await readiness(port)).checks['database'] === 'down');
    expect(await startFailure('agents', settingsOf('agents'))).toBe(
      'agents: DATABASE_URL is wrong; expected a role that may use the database; tessera migrate grants it\n',
    );
    await changeDatabase(`grant connect on database ${own} to public`);
    await waitUntil(async () => (await readiness(port)).status === 'ready');
    expect(child.exitCode).toBeNull();
  });
});
