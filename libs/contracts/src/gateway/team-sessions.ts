/** Who is signed in in a team and what its members allowed clients, for its administrators: seen and ended. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { keyId } from './administration.js';
import { ClientGrant } from './client-grants.js';
import { memberId, membersPrefix } from './members.js';
import { teamId } from './parts.js';
import { Session } from './sessions.js';

const { sessionId } = Session.shape;
const { grantId } = ClientGrant.shape;
const sessionsPrefix = '/admin/teams/{team}/sessions';
const grantsPrefix = '/admin/teams/{team}/client-grants';

const TeamSession = Session.omit({ current: true })
  .extend({ memberId: memberId.optional(), keyId: keyId.optional().describe('Of a session that began with a key.') })
  .meta({ id: 'TeamSession' });

const TeamClientGrant = ClientGrant.extend({ memberId: memberId.describe('Who allowed it.') }).meta({
  id: 'TeamClientGrant',
});

const ofMember = memberId.optional().describe('Those of this member alone.');
const pageSize = z.int().min(1).max(1_000).default(100);

export const listTeamSessions = operation({
  owner: 'gateway',
  name: 'gateway.teamSessions.list',
  summary: 'List the sessions of a team',
  description: 'Those that are open, the newest first.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    memberId: ofMember,
    after: sessionId.optional().describe('`next` of the page before.'),
    pageSize: pageSize.describe('Sessions in a page.'),
  }),
  reply: z.object({
    sessions: z.array(TeamSession),
    next: sessionId.optional().describe('Absent on the last page.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: sessionsPrefix },
});

export const endTeamSession = operation({
  owner: 'gateway',
  name: 'gateway.teamSessions.end',
  summary: 'End a session of a team',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId, sessionId }),
  reply: z.object({ ended: sessionId }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${sessionsPrefix}/{sessionId}` },
});

export const endMemberAccess = operation({
  owner: 'gateway',
  name: 'gateway.members.endAccess',
  summary: 'End all sessions of a member, and all that it allowed clients',
  description: 'The member may sign in again. To keep it out, disable it.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId, memberId }),
  reply: z.object({ sessions: z.int().min(0), clientGrants: z.int().min(0) }).describe('How many ended.'),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${membersPrefix}/{memberId}/access` },
});

export const listTeamClientGrants = operation({
  owner: 'gateway',
  name: 'gateway.teamClientGrants.list',
  summary: 'List what members of a team have allowed clients',
  description: 'The newest first.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    memberId: ofMember,
    after: grantId.optional().describe('`next` of the page before.'),
    pageSize: pageSize.describe('Grants in a page.'),
  }),
  reply: z.object({
    grants: z.array(TeamClientGrant),
    next: grantId.optional().describe('Absent on the last page.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: grantsPrefix },
});

export const endTeamClientGrant = operation({
  owner: 'gateway',
  name: 'gateway.teamClientGrants.end',
  summary: 'Take back what a member of a team has allowed a client',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId, grantId }),
  reply: z.object({ ended: grantId }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${grantsPrefix}/{grantId}` },
});
