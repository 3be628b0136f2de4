import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { type FaultyServer, startFaultyServer } from '../testing/key-set-faults.js';
import { KeySet, KeySetUnavailable } from './key-set.js';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer();
});
afterAll(() => server.stop());

/** An answer without an end: so many bytes each so many milliseconds. */
const endless =
  (bytes: number, everyMs: number, onClose: () => void): RequestListener =>
  (_request, response) => {
    const timer = setInterval(() => response.write(' '.repeat(bytes)), everyMs);
    response.once('close', () => {
      clearInterval(timer);
      onClose();
    });
  };

describe('KeySet', () => {
  it.each([
    ['too slow', 1, 100, 'the issuer took too long'],
    ['too large', 200_000, 1, 'the issuer could not be read: too-large'],
  ])('closes the connection of an issuer whose answer is %s', async (_, bytes, everyMs, reason) => {
    const closed = Promise.withResolvers<void>();
    const reasons: string[] = [];
    server.answerWith(endless(bytes, everyMs, closed.resolve));
    const keySet = new KeySet({ url: server.url, onError: (why) => void reasons.push(why) });
    await expect(keySet.keyFor('first')).rejects.toThrow(KeySetUnavailable);
    await closed.promise;
    expect(reasons).toEqual([reason]);
  });
});
