import { describe, expect, it } from '@jest/globals';
import { detectDelimiter, parseCsv } from './parse-csv.js';

const valuesOf = (text: string, delimiter = ',') => parseCsv(text, { delimiter }).map(({ values }) => values);

describe('a text of CSV', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    [
      'plain values',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['no end behind the last record', 'a,b', [['a', 'b']]],
    [
      'empty values',
      ',\n,',
      [
        ['', ''],
        ['', ''],
      ],
    ],
    ['delimiters in quotes', '"a,b",c', [['a,b', 'c']]],
    ['quotes in quotes', '"a ""b"" c"', [['a "b" c']]],
    ['quotes within a value', 'a"b,c"d', [['ab,cd']]],
    [
      'line breaks in quotes',
      '"a\nb","c\r\nd"\r\ne,f\r\n',
      [
        ['a\nb', 'c\r\nd'],
        ['e', 'f'],
      ],
    ],
    ['ends of old machines', 'a\rb\r', [['a'], ['b']]],
    ['an empty value in quotes', '""', [['']]],
    ['an empty line', 'a\n\nb', [['a'], [''], ['b']]],
    ['nothing', '', []],
    ['markup and other directions', '<b>x</b>,نص', [['<b>x</b>', 'نص']]],
  ])('with %s', (_, text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });

  it('counts lines as an editor does, also those in quotes', () => {
    const records = parseCsv('a\n"b\nc\r\nd"\ne\r"f\rg"\rh', { delimiter: ',' });
    expect(records.map(({ line }) => line)).toEqual([1, 2, 5, 6, 8]);
  });

  it('that goes on has no last record without its end', () => {
    expect(parseCsv('a\nb', { delimiter: ',', isCut: true })).toEqual([{ line: 1, values: ['a'] }]);
    expect(parseCsv('a\n"b', { delimiter: ',', isCut: true })).toHaveLength(1);
  });

  it('is read as far as asked for', () => {
    expect(parseCsv('a\nb\nc', { delimiter: ',', recordsMax: 2 })).toHaveLength(2);
  });
});

describe('the delimiter', () => {
  it.each([
    ['a,b,c\n1,2,3\n', ','],
    ['a;b;c\n1,5;2,5;3,5\n', ';'],
    ['a\tb\n1\t2\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['"a,b";c\n1;2\n', ';'],
    ['name\nMeyer, Anna\n', ','],
    ['', ','],
  ])('of %j is %j', (text, expected) => {
    expect(detectDelimiter(text, false)).toBe(expected);
  });

  it('is not one that only the header has', () => {
    expect(detectDelimiter('a;b|c|d\n1;2\n3;4\n5;6\n', false)).toBe(';');
  });
});
