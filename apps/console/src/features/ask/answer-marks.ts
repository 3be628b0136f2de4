/** What is known about the numbers of an answer, in the places where they stand: that no tool told one, or where its evidence is. */
import { readBlocks, type Block, type Inline, type Line, type Mark } from './answer-blocks.js';
import { evidenceAddress } from './evidence-address.js';
import type { Grounding } from './shown-turn.js';

export type AnswerMark = { readonly start: number; readonly end: number; readonly mark: Mark };

const unverified: Mark = { kind: 'unverified' };

/** In the order of the text; no two overlap. Of an answer that was withheld, or asked for again, the places say nothing. */
export const readMarks = (grounding: Grounding | undefined, text: string): readonly AnswerMark[] => {
  if (grounding === undefined || grounding.outcome === 'refused' || grounding.outcome === 'retried') return [];
  const marks = grounding.figures.flatMap(({ text: written, start, end, state, cells }): readonly AnswerMark[] => {
    if (start === undefined || end === undefined || start >= end || text.slice(start, end) !== written) return [];
    const mark = state === 'unverified' ? unverified : evidenceOf(cells);
    return mark === undefined ? [] : [{ start, end, mark }];
  });
  let before = 0;
  return marks
    .toSorted((one, other) => one.start - other.start)
    .filter(({ start, end }) => {
      if (start < before) return false;
      before = end;
      return true;
    })
    .slice(0, marksMax);
};

const evidenceOf = (cells: readonly { readonly evidence?: string }[]): Mark | undefined => {
  const page = cells.map(({ evidence }) => evidenceAddress(evidence)).find((address) => address !== undefined);
  return page && { kind: 'evidence', page };
};

/** Characters that no text has to hold: they carry the places through the reading of blocks, and never reach the page. */
const opening = '\ufdd0';
const closing = '\ufdd1';
/** The character behind the opening one says which mark it is; there are more of its kind than a turn keeps figures. */
const firstNumber = 0xe000;
const marksMax = 6_000;

export const readMarkedBlocks = (text: string, marks: readonly AnswerMark[]): readonly Block[] =>
  marks.length === 0 ? readBlocks(text) : readBlocks(carrying(text, marks)).map((block) => markBlock(block, marks));

const carrying = (text: string, marks: readonly AnswerMark[]): string => {
  const plain = text.replaceAll(/[\ufdd0\ufdd1]/g, '\ufffd');
  const pieces = marks.map(
    (each, at) =>
      `${plain.slice(marks[at - 1]?.end ?? 0, each.start)}${opening}${String.fromCharCode(firstNumber + at)}${plain.slice(each.start, each.end)}${closing}`,
  );
  return pieces.join('') + plain.slice(marks.at(-1)?.end ?? 0);
};

const markBlock = (block: Block, marks: readonly AnswerMark[]): Block => {
  const marked = (line: Line): Line => markLine(line, marks);
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return { ...block, lines: block.lines.map(marked) };
    case 'list':
      return { ...block, items: block.items.map(marked) };
    case 'table':
      return { ...block, heads: block.heads.map(marked), rows: block.rows.map((row) => row.map(marked)) };
    case 'code':
      return { ...block, line: marked(block.line) };
  }
};

const carried = /(\ufdd0[^]|\ufdd1)/;

/** A number may begin in one piece of a line and end in the next: 4**2**. */
const markLine = (line: Line, marks: readonly AnswerMark[]): Line => {
  let mark: Mark | undefined;
  return line.flatMap(({ kind, text }) =>
    text.split(carried).flatMap((part): readonly Inline[] => {
      if (part.startsWith(opening)) mark = marks[part.charCodeAt(1) - firstNumber]?.mark;
      if (part === closing) mark = undefined;
      if (part === '' || part.startsWith(opening) || part === closing) return [];
      return [{ kind, text: part, ...(mark && { mark }) }];
    }),
  );
};
