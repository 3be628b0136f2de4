/**
 * How much batches may hold at the same time: a batch has one reply, and keeps every message and every answer until the last
 * is there. A call whose answer does not fit is told so; its caller can send it alone.
 */
import type { ByteReply } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import { KeyedQueue, QueueRefusal, type Release } from '@tessera/fair-queue';
import type { ToolResult } from '../tools/tool.js';

type BatchLimits = {
  /** Characters of the answers of one batch, of those of a team, and of all that are under way. */
  readonly perBatch: number;
  readonly perTeam: number;
  readonly total: number;
  readonly concurrentCalls: number;
  /** Batches that are answered, of those of a team, and those of a team that wait. */
  readonly concurrentBatches: { readonly total: number; readonly perTeam: number; readonly waiting: number };
  /** How long a batch waits for others of its team. */
  readonly waitMs: number;
};

const mebibyte = 1024 * 1024;
const defaultLimits: BatchLimits = {
  perBatch: 12 * mebibyte,
  perTeam: 16 * mebibyte,
  total: 32 * mebibyte,
  concurrentCalls: 8,
  concurrentBatches: { total: 12, perTeam: 3, waiting: 100 },
  waitMs: 10_000,
};

export type AdmittedBatch = {
  readonly call: (call: () => Promise<Result<ToolResult>>) => Promise<Result<ToolResult>>;
  /** The reply, with the room given back when it has been read, or `signal` aborts. */
  readonly reply: (answering: Promise<ByteReply>, signal: AbortSignal) => Promise<ByteReply>;
};

export class BatchLimiter {
  readonly #limits: BatchLimits;
  /** Units are characters of answers, keys are teams. */
  readonly #answerSpace: KeyedQueue;
  /** Keys are teams. */
  readonly #batches: KeyedQueue;

  constructor(limits: Partial<BatchLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    const { total: ofAll, perTeam: ofTeam, concurrentBatches: batches } = this.#limits;
    this.#answerSpace = new KeyedQueue({ limit: ofAll, limitPerKey: ofTeam });
    this.#batches = new KeyedQueue({
      limit: batches.total,
      limitPerKey: batches.perTeam,
      waitingPerKeyMax: batches.waiting,
    });
  }

  /** When it is the batch's turn; nothing is made of its messages before. Failure: SERVICE_UNAVAILABLE. */
  async open(team: string, signal: AbortSignal): Promise<Result<AdmittedBatch>> {
    try {
      const release = await this.#batches.acquire(team, { signal, timeoutMs: this.#limits.waitMs });
      return succeed(this.#opened(team, release));
    } catch (error) {
      if (error instanceof QueueRefusal) return tooManyBatches;
      throw error;
    }
  }

  #opened(team: string, endTurn: Release): AdmittedBatch {
    const { perBatch: ofBatch, concurrentCalls: callsAtOnce } = this.#limits;
    const calls = new KeyedQueue({ limit: callsAtOnce });
    const held: Release[] = [endTurn];
    let [reserved, isOpen] = [0, true];
    const reserve = (size: number): boolean => {
      const release = isOpen && reserved + size <= ofBatch ? this.#answerSpace.tryAcquire(team, size) : undefined;
      if (!release) return false;
      reserved += size;
      held.push(release);
      return true;
    };
    const close = (): void => {
      isOpen = false;
      for (const release of held) release();
    };
    return {
      call: async (call) => {
        const releaseCall = await calls.acquire(team);
        try {
          const result = await call();
          return result.ok ? reserveResult(result.value, reserve) : result;
        } finally {
          releaseCall();
        }
      },
      reply: (answering, signal) => closeAfterReply(answering, signal, close),
    };
  }
}

/** With its bytes, which are needed anyway. */
const reserveResult = (result: ToolResult, take: (size: number) => boolean): Result<ToolResult> => {
  const { value, content } = result;
  const bytes = result.bytes ?? Buffer.from(JSON.stringify(value ?? content) ?? '');
  if (!take(bytes.length)) return tooLarge;
  return { ok: true, value: value === undefined || typeof value === 'string' ? result : { ...result, bytes } };
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

const closeAfterReply = async (
  answering: Promise<ByteReply>,
  signal: AbortSignal,
  close: () => void,
): Promise<ByteReply> => {
  signal.addEventListener('abort', close, { once: true });
  let isStreamed = false;
  try {
    const reply = await answering;
    if (reply.body instanceof Uint8Array) return reply;
    isStreamed = true;
    return { ...reply, body: closeAfterBody(reply.body, close) };
  } finally {
    if (!isStreamed) close();
  }
};

const closeAfterBody = async function* (
  body: AsyncIterable<Uint8Array>,
  end: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } finally {
    end();
  }
};
