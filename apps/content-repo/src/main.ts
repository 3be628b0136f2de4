/** Starts the content repository. */
import { openOutbox } from '@tessera/persistence';
import { publishEvents, runService } from '@tessera/service-kit';
import { keepPurging } from './bin/purge-expired.js';
import { ContentRepoModule } from './content-repo.module.js';
import { closePools, isDatabaseUp, openPools } from './database/pools.js';
import { settings } from './settings.js';

await runService({
  name: 'content-repo',
  settings,
  module: (service) => {
    const { configuration, log, health, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    health.register('database', () => isDatabaseUp(pools));
    onStop('resources', () => closePools(pools));
    const events = publishEvents(service, openOutbox('content-repo', configuration.DATABASE_URL));
    keepPurging(service, pools, events);
    return ContentRepoModule.with(pools, events);
  },
});
