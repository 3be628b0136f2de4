/** Prints figures as a table for the terminal and as the committed document. Never rounds in anybody's favour. */
import { arch, cpus, release, totalmem, type } from 'node:os';
import type { Figure } from './engine.js';

const header = ['figure', 'target', 'measured', 'met'] as const;

const rowsOf = (figures: readonly Figure[]): readonly (readonly string[])[] =>
  figures.map(({ what, target = '', actual, holds }) => {
    const verdict = holds === undefined ? '' : holds ? 'yes' : 'NO';
    return [what, target, actual, verdict];
  });

/** For a terminal: columns as wide as what they hold. */
export const formatFiguresTable = (figures: readonly Figure[]): string => {
  const rows = [header, ...rowsOf(figures)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return padded.map((row) => row.trimEnd()).join('\n');
};

const figuresMarkdown = (figures: readonly Figure[]): string =>
  [header, header.map(() => '---'), ...rowsOf(figures)].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The machine: processors, memory, system, Node. */
export const describeMachine = (): string => {
  const [first] = cpus();
  return `${cpus().length} processors (${first?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${type()} ${release()} ${arch()}, Node ${process.versions.node}`;
};

/** Each has a place of its own in the document, so that one may be measured without the other. */
export type FigureBlock =
  | 'content'
  | 'models'
  | 'odata'
  | 'tools'
  | 'agents'
  | 'columnar'
  | 'columnar-10m'
  | 'console'
  | 'scaling';

/** `document` with its figures of the block replaced by these. */
export const replaceFigureBlock = (
  document: string,
  block: FigureBlock,
  figures: readonly Figure[],
  how: string,
): string => {
  const [begin, end] = [`<!-- figures: ${block} -->`, `<!-- /figures: ${block} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The document has no place for figures (${begin} ... ${end}).`);
  const text = `${begin}\n\n${how}\n\n${figuresMarkdown(figures)}\n\n`;
  return document.slice(0, from) + text + document.slice(to);
};
