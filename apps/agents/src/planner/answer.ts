/** An answer: its text, and the same as data for agents with an output schema. */
import type { JsonObject } from './json.js';

export type Answer = {
  readonly text: string;
  readonly data: JsonObject;
  /** Of one that asks back: the messages that answer it. */
  readonly choices?: readonly string[];
};

export const joinParagraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

/** A table of Markdown; columns of figures stand to the right. */
export const formatTable = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  isFigure: (column: number) => boolean,
): string => {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  const rule = heads.map((_, column) => (isFigure(column) ? '---:' : '---'));
  return [line(heads), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
};

/** Values of the data stay inside of their cell. */
const cellText = (text: string): string => text.replace(/\s+/g, ' ').replace(/\|/g, '\\|');
