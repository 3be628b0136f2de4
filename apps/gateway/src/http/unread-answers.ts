/**
 * Closes connections whose readers take nothing of their answers. What counts is bytes that leave: whatever a reader sends
 * meanwhile keeps nothing open. An answer that is still awaited is no fault of its reader.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the reader has taken, and when it last took something. */
type Taken = { bytes: number; atMs: number };

const sweepMs = 1_000;

export class UnreadAnswers {
  readonly #timeoutMs: number;
  readonly #answers = new Map<ServerResponse, Taken>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Until the answer is closed. */
  watch(response: ServerResponse): void {
    this.#answers.set(response, { bytes: 0, atMs: performance.now() });
    response.once('close', () => this.#answers.delete(response));
    this.#sweep ??= setInterval(() => this.#closeUnread(), sweepMs).unref();
  }

  #closeUnread(): void {
    const nowMs = performance.now();
    for (const [{ socket }, taken] of this.#answers) {
      if (!socket) continue;
      const bytes = bytesTaken(socket);
      if (socket.writableLength === 0 || bytes !== taken.bytes) taken.atMs = nowMs;
      taken.bytes = bytes;
      if (nowMs - taken.atMs > this.#timeoutMs) socket.destroy();
    }
    if (this.#answers.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/**
 * Bytes that have left to the reader. Node tells of its handle how much of one large write has; without it a write counts
 * when all of it has left.
 */
const bytesTaken = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle');
  const [written, queued] = [numberIn(handle, 'bytesWritten'), numberIn(handle, 'writeQueueSize')];
  return written === undefined || queued === undefined ? socket.bytesWritten - socket.writableLength : written - queued;
};

const numberIn = (handle: unknown, name: string): number | undefined => {
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined;
  return typeof value === 'number' ? value : undefined;
};
