/** The members of a team, and who changed them. */
import { z } from 'zod';
import { storableText } from '../definition-parts.js';
import {
  ifMatchHeaders,
  ifMatchParameter,
  operation,
  putConditionHeaders,
  putConditionParameters,
} from '../operation.js';
import { attributes, furtherScopes, teamId } from './parts.js';
import { roleName } from './roles.js';

export const memberId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._@+-]{0,127}$/,
    'expected the id of a member: lower case letters, digits and . _ @ + -, at most 128',
  )
  .describe('The member in this team, e.g. `anna.weber`.');

export const MemberIdentity = z
  .strictObject({
    issuer: storableText(500).min(1).describe('The issuer of tokens, as its tokens name it (`iss`).'),
    subject: z
      .string()
      .regex(/^(?!key:|member:)[^\p{Cc}\p{Cs}]{1,256}$/u, 'expected a subject: 1 to 256 characters, none of control')
      .describe('The person, as the issuer names it (`sub`).'),
  })
  .meta({ id: 'MemberIdentity' });

const roles = z.array(roleName).max(20).describe('Roles of the team; they add up.');

export const MemberProperties = z
  .strictObject({
    displayName: storableText(200).min(1).describe('What people call the member.'),
    identity: MemberIdentity.optional().describe('Who it is to an issuer of tokens; none for a local name.'),
    roles,
    furtherScopes: furtherScopes.optional(),
    attributes: attributes.optional(),
    disabled: z.boolean().optional().describe('Stays a member, and may do nothing.'),
    samePerson: z
      .boolean()
      .optional()
      .describe('The id is, or was, that of a member with another identity or none, and this is the same person.'),
  })
  .meta({ id: 'MemberProperties' });

const MemberGrants = z
  .object({ scopes: z.array(z.string()), furtherScopes, attributes })
  .meta({ id: 'MemberGrants', description: 'Of roles and member together, what the team was granted as well.' });

export const Member = z
  .object({
    memberId,
    displayName: z.string(),
    identity: MemberIdentity.optional(),
    roles,
    furtherScopes,
    attributes,
    createdAt: z.iso.datetime(),
    disabledAt: z.iso.datetime().optional(),
    grants: MemberGrants.describe('What the member may do now.'),
  })
  .meta({ id: 'Member' });

export const membersPrefix = '/admin/teams/{team}/members';
const memberPath = { team: teamId, memberId };

export const listMembers = operation({
  owner: 'gateway',
  name: 'gateway.members.list',
  summary: 'List the members of a team',
  description: 'By their ids, disabled ones as well.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    after: memberId.optional().describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(200).describe('Members in a page.'),
  }),
  reply: z.object({ members: z.array(Member), next: z.string().optional().describe('Absent on the last page.') }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: membersPrefix },
});

export const readMember = operation({
  owner: 'gateway',
  name: 'gateway.members.read',
  summary: 'Read a member of a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(memberPath),
  reply: Member,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${membersPrefix}/{memberId}` },
});

export const writeMember = operation({
  owner: 'gateway',
  name: 'gateway.members.write',
  summary: 'Add or change a member of a team',
  description:
    'All that is given replaces all that was. Roles have to be there; further scopes and attributes have to be granted to the team. A team has at most 10,000 members, and one for each person of an issuer. An id belongs to one person, also after the member was removed, since its conversations, calls and evidence do: another identity is a conflict without `samePerson`.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...memberPath, ...putConditionParameters, properties: MemberProperties }),
  reply: Member,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT', 'CONTENT_CHANGED'],
  http: {
    ...{ group: 'admin', method: 'put', path: `${membersPrefix}/{memberId}`, body: 'properties' },
    headers: putConditionHeaders,
  },
});

export const deleteMember = operation({
  owner: 'gateway',
  name: 'gateway.members.delete',
  summary: 'Remove a member from a team',
  description: 'The log of changes keeps who it was.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...memberPath, ...ifMatchParameter }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND', 'CONTENT_CHANGED'],
  http: { group: 'admin', method: 'delete', path: `${membersPrefix}/{memberId}`, headers: ifMatchHeaders },
});

const accessActions = [
  ...(['member.added', 'member.changed', 'member.removed'] as const),
  ...(['role.added', 'role.changed', 'role.removed', 'key.created', 'key.revoked'] as const),
  ...(['password.changed', 'session.started', 'session.refused', 'session.ended'] as const),
  ...(['client.allowed', 'client.denied', 'client.refused', 'client.ended'] as const),
] as const;
export type AccessAction = (typeof accessActions)[number];

const definition = z.record(z.string(), z.unknown());

export const AccessChange = z
  .object({
    changeId: z.guid(),
    changedAt: z.iso.datetime(),
    subject: z.string().describe('Who changed it.'),
    subjectTeam: z.string().describe('The team of who changed it.'),
    requestId: z.string(),
    action: z.enum(accessActions),
    target: z
      .string()
      .describe(
        'The id of the member, the name of the role, `key:` and the id of the key, or `name:` and a digest of a typed name that is no member.',
      ),
    before: definition.optional().describe('Absent for what was added.'),
    after: definition.optional().describe('Absent for what was removed.'),
  })
  .meta({ id: 'AccessChange' });

export const listAccessChanges = operation({
  owner: 'gateway',
  name: 'gateway.accessChanges.list',
  summary: 'List who changed members and roles of a team, who signed in, and what clients were allowed',
  description: 'The newest first. Lines are only ever added; those of refused sign-ins are deleted after 30 days.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    after: z.guid().optional().describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(100).describe('Changes in a page.'),
  }),
  reply: z.object({
    changes: z.array(AccessChange),
    next: z.string().optional().describe('Absent on the last page.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: '/admin/teams/{team}/access-changes' },
});
