/** What calls operations of other services and hears them, for every module of a process. The link stays the process's. */
import { Module, type DynamicModule } from '@nestjs/common';
import { ClientsModule } from '@nestjs/microservices';
import { NatsLink } from './nats-link.js';
import { OperationClient, type ClientOptions } from './operation-client.js';

@Module({})
export class MessagingModule {
  static forRoot(options: ClientOptions): DynamicModule {
    const name = OperationClient.name;
    return {
      module: MessagingModule,
      global: true,
      imports: [ClientsModule.register([{ name, customClass: OperationClient, options }])],
      providers: [
        { provide: OperationClient, useExisting: name },
        { provide: NatsLink, useValue: options.link },
      ],
      exports: [OperationClient, NatsLink],
    };
  }
}
