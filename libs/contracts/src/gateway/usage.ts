/** How many requests a team makes. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { hourlyLimit, teamId } from './parts.js';

const requests = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const readUsage = operation({
  owner: 'gateway',
  name: 'gateway.usage.read',
  summary: 'Tell how many requests a team makes',
  description:
    'Of the hour that runs and the 23 before it, as they count against the limits: what a replica takes in advance counts at once, and what it does not use may stay counted.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId }),
  reply: z.object({
    hours: z
      .array(z.object({ startsAt: z.iso.datetime(), requests }))
      .length(24)
      .describe('The oldest first.'),
    credentials: z
      .array(
        z.object({
          credential: z
            .string()
            .describe('What has a limit: `key:` and the id of a key, else whom a token or session names.'),
          hourlyLimit,
          thisHour: requests,
          last24Hours: requests,
        }),
      )
      .describe('Those with the most requests first, at most 100.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: '/admin/teams/{team}/usage' },
});
