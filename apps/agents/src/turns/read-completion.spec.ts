import { describe, expect, it } from '@jest/globals';
import { readCompletion } from './read-completion.js';

const id = '01980000-0000-7000-8000-000000000042';
const read = (user: string) => {
  const completion = { model: 'analyst', messages: [{ role: 'user' as const, content: 'How much?' }], user };
  const result = readCompletion({ agent_id: 'analyst', completion });
  return result.ok ? result.value.conversationId : result;
};

describe('the user of a completion', () => {
  it('names a conversation in a form of its own only, since clients have ids for their users', () => {
    expect(read(`conversation:${id}`)).toBe(id);
    expect([read(id), read('anna'), read('conversation:')]).toEqual([undefined, undefined, undefined]);
  });
});
