/** A request of the chat completions protocol as a message to an agent. */
import type { RequestOf } from '@tessera/contracts';
import { Message, passedOverSettings, type completeChat, type CompletionRequest } from '@tessera/contracts/agents';
import { fail, succeed, type Result } from '@tessera/failures';
import type { PastTurn } from './window.js';

export type CompletionQuestion = {
  readonly message: string;
  readonly conversationId: string | undefined;
  /** What was said before, as the caller has it; empty in a conversation that is kept here. */
  readonly earlier: readonly PastTurn[];
  /** The members that have no effect. */
  readonly ignored: readonly string[];
};

type CompletionMessage = CompletionRequest['messages'][number];

/** Failures: AGENT_NOTFOUND for the name of another model, GENERAL_CONSTRAINT_VIOLATION for a message that cannot be asked. */
export const readCompletion = ({
  agent_id,
  completion,
}: Pick<RequestOf<typeof completeChat>, 'agent_id' | 'completion'>): Result<CompletionQuestion> => {
  const { model, messages } = completion;
  if (model !== agent_id) return noSuchModel(agent_id);
  const last = messages.at(-1);
  const path = `messages.${messages.length - 1}`;
  if (last?.role !== 'user') return refused(`${path}.role`, 'expected user: the last message is the one that is asked');
  const read = Message.safeParse({ message: textOf(last) });
  if (!read.success)
    return refused(`${path}.content`, read.error.issues[0]?.message ?? 'expected a text that can be stored');
  const conversationId = conversationOf(completion);
  const earlier = conversationId === undefined ? pastTurnsOf(messages.slice(0, -1)) : [];
  return succeed({ message: read.data.message, conversationId, earlier, ignored: ignoredIn(completion) });
};

export const noSuchModel = (agentId: string) =>
  fail('AGENT_NOTFOUND', `There is no such model at this address; the only one is ${agentId}.`);

const refused = (path: string, message: string): Result<never> =>
  fail('GENERAL_CONSTRAINT_VIOLATION', 'The message cannot be asked.', { faults: [{ in: 'body', path, message }] });

const textOf = ({ content }: CompletionMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n');

/** Clients have ids of their own for their users, which may look like those of conversations. */
const conversationOf = ({ metadata, user }: CompletionRequest): string | undefined =>
  metadata?.conversation_id ?? /^conversation:(.+)$/s.exec(user ?? '')?.[1];

/** A message that nothing answered stays without an answer. */
const pastTurnsOf = (messages: readonly CompletionMessage[]): readonly PastTurn[] => {
  const turns: PastTurn[] = [];
  for (const message of messages) {
    if (message.role === 'user') turns.push({ message: textOf(message), answer: null, state: 'interrupted' });
    const asked = turns.at(-1);
    if (message.role === 'assistant' && asked)
      turns[turns.length - 1] = {
        message: asked.message,
        answer: (asked.answer ?? '') + textOf(message),
        state: 'completed',
      };
  }
  return turns;
};

const ignoredIn = (completion: CompletionRequest): readonly string[] =>
  [
    ...completion.messages.flatMap(({ role }, place) =>
      role === 'system' || role === 'developer' ? [`messages.${place}`] : [],
    ),
    ...Object.entries(completion).flatMap(([name, value]) =>
      passedOverSettings.includes(name) && value !== null ? [name] : [],
    ),
  ].slice(0, ignoredMax);

const ignoredMax = 100;
