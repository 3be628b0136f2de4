/** Lines of a file that people mended in the page: what is sent has them in place of those of the file. */
import type { RecordBatch } from '@tessera/contracts/record-files';

/** By the line of the file, without its end. */
export type Corrections = ReadonlyMap<number, string>;

type Lined = Pick<RecordBatch, 'firstLine' | 'text'>;

/** Text of each line and its end; what stands behind the last end is none. */
const linesIn = (text: string): readonly (readonly [line: string, end: string])[] =>
  [...text.matchAll(/([^\r\n]*)(\r\n|\r|\n)|[^\r\n]+$/g)].map(([all, line = all, end = '']) => [line, end]);

/** The texts of some lines; those that the text does not have are left out. */
export const linesAt = ({ firstLine, text }: Lined, wanted: Iterable<number>): Corrections => {
  const lines = linesIn(text);
  return new Map(
    [...wanted].flatMap((number) => {
      const [line] = lines[number - firstLine] ?? [];
      return line === undefined ? [] : [[number, line] as const];
    }),
  );
};

/** The same text when none of its lines is corrected. */
export const correctLines = ({ firstLine, text }: Lined, corrections: Corrections): string => {
  if (corrections.size === 0) return text;
  const lines = linesIn(text);
  const isHere = (line: number): boolean => line >= firstLine && line < firstLine + lines.length;
  if (![...corrections.keys()].some(isHere)) return text;
  return lines.map(([line, end], at) => `${corrections.get(firstLine + at) ?? line}${end}`).join('');
};
