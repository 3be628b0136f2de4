/** What a member allowed clients (decision 33): one's own consents, and how they end. */
import { z } from 'zod';
import { operation } from '../operation.js';

const grantId = z.guid().describe('The grant; it opens nothing.');

export const ClientGrant = z
  .object({
    grantId,
    clientId: z.string(),
    clientName: z
      .string()
      .describe('As the operator or the client itself says; of a client that a document describes, its host.'),
    resource: z
      .string()
      .optional()
      .describe('The address for which scopes were allowed: an MCP server, or the whole platform.'),
    scopes: z.array(z.string()).describe('What was allowed; the member may do no more than that, and may do less now.'),
    createdAt: z.iso.datetime(),
    endsAt: z.iso.datetime().describe('When it ends at the latest.'),
  })
  .meta({ id: 'ClientGrant' });

export const listClientGrants = operation({
  owner: 'gateway',
  name: 'gateway.clientGrants.list',
  summary: 'List the clients that one has allowed',
  description: 'Of the member that is signed in, the newest first. A key and a token have none.',
  scope: 'none',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: z.object({ grants: z.array(ClientGrant) }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/client-grants' },
});

export const endOwnClientGrant = operation({
  owner: 'gateway',
  name: 'gateway.clientGrants.endOwn',
  summary: 'Take back what one has allowed a client',
  description: 'Ends all its access and refresh tokens, on all replicas.',
  scope: 'none',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ grantId }),
  reply: z.object({ ended: grantId }),
  failures: ['GENERAL_NOTFOUND', 'SESSION_REQUEST_REFUSED'],
  http: { group: 'admin', method: 'delete', path: '/client-grants/{grantId}' },
});
