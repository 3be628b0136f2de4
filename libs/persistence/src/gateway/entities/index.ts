import { AccessChange } from './access-change.entity.js';
import { AccessRole } from './access-role.entity.js';
import { ApiKey } from './api-key.entity.js';
import { IssuerLogout } from './issuer-logout.entity.js';
import { LocalUser } from './local-user.entity.js';
import { Member } from './member.entity.js';
import { NamedPerson } from './named-person.entity.js';
import { OAuthClient } from './oauth-client.entity.js';
import { OAuthGrant } from './oauth-grant.entity.js';
import { OAuthInteraction } from './oauth-interaction.entity.js';
import { OAuthToken } from './oauth-token.entity.js';
import { RefusedNameKey } from './refused-name-key.entity.js';
import { RevokedToken } from './revoked-token.entity.js';
import { Session } from './session.entity.js';
import { IdempotencyRecord, RateWindow } from './shared.entity.js';
import { EvidenceKey, SigningKey } from './signing-key.entity.js';
import { Team } from './team.entity.js';

export const gatewayEntities = [
  ...([AccessChange, AccessRole, ApiKey, IdempotencyRecord] as const),
  ...([OAuthClient, OAuthGrant, OAuthInteraction, OAuthToken] as const),
  ...([EvidenceKey, IssuerLogout, NamedPerson, RefusedNameKey] as const),
  ...([LocalUser, Member, RateWindow, RevokedToken, Session, SigningKey, Team] as const),
] as const;
