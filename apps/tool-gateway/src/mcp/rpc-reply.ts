/** Replies of the door: an error of JSON-RPC, and what the SDK answered. Refuses: headers that only a connection has. */
import type { ByteReply } from '@tessera/contracts';

const jsonType = 'application/json';

export const jsonRpcReply = (body: string, status = 200): ByteReply => ({
  status,
  contentType: jsonType,
  body: Buffer.from(body),
});

/** Without an id: nobody can tell which request it answers. */
export const rpcError = (status: number, code: number, message: string): ByteReply =>
  jsonRpcReply(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), status);

const passed = ['allow', 'cache-control', 'x-accel-buffering'];

/** `end` is called when the body has been read or nobody reads it any more. */
export const replyOf = async (response: Response, end: () => void): Promise<ByteReply> => {
  const { status, headers, body } = response;
  const more = Object.fromEntries(
    passed.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  );
  const head = { status, contentType: headers.get('content-type') ?? '', headers: more };
  if (body !== null && head.contentType.startsWith('text/event-stream')) return { ...head, body: pieces(body, end) };
  const whole = body === null ? new Uint8Array(0) : new Uint8Array(await response.arrayBuffer());
  end();
  return { ...head, body: whole };
};

const pieces = async function* (body: ReadableStream<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } finally {
    end();
  }
};
