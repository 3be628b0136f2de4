/**
 * Rows of a tree -> byte pieces of its JSON text, as they come. Never holds more than a batch of rows, or one row that
 * is larger than that.
 */
import { withPublicUrl } from '@tessera/content-model';
import type { ElementReshaper } from '../elements/reshape.js';
import type { StoredTreeRow } from './tree.repository.js';

export type RowSource = {
  readonly batches: AsyncIterable<readonly StoredTreeRow[]>;
  readonly readLarge: (row: StoredTreeRow) => Promise<StoredTreeRow>;
  readonly reshape: ElementReshaper | undefined;
};

const groupLength = 65_536;

/** Writes every row by `tree` into `bytes` and yields what is complete; what is left at the end is the caller's. */
export const writeRows = async function* (
  source: RowSource,
  tree: TreeWriter,
  bytes: ByteWriter,
): AsyncGenerator<Uint8Array, void> {
  for await (const batch of source.batches) {
    for await (const rows of wholeGroups(batch, source))
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
const wholeGroups = async function* (
  batch: readonly StoredTreeRow[],
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
const groupsOf = function* (batch: readonly StoredTreeRow[]): Generator<readonly StoredTreeRow[], void> {
  let group: StoredTreeRow[] = [];
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

export type TreeRow = {
  /** One segment of eight characters per ancestor and for itself. */
  readonly path: string;
  /** From `{` to before the children. */
  readonly opening: string;
  /** From behind the children to `}`. */
  readonly closing: string;
};

type OpenElement = { readonly path: string; readonly closing: string; hasChildren: boolean };

const segmentLength = 8;

export class TreeWriter {
  readonly #put: (text: string) => void;
  #isFirst = true;
  readonly #open: OpenElement[] = [];
  readonly #top: number;
  readonly #nested: boolean;

  /**
   * `put` takes the text as it comes. `topLength`: the length of top-level paths (a subtree's are longer);
   * `nested: false` puts all rows side by side.
   */
  constructor(put: (text: string) => void, { topLength = segmentLength, nested = true } = {}) {
    this.#put = put;
    this.#top = topLength;
    this.#nested = nested;
  }

  write({ path, opening, closing }: TreeRow): void {
    const parentLength = this.#nested ? path.length - segmentLength : -1;
    while ((this.#open.at(-1)?.path.length ?? -1) > parentLength) this.#close();
    const parent = this.#open.at(-1);
    if (parent ? !isParent(parent.path, path) : this.#nested && path.length !== this.#top) return;
    if (!parent) this.#put(this.#isFirst ? '' : ',');
    else this.#put(parent.hasChildren ? ',' : ',"children":[');
    if (parent) parent.hasChildren = true;
    this.#isFirst = false;
    this.#put(opening);
    this.#open.push({ path, closing, hasChildren: false });
  }

  /** Closes what is open; nothing may be written after it. */
  end(): void {
    while (this.#open.length > 0) this.#close();
  }

  #close(): void {
    const element = this.#open.pop();
    if (!element) return;
    if (element.hasChildren) this.#put(']');
    this.#put(element.closing);
  }
}

const isParent = (parent: string, path: string): boolean =>
  path.length === parent.length + segmentLength && path.startsWith(parent);

const pieceBytes = 262_144;
const flushLength = 16_384;
/** UTF-8 of one UTF-16 code unit, at most. */
const bytesPerUnit = 3;

export class ByteWriter {
  readonly #publicUrl: string;
  #text = '';
  #buffer = Buffer.allocUnsafe(0);
  #used = 0;
  #ready: Uint8Array[] = [];

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  put(text: string): void {
    this.#text += text;
    if (this.#text.length >= flushLength) this.#encode();
  }

  /** The pieces that are complete; they are the caller's from now on. */
  complete(): readonly Uint8Array[] {
    if (this.#ready.length === 0) return noPieces;
    const pieces = this.#ready;
    this.#ready = [];
    return pieces;
  }

  /** All that is left. */
  rest(): readonly Uint8Array[] {
    this.#encode();
    this.#closePiece();
    return this.complete();
  }

  #encode(): void {
    const text = withPublicUrl(this.#text, this.#publicUrl);
    this.#text = '';
    const bytesMax = text.length * bytesPerUnit;
    if (this.#used + bytesMax > this.#buffer.length) this.#closePiece();
    if (bytesMax > pieceBytes) {
      this.#ready.push(Buffer.from(text));
      return;
    }
    if (this.#buffer.length === 0) this.#buffer = Buffer.allocUnsafe(pieceBytes);
    this.#used += this.#buffer.write(text, this.#used, 'utf8');
  }

  #closePiece(): void {
    if (this.#used > 0) this.#ready.push(this.#buffer.subarray(0, this.#used));
    this.#buffer = Buffer.allocUnsafe(0);
    this.#used = 0;
  }
}

const noPieces: readonly Uint8Array[] = [];
