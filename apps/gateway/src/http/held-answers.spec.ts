import { expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { takeShare } from './held-answers.js';

const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
const streamed = (contentType = 'application/json') => {
  const state = { isClosed: false };
  const body = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true as const, value: undefined }),
      return: async () => {
        state.isClosed = true;
        return { done: true as const, value: undefined };
      },
    }),
  };
  const reply: ByteReply = { contentType, body };
  return { state, reply };
};

it('leaves room for other teams, ends what finds none, and has it again when answers have left', () => {
  const held = Array.from({ length: 128 }, response);
  for (const raw of held) expect(takeShare('busy', raw, streamed().reply)).toBe(true);
  const refused = streamed();
  expect(takeShare('busy', response(), refused.reply)).toBe(false);
  expect(refused.state.isClosed).toBe(true);
  const other = response();
  expect(takeShare('quiet', other, streamed().reply)).toBe(true);
  held[0]?.emit('close');
  const next = response();
  expect(takeShare('busy', next, streamed().reply)).toBe(true);
  for (const raw of [...held, other, next]) raw.emit('close');
});

it('counts bodies that are whole by their bytes, little ones not at all, and events as little', () => {
  const body = new Uint8Array(512 * 1024);
  const held = Array.from({ length: 256 }, response);
  for (const raw of held) expect(takeShare('busy', raw, { contentType: 'text/plain', body })).toBe(true);
  expect(takeShare('busy', response(), { contentType: 'text/plain', body })).toBe(false);
  expect(takeShare('busy', response(), { contentType: 'text/plain', body: body.subarray(0, 1000) })).toBe(true);
  held[0]?.emit('close');
  for (let count = 0; count < 8; count++)
    expect(takeShare('busy', response(), streamed('text/event-stream').reply)).toBe(true);
  for (const raw of held) raw.emit('close');
});
