/**
 * Rows in depth-first order -> nested JSON text. A stack holds what closes the elements that are still open.
 * Refuses: rows whose parent is not open: their parent is not shown, so they are not either.
 */

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
