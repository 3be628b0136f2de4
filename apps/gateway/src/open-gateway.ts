/** Assembles the gateway and opens its port. Resolves when it listens; dependencies may still be away. */
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpOperation } from '@tessera/contracts';
import { OperationClient } from '@tessera/messaging';
import { createNestLogger } from '@tessera/service-kit';
import { GatewayModule, type ProcessProviders } from './gateway.module.js';
import { addConsole, readConsole } from './console.js';
import { addFrontPage } from './front-page.js';
import { addPublicRoutes } from './public-routes.js';
import { EvidenceExporter } from './evidence/evidence-exporter.js';
import { EdgeServer, createEdgeAdapter } from './http/edge-server.js';
import { makeStoppable } from './http/stop-serving.js';
import { prepareDocument, type PreparedDocument } from './prepared-document.js';
import { addProtectedResourceMetadata } from './mcp/protected-resource.js';
import { AuthorizationServer } from './oauth/authorization-server.js';
import { createOpenApiDocument } from './openapi/document.js';
import { addReferenceUi } from './openapi/reference-ui.js';
import { SignInPages } from './sessions/sign-in-pages.js';

type ServedRoute = {
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
};

/** What a stop needs when no answer is waited for any more. */
const afterServingMs = 1_000;

/** `consoleFolder` has a build of the console. */
export const openGateway = async (providers: ProcessProviders, consoleFolder: string): Promise<Gateway> => {
  const { configuration, log } = providers;
  const adapter = createEdgeAdapter(configuration, () => edge);
  const fastify = adapter.getInstance();
  const stop = makeStoppable(fastify.server);
  const routes: ServedRoute[] = [];
  fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const each of [method].flat()) routes.push({ method: each, path: url, operation: config?.operation });
  });
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.forRoot(providers), adapter, {
    logger: createNestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  const edge = app.get(EdgeServer);
  edge.addHooks(fastify);
  const openApi = Promise.withResolvers<PreparedDocument>();
  addPublicRoutes(fastify, { ...providers, hasMetrics: configuration.PUBLIC_METRICS, openApi: openApi.promise });
  addFrontPage(fastify);
  addConsole(fastify, await readConsole(consoleFolder));
  const authorizationServer = app.get(AuthorizationServer);
  authorizationServer.addRoutes(fastify);
  addProtectedResourceMetadata(fastify, authorizationServer.isUsed ? undefined : configuration.JWT_ISSUER);
  app.get(SignInPages).addRoutes(fastify);
  app.get(EvidenceExporter).addRoutes(fastify);
  addReferenceUi(fastify);
  await app.listen(configuration.GATEWAY_PORT, configuration.GATEWAY_HOST);
  const port = portOf(fastify.server.address());
  edge.state.publicUrl = configuration.PUBLIC_URL ?? `http://localhost:${port}`;
  const document = Buffer.from(createOpenApiDocument(app, edge.state.publicUrl));
  openApi.resolve(prepareDocument('application/json; charset=utf-8', document));
  return {
    port,
    routes,
    startDraining: () => void (edge.state.draining = true),
    stopServing: () =>
      stop({
        // A turn may take longer: its caller asks for it again by its key, of another gateway.
        patienceMs: Math.max(0, configuration.STOP_TIMEOUT_MS - configuration.DRAIN_DELAY_MS - afterServingMs),
        giveUp: () => app.get(OperationClient).close(0),
        close: () => app.close(),
      }),
  };
};

const portOf = (address: string | { port: number } | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;
