import { describe, expect, it } from '@jest/globals';
import { convertJsonLinesToCsv } from './csv-of-json-lines.js';
import type { LoadColumn } from './load-columns.js';

const columns: readonly LoadColumn[] = [
  { id: 'id', type: 'integer', nullable: false },
  { id: 'name', type: 'string', nullable: true },
  { id: 'amount', type: 'float', nullable: true },
  { id: 'open', type: 'boolean', nullable: true },
  { id: 'at', type: 'timestamp', nullable: true },
];

const csv = (...lines: readonly string[]): string => {
  const checked = convertJsonLinesToCsv(lines.join('\n'), 1, columns);
  return checked.faults ? JSON.stringify(checked.faults) : checked.csv;
};
const faults = (...lines: readonly string[]) => {
  const checked = convertJsonLinesToCsv(lines.join('\n'), 5, columns);
  return checked.faults?.map(({ line, column, message }) => `${line}:${column ?? ''} ${message}`);
};

describe('a batch of JSON Lines', () => {
  it('becomes CSV in the order of the columns; missing members have no value', () => {
    expect(
      csv('{"name": "a \\"b\\", c\\n", "id": 1}', '', '{"id": 2, "open": false, "amount": null, "name": ""}'),
    ).toBe('"1","a ""b"", c\n",,,\n"2","",,"false",\n');
    expect(csv('{"id": 3, "at": "2026-06-30T08:15:00Z"}\r', '\r')).toBe('"3",,,,"2026-06-30T08:15:00Z"\n');
  });

  it('keeps every digit of a number, also of one written as a string', () => {
    expect(csv('{"id": 9007199254740993, "amount": 12345678901234567890.123456789}')).toBe(
      '"9007199254740993",,"12345678901234567890.123456789",,\n',
    );
    expect(csv('{"id": "9007199254740993", "amount": "0.10"}')).toBe('"9007199254740993",,"0.10",,\n');
    expect(csv('{"id": 1, "amount": 1e21, "name": "1234567890123456789"}')).toBe(
      '"1","1234567890123456789","1e21",,\n',
    );
  });

  it('reports members that are no column and values of another type', () => {
    expect(faults('{"id": 1.5, "nam": "x", "open": 1, "amount": true}', '{"name": 7, "id": [1], "at": {}}')).toEqual([
      '5: unknown member "nam"; did you mean "name"?',
      '5:id 1.5 is not a whole number from -9223372036854775808 to 9223372036854775807',
      '5:amount true is not a number, e.g. 1234.56',
      '5:open 1 is not true or false',
      '6:id a list is not a whole number from -9223372036854775808 to 9223372036854775807',
      '6:name 7 is not a text',
      '6:at an object is not a date and time with zone, e.g. 2026-06-30T08:15:00Z',
    ]);
    expect(faults('{"id": 1, "at": "now", "open": "true"}', '{"id": 1, "__proto__": {"id": 1}}', '{}')).toEqual([
      '5:open "true" is not true or false',
      '5:at "now" is not a date and time with zone, e.g. 2026-06-30T08:15:00Z',
      '6: unknown member "__proto__"; expected id, name, amount, open, at',
      '7:id the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
    ]);
    expect(faults('{"id": 1, "name": "a\\u0000b"}', '{"id": 123456789012345678901}')).toEqual([
      '5:name the line holds a character that cannot be stored',
      '6:id 123456789012345678901 is not a whole number from -9223372036854775808 to 9223372036854775807',
    ]);
  });

  it('reports lines that are no JSON object, with the reason', () => {
    expect(faults('{"id": 1', '[1]', 'null', '7')).toEqual([
      expect.stringMatching(/^5: the line is not JSON: /),
      '6: expected a JSON object',
      '7: expected a JSON object',
      '8: expected a JSON object',
    ]);
  });
});
