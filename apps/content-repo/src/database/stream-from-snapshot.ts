/**
 * A reply in pieces, and the snapshot they are read from: closed when all was read, when the reader left, and when the
 * work failed.
 * Refuses: to begin a reply before the work knows that there is one.
 */
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import { jsonType, type OperationContext } from '@tessera/messaging';
import type pg from 'pg';
import { orOutage } from './outage.js';
import { openSnapshot, type Snapshot } from './snapshot.js';

export type StreamedReply = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: AsyncIterator<Uint8Array, void, undefined>;
};

/** Runs `work` in a snapshot as the caller's team and streams what it answers; what is whole already goes out as it is. */
export const streamFromSnapshot = (
  pool: pg.Pool,
  context: OperationContext,
  work: (snapshot: Snapshot) => Promise<Result<ByteReply | StreamedReply>>,
): Promise<Result<ByteReply>> =>
  orOutage(async () => {
    const snapshot = await openSnapshot(pool, context.caller.team, context.signal);
    let reply: Result<ByteReply | StreamedReply>;
    try {
      reply = await work(snapshot);
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    if (!reply.ok) {
      await snapshot.close();
      return reply;
    }
    const { value } = reply;
    if (!('pieces' in value)) {
      await snapshot.close();
      return succeed(value);
    }
    const { headers, pieces } = value;
    const body = closing(pieces, snapshot);
    return succeed({ contentType: jsonType, ...(headers && { headers }), body });
  });

const closing = (
  pieces: StreamedReply['pieces'],
  snapshot: Snapshot,
): AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array, void> => ({
  [Symbol.asyncIterator]() {
    return this;
  },
  async next() {
    try {
      const step = await pieces.next();
      if (!step.done) return step;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    await snapshot.close();
    return { done: true, value: undefined };
  },
  async return() {
    await snapshot.close();
    return { done: true, value: undefined };
  },
});
