/** Starts the content repository. */
import { databaseFailure, openOutbox, openServiceDatabase, poolFigures } from '@tessera/persistence';
import { publishEvents, registerPoolMetrics, runService } from '@tessera/service-kit';
import { keepPurging } from './bin/purge-expired.js';
import { ContentRepoModule } from './content-repo.module.js';
import { closePools, openPools } from './database/pools.js';
import { settings } from './settings.js';

await runService({
  name: 'content-repo',
  settings,
  database: ({ DATABASE_URL }) => openServiceDatabase('content-repo', DATABASE_URL),
  failureOf: databaseFailure,
  module: (service) => {
    const { configuration, log, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    onStop('resources', () => closePools(pools));
    registerPoolMetrics(service.metrics, poolFigures);
    const events = publishEvents(service, openOutbox('content-repo', configuration.DATABASE_URL));
    keepPurging(service, pools, events);
    return ContentRepoModule.with(pools, events);
  },
});
