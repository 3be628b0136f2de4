/** The rollups of the service, and what the metrics tell of them. */
import type { Provider } from '@nestjs/common';
import { logToken, metricsToken, type Log, type Metrics } from '@tessera/service-kit';
import { Catalogs } from '../catalog/catalogs.js';
import { Pools } from '../database.module.js';
import { Rollups } from './rollups.js';

export const rollupProviders: readonly Provider[] = [
  {
    provide: Rollups,
    inject: [Pools, Catalogs, logToken, metricsToken],
    useFactory: (pools: Pools, catalogs: Catalogs, log: Log, metrics: Metrics): Rollups => {
      const ended = metrics.counts('tessera_rollups_total', 'Rollups, by how their making ended.', ['outcome']);
      // A series that is there from the beginning is one whose growth is seen.
      ended(0, 'made');
      const makingSeconds = metrics.durations('tessera_rollup_making_seconds', 'Time to make a rollup.');
      const rollups = new Rollups({
        ...{ pools, catalogs, log },
        onMade: (outcome, seconds) => {
          ended(1, outcome);
          if (outcome === 'made') makingSeconds(seconds);
        },
      });
      metrics.gauge(
        'tessera_rollup_tables',
        'Tables of rollups that questions can be answered from.',
        async () => rollups.count,
      );
      catalogs.onRevision((team) => rollups.noticeRevision(team));
      return rollups;
    },
  },
];
