import { connectNats, silentLog } from '@tessera/messaging';
import type { OwningService } from '@tessera/contracts';
import type { CommonConfiguration } from '../configuration.js';
import { openLog } from '../log.js';
import { makeMetrics } from '../metrics.js';

/** What `ServiceModule.forRoot` takes, for specs: nothing is logged, and without a `link` NATS is away. */
export const createTestProcess = <Configuration extends CommonConfiguration>(
  name: OwningService,
  configuration: Configuration,
  link = connectNats({ url: 'nats://127.0.0.1:1', service: name, log: silentLog }),
) => ({
  configuration,
  log: openLog(name, 'silent').log,
  metrics: makeMetrics(name),
  link,
  stopping: new AbortController().signal,
});
