/**
 * Rows that are too many to be held at once, as pieces of JSON that are made while they are read. What is small enough is
 * kept on the way, for who asks the same later.
 * Refuses: to hold a connection for a reader that has left, or takes minutes.
 */
import type { TeamRows } from '@tessera/persistence';
import { RowPieces, type WriteRow } from './write-rows.js';

export type RowStream = { readonly kind: 'stream'; readonly pieces: AsyncIterableIterator<Uint8Array> };

export type Keeper = {
  /** Whether so many bytes would be kept. */
  readonly keeps: (bytes: number) => boolean;
  /** All pieces, and how many rows they are. */
  readonly keep: (pieces: readonly Uint8Array[], rows: number) => void;
};

/** While a statement goes on its table gets no new rows, and no table of any team is tidied up behind it. */
const readingMsMax = 5 * 60_000;

export const rowStream = (rows: TeamRows, write: WriteRow, signal: AbortSignal, keeper: Keeper): RowStream => {
  const timer = setTimeout(rows.close, readingMsMax).unref();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', close);
  };
  const close = (): void => {
    end();
    rows.close();
  };
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const pieces = piecesOf(rows, write, keeper, end);
  return {
    kind: 'stream',
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
  write: WriteRow,
  { keeps, keep }: Keeper,
  end: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = new RowPieces(write);
  let kept: Uint8Array[] | undefined = [];
  let bytes = 0;
  let count = 0;
  const note = (piece: Uint8Array): Uint8Array => {
    bytes += piece.length;
    if (keeps(bytes)) kept?.push(piece);
    else kept = undefined;
    return piece;
  };
  for (let batch = rows.first; batch.length > 0; batch = await rows.next()) {
    count += batch.length;
    for (const row of batch) {
      const piece = pieces.add(row);
      if (piece) yield note(piece);
    }
  }
  end();
  yield note(pieces.rest());
  if (kept) keep(kept, count);
};
