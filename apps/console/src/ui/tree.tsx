/** A tree of any size: only the rows that are seen are there, and children are loaded when their parent is opened. */
import { useMemo, useState, type ReactNode } from 'react';
import {
  Button,
  Collection,
  ListLayout,
  Tree as AriaTree,
  TreeItem,
  TreeItemContent,
  Virtualizer,
} from 'react-aria-components';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { EmptyState } from './empty-state.js';
import { Icon } from './icon.js';
import { Skeleton } from './skeleton.js';
import { countRows, TreeRows, type TreeNode, type TreeRow } from './tree-rows.js';
import styles from './tree.module.css';

export type TreeProps = {
  /** What the tree shows; read aloud. */
  readonly label: string;
  /** Nodes that have not changed should be the same objects: only others are drawn again. */
  readonly nodes: readonly TreeNode[];
  /** The ids of opened nodes; the page keeps them, and loads children that are not there yet. */
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: (expanded: ReadonlySet<string>) => void;
  readonly selected?: string;
  /** A node is chosen, also by moving to it with the arrow keys: for what is shown beside the tree. */
  readonly onSelect?: (id: string) => void;
  /** A click or the enter key on a node: for what has a page of its own. */
  readonly onOpen?: (id: string) => void;
  readonly empty?: ReactNode;
  /** Pixels; as many rows as there are, up to 30rem, when left out. */
  readonly height?: number;
};

const rowHeight = 32;
const heightMax = 480;

export const Tree = (props: TreeProps) => {
  const { label, nodes, expanded, onExpand, selected, onSelect, onOpen, empty, height } = props;
  const say = useMessages(uiMessages);
  const [maker] = useState(() => new TreeRows());
  const rows = useMemo(() => maker.of(nodes, expanded), [maker, nodes, expanded]);
  if (rows.length === 0) return empty ?? <EmptyState title={say('noEntries')} />;
  const select = (keys: 'all' | Iterable<unknown>): void => {
    const [key] = keys === 'all' ? [] : keys;
    if (typeof key === 'string' && key !== selected) onSelect?.(key);
  };
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: rowHeight }}>
      <AriaTree
        aria-label={label}
        items={rows}
        className={styles['tree'] ?? ''}
        style={{ height: height ?? Math.min(countRows(rows, expanded) * rowHeight + 2, heightMax) }}
        expandedKeys={expanded}
        onExpandedChange={(keys) => onExpand(new Set([...keys].map(String)))}
        {...(onSelect !== undefined && {
          ...{ selectionMode: 'single', selectionBehavior: 'replace', disallowEmptySelection: true },
          ...{ selectedKeys: selected === undefined ? [] : [selected], onSelectionChange: select },
        })}
        onAction={onOpen && ((key) => onOpen(String(key)))}
      >
        {drawRow}
      </AriaTree>
    </Virtualizer>
  );
};

/** One function for all rows: a row is drawn anew only when it is another object. */
const drawRow = (row: TreeRow): ReactNode => <Row row={row} />;

const Row = ({ row: { id, node, rows } }: { readonly row: TreeRow }) => (
  <TreeItem
    id={id}
    textValue={node?.label ?? ''}
    hasChildItems={node?.hasChildren}
    isDisabled={node === undefined}
    className={styles['item'] ?? ''}
  >
    <TreeItemContent>{({ level }) => <Line level={level} node={node} />}</TreeItemContent>
    <Collection items={rows}>{drawRow}</Collection>
  </TreeItem>
);

const Line = ({ level, node }: { readonly level: number; readonly node: TreeNode | undefined }) => {
  const say = useMessages(uiMessages);
  return (
    <span className={styles['line']} style={{ paddingInlineStart: `${(level - 1) * 1.25}rem` }}>
      {node?.hasChildren === true ? (
        <Button slot="chevron" aria-label={say('open')} className={styles['chevron'] ?? ''}>
          <Icon name="chevron-right" />
        </Button>
      ) : (
        <span className={styles['chevron']} />
      )}
      {node === undefined ? <Skeleton label={say('loading')} /> : <bdi className={styles['label']}>{node.label}</bdi>}
      {node?.mark}
    </span>
  );
};
