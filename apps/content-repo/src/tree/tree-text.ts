/**
 * Rows of a tree -> byte pieces of its JSON text, as they come.
 * Refuses: to hold more than a batch of rows, or one row that is larger than that.
 */
import type { Reshape } from '../elements/reshape.js';
import type { StoredRow } from './tree-rows.js';
import type { ByteWriter } from './byte-writer.js';
import type { TreeRow, TreeWriter } from './write-tree.js';

export type RowSource = {
  readonly batches: AsyncIterable<readonly StoredRow[]>;
  readonly readLarge: (row: StoredRow) => Promise<StoredRow>;
  readonly reshape: Reshape | undefined;
};

const groupLength = 65_536;

/** Writes every row by `tree` into `bytes` and yields what is complete; what is left at the end is the caller's. */
export const writeRows = async function* (
  source: RowSource,
  tree: TreeWriter,
  bytes: ByteWriter,
): AsyncGenerator<Uint8Array, void> {
  for await (const batch of source.batches) {
    for await (const rows of complete(batch, source))
      for (const row of rows) {
        tree.write(row);
        for (const piece of bytes.complete()) yield piece;
      }
  }
};

/**
 * Rows with their texts, reshaped when that was asked for: small ones in groups, so that what they expand to has a bound,
 * large ones one by one.
 */
const complete = async function* (
  batch: readonly StoredRow[],
  { readLarge, reshape }: RowSource,
): AsyncGenerator<readonly TreeRow[], void> {
  if (!reshape && !batch.some(({ isLarge }) => isLarge)) {
    yield batch;
    return;
  }
  for (const group of groupsOf(batch)) {
    const [first] = group;
    const rows = first?.isLarge ? [await readLarge(first)] : group;
    yield reshape ? await reshape.rows(rows) : rows;
  }
};

/** Rows in their order; a large one, or as many small ones as come to the length of a group. */
const groupsOf = function* (batch: readonly StoredRow[]): Generator<readonly StoredRow[], void> {
  let group: StoredRow[] = [];
  let length = 0;
  for (const row of batch) {
    if (group.length > 0 && (row.isLarge || length >= groupLength)) {
      yield group;
      [group, length] = [[], 0];
    }
    group.push(row);
    length += row.isLarge ? groupLength : row.opening.length + row.closing.length;
  }
  if (group.length > 0) yield group;
};
