/** Starts the content repository. */
import { toOutageFailure, openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { ContentRepoModule } from './content-repo.module.js';
import { contentRepoSettings } from './settings.js';

await runService({
  name: 'content-repo',
  settings: contentRepoSettings,
  database: ({ DATABASE_URL }) => openServiceDatabase('content-repo', DATABASE_URL),
  failureOf: toOutageFailure,
  module: ContentRepoModule,
});
