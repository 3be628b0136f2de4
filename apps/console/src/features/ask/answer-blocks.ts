/**
 * What an agent wrote as paragraphs, lists and tables. The text is foreign: a few marks of Markdown are read, everything else
 * (HTML, links, images) stays the characters that it is.
 */
import type { AreaAddress } from '../../ui/area-link.js';

export type Inline = {
  readonly kind: 'text' | 'strong' | 'code';
  readonly text: string;
  /** Of a number, what is known about it. */
  readonly mark?: Mark;
};
export type Mark = { readonly kind: 'unverified' } | { readonly kind: 'evidence'; readonly page: AreaAddress };
export type Line = readonly Inline[];
export type Block =
  | { readonly kind: 'paragraph' | 'heading'; readonly lines: readonly Line[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Line[] }
  | {
      readonly kind: 'table';
      readonly heads: readonly Line[];
      readonly rows: readonly (readonly Line[])[];
      /** By column: figures stand at the end. */
      readonly isEnd: readonly boolean[];
    }
  | { readonly kind: 'code'; readonly line: Line };

export const readBlocks = (text: string): readonly Block[] => {
  const lines = text.split(/\r\n?|\n/);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, next } = readBlock(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
};

type Found = { readonly block: Block | undefined; readonly next: number };

const fence = /^\s*```/;
const heading = /^#{1,6}\s+/;
const bullet = /^\s*[-*•]\s+/;
const ordinal = /^\s*\d{1,3}[.)]\s+/;

const readBlock = (lines: readonly string[], at: number): Found => {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { block: undefined, next: at + 1 };
  if (fence.test(line)) return readCode(lines, at);
  if (isTableAt(lines, at)) return readTable(lines, at);
  if (heading.test(line))
    return { block: { kind: 'heading', lines: [readLine(line.replace(heading, ''))] }, next: at + 1 };
  if (bullet.test(line)) return readList(lines, at, bullet);
  if (ordinal.test(line)) return readList(lines, at, ordinal);
  return readParagraph(lines, at);
};

/** How many lines from `at` on do not yet end what stands there. */
const endOf = (lines: readonly string[], at: number, goesOn: (line: string, place: number) => boolean): number => {
  let end = at;
  while (end < lines.length && goesOn(lines[end] ?? '', end)) end += 1;
  return end;
};

const readCode = (lines: readonly string[], at: number): Found => {
  const end = endOf(lines, at + 1, (line) => !fence.test(line));
  const text = lines.slice(at + 1, end).join('\n');
  return { block: { kind: 'code', line: [{ kind: 'text', text }] }, next: end + 1 };
};

const readList = (lines: readonly string[], at: number, mark: RegExp): Found => {
  const end = endOf(lines, at, (line) => mark.test(line));
  const items = lines.slice(at, end).map((line) => readLine(line.replace(mark, '')));
  return { block: { kind: 'list', isOrdered: mark === ordinal, items }, next: end };
};

const readParagraph = (lines: readonly string[], at: number): Found => {
  const isOther = (line: string, place: number): boolean =>
    [fence, heading, bullet, ordinal].some((mark) => mark.test(line)) || isTableAt(lines, place);
  const end = endOf(lines, at + 1, (line, place) => line.trim() !== '' && !isOther(line, place));
  return { block: { kind: 'paragraph', lines: lines.slice(at, end).map(readLine) }, next: end };
};

const isRule = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => /^:?-{3,}:?$/.test(cell));

const isTableAt = (lines: readonly string[], at: number): boolean => {
  const [head = '', rule = ''] = [lines[at], lines[at + 1]];
  if (!head.includes('|') || !rule.includes('-')) return false;
  const cells = cellsOf(rule);
  return isRule(cells) && cells.length === cellsOf(head).length;
};

const readTable = (lines: readonly string[], at: number): Found => {
  const heads = cellsOf(lines[at] ?? '').map(readLine);
  const isEnd = cellsOf(lines[at + 1] ?? '').map((cell) => cell.endsWith(':') && !cell.startsWith(':'));
  const end = endOf(lines, at + 2, (line) => line.includes('|'));
  const rows = lines.slice(at + 2, end).map((line) => {
    const cells = cellsOf(line);
    return heads.map((_, column) => readLine(cells[column] ?? ''));
  });
  return { block: { kind: 'table', heads, rows, isEnd }, next: end };
};

/** `| a | b\|c |` -> a, b|c */
const cellsOf = (line: string): readonly string[] => {
  const cells = [''];
  const inner = line.trim().replace(/^\|/, '');
  for (let at = 0; at < inner.length; at += 1) {
    const isEscaped = inner[at] === '\\' && inner[at + 1] === '|';
    if (inner[at] === '|') cells.push('');
    else cells.push(`${cells.pop() ?? ''}${isEscaped ? '|' : (inner[at] ?? '')}`);
    if (isEscaped) at += 1;
  }
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
};

const inline = /(\*\*[^*\n]+\*\*|`[^`\n]+`)/;

const readLine = (text: string): Line =>
  text
    .split(inline)
    .filter((piece) => piece !== '')
    .map((piece): Inline => {
      if (piece.length > 4 && piece.startsWith('**') && piece.endsWith('**'))
        return { kind: 'strong', text: piece.slice(2, -2) };
      if (piece.length > 2 && piece.startsWith('`') && piece.endsWith('`'))
        return { kind: 'code', text: piece.slice(1, -1) };
      return { kind: 'text', text: piece };
    });

/** The same without marks, for who hears it: cells and lines one after the other. */
export const plainTextOf = (blocks: readonly Block[]): string => blocks.flatMap(textsOf).join('\n');

const lineText = (line: Line): string => line.map(({ text }) => text).join('');
const textsOf = (block: Block): readonly string[] => {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return block.lines.map(lineText);
    case 'list':
      return block.items.map(lineText);
    case 'table':
      return [block.heads, ...block.rows].map((row) => row.map(lineText).join(', '));
    case 'code':
      return [lineText(block.line)];
  }
};
