import { describe, expect, it } from '@jest/globals';
import { checkCsv } from './check-csv.js';
import type { LoadColumn } from './load-columns.js';

const columns: readonly LoadColumn[] = [
  { id: 'id', type: 'integer', nullable: false },
  { id: 'name', type: 'string', nullable: true },
  { id: 'day', type: 'date', nullable: true },
];

type Format = {
  readonly delimiter?: string;
  readonly null?: string;
  readonly columns?: readonly LoadColumn[] | undefined;
};
const parse = (text: string, more: Format, firstLine = 2) =>
  checkCsv(text, firstLine, { delimiter: ',', null: '', ...more, columns: more.columns ?? columns });

/** The records as PostgreSQL reads them. */
const textOf = (text: string, more: Format = {}) => {
  const checked = parse(text, more);
  return checked.faults ?? checked.csv;
};

const check = (text: string, more: Format = {}, firstLine = 2) => {
  const checked = parse(text, more, firstLine);
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
    expect(textOf('1;"NULL";NULL\n', { delimiter: ';', null: 'NULL' })).toBe('1;"NULL";NULL\n');
    expect(check('NULL;x;NUL\n', { delimiter: ';', null: 'NULL' })).toEqual([
      '2:id the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
      '2:day "NUL" is not a date, e.g. 2026-06-30',
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
    expect(check('1,a\n2,b,,c\n\n4,d,\n')).toEqual([
      '2: expected 3 values (id, name, day), got 2',
      '3: expected 3 values (id, name, day), got 4',
      '4: the line is empty; expected 3 values (id, name, day)',
    ]);
    expect(check('1,a,\n  \n,,\n2,b,,,x\n')).toEqual([
      '3: the line is empty; expected 3 values (id, name, day)',
      '4:id the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
      '5: expected 3 values (id, name, day), got 5',
    ]);
  });

  it('takes an empty value, quoted or blank, for none where the column holds no text', () => {
    expect(textOf('"1","","2026-01-01"\n"2","",""\n3, ,  \n')).toBe('"1","","2026-01-01"\n"2","",\n3, ,\n');
    expect(textOf('1;"";"NULL"\n2;x;\n', { delimiter: ';', null: 'NULL' })).toBe('1;"";NULL\n2;x;NULL\n');
    expect(check('"","a",""\n')).toEqual([
      '2:id the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
    ]);
  });

  it('leaves out lines without values at the end', () => {
    for (const end of ['\n', '\r\n', '\r'])
      for (const last of ['', ',,', ' , ,', ',', '\t', `${end},,${end}`]) {
        expect(textOf(`1,a,${end}2,,${end}${last}${end}`)).toBe(`1,a,${end}2,,${end}`);
        expect(textOf(`1,a,${end}2,,${end}${last}`)).toBe(`1,a,${end}2,,${end}`);
      }
    expect(textOf('\n,,\n')).toBe('');
    expect(textOf('1,a,\n"","",""\n')).toMatchObject([{ line: 3, column: 'id' }]);
  });

  it('takes an empty line of one column for a row where the column may be without a value', () => {
    const [id, name] = columns;
    expect([id, name].map((column) => textOf('1\n\n', { columns: column && [column] }))).toEqual(['1\n', '1\n\n']);
    expect(textOf('a\n \n', { columns: name && [name] })).toBe('a\n \n');
  });

  it('drops empty values behind the last column, and ends all lines as the first', () => {
    expect(textOf('1,a,,\r\n2,b,2026-01-01,"",  \n3,c,\r4,"d\n",')).toBe('1,a,\r\n2,b,2026-01-01\r\n3,c,\r\n4,"d\n",');
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
