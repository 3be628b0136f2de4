import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ByteReply, freshForHeader } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import { gunzipSync } from 'node:zlib';
import { EtagReplyCache } from './etag-reply-cache.js';
import type { CompressibleReply } from './send-reply.js';

const freshFor = { [freshForHeader]: '50' };
const documentReply = (text: string): Result<ByteReply> =>
  succeed({
    contentType: 'application/json',
    headers: { ...freshFor, etag: `W/"${text}"`, 'odata-version': '4.0' },
    body: Buffer.from(text),
  });
const unchanged: Result<ByteReply> = succeed({
  status: 304,
  contentType: 'application/json',
  headers: { ...freshFor, etag: 'W/"one"' },
  body: new Uint8Array(0),
});

/** What is answered one after the other, and by which ETags it was asked for. */
const setup = (...answers: readonly Result<ByteReply>[]) => {
  const replies = new EtagReplyCache();
  const etags: (string | undefined)[] = [];
  const answer = async (ifNoneMatch?: string): Promise<CompressibleReply> => {
    const result = await replies.answer(
      'key',
      async (etag) => answers[etags.push(etag) - 1] ?? fail('SERVICE_UNAVAILABLE', 'Asked too often.'),
      ifNoneMatch,
    );
    if (!result.ok) throw new Error(result.failure.detail);
    return result.value;
  };
  const textOf = async (ifNoneMatch?: string): Promise<string> => {
    const { status = 200, body } = await answer(ifNoneMatch);
    return `${status} ${body instanceof Uint8Array ? Buffer.from(body).toString() : 'pieces'}`;
  };
  return { answer, textOf, etags };
};

let nowMs = 1_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a cacheable reply', () => {
  it('is requested once while it is fresh, counted from the request', async () => {
    const { textOf, etags } = setup(documentReply('one'), documentReply('two'));
    expect(await textOf()).toBe('200 one');
    nowMs += 49;
    expect(await textOf()).toBe('200 one');
    nowMs += 1;
    expect(await textOf()).toBe('200 two');
    expect(etags).toEqual([undefined, 'W/"one"']);
  });

  it('is served from the cache when the service answers that it is unchanged', async () => {
    const { textOf, etags } = setup(documentReply('one'), unchanged);
    await textOf();
    nowMs += 60;
    expect(await textOf()).toBe('200 one');
    nowMs += 40;
    expect(await textOf()).toBe('200 one');
    expect(etags).toHaveLength(2);
  });

  it('is answered with 304 to a client that has it, cached or not', async () => {
    const { textOf } = setup(documentReply('one'));
    expect(await textOf('"zero", W/"one"')).toBe('304 ');
    expect(await textOf('"one"')).toBe('304 ');
    expect(await textOf('"other"')).toBe('200 one');
  });

  it('keeps the headers of the service except the one for the gateway', async () => {
    const { answer } = setup(documentReply('one'));
    const headers = { etag: 'W/"one"', 'odata-version': '4.0' };
    expect((await answer()).headers).toEqual(headers);
    expect((await answer()).headers).toEqual(headers);
  });

  it('is compressed once', async () => {
    const { answer } = setup(documentReply('one'));
    const first = await (await answer()).gzipped?.();
    expect(gunzipSync(first ?? '').toString()).toBe('one');
    expect(await (await answer()).gzipped?.()).toBe(first);
  });
});

describe('another reply', () => {
  it.each<[string, Result<ByteReply>]>([
    ['that says nothing of time', succeed({ contentType: 'text/plain', body: Buffer.from('plain') })],
    ['in pieces', succeed({ contentType: 'text/plain', headers: freshFor, body: (async function* () {})() })],
  ])('%s is requested each time', async (_, reply) => {
    const { textOf, etags } = setup(reply, reply);
    await textOf();
    await textOf();
    expect(etags).toEqual([undefined, undefined]);
  });

  it('that is a failure is passed on, and the cached reply stays', async () => {
    const { textOf } = setup(documentReply('one'), fail('SERVICE_UNAVAILABLE', 'Away.'), unchanged);
    await textOf();
    nowMs += 60;
    await expect(textOf()).rejects.toThrow('Away.');
    expect(await textOf()).toBe('200 one');
  });
});
