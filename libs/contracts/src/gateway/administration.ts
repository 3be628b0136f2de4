import { z } from 'zod';
import { idempotencyHeaders, idempotencyParameter, operation, scopes } from '../operation.js';
import {
  attributeName,
  attributes,
  attributeText,
  furtherScopes,
  hourlyLimit,
  keyOrTeamName,
  scopeList,
  teamId,
} from './parts.js';

export const keyId = z
  .string()
  .regex(/^[0-9A-Za-z]{12}$/, 'expected the id of a key: 12 letters and digits')
  .describe('The id of the key; it is the second part of the key.');

export const NewKey = z
  .strictObject({
    team: teamId,
    name: keyOrTeamName.describe('What the key is for; people read it.'),
    scopes: scopeList,
    furtherScopes: furtherScopes.optional(),
    attributes: attributes.optional(),
    hourlyLimit: hourlyLimit.optional().describe("Requests in a UTC hour; the platform's standard when absent."),
    expiresAt: z.iso.datetime().optional().describe('When it stops to work; never when absent.'),
  })
  .meta({ id: 'NewKey' });

export const ApiKey = z
  .object({
    keyId,
    name: z.string(),
    scopes: z.array(z.string()),
    furtherScopes,
    attributes,
    hourlyLimit,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().optional(),
    lastUsedAt: z.iso.datetime().optional().describe('Written every few seconds.'),
    revokedAt: z.iso.datetime().optional(),
    madeBy: z
      .enum(['operators', 'team'])
      .describe('A key that the team made is worth no more than the team is granted, whenever it is used.'),
  })
  .meta({ id: 'ApiKey' });

const attributeGrants = z
  .record(attributeName, z.union([z.literal(true), z.array(attributeText).min(1).max(1_000)]))
  .refine((granted) => Object.keys(granted).length <= 100, 'expected at most 100 names')
  .describe('Attributes: name -> the texts that a key may carry, or `true` for every text.');

/** What members are left out is as in a team that has no grants set. */
export const TeamGrants = z
  .strictObject({
    scopes: z.array(z.enum(scopes)).max(scopes.length).optional().describe('All of them when absent.'),
    furtherScopes: furtherScopes.optional().describe('None when absent.'),
    attributes: attributeGrants.optional(),
    hourlyLimit: hourlyLimit.optional().describe("The highest of a key; the platform's standard when absent."),
  })
  .meta({ id: 'TeamGrants' });
export type TeamGrants = z.output<typeof TeamGrants>;

export const Team = z
  .object({ team: teamId, name: z.string(), grants: TeamGrants.required() })
  .meta({ id: 'Team', description: 'A team, and what its administrators may give to keys.' });

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
      .strictObject({ name: keyOrTeamName.describe('What people call the team.'), grants: TeamGrants.optional() })
      .meta({ id: 'TeamProperties' }),
  }),
  reply: Team,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'put', path: '/admin/teams/{team}', body: 'properties' },
});

export const listKeys = operation({
  owner: 'gateway',
  name: 'gateway.keys.list',
  summary: 'List the API keys of a team',
  description: 'The newest first, expired and revoked ones as well.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    after: keyId.optional().describe('`next` of the page before.'),
    pageSize: z.int().min(1).max(1_000).default(1_000).describe('Keys in a page.'),
  }),
  reply: z.object({
    team: teamId,
    keys: z.array(ApiKey),
    next: keyId.optional().describe('Absent on the last page.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: '/admin/keys' },
});

export const createKey = operation({
  owner: 'gateway',
  name: 'gateway.keys.create',
  summary: 'Issue an API key',
  description:
    'The key is in this answer and nowhere else, but for the same answer under an Idempotency-Key, which is kept encrypted under that key: whoever knows it may ask for 24 hours. Several keys of a team may live at once, so that they can be rotated; the operator says how many (`TEAM_KEYS_MAX`).',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ key: NewKey, ...idempotencyParameter }),
  reply: z.object({ keyId, key: z.string().describe('The whole key; it cannot be had again.') }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'post', path: '/admin/keys', body: 'key', headers: idempotencyHeaders },
});

export const revokeKey = operation({
  owner: 'gateway',
  name: 'gateway.keys.revoke',
  summary: 'Revoke an API key',
  description:
    'It stops to work at once, in every replica within 60 seconds at the latest. Revoking it again changes nothing.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    keyId,
    team: teamId.optional().describe('The team of the key; looked up when absent.'),
    ...idempotencyParameter,
  }),
  reply: z.object({ keyId, team: teamId, revoked: z.literal(true) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'post', path: '/admin/keys/{keyId}/revoke', headers: idempotencyHeaders },
});

const state = z.enum(['up', 'down']);

export const readPlatformStatus = operation({
  owner: 'gateway',
  name: 'gateway.status.read',
  summary: 'Tell how the platform is',
  description: 'The gateway that answers, what it depends on, and the services that answer it at this moment.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: z.object({
    version: z.string(),
    uptimeSeconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    dependencies: z.record(z.string(), state),
    services: z.record(z.string(), state),
  }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/admin/status' },
});
