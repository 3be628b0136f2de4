/** Text in lines of a width, without a browser to measure it: SVG wraps nothing by itself. */

/** Shares of the size of the font; a little more than most fonts need. */
const widthOf = (character: string): number => {
  if (/[iljtfr.,;:'|!()[\] ]/.test(character)) return 0.34;
  if (/[mwMW@%]/.test(character)) return 0.92;
  if (/[A-ZÄÖÜ]/.test(character)) return 0.72;
  return character < '\u1100' ? 0.58 : 1.05;
};

const textWidth = (text: string): number => [...text].reduce((sum, character) => sum + widthOf(character), 0);

/** Names may be of any length, and what is not shown is not measured. */
const lengthMax = 400;

/** The pieces of a word that fit into a line each. */
const pieces = (word: string, lineMax: number): readonly string[] => {
  const made: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && textWidth(piece + character) > lineMax) {
      made.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? made : [...made, piece];
};

/** At most `linesMax` lines of `width` pixels at a font of `size`; what does not fit ends with an ellipsis. */
export const wrapLabel = (text: string, width: number, linesMax: number, size = 13): readonly string[] => {
  const lineMax = width / size;
  const words = text
    .slice(0, lengthMax)
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => pieces(word, lineMax));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && textWidth(longer) <= lineMax) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= linesMax && text.length <= lengthMax) return lines;
  const shown = lines.slice(0, linesMax);
  return [...shown.slice(0, -1), ended(shown.at(-1) ?? '', lineMax)];
};

const ended = (line: string, lineMax: number): string => {
  const characters = [...line];
  while (characters.length > 1 && textWidth(`${characters.join('')}…`) > lineMax) characters.pop();
  return `${characters.join('').trimEnd()}…`;
};
