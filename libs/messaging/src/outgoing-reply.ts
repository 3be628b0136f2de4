/**
 * The sending end of a reply whose body comes in pieces: gathers pieces into chunks and stays inside the window of its team.
 * What ends within the first chunk is one plain message, unless its pieces are events, of which each leaves at once.
 * While the reader is slow the source is read on, so that it ends and gives back what it holds (a connection to the
 * database); what waits for the reader counts against its team's share of the memory. Events are not read on: their source
 * holds nothing, and bounds itself.
 */
import type { Release } from '@tessera/fair-queue';
import { chunkBytes, overShareStallTimeoutMs, ownWindowBytes, stallTimeoutMs, windowBytes } from './stream-limits.js';

export type ReplyTransport = {
  /** The whole body in one message. */
  readonly whole: (body: Uint8Array) => void;
  /** The first message of a chunked reply. */
  readonly begin: (chunk: Uint8Array) => void;
  readonly chunk: (chunk: Uint8Array) => void;
  /** The last message; undefined when the source failed. */
  readonly end: (sentBytes: number | undefined) => void;
};

export type BytesUnderWay = { bytes: number };

export type OutgoingReplyOptions = {
  readonly chunkBytesMax: number;
  readonly pieces?: 'gathered' | 'at once';
  /** Bytes under way to all readers of the team; to this one alone when absent. */
  readonly underWay?: BytesUnderWay;
  /** Room for bytes that wait for the reader; undefined when the share of its team is used up. */
  readonly keep?: (bytes: number) => Release | undefined;
  /** Awaited when the source was read for a while, so that others of the process get their turn. */
  readonly pause?: () => Promise<void>;
};

/** What is read of a source before others have their turn. */
const sliceMs = 4;

type UnreadChunk = { readonly chunk: Uint8Array; readonly release: Release };

export type SendingOutcome = 'whole' | 'cancelled' | 'failed';

export class OutgoingReply {
  readonly #wire: ReplyTransport;
  readonly #chunkBytes: number;
  readonly #iterator: AsyncIterator<Uint8Array>;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #gatheredAtMs = 0;
  #waitingForSource = false;
  #sentBytes = 0;
  #consumedBytes = 0;
  #begun = false;
  #cancelled = false;
  #movedAtMs = Date.now();
  #room: PromiseWithResolvers<void> | undefined;
  readonly #pieces: 'gathered' | 'at once';
  readonly #underWay: BytesUnderWay;
  readonly #keep: NonNullable<OutgoingReplyOptions['keep']>;
  readonly #pause: OutgoingReplyOptions['pause'];
  /** Chunks beyond the reader's window. */
  readonly #unread: UnreadChunk[] = [];
  #isOverShare = false;
  readonly #cancellation = Promise.withResolvers<'cancelled'>();

  constructor(
    wire: ReplyTransport,
    body: AsyncIterable<Uint8Array>,
    {
      chunkBytesMax,
      pieces = 'gathered',
      underWay = { bytes: 0 },
      keep = () => undefined,
      pause,
    }: OutgoingReplyOptions,
  ) {
    this.#wire = wire;
    this.#pieces = pieces;
    this.#underWay = underWay;
    this.#keep = keep;
    this.#pause = pause;
    this.#chunkBytes = Math.min(chunkBytes, chunkBytesMax);
    this.#iterator = body[Symbol.asyncIterator]();
  }

  /** Resolves when the body was sent, its source failed (the error is thrown) or the reader has gone. */
  send(): Promise<SendingOutcome> {
    return Promise.race([this.#pump(), this.#cancellation.promise]).finally(() => {
      this.#dropUnread();
      this.#underWay.bytes -= this.#ownBytes;
      this.#consumedBytes = this.#sentBytes;
    });
  }

  /** The reader has consumed so many bytes of the whole. */
  consumed(bytes: number): void {
    if (!Number.isSafeInteger(bytes) || bytes <= this.#consumedBytes || bytes > this.#sentBytes) return;
    this.#underWay.bytes -= bytes - this.#consumedBytes;
    this.#consumedBytes = bytes;
    this.#movedAtMs = Date.now();
    this.#sendUnread();
    this.#room?.resolve();
  }

  /** Nobody reads any more: the source is closed and nothing is sent. */
  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#room?.resolve();
    this.#cancellation.resolve('cancelled');
    void Promise.resolve(this.#iterator.return?.()).catch(() => {});
  }

  /** Sends what a slow source has given so far, so that a reader sees it come. */
  flushOlderThan(ageMs: number, nowMs: number): void {
    if (!this.#waitingForSource || this.#gatheredBytes === 0 || nowMs - this.#gatheredAtMs < ageMs) return;
    if (this.#unread.length === 0 && this.#hasRoom(this.#gatheredBytes)) this.#emit(this.#take());
  }

  get hasBegun(): boolean {
    return this.#begun;
  }

  /** The reader takes nothing, or the source gives nothing past the deadline. */
  isStalled(deadlineMs: number, nowMs: number): boolean {
    const isUnread = this.#unread.length > 0 || this.#room !== undefined;
    const patienceMs = this.#isOverShare ? overShareStallTimeoutMs : stallTimeoutMs;
    return nowMs - this.#movedAtMs > patienceMs && (isUnread || nowMs > deadlineMs);
  }

  async #pump(): Promise<SendingOutcome> {
    let sliceUntil = performance.now() + sliceMs;
    try {
      for (;;) {
        if (this.#pause && performance.now() > sliceUntil) {
          await this.#pause();
          sliceUntil = performance.now() + sliceMs;
        }
        this.#waitingForSource = true;
        const step = await this.#iterator.next();
        this.#waitingForSource = false;
        if (this.#cancelled) return 'cancelled';
        if (step.done) break;
        await this.#gather(step.value);
        if (this.#cancelled) return 'cancelled';
      }
    } catch (error) {
      if (this.#cancelled) return 'cancelled';
      if (this.#begun) this.#wire.end(undefined);
      throw error;
    }
    return this.#finish();
  }

  async #finish(): Promise<SendingOutcome> {
    const rest = this.#take();
    if (!this.#begun) {
      this.#wire.whole(rest);
      return 'whole';
    }
    if (rest.length > 0) await this.#emitInside(rest);
    // An answer that has ended would not count any more.
    while ((this.#unread.length > 0 || this.#ownBytes > ownWindowBytes) && !this.#cancelled) await this.#untilRoom();
    if (this.#cancelled) return 'cancelled';
    this.#wire.end(this.#sentBytes);
    return 'whole';
  }

  async #gather(piece: Uint8Array): Promise<void> {
    let rest = piece;
    while (this.#gatheredBytes + rest.length >= this.#chunkBytes) {
      const fitting = this.#chunkBytes - this.#gatheredBytes;
      this.#add(rest.subarray(0, fitting));
      rest = rest.subarray(fitting);
      await this.#emitInside(this.#take());
      if (this.#cancelled) return;
    }
    if (rest.length > 0) this.#add(rest);
    if (this.#pieces === 'at once' && rest.length > 0) await this.#emitInside(this.#take());
  }

  #add(piece: Uint8Array): void {
    if (this.#gatheredBytes === 0) this.#gatheredAtMs = Date.now();
    this.#gathered.push(piece);
    this.#gatheredBytes += piece.length;
  }

  #take(): Uint8Array {
    const [only] = this.#gathered;
    const chunk = this.#gathered.length === 1 && only !== undefined ? only : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return chunk;
  }

  /** Bytes under way to this reader. */
  get #ownBytes(): number {
    return this.#sentBytes - this.#consumedBytes;
  }

  #hasRoom(bytes: number): boolean {
    return this.#ownBytes + bytes <= ownWindowBytes || this.#underWay.bytes + bytes <= windowBytes;
  }

  async #emitInside(chunk: Uint8Array): Promise<void> {
    while (!this.#cancelled) {
      if (this.#unread.length === 0 && this.#hasRoom(chunk.length)) return this.#emit(chunk);
      if (this.#setAside(chunk)) return;
      await this.#untilRoom();
    }
  }

  /** Sets a chunk aside for the reader, when there is room for it. */
  #setAside(chunk: Uint8Array): boolean {
    const release = this.#pieces === 'gathered' ? this.#keep(chunk.length) : undefined;
    this.#isOverShare = this.#pieces === 'gathered' && release === undefined;
    if (!release) return false;
    if (this.#unread.length === 0) this.#movedAtMs = Date.now();
    this.#unread.push({ chunk, release });
    return true;
  }

  #sendUnread(): void {
    let next = this.#unread[0];
    while (next && this.#hasRoom(next.chunk.length)) {
      this.#unread.shift();
      next.release();
      this.#emit(next.chunk);
      next = this.#unread[0];
    }
  }

  #dropUnread(): void {
    for (const { release } of this.#unread.splice(0)) release();
  }

  async #untilRoom(): Promise<void> {
    if (this.#unread.length === 0) this.#movedAtMs = Date.now();
    this.#room = Promise.withResolvers();
    await this.#room.promise;
    this.#room = undefined;
  }

  #emit(chunk: Uint8Array): void {
    this.#sentBytes += chunk.length;
    this.#underWay.bytes += chunk.length;
    if (this.#begun) return this.#wire.chunk(chunk);
    this.#begun = true;
    this.#wire.begin(chunk);
  }
}

/** A whole body as the one piece of an iterable. */
export const toSingleChunk = async function* (body: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield body;
};
