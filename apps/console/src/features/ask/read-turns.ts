/** The turns of a conversation, the newest ones first of all: answers of the server come in parts. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.js';
import type { AnswerFor, InputFor } from '../../api/operations.js';

export type ReadConversation = AnswerFor<'readConversation'>;
export type StoredTurn = ReadConversation['turns'][number];

type Place = { readonly agent_id: string; readonly conversation_id: string };
type Read = (input: InputFor<'readConversation'>) => Promise<ReadConversation>;

/** So many may be asked for at once. */
const answeredMax = 100;

/** The last `count` turns; most conversations need one request. */
export const readLastTurns = async (read: Read, place: Place, count: number): Promise<ReadConversation> => {
  const turnsMax = Math.min(count, answeredMax);
  const first = await read({ ...place, fromTurn: 1, turnsMax });
  if (first.turnCount <= count) return readOn(read, place, first);
  const fromTurn = first.turnCount - count + 1;
  return readOn(read, place, await read({ ...place, fromTurn, turnsMax }));
};

/** An answer ends after a megabyte; another one goes on behind its last turn. */
const readOn = async (read: Read, place: Place, begun: ReadConversation): Promise<ReadConversation> => {
  let whole = begun;
  for (;;) {
    const last = whole.turns.at(-1)?.turn ?? 0;
    if (last === 0 || last >= whole.turnCount) return whole;
    const next = await read({ ...place, fromTurn: last + 1 });
    if (next.turns.length === 0) return whole;
    whole = { ...next, turns: [...whole.turns, ...next.turns] };
  }
};

export const turnsQuery = (place: Place, count: number) =>
  queryOptions({
    queryKey: ['readConversation', place, count] as const,
    queryFn: ({ signal }) => readLastTurns((input) => call('readConversation', input, { signal }), place, count),
  });

/** Somebody else's turn, or one that was left: it is looked at again until it has ended. */
export const isRunning = (conversation: ReadConversation | undefined): boolean =>
  conversation?.turns.at(-1)?.state === 'running';
