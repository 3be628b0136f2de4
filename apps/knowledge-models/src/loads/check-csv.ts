/**
 * A batch of CSV against the columns of its load: how many values a line has, and whether each is one of its column. The
 * text is not changed.
 */
import type { LoadFault } from '@tessera/contracts/knowledge-models';
import {
  createFaultCollector,
  joinNames,
  createMissingValueFault,
  createTypeFault,
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
  const { faults, note } = createFaultCollector();
  const { columns } = format;
  const value = valueCheck(text, format, firstLine, note);
  let rows = 0;
  const openLine = scanCsv(text, format.delimiter, {
    value,
    record: (values, line) => {
      rows += 1;
      if (values !== columns.length) note(countFault(firstLine + line, values, columns));
    },
  });
  if (openLine !== undefined)
    note({ line: firstLine + openLine, message: 'a quote is opened here and not closed before the batch ends' });
  return faults.length > 0 ? { faults: inOrder(faults) } : { csv: text, rows };
};

const valueCheck = (
  text: string,
  { columns, null: nullText }: CsvFormat,
  firstLine: number,
  note: (fault: LoadFault) => void,
) => {
  const checks = columns.map((column) => ({ column, test: valueTestFor(column.type) }));
  return (index: number, start: number, end: number, isQuoted: boolean, line: number): void => {
    const check = checks[index];
    if (!check) return;
    const { column, test } = check;
    const isNull = !isQuoted && end - start === nullText.length && text.startsWith(nullText, start);
    if (isNull) {
      if (!column.nullable) note(createMissingValueFault(firstLine + line, column));
      return;
    }
    if (!test) return;
    const raw = isQuoted ? unquote(text.slice(start, end)) : undefined;
    if (raw === undefined ? test(text, start, end) : test(raw, 0, raw.length)) return;
    note(createTypeFault(firstLine + line, column, quoteShortened(raw ?? text.slice(start, end))));
  };
};

const countFault = (line: number, values: number, columns: readonly LoadColumn[]): LoadFault => ({
  line,
  message: `expected ${countOfValues(columns.length)} (${joinNames(columns.map(({ id }) => id))}), got ${values}`,
});

const countOfValues = (count: number): string => (count === 1 ? '1 value' : `${count} values`);

/** Values come before the line that holds them is known to be too short. */
const inOrder = (faults: readonly LoadFault[]): readonly LoadFault[] =>
  faults.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
