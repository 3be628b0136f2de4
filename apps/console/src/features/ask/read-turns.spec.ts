import { expect, it } from '@jest/globals';
import { isRunning, readLastTurns, type ReadConversation, type StoredTurn } from './read-turns.js';

const place = { agent_id: 'analyst', conversation_id: 'c1' };
const storedTurn = (turn: number): StoredTurn => ({
  ...{ turn, state: 'completed', message: `${turn}?`, agentVersion: '1', model: 'builtin', steps: [] },
  ...{ usage: { inputTokens: 0, outputTokens: 0 }, startedAt: '2026-06-30T10:00:00Z' },
});

/** A server with so many turns, which answers so many at most. */
const server = (turnCount: number, answeredMax: number) => {
  const asked: string[] = [];
  return {
    asked,
    read: async ({ fromTurn = 1, turnsMax = 100 }: { fromTurn?: number; turnsMax?: number }) => {
      asked.push(`${fromTurn}+${turnsMax}`);
      const last = Math.min(turnCount, fromTurn + Math.min(turnsMax, answeredMax) - 1);
      const numbers = Array.from({ length: Math.max(0, last - fromTurn + 1) }, (_, at) => fromTurn + at);
      const answer: ReadConversation = {
        ...{ conversationId: 'c1', agentId: 'analyst', firstMessage: '1?', state: 'completed', turnCount },
        ...{ createdAt: '2026-06-30T10:00:00Z', changedAt: '2026-06-30T10:00:00Z', turns: numbers.map(storedTurn) },
      };
      return answer;
    },
  };
};

it.each([
  [3, 100, [1, 2, 3], 1],
  [25, 100, [16, 17, 18, 19, 20, 21, 22, 23, 24, 25], 2],
  // The answers of the server are shorter than what was asked for.
  [6, 2, [1, 2, 3, 4, 5, 6], 3],
  [12, 4, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 4],
])('of %i turns, %i in an answer, the last ten are read', async (turnCount, answeredMax, turns, requests) => {
  const { asked, read } = server(turnCount, answeredMax);
  const conversation = await readLastTurns(read, place, 10);
  expect(conversation.turns.map(({ turn }) => turn)).toEqual(turns);
  expect(asked).toHaveLength(requests);
});

it('never asks for more turns at once than the server answers', async () => {
  const { asked, read } = server(300, 100);
  const { turns } = await readLastTurns(read, place, 250);
  expect([turns.length, turns[0]?.turn, asked]).toEqual([250, 51, ['1+100', '51+100', '151+100', '251+100']]);
});

it('a conversation that lost its turns meanwhile is read to where it goes', async () => {
  const { read } = server(3, 100);
  const shorter = async (input: Parameters<typeof read>[0]) => ({ ...(await read(input)), turnCount: 5 });
  expect((await readLastTurns(shorter, place, 10)).turns).toHaveLength(3);
});

it('a conversation runs as long as its last turn does', async () => {
  const conversation = await readLastTurns(server(2, 100).read, place, 10);
  expect(isRunning(conversation)).toBe(false);
  expect(isRunning({ ...conversation, turns: [{ ...storedTurn(1), state: 'running' }] })).toBe(true);
  expect(isRunning(undefined)).toBe(false);
});
