/**
 * Where a character of a YAML scalar's value stands in the source, with quotes, escapes, folded lines and indentation.
 * Compares the value with its source and gives up where the two differ.
 */

/** From the beginning of `source`; 0 when the value is not found there character by character. */
export const placeInScalar = (source: string, value: string, position: number): number => {
  let at = beginOf(source);
  const quote = source[0] === "'" || source[0] === '"' ? source[0] : undefined;
  for (let index = 0; index <= position;) {
    const wanted = value[index];
    const written = source[at];
    if (wanted === undefined || written === undefined) break;
    if (isSpace(written) && !isSpace(wanted)) at += 1;
    else if (index === position) return at;
    else {
      const step = stepOver(source, at, wanted, quote);
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
const stepOver = (source: string, at: number, wanted: string, quote: string | undefined): number | undefined => {
  if (quote === '"' && source[at] === '\\') return escapeLengths.get(source[at + 1] ?? '') ?? 2;
  if (quote === "'" && source.startsWith("''", at)) return 2;
  if (source[at] === wanted && wanted !== ' ') return 1;
  if (!isSpace(wanted) || !isSpace(source[at] ?? '')) return undefined;
  // A line break that was folded into a space, with the indentation of the next line.
  const folded = /^[ \t]*\r?\n\s*/.exec(source.slice(at));
  return folded ? folded[0].length : 1;
};

const escapeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 4],
  ['u', 6],
  ['U', 10],
]);
