/** Elements as nodes of a tree. A node is the same object as long as nothing in it has changed, so that only what has changed is drawn. */
import type { TreeNode } from '../../ui/tree-rows.js';
import type { ContentElement } from './content-element.js';

export type NodeWords = Pick<TreeNode, 'label' | 'mark'>;

type Kept = { readonly element: ContentElement; readonly node: TreeNode };

const isSame = (one: readonly TreeNode[] | undefined, other: readonly TreeNode[] | undefined): boolean =>
  one === other || (one !== undefined && one.length === other?.length && one.every((node, at) => node === other[at]));

/** Makes the nodes again and again, of elements that mostly stay. */
export class ElementNodes {
  #before: ReadonlyMap<string, Kept> = new Map();
  #describe: ((element: ContentElement) => NodeWords) | undefined;

  /** `childrenOf` has the loaded children of nodes that are open. Another function `describe` makes all nodes anew. */
  readonly of = (
    roots: readonly ContentElement[],
    childrenOf: ReadonlyMap<string, readonly ContentElement[]>,
    describe: (element: ContentElement) => NodeWords,
  ): readonly TreeNode[] => {
    const before = describe === this.#describe ? this.#before : new Map<string, Kept>();
    const now = new Map<string, Kept>();
    const nodeOf = (element: ContentElement): TreeNode => {
      const children = childrenOf.get(element.id)?.map(nodeOf);
      const kept = before.get(element.id);
      const node =
        kept?.element === element && isSame(kept.node.children, children)
          ? kept.node
          : {
              ...{ id: element.id, ...describe(element) },
              hasChildren: (children ?? element.children).length > 0,
              ...(children !== undefined && { children }),
            };
      now.set(element.id, { element, node });
      return node;
    };
    const nodes = roots.map(nodeOf);
    this.#before = now;
    this.#describe = describe;
    return nodes;
  };
}
