/** Lists the teams that the caller administers. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { Team, teamId } from './parts.js';

export const listTeams = operation({
  owner: 'gateway',
  name: 'gateway.teams.list',
  summary: 'List the teams',
  description: 'With their grants, by their ids. Who is not of the operators sees the own team.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    after: teamId.optional().describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(200),
  }),
  reply: z.object({ teams: z.array(Team), next: teamId.optional().describe('Absent on the last page.') }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/admin/teams' },
});
