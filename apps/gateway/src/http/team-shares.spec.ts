import { expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import type { Release } from '@tessera/fair-queue';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { acquireLongRequestSlot, reserveAnswerMemory } from './team-shares.js';

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

it('the gateway limits the answer memory of a team, closes replies beyond it and frees it when answers are sent', () => {
  const held = Array.from({ length: 128 }, response);
  for (const raw of held) expect(reserveAnswerMemory('busy', raw, streamed().reply)).toBe(true);
  const refused = streamed();
  expect(reserveAnswerMemory('busy', response(), refused.reply)).toBe(false);
  expect(refused.state.isClosed).toBe(true);
  const other = response();
  expect(reserveAnswerMemory('quiet', other, streamed().reply)).toBe(true);
  held[0]?.emit('close');
  const next = response();
  expect(reserveAnswerMemory('busy', next, streamed().reply)).toBe(true);
  for (const raw of [...held, other, next]) raw.emit('close');
});

it('the answer memory of a team counts the bytes of whole bodies, but neither small bodies nor events', () => {
  const body = new Uint8Array(512 * 1024);
  const held = Array.from({ length: 256 }, response);
  for (const raw of held) expect(reserveAnswerMemory('busy', raw, { contentType: 'text/plain', body })).toBe(true);
  expect(reserveAnswerMemory('busy', response(), { contentType: 'text/plain', body })).toBe(false);
  expect(reserveAnswerMemory('busy', response(), { contentType: 'text/plain', body: body.subarray(0, 1000) })).toBe(
    true,
  );
  held[0]?.emit('close');
  for (let count = 0; count < 8; count++)
    expect(reserveAnswerMemory('busy', response(), streamed('text/event-stream').reply)).toBe(true);
  for (const raw of held) raw.emit('close');
});

const long = 500_000;
const never = new AbortController().signal;
const settled = (): Promise<void> => new Promise(setImmediate);

it('the gateway limits the concurrent long requests of a team, but not short ones or those of other teams', async () => {
  const begun: string[] = [];
  const begin = async (team: string, bytes = long): Promise<Release> => {
    const slot = await acquireLongRequestSlot(team, bytes, never);
    if (!slot.ok) throw new Error(slot.failure.detail);
    begun.push(team);
    return slot.value;
  };
  const all = Array.from({ length: 6 }, () => begin('busy'));
  await settled();
  const others = [await begin('quiet'), await begin('busy', 10)];
  expect(begun.toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'busy', 'quiet']);
  (await all[0])?.();
  await settled();
  expect(begun).toHaveLength(7);
  (await all[1])?.();
  for (const end of [...others, ...(await Promise.all(all))]) end();
  expect(begun).toHaveLength(8);
});

it('the gateway answers 503 to a long request whose client leaves while it waits', async () => {
  const held = await Promise.all([1, 2, 3, 4].map(() => acquireLongRequestSlot('held', long, never)));
  const leaving = new AbortController();
  const waiting = acquireLongRequestSlot('held', long, leaving.signal);
  leaving.abort();
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
  for (const slot of held) if (slot.ok) slot.value();
});
