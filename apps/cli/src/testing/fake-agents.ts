/** The fake gateway's agents, in memory, drafts beside published ones; every question gets the same events. */
import type { HttpOperation } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';

type Agent = agents.AgentDefinition;
type FakeAgent = { published?: Agent; draft?: Agent };

/** By id. */
export type AgentsState = { readonly agents: Map<string, FakeAgent> };

export const emptyAgents = (): AgentsState => ({ agents: new Map() });

type Handler = (state: AgentsState, path: Readonly<Record<string, string>>, body: never) => unknown;

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

export const conversationId = '0190d5f0-0000-7000-8000-000000000001';

export const eventText = (name: keyof typeof agents.turnEvents, data: object): string =>
  `event: ${agents.turnEvents[name]}\ndata: ${JSON.stringify(data)}\n\n`;

const answer = 'The maverick rate is 4.20 %.';

/** What it says before its call is no part of the answer. */
const turn: readonly string[] = [
  eventText('turn', { conversationId, turn: 1 }),
  eventText('text', { text: 'I look it up.' }),
  eventText('toolCall', { callId: 'a', tool: 'load-data', arguments: { columns: ['MAVERICK_RATE'] } }),
  ': working\n\n',
  eventText('toolResult', { callId: 'a', tool: 'load-data', isError: false, durationMs: 12.4 }),
  eventText('text', { text: answer.slice(0, 17) }),
  eventText('text', { text: answer.slice(17) }),
  eventText('response', { conversationId, text: answer, structuredOutput: { rate: 0.042 } }),
];

export const agentsHandlers: readonly (readonly [HttpOperation, Handler])[] = [
  [agents.applyAgents, apply],
  [agents.exportAgents, exported],
  [agents.converse, () => turn.join('')],
];
