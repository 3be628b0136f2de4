/** Reads a team. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { Team, teamId } from './parts.js';

export const readTeam = operation({
  owner: 'gateway',
  name: 'gateway.teams.read',
  summary: 'Read a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId }),
  reply: Team,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: '/admin/teams/{team}' },
});
