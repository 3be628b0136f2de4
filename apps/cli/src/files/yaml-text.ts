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
import { findFaultOffset, type PositionedMember, type PositionedNode, type Position } from './positioned-node.js';

/** From the beginning of `source`; 0 when the value is not found there character by character. */
const offsetInScalar = (source: string, value: string, position: number): number => {
  let at = beginOf(source);
  const quote = source[0] === "'" || source[0] === '"' ? source[0] : undefined;
  for (let index = 0; index <= position;) {
    const expected = value[index];
    const written = source[at];
    if (expected === undefined || written === undefined) break;
    if (isSpace(written) && !isSpace(expected)) at += 1;
    else if (index === position) return at;
    else {
      const step = sourceLengthOf(source, at, expected, quote);
      if (step === undefined) return 0;
      at += step;
      index += 1;
    }
  }
  return position >= value.length ? Math.min(at, source.length) : 0;
};

const isSpace = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

/** Behind the quote, or behind the line that begins a block. */
const beginOf = (source: string): number => {
  if (source[0] === '|' || source[0] === '>') return source.indexOf('\n') + 1;
  return source[0] === "'" || source[0] === '"' ? 1 : 0;
};

/** How much of the source one character of the value takes. */
const sourceLengthOf = (
  source: string,
  at: number,
  expected: string,
  quote: string | undefined,
): number | undefined => {
  if (quote === '"' && source[at] === '\\') return escapeLengths.get(source[at + 1] ?? '') ?? 2;
  if (quote === "'" && source.startsWith("''", at)) return 2;
  if (source[at] === expected && expected !== ' ') return 1;
  if (!isSpace(expected) || !isSpace(source[at] ?? '')) return undefined;
  // A line break that was folded into a space, with the indentation of the next line.
  const folded = /^[ \t]*\r?\n\s*/.exec(source.slice(at));
  return folded ? folded[0].length : 1;
};

const escapeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 4],
  ['u', 6],
  ['U', 10],
]);

type TextFault = Position & { readonly message: string };

export type YamlDocument = {
  /** Undefined when the text has faults. */
  readonly value: unknown;
  readonly faults: readonly TextFault[];
  /** Where a fault with this path is. */
  readonly placeOf: (path: string, message: string, position?: number) => Position;
  readonly root: () => PositionedNode;
};

/** Of one document. */
export const readYamlDocument = (text: string): YamlDocument =>
  readDocuments(text, (lineCounter) => [parseDocument(text, { lineCounter, prettyErrors: false })])[0] ?? emptyText;

/** One for each document that holds something; of an empty text one without a value. */
export const readYamlDocuments = (text: string): readonly YamlDocument[] => {
  const texts = readDocuments(text, (lineCounter) => {
    const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false });
    return 'empty' in documents ? [] : documents;
  }).filter(({ value }) => value !== null);
  return texts.length > 0 ? texts : [emptyText];
};

const readDocuments = (text: string, parse: (lines: LineCounter) => readonly Document[]): readonly YamlDocument[] => {
  const lines = new LineCounter();
  try {
    return parse(lines).map((document) => textOf(document, text, lines));
  } catch (error) {
    // Deep nesting and too many aliases throw; both are faults of the text.
    const message = `is not YAML that can be read: ${error instanceof Error ? error.message : 'unknown'}`;
    return [{ ...emptyText, faults: [{ ...startOfText, message }] }];
  }
};

const textOf = (document: Document, text: string, lines: LineCounter): YamlDocument => {
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    ...at(pos[0]),
    message: `is not YAML: ${message}`,
  }));
  const value: unknown = faults.length === 0 ? document.toJS() : undefined;
  let root: PositionedNode | undefined;
  const tree = (): PositionedNode => (root ??= positionedNodeOf({ document, text }, document.contents, 0));
  return {
    value,
    faults,
    placeOf: (path, message, position) => at(findFaultOffset(tree(), path, message, position)),
    root: tree,
  };
};

const startOfText: Position = { line: 1, column: 1 };
const emptyNode: PositionedNode = { kind: 'scalar', offset: 0, bare: false };
const emptyText: YamlDocument = { value: undefined, faults: [], placeOf: () => startOfText, root: () => emptyNode };

type Source = { readonly document: Document; readonly text: string };

const positionedNodeOf = (source: Source, node: Node | null, otherwise: number): PositionedNode => {
  const offset = node?.range?.[0] ?? otherwise;
  if (isAlias(node)) {
    const target = node.resolve(source.document);
    return target ? positionedNodeOf(source, target, offset) : { kind: 'scalar', offset, bare: false };
  }
  if (isMap(node)) return { kind: 'map', offset, members: membersOf(source, node, offset) };
  if (isSeq<Node>(node)) {
    const items = node.items.map((item) => positionedNodeOf(source, item, offset));
    return {
      kind: 'list',
      offset,
      members: items.map((item, index) => ({ name: String(index), offset: item.offset, node: item })),
    };
  }
  const bare = isScalar(node) && node.type === 'PLAIN' && typeof node.value !== 'string';
  return { kind: 'scalar', offset, bare, ...offsetWithin(source.text, node) };
};

/** The place of each character of a text. */
const offsetWithin = (text: string, node: Node | null): { readonly within?: (position: number) => number } => {
  if (!isScalar(node) || !node.range || typeof node.value !== 'string') return {};
  const [from, to] = node.range;
  const { value } = node;
  return { within: (position) => offsetInScalar(text.slice(from, to), value, position) };
};

const membersOf = (source: Source, map: YAMLMap, offset: number): readonly PositionedMember[] =>
  map.items.map(({ key, value }) => {
    const keyOffset = isScalar(key) ? (key.range?.[0] ?? offset) : offset;
    const name = isScalar(key) ? String(key.value) : '';
    return { name, offset: keyOffset, node: positionedNodeOf(source, isNode(value) ? value : null, keyOffset) };
  });

const isNode = (value: unknown): value is Node => isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
