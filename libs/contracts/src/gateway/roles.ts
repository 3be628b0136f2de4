/** Roles: names for scopes. The built-in ones are the same in every team; a team defines others beside them. */
import { z } from 'zod';
import { storableText } from '../definition-parts.js';
import {
  ifMatchHeaders,
  ifMatchParameter,
  operation,
  putConditionHeaders,
  putConditionParameters,
  scopes,
  type Scope,
} from '../operation.js';
import { furtherScopes, teamId } from './parts.js';

type BuiltInRole = { readonly description: string; readonly scopes: readonly Scope[] };

/** Roles add up: who has several has the scopes of all. */
export const builtInRoles = {
  viewer: { description: 'Reads content and data.', scopes: ['content:read', 'knowledge-models:read'] },
  analyst: {
    description: 'Reads content and data, calls tools and talks to agents.',
    scopes: ['content:read', 'knowledge-models:read', 'tools:execute', 'agents:converse', 'agents:execute'],
  },
  author: {
    description: 'Reads content and data, writes content.',
    scopes: ['content:read', 'content:write', 'knowledge-models:read'],
  },
  approver: {
    description: 'Reads content and data, releases content.',
    scopes: ['content:read', 'content:write', 'knowledge-models:read'],
  },
  admin: { description: 'Administers the team, and reads nothing of it.', scopes: ['admin'] },
} as const satisfies Readonly<Record<string, BuiltInRole>>;

export const isBuiltInRole = (name: string): name is keyof typeof builtInRoles => Object.hasOwn(builtInRoles, name);

export const roleName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected a role: lower case letters, digits and -, at most 63')
  .describe('The role, e.g. `analyst`.');

const roleMembers = {
  scopes: z.array(z.enum(scopes)).max(scopes.length).describe('What who has the role may do.'),
  description: storableText(500).describe('What the role is for; people read it.'),
};

export const AccessRole = z
  .object({
    name: roleName,
    ...roleMembers,
    furtherScopes,
    builtIn: z.boolean().describe('Whether every team has it as it is.'),
  })
  .meta({ id: 'AccessRole' });

export const RoleProperties = z
  .strictObject({
    scopes: roleMembers.scopes,
    description: roleMembers.description.optional(),
    furtherScopes: furtherScopes.optional(),
  })
  .meta({ id: 'RoleProperties' });

export const rolesPrefix = '/admin/teams/{team}/roles';

export const listRoles = operation({
  owner: 'gateway',
  name: 'gateway.roles.list',
  summary: 'List the roles of a team',
  description: 'The built-in ones, then those that the team defined, by their names.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId }),
  reply: z.object({ roles: z.array(AccessRole) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: rolesPrefix },
});

export const readRole = operation({
  owner: 'gateway',
  name: 'gateway.roles.read',
  summary: 'Read a role of a team',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId, role: roleName }),
  reply: AccessRole,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${rolesPrefix}/{role}` },
});

export const writeRole = operation({
  owner: 'gateway',
  name: 'gateway.roles.write',
  summary: 'Define a role of a team',
  description:
    'Replaces the role of this name; members who have it have what it says now. A built-in role cannot be replaced, and a team has at most 100 roles of its own.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId, role: roleName, ...putConditionParameters, properties: RoleProperties }),
  reply: AccessRole,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT', 'CONTENT_CHANGED'],
  http: {
    ...{ group: 'admin', method: 'put', path: `${rolesPrefix}/{role}`, body: 'properties' },
    headers: putConditionHeaders,
  },
});

export const deleteRole = operation({
  owner: 'gateway',
  name: 'gateway.roles.delete',
  summary: 'Delete a role of a team',
  description: 'Refused while a member has it.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId, role: roleName, ...ifMatchParameter }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT', 'CONTENT_CHANGED'],
  http: { group: 'admin', method: 'delete', path: `${rolesPrefix}/{role}`, headers: ifMatchHeaders },
});
