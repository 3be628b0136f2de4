/** Files as spreadsheets, databases and exporters write them, each from its bytes to the rows of the table, or to its fault. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { splitRecords, type RecordFormat } from '@tessera/contracts/record-files';
import type pg from 'pg';
import { gzipSync } from 'node:zlib';
import { readFailure, readJsonAnswer } from '../testing/fixture.js';
import { openLoadFixture, testSchema, type LoadClient } from '../testing/load-client.js';

let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

const columns = [
  { id: 'order_no', type: 'string' as const, nullable: false },
  { id: 'item_no', type: 'integer' as const },
  { id: 'amount', type: 'float' as const },
  { id: 'paid', type: 'boolean' as const },
  { id: 'ordered_on', type: 'date' as const },
];

beforeAll(async () => {
  ({ loading, admin, end } = await openLoadFixture());
  await loading.define('meridian', { id: 'item', columns });
  await loading.define('meridian', { id: 'note', columns: [{ id: 'text', type: 'string' }] });
});
afterAll(() => end());

const header = 'order_no,item_no,amount,paid,ordered_on\n';
const first = 'Größe,1,10.5,true,2026-01-31\n';
const second = 'B,2,,,\n';
const whole = `${header}${first}${second}`;
const bothRows = [
  ['Größe', 1, '10.5', true, '2026-01-31'],
  ['B', 2, null, null, null],
];
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const withEnds = (text: string, lineEnd: string): string => text.replaceAll('\n', lineEnd);

const quotedThroughout = (text: string): string =>
  text.trim().replaceAll(/.+/g, (line) => `"${line.replaceAll(',', '","')}"`);

type Form = { readonly format?: RecordFormat; readonly table?: 'item' | 'note'; readonly hasHeader?: boolean };

/** The rows of the table after the load, or what was wrong. */
const loadFile = async (given: string | Uint8Array, form: Form): Promise<unknown> => {
  const { format = 'csv', table = 'item', hasHeader = true } = form;
  const file = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(typeof given === 'string' ? Buffer.from(given) : given);
  };
  const key = await loading.begin('meridian', table, { format });
  let batches = 0;
  for await (const piece of splitRecords(file(), { format, hasHeader, delimiter: ',' })) {
    if (piece.kind === 'fault') return [piece.line, piece.fault];
    if (piece.kind === 'header') continue;
    const failure = await readFailure(
      loading.stage(key, piece.text, { ordinal: batches, firstLine: piece.firstLine }),
    ).catch(() => undefined);
    if (failure) return failure.faults?.map(({ path, message }) => `${path}: ${message}`);
    batches += 1;
  }
  await readJsonAnswer(loading.commit(key, batches));
  const shown = table === 'item' ? 'order_no, item_no::int, amount, paid, ordered_on::text' : 'text';
  const { rows } = await admin.query<unknown[]>({
    text: `select ${shown} from "meridian.${testSchema}".${table}`,
    rowMode: 'array',
  });
  return rows;
};

describe('a file', () => {
  it.each<readonly [string, string | Uint8Array, Form?]>([
    ['as it should be', whole],
    ['without a last line end', whole.slice(0, -1)],
    ['with CRLF', withEnds(whole, '\r\n')],
    ['with CR alone', withEnds(whole, '\r')],
    ['with CR alone and no last line end', withEnds(whole, '\r').slice(0, -1)],
    ['with line ends of two kinds', `${withEnds(header + first, '\r\n')}${second}`],
    ['with an empty last line', `${whole}\n`],
    ['with several empty last lines and blanks', `${whole}\n \t\n\n`],
    ['with a last line of commas', `${whole},,,,\n`],
    ['with last lines of commas and none', `${whole},,,,\n\n,,,,`],
    ['quoted throughout', quotedThroughout(whole)],
    ['with blanks for no value', `${header}${first}B, 2 , ,  ,\t\n`],
    ['with a byte order mark', `\uFEFF${whole}`],
    ['in UTF-16 LE', utf16(`\uFEFF${whole}`)],
    ['in UTF-16 BE', utf16(`\uFEFF${whole}`).swap16()],
    ['in UTF-16 without a byte order mark', utf16(whole)],
    ['packed by gzip', gzipSync(whole)],
    ['in UTF-16, packed by gzip', gzipSync(utf16(`\uFEFF${whole}`))],
    ['with a comma behind each line', whole.replaceAll('\n', ',\n')],
    ['with a quoted header', whole.replace(/\w+/g, '"$&"').replaceAll(/^("Gr.*)/gm, first.trim())],
    ['without a header', first + second, { hasHeader: false }],
    ['of lines of JSON', jsonLines('\n'), { format: 'jsonl' }],
    ['of lines of JSON that end in CR, with empty ones', `${jsonLines('\r\r')}\r\r`, { format: 'jsonl' }],
    ['of lines of JSON in UTF-16', utf16(`\uFEFF${jsonLines('\r\n')}`), { format: 'jsonl' }],
    ['of lines of JSON, packed by gzip', gzipSync(jsonLines('\n')), { format: 'jsonl' }],
  ])('%s has the same rows', async (_, file, form = {}) => {
    expect(await loadFile(file, form)).toEqual(bothRows);
  });

  it.each<readonly [string, string | Uint8Array, unknown]>([
    [
      'an empty line in the middle',
      `${header}${first}\n${second}`,
      ['3: the line is empty; expected 5 values (order_no, item_no, amount, paid, ordered_on)'],
    ],
    [
      'a line of blanks in the middle',
      `${header}${first}  \n${second}`,
      ['3: the line is empty; expected 5 values (order_no, item_no, amount, paid, ordered_on)'],
    ],
    [
      'a line of commas in the middle',
      `${header},,,,\n${second}`,
      ['2.order_no: the value is missing; expected a text'],
    ],
    [
      'a value behind the last column',
      `${header}${first}B,2,,,,x\n`,
      ['3: expected 5 values (order_no, item_no, amount, paid, ordered_on), got 6'],
    ],
    ['a NUL', `${header}${first}B\0,2,,,\n`, ['3: the line holds a character that cannot be stored']],
    ['Latin-1', Buffer.from(whole, 'latin1'), [2, 'encoding']],
    ['half a character at the end', Buffer.from(`${whole}ä`).subarray(0, -1), [4, 'encoding']],
    ['a lone surrogate in UTF-16', utf16(`\uFEFF${header}\uD800,1,,,\n`), [2, 'encoding']],
    ['gzip that is cut off', gzipSync(whole).subarray(0, -6), [4, 'compression']],
    ['a quote that stays open', `${header}"A,1,,,\n${second}`, [2, 'unclosedQuote']],
    ['zero bytes', '', [1, 'empty']],
    ['nothing, packed by gzip', gzipSync(''), [1, 'empty']],
  ])('with %s is refused by line', async (_, file, expected) => {
    expect(await loadFile(file, {})).toEqual(expected);
  });

  it('of one column has a row for each line, empty ones too', async () => {
    expect(await loadFile('text\na\n\n""\n\n', { table: 'note' })).toEqual([['a'], [null], [''], [null]]);
  });
});

function jsonLines(lineEnd: string): string {
  return [
    '{"order_no":"Größe","item_no":1,"amount":10.5,"paid":true,"ordered_on":"2026-01-31"}',
    '{"order_no":"B","item_no":2,"amount":null}',
  ].join(lineEnd);
}
