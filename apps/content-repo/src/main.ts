/** Starts the content repository. */
import { databaseFailure, openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { ContentRepoModule } from './content-repo.module.js';
import { settings } from './settings.js';

await runService({
  name: 'content-repo',
  settings,
  database: ({ DATABASE_URL }) => openServiceDatabase('content-repo', DATABASE_URL),
  failureOf: databaseFailure,
  module: ContentRepoModule,
});
