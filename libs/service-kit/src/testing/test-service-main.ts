/** The process that the specs start: a service with one slow operation that tells how it is stopped. */
import { once } from 'node:events';
import {
  Controller,
  Inject,
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { succeed } from '@tessera/failures';
import { NatsLink, Serves } from '@tessera/messaging';
import { z } from 'zod';
import {
  commonSettingsShape,
  booleanSetting,
  logToken,
  runService,
  settingsToken,
  stopSignalToken,
  type Log,
} from '../index.js';
import { slowOperation } from './slow-operation.js';

@Controller()
class TestController {
  @Serves(slowOperation)
  async slow() {
    printLine('working');
    await once(process, 'message');
    printLine('answered');
    return succeed({ text: 'done' });
  }
}

const settings = z.object({
  ...commonSettingsShape,
  TEST_BUG: booleanSetting().optional(),
  TEST_STUCK: booleanSetting().optional(),
});
type Settings = z.output<typeof settings>;

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

@Injectable()
class TestWork implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(settingsToken) private readonly configuration: Settings,
    @Inject(logToken) private readonly log: Log,
    @Inject(stopSignalToken) private readonly stopping: AbortSignal,
    private readonly link: NatsLink,
  ) {}

  onApplicationBootstrap(): void {
    this.log.info({ headers: { authorization: 'Bearer abc' }, key: 'tsk_a_b_c' }, 'with secrets');
    this.stopping.addEventListener('abort', () => printLine('serving ends'));
    if (this.configuration.TEST_BUG) setTimeout(() => void Promise.reject(new Error('nobody caught me')), 100);
  }

  beforeApplicationShutdown(): void {
    printLine(`publishing ends, NATS ${this.link.connected}`);
  }

  async onApplicationShutdown(): Promise<void> {
    printLine(`resources end, NATS ${this.link.connected}`);
    if (this.configuration.TEST_STUCK) await new Promise(() => {});
  }
}

@Module({ controllers: [TestController], providers: [TestWork] })
class TestModule {}

await runService({ name: 'agents', settings, failureOf: () => undefined, module: TestModule });
