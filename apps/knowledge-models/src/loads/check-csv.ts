/**
 * A batch of CSV against the columns of its load: how many values a line has, and whether each is one of its column. The text goes to
 * PostgreSQL as it came, but for what only says that there is nothing: empty values of columns that hold no text, empty values behind the
 * last column, and lines without values at the end.
 */
import type { LoadFault } from '@tessera/contracts/knowledge-models';
import {
  createFaultCollector,
  joinNames,
  createMissingValueFault,
  createTypeFault,
  faultsMax,
  findUnstorableCharacter,
  stripByteOrderMark,
  type CheckedBatch,
  type LoadColumn,
} from './load-columns.js';
import { scanCsv, unquote } from './scan-csv.js';
import { quoteShortened, valueTestFor } from './check-value-text.js';

type CsvFormat = {
  /** In the order of the values. */
  readonly columns: readonly LoadColumn[];
  readonly delimiter: string;
  /** What stands for no value, unless it is quoted. */
  readonly null: string;
};

export const checkCsv = (given: string, firstLine: number, format: CsvFormat): CheckedBatch => {
  const text = stripByteOrderMark(given, firstLine);
  const unstorable = findUnstorableCharacter(text, firstLine);
  if (unstorable) return { faults: [unstorable] };
  const batch = new CheckedLines(text, firstLine, format);
  const openLine = scanCsv(text, format.delimiter, batch);
  return batch.end(openLine);
};

/** A place in the text, and what stands there instead. */
type Edit = { readonly start: number; readonly end: number; readonly text: string };

class CheckedLines {
  readonly #checks: readonly { readonly column: LoadColumn; readonly test: ReturnType<typeof valueTestFor> }[];
  readonly #collected = createFaultCollector();
  readonly #edits: Edit[] = [];
  #rows = 0;
  /** Faults of the line that is read. */
  #faults: LoadFault[] = [];
  #hasValue = false;
  #surplusStart: number | undefined;
  #hasSurplus = false;
  #lineEnd: string | undefined;
  /** Lines without values that may be the last ones. */
  #blank: { readonly start: number; rows: number; readonly faults: LoadFault[] } | undefined;

  constructor(
    private readonly text: string,
    private readonly firstLine: number,
    private readonly format: CsvFormat,
  ) {
    this.#checks = format.columns.map((column) => ({ column, test: valueTestFor(column.type) }));
  }

  readonly value = (index: number, start: number, end: number, isQuoted: boolean, line: number): void => {
    const { text } = this;
    const isBlank = !isQuoted && (this.#checks.length === 1 ? start === end : isBlankText(text, start, end));
    if (!isBlank) this.#hasValue = true;
    const check = this.#checks[index];
    if (!check) {
      this.#surplusStart ??= start - 1;
      if (isQuoted ? unquote(text.slice(start, end)) !== '' : !isBlank) this.#hasSurplus = true;
      return;
    }
    const { column, test } = check;
    const { null: nullText } = this.format;
    if (!isQuoted && end - start === nullText.length && text.startsWith(nullText, start)) this.#miss(column, line);
    else if (test) {
      const raw = isQuoted ? unquote(text.slice(start, end)) : undefined;
      if (raw === undefined ? test(text, start, end) : test(raw, 0, raw.length)) return;
      const shown = raw ?? text.slice(start, end);
      if (shown.trim() !== '' && !(isQuoted && shown === nullText))
        this.#faults.push(createTypeFault(this.firstLine + line, column, quoteShortened(shown)));
      else {
        this.#edits.push({ start, end, text: nullText });
        this.#miss(column, line);
      }
    }
  };

  readonly record = (values: number, line: number, start: number, end: number): void => {
    const { columns } = this.format;
    const isSingle = columns.length === 1;
    if (values < columns.length || this.#hasSurplus) {
      // A line without anything has one fault.
      if (!this.#hasValue && values === 1) this.#faults = [emptyFault(this.firstLine + line, columns)];
      else this.#faults.push(countFault(this.firstLine + line, values, columns));
    } else if (this.#surplusStart !== undefined) this.#edits.push({ start: this.#surplusStart, end, text: '' });
    this.#alignLineEnd(end);
    if (!this.#hasValue && !(isSingle && columns[0]?.nullable)) {
      this.#blank ??= { start, rows: 0, faults: [] };
      this.#blank.rows += 1;
      if (this.#blank.faults.length < faultsMax) this.#blank.faults.push(...this.#faults);
    } else {
      this.#keepBlank();
      this.#rows += 1;
      this.#faults.forEach(this.#collected.note);
    }
    [this.#faults, this.#hasValue, this.#surplusStart, this.#hasSurplus] = [[], false, undefined, false];
  };

  end(openLine: number | undefined): CheckedBatch {
    const { faults, note } = this.#collected;
    if (openLine !== undefined) {
      this.#keepBlank();
      this.#faults.forEach(note);
      note({
        line: this.firstLine + openLine,
        message: 'a quote is opened here and not closed before the batch ends',
      });
    }
    return faults.length > 0 ? { faults: inOrder(faults) } : { csv: this.#editedText(), rows: this.#rows };
  }

  #miss(column: LoadColumn, line: number): void {
    if (!column.nullable) this.#faults.push(createMissingValueFault(this.firstLine + line, column));
  }

  /** They are not the last ones. */
  #keepBlank(): void {
    this.#blank?.faults.forEach(this.#collected.note);
    this.#rows += this.#blank?.rows ?? 0;
    this.#blank = undefined;
  }

  /** PostgreSQL wants all lines of a text to end as the first. */
  #alignLineEnd(at: number): void {
    const { text } = this;
    const lineEnd = text.startsWith('\r\n', at) ? '\r\n' : text.charAt(at);
    this.#lineEnd ??= lineEnd;
    if (lineEnd !== this.#lineEnd && lineEnd !== '')
      this.#edits.push({ start: at, end: at + lineEnd.length, text: this.#lineEnd });
  }

  #editedText(): string {
    const length = this.#blank?.start ?? this.text.length;
    let [edited, at] = ['', 0];
    for (const { start, end, text } of this.#edits) {
      if (start >= length) break;
      edited += this.text.slice(at, start) + text;
      at = end;
    }
    return edited + this.text.slice(at, length);
  }
}

const isBlankText = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) if (text[at] !== ' ' && text[at] !== '\t') return false;
  return true;
};

const countFault = (line: number, values: number, columns: readonly LoadColumn[]): LoadFault => ({
  line,
  message: `expected ${countOfValues(columns)}, got ${values}`,
});

const emptyFault = (line: number, columns: readonly LoadColumn[]): LoadFault => ({
  line,
  message: `the line is empty; expected ${countOfValues(columns)}`,
});

const countOfValues = (columns: readonly LoadColumn[]): string =>
  `${columns.length === 1 ? '1 value' : `${columns.length} values`} (${joinNames(columns.map(({ id }) => id))})`;

/** Values come before the line that holds them is known to be too short. */
const inOrder = (faults: readonly LoadFault[]): readonly LoadFault[] =>
  faults.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
