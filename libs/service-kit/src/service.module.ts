/**
 * What the process gives to every module of its service: settings, log, metrics, the client of other services, and work that
 * repeats. The process makes them before there is a container; modules get them by injection.
 */
import { Global, Inject, Module, type BeforeApplicationShutdown, type DynamicModule } from '@nestjs/common';
import { MessagingModule, NatsLink, OperationClient } from '@tessera/messaging';
import type { CommonConfiguration } from './configuration.js';
import { RecurringJobs } from './recurring-jobs.js';
import type { ServiceProcess } from './service-process.js';
import { logToken, metricsToken, settingsToken, stopSignalToken } from './tokens.js';

type ProcessProviders = Pick<
  ServiceProcess<CommonConfiguration>,
  'configuration' | 'log' | 'metrics' | 'link' | 'stopping'
>;

/** For calls that nobody waits for any more. */
const lastAnswersMs = 500;

@Global()
@Module({})
export class ServiceModule implements BeforeApplicationShutdown {
  constructor(
    @Inject(OperationClient) private readonly client: Pick<OperationClient, 'close'>,
    private readonly link: NatsLink,
  ) {}

  static forRoot({ configuration, log, metrics, link, stopping }: ProcessProviders): DynamicModule {
    const values = [
      { provide: settingsToken, useValue: configuration },
      { provide: logToken, useValue: log },
      { provide: metricsToken, useValue: metrics },
      { provide: stopSignalToken, useValue: stopping },
    ];
    return {
      module: ServiceModule,
      imports: [MessagingModule.forRoot({ link, observer: metrics.observer })],
      providers: [...values, RecurringJobs],
      exports: [...values, RecurringJobs],
    };
  }

  /** Nest asks global modules last: all others have published what they had to. Pools end after this. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.client.close(lastAnswersMs);
    await this.link.close();
  }
}
