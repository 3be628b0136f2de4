/**
 * A YAML text as one value, with every fault of its form and the place of each of its members.
 * Refuses: several documents in one text, unknown tags, and what its members mean.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { offsetOf, type PlacedMember, type PlacedNode, type Position } from './placed-node.js';

export type TextFault = Position & { readonly message: string };

export type YamlText = {
  /** Undefined when the text has faults. */
  readonly value: unknown;
  readonly faults: readonly TextFault[];
  /** Where a fault with this path is. */
  readonly placeOf: (path: string, message: string) => Position;
  readonly root: () => PlacedNode;
};

export const readYamlText = (text: string): YamlText => {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
      ...at(pos[0]),
      message: `is not YAML: ${message}`,
    }));
    const value: unknown = faults.length === 0 ? document.toJS() : undefined;
    let root: PlacedNode | undefined;
    const tree = (): PlacedNode => (root ??= placed(document, document.contents, 0));
    return {
      value,
      faults,
      placeOf: (path, message) => at(offsetOf(tree(), path, message)),
      root: tree,
    };
  } catch (error) {
    // Deep nesting and too many aliases throw; both are faults of the text.
    const message = `is not YAML that can be read: ${error instanceof Error ? error.message : 'unknown'}`;
    const start = { line: 1, column: 1 };
    return { value: undefined, faults: [{ ...start, message }], placeOf: () => start, root: () => nothing };
  }
};

const nothing: PlacedNode = { kind: 'scalar', offset: 0, bare: false };

const placed = (document: Document, node: Node | null, otherwise: number): PlacedNode => {
  const offset = node?.range?.[0] ?? otherwise;
  if (isAlias(node)) {
    const target = node.resolve(document);
    return target ? placed(document, target, offset) : { kind: 'scalar', offset, bare: false };
  }
  if (isMap(node)) return { kind: 'map', offset, members: membersOf(document, node, offset) };
  if (isSeq<Node>(node)) {
    const items = node.items.map((item) => placed(document, item, offset));
    return {
      kind: 'list',
      offset,
      members: items.map((item, index) => ({ name: String(index), offset: item.offset, node: item })),
    };
  }
  const bare = isScalar(node) && node.type === 'PLAIN' && typeof node.value !== 'string';
  return { kind: 'scalar', offset, bare };
};

const membersOf = (document: Document, map: YAMLMap, offset: number): readonly PlacedMember[] =>
  map.items.map(({ key, value }) => {
    const keyOffset = isScalar(key) ? (key.range?.[0] ?? offset) : offset;
    const name = isScalar(key) ? String(key.value) : '';
    return { name, offset: keyOffset, node: placed(document, isNode(value) ? value : null, keyOffset) };
  });

const isNode = (value: unknown): value is Node => isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
