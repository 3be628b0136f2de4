/** The process that the specs start: a service with one slow operation and telling shutdown steps. */
import { once } from 'node:events';
import { Controller, Module } from '@nestjs/common';
import { succeed } from '@tessera/failures';
import { Serves } from '@tessera/messaging';
import { z } from 'zod';
import { commonSettings, flag, runService } from '../index.js';
import { slowOperation } from './slow-operation.js';

@Controller()
class TrialController {
  @Serves(slowOperation)
  async slow() {
    process.stdout.write('working\n');
    await once(process, 'message');
    process.stdout.write('answered\n');
    return succeed({ text: 'done' });
  }
}

@Module({ controllers: [TrialController] })
class TrialModule {}

await runService({
  name: 'agents',
  settings: z.object({ ...commonSettings, TRIAL_BUG: flag().optional(), TRIAL_STUCK: flag().optional() }),
  failureOf: () => undefined,
  module: ({ configuration, onStop, log, link }) => {
    log.info({ headers: { authorization: 'Bearer abc' }, key: 'tsk_a_b_c' }, 'with secrets');
    onStop('serving', async () => void process.stdout.write('serving ends\n'));
    onStop('publishing', async () => void process.stdout.write(`publishing ends, NATS ${link.connected}\n`));
    onStop('resources', async () => void process.stdout.write('resources end\n'));
    if (configuration.TRIAL_STUCK) onStop('resources', () => new Promise(() => {}));
    if (configuration.TRIAL_BUG) setTimeout(() => void Promise.reject(new Error('nobody caught me')), 100);
    return TrialModule;
  },
});
