/**
 * Puts the gateway together and opens its port. Resolves when it listens; what it needs may still be away.
 * Refuses: to read the environment and to end the process; `main.ts` does.
 */
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpOperation } from '@tessera/contracts';
import { OperationClient } from '@tessera/messaging';
import { createPool, credentialWindows, markApiKeysUsed, rateWindows, type Pool } from '@tessera/persistence';
import { openLimiter } from '@tessera/rate-limit';
import { nestLogger, type ServiceProcess } from '@tessera/service-kit';
import { KeyAdministration } from './admin/key-administration.js';
import { TeamAdministration } from './admin/team-administration.js';
import { FailedCredentials } from './auth/failed-credentials.js';
import { KeyUses } from './auth/key-uses.js';
import { openAuthenticator } from './auth/open-authentication.js';
import { Revocations } from './auth/revocations.js';
import type { GatewayConfiguration } from './configuration.js';
import { GatewayModule } from './gateway.module.js';
import { addPublicRoutes } from './health/public-routes.js';
import { Admission } from './http/admission.js';
import { CatchFailures } from './http/catch-failures.js';
import { edgeServerOf } from './http/edge-server.js';
import type { EdgeState } from './http/exchange.js';
import { requestRecorderOf } from './http/request-log.js';
import { stoppable } from './http/stop-serving.js';
import { addProtectedResource } from './mcp/protected-resource.js';
import { documentOf } from './openapi/document.js';
import { addReferenceUi } from './openapi/reference-ui.js';

export type Surroundings = Pick<
  ServiceProcess<GatewayConfiguration>,
  'configuration' | 'log' | 'metrics' | 'health' | 'link'
>;

export type ServedRoute = {
  readonly method: string;
  readonly path: string;
  readonly operation: HttpOperation | undefined;
};

export type Gateway = {
  readonly port: number;
  readonly routes: readonly ServedRoute[];
  /** From now on answers ask clients to connect elsewhere. */
  readonly startDraining: () => void;
  /**
   * Takes no new connections; resolves when the last request was answered. What takes longer than the process has is
   * answered as unavailable.
   */
  readonly stopServing: () => Promise<void>;
  readonly release: () => Promise<void>;
};

const statementTimeoutMs = 3_000;
const connectTimeoutMs = 1_500;
/** What a stop needs when no answer is waited for any more. */
const afterServingMs = 1_000;

export const openGateway = async (surroundings: Surroundings): Promise<Gateway> => {
  const { configuration, log } = surroundings;
  const pool = createPool({
    url: configuration.DATABASE_URL,
    applicationName: 'tessera-gateway',
    connectionsMax: configuration.DATABASE_CONNECTIONS_MAX,
    statementTimeoutMs,
    connectTimeoutMs,
    onIdleError: (error) => log.warn({ reason: error.message }, 'a connection to PostgreSQL broke'),
  });
  const guard = openGuard(surroundings, pool);
  const edge = edgeStateOf(configuration);
  const { adapter, filter } = openServer(surroundings, edge, guard.admission);
  const fastify = adapter.getInstance();
  const stop = stoppable(fastify.server);
  const routes: ServedRoute[] = [];
  fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const each of [method].flat()) routes.push({ method: each, path: url, operation: config?.operation });
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    moduleOf(surroundings, pool, guard.revocations),
    adapter,
    {
      logger: nestLogger(log),
      bodyParser: false,
      abortOnError: false,
    },
  );
  app.useGlobalFilters(filter);
  let openApi = Buffer.from('');
  addPublicRoutes(fastify, { ...surroundings, hasMetrics: configuration.PUBLIC_METRICS, openApi: () => openApi });
  const { JWT_JWKS_URL, JWT_SECRET, JWT_ISSUER } = configuration;
  addProtectedResource(fastify, (JWT_JWKS_URL ?? JWT_SECRET) === undefined ? undefined : JWT_ISSUER);
  addReferenceUi(app);
  await app.listen(configuration.GATEWAY_PORT, configuration.GATEWAY_HOST);
  const port = portOf(fastify.server.address());
  edge.publicUrl = configuration.PUBLIC_URL ?? `http://localhost:${port}`;
  // HEAD is GET without a body, by the protocol.
  const documented = routes.flatMap(({ method, operation }) => (method === 'HEAD' ? [] : (operation ?? [])));
  openApi = Buffer.from(JSON.stringify(documentOf(documented, edge.publicUrl)));
  return {
    port,
    routes,
    startDraining: () => void (edge.draining = true),
    stopServing: () =>
      stop({
        // A turn may take longer: its caller asks for it again by its key, of another gateway.
        patienceMs: Math.max(0, configuration.STOP_TIMEOUT_MS - configuration.DRAIN_DELAY_MS - afterServingMs),
        giveUp: () => app.get(OperationClient).close(0),
        close: () => app.close(),
      }),
    release: async () => {
      await guard.stop();
      await pool.end();
    },
  };
};

const edgeStateOf = ({ PUBLIC_URL, GATEWAY_PORT, TRUST_PROXY, APP_KEY_HEADERS }: GatewayConfiguration): EdgeState => ({
  publicUrl: PUBLIC_URL ?? `http://localhost:${GATEWAY_PORT}`,
  forwardedCounts: PUBLIC_URL === undefined && TRUST_PROXY !== undefined,
  draining: false,
  vary: ['Authorization', ...APP_KEY_HEADERS].join(', '),
});

/** What decides who enters, on keys and counters in the database. */
const openGuard = ({ configuration, log, metrics, link }: Surroundings, pool: Pool) => {
  const authenticator = openAuthenticator(configuration, pool, log);
  const revocations = new Revocations(link, (keyId) => authenticator.revoke(keyId));
  const { limiter, stop: stopLimiter } = openLimiter(rateWindows(pool, credentialWindows), log, metrics.registry);
  const keyUses = new KeyUses({
    write: (uses) => markApiKeysUsed(pool, uses),
    onError: (reason) => log.warn({ reason }, 'the last use of keys could not be written'),
  });
  keyUses.start();
  const admission = new Admission({
    authenticator,
    limiter,
    keyUses,
    failedCredentials: new FailedCredentials(),
    log,
    keyHeaders: configuration.APP_KEY_HEADERS.map((name) => name.toLowerCase()),
    requestTimeoutMs: configuration.REQUEST_TIMEOUT_MS,
    turnTimeoutMs: configuration.TURN_TIMEOUT_MS,
  });
  const stop = () => Promise.allSettled([stopLimiter(), keyUses.stop()]);
  return { admission, revocations, stop };
};

const openServer = ({ configuration, log, metrics }: Surroundings, edge: EdgeState, admission: Admission) => {
  const filter = new CatchFailures(log, configuration.BODY_MAX_BYTES);
  const record = requestRecorderOf(log, metrics, configuration.SLOW_REQUEST_MS);
  return { adapter: edgeServerOf({ configuration, edge, filter, admission, record }), filter };
};

const moduleOf = ({ configuration, link, metrics, health }: Surroundings, pool: Pool, revocations: Revocations) =>
  GatewayModule.with({
    ...{ link, metrics, health },
    keys: new KeyAdministration(pool, revocations, configuration.RATE_LIMIT_PER_HOUR),
    teams: new TeamAdministration(pool, configuration.RATE_LIMIT_PER_HOUR),
  });

const portOf = (address: string | { port: number } | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;
