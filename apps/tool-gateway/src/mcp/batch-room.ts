/**
 * How much the calls of batches may hold at the same time: a batch has one reply, and keeps every answer until the last is
 * there. Calls of a batch take turns.
 * Refuses: answers beyond that; the call is told so, and who wants the answer asks for it by itself.
 */
import type { ByteReply } from '@tessera/contracts';
import { fail, type Result } from '@tessera/failures';
import type { ToolResult } from '../tools/tool.js';

export type BatchLimits = {
  /** Characters of the answers of one batch, and of all that are under way. */
  readonly ofBatch: number;
  readonly ofAll: number;
  readonly callsAtOnce: number;
};

const standards: BatchLimits = { ofBatch: 12 * 1024 * 1024, ofAll: 32 * 1024 * 1024, callsAtOnce: 8 };

export type Batch = {
  readonly call: (call: () => Promise<Result<ToolResult>>) => Promise<Result<ToolResult>>;
  /** The reply, with the room given back when it has been read, or `signal` aborts. */
  readonly reply: (answering: Promise<ByteReply>, signal: AbortSignal) => Promise<ByteReply>;
};

export class BatchRoom {
  #taken = 0;

  constructor(private readonly limits = standards) {}

  open(): Batch {
    const { ofBatch, ofAll, callsAtOnce } = this.limits;
    const waiting: (() => void)[] = [];
    let [taken, running, isOpen] = [0, 0, true];
    const take = (size: number): boolean => {
      if (!isOpen || taken + size > ofBatch || this.#taken + size > ofAll) return false;
      taken += size;
      this.#taken += size;
      return true;
    };
    const close = (): void => {
      if (isOpen) this.#taken -= taken;
      isOpen = false;
    };
    return {
      call: async (call) => {
        if (running === callsAtOnce) await new Promise<void>((resolve) => void waiting.push(resolve));
        else running++;
        try {
          const result = await call();
          return result.ok ? fitted(result.value, take) : result;
        } finally {
          const next = waiting.shift();
          if (next) next();
          else running--;
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
