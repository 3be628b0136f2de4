/** Sessions of people in browsers. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './sessions.js';
import { SignInPages } from './sign-in-pages.js';
import { SignInService } from './sign-ins.js';
import { SingleSignOn } from './single-sign-on.js';

@Module({
  imports: [AuthModule, DatabaseModule, OAuthModule],
  controllers: [SessionController],
  providers: [SessionService, SignInService, SignInPages, SingleSignOn],
  exports: [SignInPages],
})
export class SessionModule {}
