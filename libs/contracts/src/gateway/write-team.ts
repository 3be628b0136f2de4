/** Makes a team, renames it, or sets what it may give to keys. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { givenName, Team, teamId, TeamGrants } from './parts.js';

export const writeTeam = operation({
  owner: 'gateway',
  name: 'gateway.teams.write',
  summary: 'Make or rename a team, set its grants',
  description:
    'The operators alone make teams and set grants. Grants that are given replace all that were; without them they stay as they are.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    properties: z
      .strictObject({ name: givenName.describe('What people call the team.'), grants: TeamGrants.optional() })
      .meta({ id: 'TeamProperties' }),
  }),
  reply: Team,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'put', path: '/admin/teams/{team}', body: 'properties' },
});
