import { ApiKey } from './api-key.entity.js';
import { KeptAnswer, RateWindow } from './shared.entity.js';
import { Team } from './team.entity.js';

export const gatewayEntities = [ApiKey, KeptAnswer, RateWindow, Team] as const;
