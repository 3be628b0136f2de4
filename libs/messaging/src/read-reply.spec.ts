import { describe, expect, it } from '@jest/globals';
import { fail, succeed, type Result } from '@tessera/failures';
import { internalOperation, type ByteReply, type CallFrame } from '@tessera/contracts';
import { z } from 'zod';
import { ReplyInterruptedError } from './incoming-reply.js';
import { callOperation, readReply } from './read-reply.js';

const contentType = 'application/json; charset=utf-8';
const inPieces = (pieces: readonly Uint8Array[], end?: Error): ByteReply => ({
  contentType,
  body: (async function* () {
    yield* pieces;
    if (end) throw end;
  })(),
});

describe('the text of a reply', () => {
  it('is decoded correctly when a character spans two chunks', async () => {
    const bytes = Buffer.from('"Größe"');
    expect(await readReply({ contentType, body: bytes.subarray(1, 5) })).toEqual(succeed('Grö'));
    expect(await readReply(inPieces([bytes.subarray(0, 4), bytes.subarray(4)]))).toEqual(succeed('"Größe"'));
  });

  it('is not read beyond the limit', async () => {
    const tooLarge = fail('TOOL_FAILED', 'too much');
    let read = 0;
    const body = (async function* () {
      for (;;) {
        read++;
        yield Buffer.alloc(10);
      }
    })();
    expect(await readReply({ contentType, body }, { bytesMax: 25, tooLarge })).toBe(tooLarge);
    expect(read).toBe(3);
  });

  it('that is interrupted fails as unavailable, while other errors are rethrown', async () => {
    const broken = await readReply(inPieces([Buffer.from('{')], new ReplyInterruptedError('gone')));
    expect(broken.ok ? undefined : broken.failure.code).toBe('SERVICE_UNAVAILABLE');
    await expect(readReply(inPieces([], new Error('bug')))).rejects.toThrow('bug');
  });
});

describe('the value of an operation', () => {
  const operation = internalOperation({
    ...({ owner: 'agents', name: 'spec.ask', summary: '', scope: 'admin', effect: 'read', timeoutMs: 1_000 } as const),
    request: z.strictObject({ of: z.string() }),
    reply: z.object({ count: z.int() }),
    failures: [],
  });
  const frame: CallFrame = {
    caller: { team: 'spec', subject: 'tester', scopes: [] },
    requestId: 'r',
    deadlineMs: 0,
    publicUrl: '',
  };
  const ask = (answer: Result<ByteReply>) =>
    callOperation({ call: async () => answer }, operation, { of: 'things' }, frame);

  it('is parsed by the reply schema of its operation', async () => {
    expect(await ask(succeed(inPieces([Buffer.from('{"count":'), Buffer.from('3}')])))).toEqual(succeed({ count: 3 }));
    await expect(ask(succeed(inPieces([Buffer.from('{"count":"3"}')])))).rejects.toThrow();
  });

  it('is the failure when the service failed', async () => {
    const failed = fail('GENERAL_NOTFOUND', 'none');
    expect(await ask(failed)).toBe(failed);
  });
});
