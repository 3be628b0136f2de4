/** Parses YAML into one or several documents, with every syntax fault and the position of each member. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { placeInScalar } from './place-in-scalar.js';
import { offsetOf, type PlacedMember, type PlacedNode, type Position } from './placed-node.js';

type TextFault = Position & { readonly message: string };

export type YamlText = {
  /** Undefined when the text has faults. */
  readonly value: unknown;
  readonly faults: readonly TextFault[];
  /** Where a fault with this path is. */
  readonly placeOf: (path: string, message: string, position?: number) => Position;
  readonly root: () => PlacedNode;
};

/** Of one document. */
export const readYamlText = (text: string): YamlText =>
  readDocuments(text, (lineCounter) => [parseDocument(text, { lineCounter, prettyErrors: false })])[0] ?? emptyText;

/** One for each document that holds something; of an empty text one without a value. */
export const readYamlTexts = (text: string): readonly YamlText[] => {
  const texts = readDocuments(text, (lineCounter) => {
    const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false });
    return 'empty' in documents ? [] : documents;
  }).filter(({ value }) => value !== null);
  return texts.length > 0 ? texts : [emptyText];
};

const readDocuments = (text: string, parse: (lines: LineCounter) => readonly Document[]): readonly YamlText[] => {
  const lines = new LineCounter();
  try {
    return parse(lines).map((document) => textOf(document, text, lines));
  } catch (error) {
    // Deep nesting and too many aliases throw; both are faults of the text.
    const message = `is not YAML that can be read: ${error instanceof Error ? error.message : 'unknown'}`;
    return [{ ...emptyText, faults: [{ ...start, message }] }];
  }
};

const textOf = (document: Document, text: string, lines: LineCounter): YamlText => {
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    ...at(pos[0]),
    message: `is not YAML: ${message}`,
  }));
  const value: unknown = faults.length === 0 ? document.toJS() : undefined;
  let root: PlacedNode | undefined;
  const tree = (): PlacedNode => (root ??= placed({ document, text }, document.contents, 0));
  return {
    value,
    faults,
    placeOf: (path, message, position) => at(offsetOf(tree(), path, message, position)),
    root: tree,
  };
};

const start: Position = { line: 1, column: 1 };
const nothing: PlacedNode = { kind: 'scalar', offset: 0, bare: false };
const emptyText: YamlText = { value: undefined, faults: [], placeOf: () => start, root: () => nothing };

type Source = { readonly document: Document; readonly text: string };

const placed = (source: Source, node: Node | null, otherwise: number): PlacedNode => {
  const offset = node?.range?.[0] ?? otherwise;
  if (isAlias(node)) {
    const target = node.resolve(source.document);
    return target ? placed(source, target, offset) : { kind: 'scalar', offset, bare: false };
  }
  if (isMap(node)) return { kind: 'map', offset, members: membersOf(source, node, offset) };
  if (isSeq<Node>(node)) {
    const items = node.items.map((item) => placed(source, item, offset));
    return {
      kind: 'list',
      offset,
      members: items.map((item, index) => ({ name: String(index), offset: item.offset, node: item })),
    };
  }
  const bare = isScalar(node) && node.type === 'PLAIN' && typeof node.value !== 'string';
  return { kind: 'scalar', offset, bare, ...withinOf(source.text, node) };
};

/** The place of each character of a text. */
const withinOf = (text: string, node: Node | null): { readonly within?: (position: number) => number } => {
  if (!isScalar(node) || !node.range || typeof node.value !== 'string') return {};
  const [from, to] = node.range;
  const { value } = node;
  return { within: (position) => placeInScalar(text.slice(from, to), value, position) };
};

const membersOf = (source: Source, map: YAMLMap, offset: number): readonly PlacedMember[] =>
  map.items.map(({ key, value }) => {
    const keyOffset = isScalar(key) ? (key.range?.[0] ?? offset) : offset;
    const name = isScalar(key) ? String(key.value) : '';
    return { name, offset: keyOffset, node: placed(source, isNode(value) ? value : null, keyOffset) };
  });

const isNode = (value: unknown): value is Node => isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
