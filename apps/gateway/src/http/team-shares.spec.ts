import { expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { limitLongRequests, reserveAnswerMemory } from './team-shares.js';

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
  const sent: string[] = [];
  const answers: PromiseWithResolvers<Result<number>>[] = [];
  const send = (team: string, bytes = long) =>
    limitLongRequests(team, bytes, never, () => {
      sent.push(team);
      const answer = Promise.withResolvers<Result<number>>();
      answers.push(answer);
      return answer.promise;
    });
  const all = Array.from({ length: 6 }, () => send('busy'));
  await settled();
  all.push(send('quiet'), send('busy', 10));
  await settled();
  expect(sent.toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'busy', 'quiet']);
  answers[0]?.reject(new Error('a bug'));
  await expect(all[0]).rejects.toThrow('a bug');
  await settled();
  expect(sent).toHaveLength(7);
  while (sent.length < 8) {
    for (const { resolve } of answers) resolve(succeed(1));
    await settled();
  }
  for (const { resolve } of answers) resolve(succeed(1));
  expect(await Promise.all(all.slice(1))).toEqual(all.slice(1).map(() => succeed(1)));
});

it('the gateway answers 503 to a long request whose client leaves while it waits', async () => {
  const open = Promise.withResolvers<Result<number>>();
  const held = [1, 2, 3, 4].map(() => limitLongRequests('held', long, never, () => open.promise));
  const leaving = new AbortController();
  const waiting = limitLongRequests('held', long, leaving.signal, () => open.promise);
  leaving.abort();
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
  open.resolve(succeed(1));
  await Promise.all(held);
});
