import { describe, expect, it } from '@jest/globals';
import type { ModelMessage } from '../models/model.js';
import { omittedResult } from './tool-value.js';
import {
  bytesOf,
  estimateTokens,
  fitContextWindow,
  newestWithin,
  type PastTurn,
  type ContextWindowParts,
} from './window.js';

const system: ModelMessage = { role: 'system', text: 'You answer.' };
const user: ModelMessage = { role: 'user', text: 'And now?' };
const past = (count: number, bytes: number): readonly PastTurn[] =>
  Array.from({ length: count }, (_, at) => ({
    message: `question ${at}`,
    answer: `answer ${at} `.padEnd(bytes, '.'),
    state: 'completed',
  }));
const windowOf = (parts: Partial<ContextWindowParts>) =>
  fitContextWindow({
    model: { contextTokens: 4_000, outputTokens: 1_000 },
    system,
    tools: [],
    history: [],
    said: [user],
    ...parts,
  });
const textsOf = (messages: readonly ModelMessage[]) =>
  messages.map((message) => ('text' in message ? message.text : ''));

describe('the context window', () => {
  it('contains the earlier turns in order, each with message and answer', () => {
    const messages = windowOf({ history: past(2, 10) });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
    expect(textsOf(messages)[1]).toBe('question 0');
  });

  it('drops the oldest turns when not all fit', () => {
    const messages = windowOf({ history: past(10, 3_000) });
    expect(messages.length).toBe(1 + 2 * 2 + 1);
    expect(textsOf(messages)[1]).toBe('question 8');
    expect(messages.at(-1)).toBe(user);
  });

  it('marks an interrupted turn as not answered', () => {
    const messages = windowOf({ history: [{ message: 'Lost?', answer: null, state: 'interrupted' }] });
    expect(textsOf(messages)[2]).toMatch(/not answered/);
  });

  it('drops earlier turns, then the oldest results of this turn', () => {
    const result = (callId: string): ModelMessage => ({
      ...{ role: 'tool', callId, tool: 'load-data' },
      json: JSON.stringify({ result: 'x'.repeat(8_000) }),
    });
    const messages = windowOf({ history: past(1, 3_000), said: [user, result('a'), result('b')] });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'tool', 'tool']);
    expect(messages[2]).toMatchObject({ json: omittedResult });
    expect(messages[3]).toMatchObject({ json: expect.stringMatching(/^\{"result":"x+"\}$/) });
  });

  it('always contains the instructions and the new message, however small the limit', () => {
    const long: ModelMessage = { role: 'user', text: 'x'.repeat(32_000) };
    expect(windowOf({ history: past(3, 10), said: [long] })).toEqual([system, long]);
  });

  it('counts tool definitions, and counts bytes instead of characters', () => {
    expect(estimateTokens('äöü')).toBe(2);
    const tools = [{ name: 'load-data', description: 'x'.repeat(9_000), inputSchema: {} }];
    expect(windowOf({ history: past(1, 10), tools }).length).toBe(2);
  });
});

describe('turns that a caller sends along', () => {
  it('are kept up to a number of bytes, the newest', () => {
    const turns = past(5, 100);
    const bytes = bytesOf(turns.slice(-2));
    expect(newestWithin(turns, bytes)).toEqual(turns.slice(-2));
    expect(newestWithin(turns, bytes - 1)).toEqual(turns.slice(-1));
    expect([newestWithin(turns, 0), newestWithin(turns, 10_000)]).toEqual([[], turns]);
  });
});
