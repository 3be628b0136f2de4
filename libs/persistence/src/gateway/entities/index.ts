import { ApiKey } from './api-key.entity.js';
import { IdempotencyRecord, RateWindow } from './shared.entity.js';
import { Team } from './team.entity.js';

export const gatewayEntities = [ApiKey, IdempotencyRecord, RateWindow, Team] as const;
