/**
 * Rows that are too many to be held at once, as pieces that are made while they are read. What is small enough is kept on
 * the way, for who asks the same later. Never holds a connection for a reader that has left, or takes minutes.
 */
import type { TeamRows } from '@tessera/persistence';
import type { PageEnd } from '../cache/result-cache.js';
import { type RowFormat, RowChunker } from './row-format.js';

export type RowStream = {
  readonly kind: 'stream';
  readonly pieces: AsyncIterableIterator<Uint8Array>;
  /** How the page ends; after its last piece. */
  readonly end: () => PageEnd;
};

type PieceStore = {
  /** Whether so many bytes would be kept. */
  readonly keeps: (bytes: number) => boolean;
  /** All pieces. */
  readonly keep: (pieces: readonly Uint8Array[], end: PageEnd) => void;
};

/** While a statement goes on its table gets no new rows, and no table of any team is tidied up behind it. */
export const maxReadMs = 5 * 60_000;

export const createRowStream = (
  rows: TeamRows,
  format: RowFormat,
  signal: AbortSignal,
  keeper: PieceStore,
): RowStream => {
  const timer = setTimeout(rows.close, maxReadMs).unref();
  const ended = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', close);
  };
  const close = (): void => {
    ended();
    rows.close();
  };
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const written = new RowChunker(format);
  const pieces = piecesOf(rows, written, keeper, ended);
  return {
    kind: 'stream',
    end: () => written.end(),
    pieces: {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => pieces.next(),
      // A generator that nobody has begun to read would not notice that it ends.
      return: () => {
        close();
        return Promise.resolve({ done: true, value: undefined });
      },
    },
  };
};

const piecesOf = async function* (
  rows: TeamRows,
  written: RowChunker,
  { keeps, keep }: PieceStore,
  ended: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let kept: Uint8Array[] | undefined = [];
  let bytes = 0;
  const note = (piece: Uint8Array): Uint8Array => {
    bytes += piece.length;
    if (keeps(bytes)) kept?.push(piece);
    else kept = undefined;
    return piece;
  };
  for (let batch = rows.first; batch.length > 0; batch = await rows.next()) {
    for (const row of batch) {
      const piece = written.add(row);
      if (piece) yield note(piece);
    }
  }
  ended();
  yield note(written.rest());
  if (kept) keep(kept, written.end());
};
