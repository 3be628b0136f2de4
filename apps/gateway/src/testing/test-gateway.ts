/** A gateway of the specs: the real one, on a database and a nats-server of the spec, with a key for every purpose. */
import { connectNats, silentLog } from '@tessera/messaging';
import { createPool, openServiceDatabase, type Pool } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import { createApiKey, createTeam, gatewayEntities } from '@tessera/persistence/gateway';
import { Health, makeMetrics, openLog, readConfiguration } from '@tessera/service-kit';
import { scopes } from '@tessera/contracts';
import type { TestDatabase, TestNats } from '@tessera/testing';
import { gatewaySettings } from '../configuration.js';
import { consoleBuild } from './console-build.js';
import { openGateway, type Gateway } from '../open-gateway.js';

export type TestGateway = Gateway & {
  readonly url: string;
  /** What it logged, as lines of JSON. */
  readonly logged: readonly string[];
  readonly stop: () => Promise<void>;
};

type TestAddresses = { readonly databaseUrl: string; readonly natsUrl: string };

export const startTestGateway = async (
  { databaseUrl, natsUrl }: TestAddresses,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestGateway> => {
  const configuration = readConfiguration(gatewaySettings, {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    GATEWAY_PORT: '0',
    ...settings,
  });
  const logged: string[] = [];
  const { log } = openLog('gateway', 'info', { write: (line) => void logged.push(line) });
  const metrics = makeMetrics('gateway');
  const health = new Health();
  const link = connectNats({ url: natsUrl, service: 'gateway', log: silentLog });
  health.register('nats', () => link.answers(), 'first');
  health.register('inbox', () => link.hears('inbox'));
  const database = openServiceDatabase('gateway', configuration.DATABASE_URL);
  health.register('database', database.isUp, 'first');
  health.register('writes', database.takesWrites, 'first');
  const gateway = await openGateway({ configuration, log, metrics, health, link }, consoleBuild());
  await link.whenConnected(60_000);
  health.started();
  await health.readiness();
  return {
    ...gateway,
    url: `http://127.0.0.1:${gateway.port}`,
    logged,
    stop: async () => {
      await gateway.stopServing();
      await link.close();
      await database.close();
    },
  };
};

export type TestApiKeys = Readonly<
  Record<'meridian' | 'northgate' | 'reader' | 'tiny' | 'operator' | 'meridianAdmin', string>
>;

const highLimit = 1_000_000;

/** Teams and keys in a fresh database. */
export const createTestApiKeys = async (database: TestDatabase): Promise<TestApiKeys> => {
  const pool = openTestPool(database);
  const source = openDataSource(pool, gatewayEntities);
  try {
    for (const team of ['meridian', 'northgate', 'tinyco', 'operators']) await createTeam(source, team, team);
    const make = async (team: string, granted: readonly string[], hourlyLimit = highLimit): Promise<string> =>
      (await createApiKey(source, { team, name: 'spec', scopes: granted, hourlyLimit })).key;
    const allButAdmin = scopes.filter((scope) => scope !== 'admin');
    return {
      meridian: await make('meridian', allButAdmin),
      northgate: await make('northgate', allButAdmin),
      reader: await make('meridian', ['knowledge-models:read']),
      tiny: await make('tinyco', ['content:read', 'knowledge-models:read'], 5),
      operator: await make('operators', scopes),
      meridianAdmin: await make('meridian', ['admin']),
    };
  } finally {
    await pool.end();
  }
};

export const openTestPool = (database: TestDatabase): Pool =>
  createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 3,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });

export const testAddressesOf = (database: TestDatabase, nats: TestNats): TestAddresses => ({
  databaseUrl: database.urlFor('gateway'),
  natsUrl: nats.urlFor('gateway'),
});
