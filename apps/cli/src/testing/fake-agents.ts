/** The fake gateway's agents, in memory, drafts beside published ones; every question gets the same events. */
import type { HttpOperation } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';

type Agent = agents.AgentDefinition;
type FakeAgent = { published?: Agent; draft?: Agent };

/** By id. */
export type FakeAgentsState = { readonly agents: Map<string, FakeAgent> };

export const createFakeAgentsState = (): FakeAgentsState => ({ agents: new Map() });

type Handler = (state: FakeAgentsState, path: Readonly<Record<string, string>>, body: never) => unknown;

const apply: Handler = (
  state,
  _path,
  { definitions, mode = 'publish' }: { readonly definitions: readonly Agent[]; readonly mode?: string },
) => ({
  definitions: definitions.map((given) => {
    const definition = agents.AgentDefinition.parse(given);
    const { kind, id } = definition;
    const before = state.agents.get(id);
    const current = mode === 'draft' ? (before?.draft ?? before?.published) : before?.published;
    const isSame = JSON.stringify(current) === JSON.stringify(definition);
    if (mode === 'draft') state.agents.set(id, { ...before, draft: definition });
    if (mode === 'publish') state.agents.set(id, { published: definition });
    const done = before === undefined ? 'created' : isSame ? 'unchanged' : 'changed';
    const changes = done === 'changed' ? [{ path: 'instructions', change: 'changed', breaks: false }] : [];
    return { kind, id, state: done, changes, ...(mode === 'publish' && { version: 1 }) };
  }),
});

const exported: Handler = (state) => ({
  agents: [...state.agents].map(([id, { published, draft }]) => ({
    id,
    ...(published && { version: 1, definition: published }),
    ...(draft && { draft }),
  })),
});

export const fakeConversationId = '0190d5f0-0000-7000-8000-000000000001';

export const formatServerEvent = (name: keyof typeof agents.turnEvents, data: object): string =>
  `event: ${agents.turnEvents[name]}\ndata: ${JSON.stringify(data)}\n\n`;

const answer = 'The maverick rate is 4.20 %.';

/** What it says before its call is no part of the answer. */
const turn: readonly string[] = [
  formatServerEvent('turn', { conversationId: fakeConversationId, turn: 1 }),
  formatServerEvent('text', { text: 'I look it up.' }),
  formatServerEvent('toolCall', { callId: 'a', tool: 'load-data', arguments: { columns: ['MAVERICK_RATE'] } }),
  ': working\n\n',
  formatServerEvent('toolResult', { callId: 'a', tool: 'load-data', isError: false, durationMs: 12.4 }),
  formatServerEvent('text', { text: answer.slice(0, 17) }),
  formatServerEvent('text', { text: answer.slice(17) }),
  formatServerEvent('response', {
    conversationId: fakeConversationId,
    text: answer,
    structuredOutput: { rate: 0.042 },
  }),
];

const noon = '2026-06-30T12:00:00.000Z';
const conversation = {
  ...{ conversationId: fakeConversationId, agentId: 'p2p-analyst', createdAt: noon, changedAt: noon, turnCount: 1 },
  ...{ firstMessage: 'What is the maverick rate?', state: 'completed' },
  turns: [
    {
      ...{ turn: 1, state: 'completed', message: 'What is the maverick rate?', agentVersion: '1', model: 'builtin' },
      ...{ usage: { inputTokens: 20, outputTokens: 3 }, startedAt: noon, steps: [] },
    },
  ],
};

export const agentsHandlers: readonly (readonly [HttpOperation, Handler])[] = [
  [agents.applyAgents, apply],
  [agents.deleteAgent, (state, { agentId = '' }) => ({ deleted: state.agents.delete(agentId) && agentId })],
  [agents.exportAgents, exported],
  [agents.converse, () => turn.join('')],
  [agents.readConversation, () => conversation],
];
