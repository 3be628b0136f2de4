/** The authorization server: tokens for keys, and for clients that act for people. */
import { Module } from '@nestjs/common';
import { logToken, RecurringJobs, type Log } from '@tessera/service-kit';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database.module.js';
import { AuthorizationServer } from './authorization-server.js';
import { ClientGrantController } from './client-grant.controller.js';
import { CodeFlow } from './code-flow.js';
import { Consents } from './consents.js';
import { ExpiredGrants } from './expired-grants.js';
import { Grants } from './grants.js';
import { OAuthProviders } from './providers.js';

@Module({
  imports: [AuthModule, DatabaseModule],
  controllers: [ClientGrantController],
  providers: [
    {
      provide: RecurringJobs,
      inject: [logToken],
      // They end with the application.
      useFactory: (log: Log) => new RecurringJobs(log, AbortSignal.any([])),
    },
    ...[AuthorizationServer, CodeFlow, Consents, ExpiredGrants, Grants, OAuthProviders],
  ],
  exports: [Grants],
})
export class OAuthModule {}
