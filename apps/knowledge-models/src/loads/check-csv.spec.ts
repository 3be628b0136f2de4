import { describe, expect, it } from '@jest/globals';
import { checkCsv } from './check-csv.js';
import type { LoadColumn } from './load-columns.js';

const columns: readonly LoadColumn[] = [
  { id: 'id', type: 'integer', nullable: false },
  { id: 'name', type: 'string', nullable: true },
  { id: 'day', type: 'date', nullable: true },
];

const check = (text: string, more: { readonly delimiter?: string; readonly null?: string } = {}, firstLine = 2) => {
  const checked = checkCsv(text, firstLine, { columns, delimiter: ',', null: '', ...more });
  return checked.faults
    ? checked.faults.map(({ line, column, message }) => `${line}:${column ?? ''} ${message}`)
    : checked.rows;
};

describe('a batch of CSV', () => {
  it('accepts quotes, line ends inside quotes, and a last line without an end', () => {
    expect(check('1,a,2026-01-01\n2,,\n')).toBe(2);
    expect(check('1,"a, ""b""\r\nc",\r\n2,x"y"z,"2026-01-01"')).toBe(2);
    expect(check('\uFEFF1,a,\n', {}, 1)).toBe(1);
  });

  it('accepts another delimiter and another null text, which counts only without quotes', () => {
    expect(check('1;a,b;NULL\n', { delimiter: ';', null: 'NULL' })).toBe(1);
    expect(check('1;"";"NULL"\nNULL;x;\n', { delimiter: ';', null: 'NULL' })).toEqual([
      '2:day "NULL" is not a date, e.g. 2026-06-30',
      '3:id the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
      '3:day "" is not a date, e.g. 2026-06-30',
    ]);
  });

  it('reports every bad value with its line and column', () => {
    const text = '1,"two\nlines",2026-01-01\nx,"a\r\nb\rc",today\n3,,"20""26"\n';
    expect(check(text, {}, 10)).toEqual([
      '12:id "x" is not a whole number from -9223372036854775808 to 9223372036854775807',
      '14:day "today" is not a date, e.g. 2026-06-30',
      '15:day "20"26" is not a date, e.g. 2026-06-30',
    ]);
  });

  it('reports empty lines and lines with too few or too many values', () => {
    expect(check('1,a\n2,b,,c\n\n4,d,\n5,e,,,\n')).toEqual([
      '2: expected 3 values (id, name, day), got 2',
      '3: expected 3 values (id, name, day), got 4',
      '4:id the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
      '4: expected 3 values (id, name, day), got 1',
      '6: expected 3 values (id, name, day), got 5',
    ]);
  });

  it('reports an unclosed quote and a character that cannot be stored', () => {
    expect(check('1,a,\n2,"b,\n3,c,\n')).toEqual(['3: a quote is opened here and not closed before the batch ends']);
    expect(check('1,a,\n2,b\0,\n')).toEqual(['3: the line holds a character that cannot be stored']);
    expect(check('1,a,\r\n2,b\uD800,\n')).toEqual(['3: the line holds a character that cannot be stored']);
  });

  it('reports at most a hundred faults', () => {
    expect(check('x,,\n'.repeat(1_000))).toHaveLength(100);
  });
});
