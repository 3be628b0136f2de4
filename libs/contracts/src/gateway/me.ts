/** Who calls, as the gateway knows the caller. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { hourlyLimit, teamId } from './parts.js';

export const Me = z
  .object({
    kind: z.enum(['key', 'token', 'session']).describe('What the credential is.'),
    subject: z.string().describe('As it is in logs and audits.'),
    displayName: z
      .string()
      .optional()
      .describe('The name of the key or of the member, else what the token says as `name`.'),
    team: teamId.describe('The team that the request acts for.'),
    teams: z
      .array(z.object({ team: teamId, name: z.string() }))
      .describe('The team, and others in which the subject of the token is a member who is not disabled.'),
    scopes: z.array(z.string()),
    furtherScopes: z.array(z.string()).describe('Scopes that no operation asks for; policies on data do.'),
    attributes: z.array(z.string()).describe('The names of what policies on data may read of the caller.'),
    limit: z
      .object({
        hourly: hourlyLimit,
        remaining: z.int().min(0).max(2_000_000_000).describe('After this request.'),
        resetsAt: z.string().describe('When the hour ends, UTC.'),
      })
      .describe('Of the credential; all sessions of a member together have one.'),
    session: z
      .object({
        sessionId: z.guid(),
        endsAt: z.iso.datetime().describe('When it ends at the latest.'),
        idleEndsAt: z.iso.datetime().describe('When it ends without a further request.'),
      })
      .optional()
      .describe('Of the session that the request belongs to.'),
  })
  .meta({ id: 'Me' });

export const readMe = operation({
  owner: 'gateway',
  name: 'gateway.me.read',
  summary: 'Tell who calls',
  description: 'What the platform knows of the credential of this request, and what is left of its hour.',
  scope: 'none',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: Me,
  failures: [],
  http: { group: 'admin', method: 'get', path: '/me' },
});
