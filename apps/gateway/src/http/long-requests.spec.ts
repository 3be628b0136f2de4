import { expect, it } from '@jest/globals';
import { succeed, type Result } from '@tessera/failures';
import { callInTurn } from './long-requests.js';

const long = 500_000;
const never = new AbortController().signal;
const settled = (): Promise<void> => new Promise(setImmediate);

it('sends a few long requests of a team at once, those of others and short ones beside them', async () => {
  const sent: string[] = [];
  const answers: PromiseWithResolvers<Result<number>>[] = [];
  const send = (team: string, bytes = long) =>
    callInTurn(team, bytes, never, () => {
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

it('is 503 for whom no turn came', async () => {
  const open = Promise.withResolvers<Result<number>>();
  const held = [1, 2, 3, 4].map(() => callInTurn('held', long, never, () => open.promise));
  const leaving = new AbortController();
  const waiting = callInTurn('held', long, leaving.signal, () => open.promise);
  leaving.abort();
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
  open.resolve(succeed(1));
  await Promise.all(held);
});
