/** The rows of a tree. A row is the same object as long as nothing in it has changed, so that only what has changed is drawn. */
import type { ReactNode } from 'react';

export type TreeNode = {
  /** Unique in the whole tree. */
  readonly id: string;
  readonly label: string;
  readonly hasChildren: boolean;
  /** Undefined until they are loaded. */
  readonly children?: readonly TreeNode[];
  /** Behind the label: a badge, a figure. */
  readonly mark?: ReactNode;
};

export type TreeRow = {
  readonly id: string;
  /** Undefined for a row that stands for others: not loaded yet, or not seen because their node is closed. */
  readonly node: TreeNode | undefined;
  readonly rows: readonly TreeRow[];
};

const isSame = (one: readonly TreeRow[], other: readonly TreeRow[]): boolean =>
  one.length === other.length && one.every((row, at) => row === other[at]);

/** Makes the rows again and again, of nodes that mostly stay. */
export class TreeRows {
  #before: ReadonlyMap<string, TreeRow> = new Map();

  /**
   * Rows of closed nodes are not made, though each has one that stands for them: without any it could not be opened by keys.
   */
  readonly of = (nodes: readonly TreeNode[], expanded: ReadonlySet<string>): readonly TreeRow[] => {
    const now = new Map<string, TreeRow>();
    const keep = (id: string, node: TreeNode | undefined, rows: readonly TreeRow[]): TreeRow => {
      const before = this.#before.get(id);
      const row =
        before?.node === node && isSame(before?.rows ?? [], rows) ? (before ?? { id, node, rows }) : { id, node, rows };
      now.set(id, row);
      return row;
    };
    const rowOf = (node: TreeNode): TreeRow => keep(node.id, node, rowsBelow(node));
    const rowsBelow = ({ id, hasChildren, children }: TreeNode): readonly TreeRow[] => {
      if (expanded.has(id) && children !== undefined) return children.map(rowOf);
      return hasChildren ? [keep(`below ${id}`, undefined, [])] : [];
    };
    const rows = nodes.map(rowOf);
    this.#before = now;
    return rows;
  };
}

/** How many rows are seen when all that is opened is. */
export const countRows = (rows: readonly TreeRow[], expanded: ReadonlySet<string>): number =>
  rows.reduce((sum, row) => sum + 1 + (expanded.has(row.id) ? countRows(row.rows, expanded) : 0), 0);
