/**
 * Finds the values of a CSV text where PostgreSQL finds them: a quote opens and closes wherever it stands, two of them
 * inside of quotes are one, and a line ends where no quote is open.
 */
type CsvVisitor = {
  /** `index` within the record; `line` from 0, counted as an editor does. */
  readonly value: (index: number, start: number, end: number, isQuoted: boolean, line: number) => void;
  /** From where it begins to its line end. */
  readonly record: (values: number, line: number, start: number, end: number) => void;
};

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/** The line of a quote that nobody closes, or undefined. */
export const scanCsv = (text: string, delimiter: string, visitor: CsvVisitor): number | undefined => {
  const separator = delimiter.charCodeAt(0);
  const { length } = text;
  let at = 0;
  let line = 0;
  while (at < length) {
    const [recordLine, recordStart] = [line, at];
    let index = 0;
    for (;;) {
      const start = at;
      const valueLine = line;
      let isQuoted = false;
      let isOpen = false;
      let character = -1;
      for (; at < length; at += 1) {
        character = text.charCodeAt(at);
        if (character === quote) {
          isQuoted = true;
          isOpen = !isOpen;
        } else if (character === lineFeed || character === carriageReturn) {
          if (!isOpen) break;
          if (character === lineFeed || text.charCodeAt(at + 1) !== lineFeed) line += 1;
        } else if (character === separator && !isOpen) break;
      }
      if (isOpen) return valueLine;
      visitor.value(index, start, at, isQuoted, valueLine);
      index += 1;
      if (at >= length || character !== separator) break;
      at += 1;
    }
    visitor.record(index, recordLine, recordStart, at);
    if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
    at += 1;
    line += 1;
  }
  return undefined;
};

/** What stands between and beside the quotes of a quoted value. */
export const unquote = (raw: string): string => {
  let [value, isOpen] = ['', false];
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charAt(at);
    if (character !== '"') value += character;
    else if (isOpen && raw[at + 1] === '"') {
      value += '"';
      at += 1;
    } else isOpen = !isOpen;
  }
  return value;
};
