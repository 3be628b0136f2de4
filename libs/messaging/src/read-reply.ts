/** Reads the answer of another service as a whole, up to a limit: its bytes, its text, or the value that its operation declares. */
import type { ByteReply, CallFrame, Operation, ValueOf, ValueSchema } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import { ReplyInterruptedError } from './incoming-reply.js';
import type { OperationClient } from './operation-client.js';

type ReadLimit = { readonly bytesMax: number; readonly tooLarge: Result<never> };

export const readReply = async (reply: ByteReply, limit?: ReadLimit): Promise<Result<string>> => {
  const bytes = await readReplyBytes(reply, limit);
  return bytes.ok ? succeed(decodeUtf8(bytes.value)) : bytes;
};

export const readReplyBytes = async ({ body }: ByteReply, limit?: ReadLimit): Promise<Result<Uint8Array>> => {
  if (body instanceof Uint8Array) return succeed(body);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (limit && size > limit.bytesMax) return limit.tooLarge;
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ReplyInterruptedError) return interruptedFailure;
    throw error;
  }
  return succeed(Buffer.concat(pieces));
};

const decodeUtf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const interruptedFailure = fail('SERVICE_UNAVAILABLE', 'The answer broke off.', { retryAfterSeconds: 1 });

/** Calls an operation that answers a value; throws when what came is not what it declares. `leaving` aborts when nobody waits any more. */
export const callOperation = async <Request extends Operation['request'], Reply extends ValueSchema>(
  client: Pick<OperationClient, 'call'>,
  operation: Operation<Request, Reply>,
  request: ValueOf<Request>,
  frame: CallFrame,
  leaving?: AbortSignal,
): Promise<Result<ValueOf<Reply>>> => {
  const answer = await client.call(operation, request, frame, leaving);
  if (!answer.ok) return answer;
  const text = await readReply(answer.value);
  return text.ok ? succeed(operation.reply.parse(JSON.parse(text.value))) : text;
};

export const jsonContentType = 'application/json; charset=utf-8';

type Headers = Readonly<Record<string, string>>;

export const createJsonReply = (value: unknown, headers?: Headers): Result<ByteReply> =>
  createJsonTextReply(JSON.stringify(value), headers);

export const createJsonTextReply = (text: string, headers?: Headers): Result<ByteReply> =>
  succeed({ contentType: jsonContentType, ...(headers && { headers }), body: Buffer.from(text) });
