import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printCsvHeader, createRowPrinter } from './csv.js';
import { generateP2pRows } from './generate-p2p-rows.js';
import type { Column } from './table.js';
import { writeP2pTables } from './write-p2p-tables.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-p2p-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const { tables } = generateP2pRows('tiny', 'meridian');

/** Cells as RFC 4180 says, undefined for an empty one without quotes. */
const parseCsv = (text: string): readonly (readonly (string | undefined)[])[] => {
  const rows: (string | undefined)[][] = [];
  let row: (string | undefined)[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    row.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
};

describe('a printed row', () => {
  const columns: readonly Column[] = [
    { name: 'text', type: 'string', nullable: true },
    { name: 'amount', type: 'float', nullable: true, decimals: 2 },
    { name: 'rating', type: 'float', nullable: true, decimals: 1 },
    { name: 'right', type: 'boolean', nullable: true },
  ];
  const print = createRowPrinter(columns);

  it('quotes only where needed', () => {
    expect(printCsvHeader(columns)).toBe('text,amount,rating,right\n');
    expect(print(['Ruß', 1, 2, true])).toBe('Ruß,1.00,2.0,true\n');
    expect(print(['a, b', 0.1, 4.5, false])).toBe('"a, b",0.10,4.5,false\n');
    expect(print(['say "x"', 1234.56, 3, true])).toBe('"say ""x""",1234.56,3.0,true\n');
    expect(print(['two\nlines', 0, 0, true])).toBe('"two\nlines",0.00,0.0,true\n');
  });

  it('distinguishes an empty text from null', () => {
    expect(print(['', null, null, null])).toBe('"",,,\n');
    expect(print([null, null, null, null])).toBe(',,,\n');
  });

  it('formats amounts with the digits of toFixed', () => {
    for (const cents of [1, 9, 10, 99, 100, 101, 115, 1_005, 999_999, 123_456_789_01])
      expect(print([null, cents / 100, null, null])).toBe(`,${(cents / 100).toFixed(2)},,\n`);
  });
});

describe('the written table files', () => {
  it('contain one file per table, which parses back to the rows', async () => {
    await writeP2pTables({ size: 'tiny', company: 'meridian', folder });
    expect((await readdir(join(folder, 'tables'))).sort()).toEqual(tables.map(({ name }) => `${name}.csv`).sort());
    for (const { name, columns, rows } of tables) {
      const [header, ...lines] = parseCsv(await readFile(join(folder, 'tables', `${name}.csv`), 'utf8'));
      expect(header).toEqual(columns.map((column) => column.name));
      const expected = [...rows()].map((row) =>
        row.map((cell, index) =>
          cell === null
            ? undefined
            : typeof cell === 'number'
              ? cell.toFixed(columns[index]?.decimals ?? 0)
              : String(cell),
        ),
      );
      expect(lines).toEqual(expected);
    }
  });

  it('contain only the requested tables', async () => {
    const only = join(folder, 'only');
    await writeP2pTables({ size: 'tiny', company: 'northgate', folder: only, tables: ['po_item', 'supplier'] });
    expect((await readdir(join(only, 'tables'))).sort()).toEqual(['po_item.csv', 'supplier.csv']);
  });
});
