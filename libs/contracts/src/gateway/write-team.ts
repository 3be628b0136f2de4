/** Makes a team, or renames it. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { teamId } from './parts.js';

export const writeTeam = operation({
  owner: 'gateway',
  name: 'gateway.teams.write',
  summary: 'Make or rename a team',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    properties: z
      .object({ name: z.string().min(1).max(200).describe('What people call the team.') })
      .meta({ id: 'TeamProperties' }),
  }),
  reply: z.object({ team: teamId, name: z.string() }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'put', path: '/admin/teams/{team}', body: 'properties' },
});
