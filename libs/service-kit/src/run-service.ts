/** Runs a service that answers operations over NATS: ten lines of `main.ts` are left to the app. */
import 'reflect-metadata';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Failure } from '@tessera/failures';
import { NatsOperations } from '@tessera/messaging';
import type { CommonConfiguration } from './configuration.js';
import { createNestLogger } from './log.js';
import { startProcess, type ProcessOptions } from './service-process.js';
import { ServiceModule } from './service.module.js';

type ServiceDeclaration<C extends CommonConfiguration> = ProcessOptions<C> & {
  /** The root module of the service; `ServiceModule` is there for it. */
  readonly module: Type;
  /** What an error means to a caller, also one in the middle of an answer; undefined for a bug. */
  readonly failureOf: (error: unknown) => Failure | undefined;
};

@Module({})
class RootModule {}

/** Resolves when the service listens; it is ready when its health checks are up. */
export const runService = async <C extends CommonConfiguration>(declaration: ServiceDeclaration<C>): Promise<void> => {
  const service = await startProcess(declaration);
  // NATS shares calls out to whoever subscribes, ready or not: before the schema is right nothing is answered.
  await service.databaseRight;
  const { name, log, link, metrics, health, configuration } = service;
  const drainMs = Math.max(500, configuration.STOP_TIMEOUT_MS - configuration.DRAIN_DELAY_MS - 1000);
  const { observer } = metrics;
  const { failureOf, module } = declaration;
  const operations = new NatsOperations({ link, service: name, log, observer, failureOf, drainMs });
  metrics.gauge(
    'tessera_operations_in_progress',
    'Operations that this process is answering.',
    async () => operations.runningCount,
  );
  health.register('operations', () => link.hears('operations'));
  try {
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(
      { module: RootModule, imports: [ServiceModule.forRoot(service), module] },
      { strategy: operations, logger: createNestLogger(log), abortOnError: false },
    );
    await app.listen();
    // Nest closes the operations, then runs its hooks: before the shutdown what has to be told, then what holds resources.
    service.onStop('serving', () => app.close());
  } catch (error) {
    log.fatal({ err: error }, 'the service cannot start');
    return service.end('it cannot start', 1);
  }
  service.started();
};
