/** Requests of tools, agents and the administration that a reader of /docs can send to the demo. */
import { itemsOf, textOf } from '../json.js';
import type { ExampleContext, NamedRequest } from './send-examples.js';

const asset = { asset_id: 'p2p-tools', draft: false };
const team = { team: 'meridian' };
const figures = {
  columns: ['PURCHASE_ORDER.PLANT', 'MAVERICK_RATE'],
  ...{ order_by: 'MAVERICK_RATE', ascending: false, limit: 2 },
};
const helpdesk = {
  ...{ kind: 'AgentToolsAsset', id: 'helpdesk-tools', name: 'Helpdesk' },
  tools: [
    {
      ...{ kind: 'find-content', id: 'find-content', name: 'Find processes', storage: 'meridian/p2p' },
      description: 'Finds processes by their names.',
    },
  ],
};
const helpdeskAgent = {
  ...{ kind: 'Agent', id: 'helpdesk', name: 'Helpdesk', instructions: 'You say how the work should be done.' },
  tools: [{ asset: 'p2p-tools', tools: ['find-content'] }],
};

export const toolExamples: readonly NamedRequest[] = [
  ['tools.call', { parameters: { ...asset, tool_id: 'load-data', prefer: 'evidence' }, body: figures }],
  [
    'tools.mcp',
    {
      parameters: {
        ...{ ...asset, accept: 'application/json', 'content-type': 'application/json' },
        ...{
          'mcp-protocol-version': '2025-11-25',
          'mcp-method': 'tools/call',
          'mcp-name': 'load-data',
          prefer: 'evidence',
        },
      },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'load-data', arguments: figures } },
    },
  ],
  ['tools.assets.list', { parameters: { after: 'a', pageSize: 2 } }],
  ['tools.list', { parameters: asset }],
  [
    'tools.calls.listOwn',
    {
      parameters: {
        ...{ assetId: 'p2p-tools', toolId: 'load-data', outcome: 'ok', pageSize: 1 },
        ...{ from: '2026-01-01T00:00:00Z', to: '9999-12-31T00:00:00Z' },
      },
      further: { after: ({ answer }) => textOf(answer('tools.calls.listOwn'), 'next') },
    },
  ],
  ['tools.definitions.export', { parameters: team }],
  [
    'tools.calls.list',
    {
      parameters: {
        ...{ ...team, assetId: 'p2p-tools', toolId: 'load-data', outcome: 'ok', pageSize: 1 },
        ...{ from: '2026-01-01T00:00:00Z', to: '9999-12-31T00:00:00Z' },
      },
      further: {
        subject: ({ answer }) => textOf(answer('tools.calls.list'), 'calls', 0, 'subject'),
        after: ({ answer }) => textOf(answer('tools.calls.list'), 'next'),
      },
    },
  ],
  [
    'tools.definitions.apply',
    ({ uuid }) => ({
      parameters: { ...team, 'idempotency-key': uuid() },
      body: { definitions: [helpdesk], mode: 'publish' },
    }),
  ],
  ['tools.assets.delete', { parameters: { ...team, assetId: 'helpdesk-tools' } }],
];

const agent = { agent_id: 'p2p-analyst' };
const conversation = ({ answer }: ExampleContext) => ({
  ...agent,
  conversation_id: textOf(answer('agents.converse'), 'conversationId'),
});

export const agentExamples: readonly NamedRequest[] = [
  ['agents.list', {}],
  [
    'agents.converse',
    ({ uuid }) => ({
      parameters: { ...agent, draft: false, 'idempotency-key': uuid(), accept: 'application/json', prefer: 'evidence' },
      body: { message: 'What is the maverick rate by plant?' },
    }),
  ],
  [
    'agents.completions.create',
    ({ uuid }) => ({
      parameters: { ...agent, draft: false, 'idempotency-key': uuid(), prefer: 'evidence' },
      body: { model: 'p2p-analyst', messages: [{ role: 'user', content: 'What is the maverick rate by plant?' }] },
    }),
  ],
  ['agents.completions.models', { parameters: { ...agent, draft: false } }],
  ['agents.completions.model', { parameters: { ...agent, model_id: 'p2p-analyst', draft: false } }],
  [
    'agents.conversations.list',
    {
      parameters: { ...agent, pageSize: 1 },
      further: { after: ({ answer }) => textOf(answer('agents.conversations.list'), 'next') },
    },
  ],
  ['agents.conversations.read', (context) => ({ parameters: { ...conversation(context), fromTurn: 1, turnsMax: 1 } })],
  ['agents.conversations.delete', (context) => ({ parameters: conversation(context) })],
  ['agents.tools.spec', { parameters: { ...agent, draft: false, version: '3.1' } }],
  ['agents.tools.execute', { parameters: { ...agent, tool_id: 'load-data', draft: false }, body: figures }],
  ['agents.definitions.export', { parameters: team }],
  [
    'agents.definitions.apply',
    ({ uuid }) => ({
      parameters: { ...team, 'idempotency-key': uuid() },
      body: { definitions: [helpdeskAgent], mode: 'publish' },
    }),
  ],
  ['agents.agents.delete', { parameters: { ...team, agentId: 'helpdesk' } }],
];

export const adminExamples: readonly NamedRequest[] = [
  ['gateway.status.read', {}],
  ['gateway.me.read', {}],
  ['gateway.teams.list', { parameters: { after: 'a', pageSize: 2 } }],
  ['gateway.teams.read', { parameters: team }],
  ['gateway.usage.read', { parameters: team }],
  [
    'gateway.teams.write',
    {
      parameters: { team: 'trial' },
      body: { name: 'Trial', grants: { scopes: ['content:read', 'knowledge-models:read'], hourlyLimit: 6000 } },
    },
  ],
  [
    'gateway.keys.create',
    ({ uuid }) => ({
      parameters: { 'idempotency-key': uuid() },
      body: {
        ...{ team: 'meridian', name: 'Monthly report', scopes: ['knowledge-models:read'], hourlyLimit: 600 },
        ...{ attributes: { companyCodes: ['1000'] }, expiresAt: '2030-12-31T00:00:00Z' },
      },
    }),
  ],
  [
    'gateway.keys.list',
    {
      parameters: { ...team, pageSize: 1 },
      further: { after: ({ answer }) => textOf(answer('gateway.keys.create'), 'keyId') },
    },
  ],
  [
    'gateway.roles.write',
    {
      parameters: { ...team, role: 'buyer', 'if-none-match': '*' },
      body: {
        ...{ description: 'Reads processes and asks agents.', scopes: ['content:read', 'agents:converse'] },
        furtherScopes: [],
      },
      further: { 'if-match': '*' },
    },
  ],
  ['gateway.roles.read', { parameters: { ...team, role: 'buyer' } }],
  ['gateway.roles.list', { parameters: team }],
  [
    'gateway.members.write',
    {
      parameters: { ...team, memberId: 'anna.weber', 'if-none-match': '*' },
      body: {
        ...{ displayName: 'Anna Weber', roles: ['analyst', 'buyer'] },
        identity: {
          issuer: 'https://login.example.com/realms/meridian',
          subject: '5f2c1c9e-0f6c-4d0e-8a2b-7d2f6b0f9c11',
        },
      },
      further: { 'if-match': '*' },
    },
  ],
  ['gateway.members.read', { parameters: { ...team, memberId: 'anna.weber' } }],
  ['gateway.members.list', { parameters: { ...team, after: 'a', pageSize: 2 } }],
  ['gateway.members.delete', { parameters: { ...team, memberId: 'anna.weber', 'if-match': '*' } }],
  ['gateway.roles.delete', { parameters: { ...team, role: 'buyer', 'if-match': '*' } }],
  [
    'gateway.accessChanges.list',
    {
      parameters: { ...team, pageSize: 2 },
      further: { after: ({ answer }) => textOf(answer('gateway.accessChanges.list'), 'next') },
    },
  ],
  [
    'gateway.keys.revoke',
    ({ answer, uuid }) => ({
      parameters: { ...team, keyId: textOf(answer('gateway.keys.create'), 'keyId'), 'idempotency-key': uuid() },
    }),
  ],
  [
    'gateway.members.write',
    { parameters: { ...team, memberId: 'ben.lang' }, body: { displayName: 'Ben Lang', roles: ['viewer'] } },
  ],
  [
    'gateway.members.setPassword',
    { parameters: { ...team, memberId: 'ben.lang' }, body: { password: 'correct horse battery staple' } },
  ],
  ['gateway.sessions.start', ({ key }) => ({ asPage: true, body: { apiKey: key } })],
  ['gateway.sessions.list', {}],
  [
    'gateway.sessions.endOwn',
    ({ answer }) => ({ parameters: { sessionId: textOf(answer('gateway.sessions.start'), 'sessionId') } }),
  ],
  ['gateway.sessions.end', { asPage: true }],
  ['gateway.clientGrants.list', { asMember: true }],
  [
    'gateway.clientGrants.endOwn',
    ({ answer }) => ({
      asMember: true,
      parameters: { grantId: textOf(itemsOf(answer('gateway.clientGrants.list'), 'grants')[0], 'grantId') },
    }),
  ],
  [
    'gateway.teamClientGrants.list',
    {
      parameters: { ...team, memberId: 'anton.berg', pageSize: 1 },
      further: { after: ({ answer }) => textOf(answer('gateway.clientGrants.endOwn'), 'ended') },
    },
  ],
  [
    'gateway.teamClientGrants.end',
    ({ answer }) => ({
      parameters: {
        ...team,
        grantId: textOf(itemsOf(answer('gateway.teamClientGrants.list'), 'grants')[0], 'grantId'),
      },
    }),
  ],
  [
    'gateway.teamSessions.list',
    {
      parameters: { ...team, memberId: 'anton.berg', pageSize: 1 },
      further: { after: ({ answer }) => textOf(answer('gateway.sessions.start'), 'sessionId') },
    },
  ],
  [
    'gateway.teamSessions.end',
    ({ answer }) => ({
      parameters: {
        ...team,
        sessionId: textOf(itemsOf(answer('gateway.teamSessions.list'), 'sessions')[0], 'sessionId'),
      },
    }),
  ],
  ['gateway.members.endAccess', { parameters: { ...team, memberId: 'anton.berg' } }],
];
