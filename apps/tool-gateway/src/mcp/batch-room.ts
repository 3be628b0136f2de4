/**
 * How much batches may hold at the same time: a batch has one reply, and keeps every message and every answer until the last
 * is there. Batches of a team take turns, and so do the calls of a batch.
 * Refuses: answers beyond that; the call is told so, and who wants the answer asks for it by itself.
 */
import type { ByteReply } from '@tessera/contracts';
import { KeyedQueue, QueueRefusal, type Release } from '@tessera/fair-queue';
import { fail, succeed, type Result } from '@tessera/failures';
import type { ToolResult } from '../tools/tool.js';

export type BatchLimits = {
  /** Characters of the answers of one batch, of those of a team, and of all that are under way. */
  readonly ofBatch: number;
  readonly ofTeam: number;
  readonly ofAll: number;
  readonly callsAtOnce: number;
  /** Batches that are answered, of those of a team, and those of a team that wait. */
  readonly batches: { readonly ofAll: number; readonly ofTeam: number; readonly waiting: number };
  /** How long a batch waits for others of its team. */
  readonly waitMs: number;
};

const mebibyte = 1024 * 1024;
const standards: BatchLimits = {
  ofBatch: 12 * mebibyte,
  ofTeam: 16 * mebibyte,
  ofAll: 32 * mebibyte,
  callsAtOnce: 8,
  batches: { ofAll: 12, ofTeam: 3, waiting: 100 },
  waitMs: 10_000,
};

export type Batch = {
  readonly call: (call: () => Promise<Result<ToolResult>>) => Promise<Result<ToolResult>>;
  /** The reply, with the room given back when it has been read, or `signal` aborts. */
  readonly reply: (answering: Promise<ByteReply>, signal: AbortSignal) => Promise<ByteReply>;
};

export class BatchRoom {
  readonly #limits: BatchLimits;
  /** Units are characters of answers, keys are teams. */
  readonly #room: KeyedQueue;
  /** Keys are teams. */
  readonly #batches: KeyedQueue;

  constructor(limits: Partial<BatchLimits> = {}) {
    this.#limits = { ...standards, ...limits };
    const { ofAll, ofTeam, batches } = this.#limits;
    this.#room = new KeyedQueue({ limit: ofAll, limitPerKey: ofTeam });
    this.#batches = new KeyedQueue({
      limit: batches.ofAll,
      limitPerKey: batches.ofTeam,
      waitingPerKeyMax: batches.waiting,
    });
  }

  /** When it is the batch's turn; nothing is made of its messages before. Failure: SERVICE_UNAVAILABLE. */
  async open(team: string, signal: AbortSignal): Promise<Result<Batch>> {
    try {
      const endTurn = await this.#batches.acquire(team, { signal, timeoutMs: this.#limits.waitMs });
      return succeed(this.#opened(team, endTurn));
    } catch (error) {
      if (error instanceof QueueRefusal) return tooManyBatches;
      throw error;
    }
  }

  #opened(team: string, endTurn: Release): Batch {
    const { ofBatch, callsAtOnce } = this.#limits;
    const calls = new KeyedQueue({ limit: callsAtOnce });
    const held: Release[] = [endTurn];
    let [taken, isOpen] = [0, true];
    const take = (size: number): boolean => {
      const release = isOpen && taken + size <= ofBatch ? this.#room.tryAcquire(team, size) : undefined;
      if (!release) return false;
      taken += size;
      held.push(release);
      return true;
    };
    const close = (): void => {
      isOpen = false;
      for (const release of held) release();
    };
    return {
      call: async (call) => {
        const endCall = await calls.acquire(team);
        try {
          const result = await call();
          return result.ok ? fitted(result.value, take) : result;
        } finally {
          endCall();
        }
      },
      reply: (answering, signal) => closing(answering, signal, close),
    };
  }
}

/** With its text, which is needed anyway. */
const fitted = (result: ToolResult, take: (size: number) => boolean): Result<ToolResult> => {
  const { value, content } = result;
  const json = result.json ?? JSON.stringify(value ?? content) ?? '';
  if (!take(json.length)) return tooLarge;
  return { ok: true, value: value === undefined || typeof value === 'string' ? result : { ...result, json } };
};

const tooLarge = fail(
  'TOOL_FAILED',
  'The tool has run, but the answers of the batch are too large together; ask for less, or without a batch.',
);

const tooManyBatches = fail(
  'SERVICE_UNAVAILABLE',
  'As many batches of the team are being answered as may be; send it again soon, or smaller ones.',
  { retryAfterSeconds: 5 },
);

const closing = async (answering: Promise<ByteReply>, signal: AbortSignal, close: () => void): Promise<ByteReply> => {
  signal.addEventListener('abort', close, { once: true });
  let isStreamed = false;
  try {
    const reply = await answering;
    if (reply.body instanceof Uint8Array) return reply;
    isStreamed = true;
    return { ...reply, body: ending(reply.body, close) };
  } finally {
    if (!isStreamed) close();
  }
};

const ending = async function* (body: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } finally {
    end();
  }
};
