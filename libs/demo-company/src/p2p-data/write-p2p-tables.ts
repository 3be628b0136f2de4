/**
 * Writes the purchase-to-pay data of a company into a workspace folder as `tables/*.csv`, while it is drawn: memory
 * stays flat.
 */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { P2pCompany, P2pSize } from './company.js';
import { printCsvHeader, createRowPrinter } from './csv.js';
import { generateP2pRows } from './generate-p2p-rows.js';

type TablesOptions = {
  readonly size: P2pSize;
  readonly company: P2pCompany;
  /** The workspace's; it gets the folder `tables`. */
  readonly folder: string;
  /** All of them unless some are named. */
  readonly tables?: readonly string[];
  readonly stopping?: AbortSignal;
};

/** In characters: short texts die young, so that collecting them costs little. */
const pieceLength = 64_000;

/** The texts of all tables in pieces, each with its table's name; the pieces of a table make its file. */
export const printP2pTables = function* (
  size: P2pSize,
  company: P2pCompany,
  only?: readonly string[],
): Generator<readonly [table: string, piece: string], undefined> {
  const data = generateP2pRows(size, company);
  const wanted = data.tables.filter(({ name }) => only?.includes(name) ?? true);
  const printers = new Map(wanted.map(({ name, columns }) => [name, createRowPrinter(columns)]));
  const pieces = new Map(wanted.map(({ name, columns }) => [name, printCsvHeader(columns)]));
  for (const portion of data.portions())
    for (const [table, rows] of portion) {
      const print = printers.get(table);
      if (!print) continue;
      let piece = pieces.get(table) ?? '';
      for (const row of rows) {
        piece += print(row);
        if (piece.length < pieceLength) continue;
        yield [table, piece];
        piece = '';
      }
      pieces.set(table, piece);
    }
  yield* pieces;
};

/** Rejects when it is told to stop. */
export const writeP2pTables = async (options: TablesOptions): Promise<void> => {
  const { size, company, folder, tables: only, stopping } = options;
  const tables = join(folder, 'tables');
  await mkdir(tables, { recursive: true });
  const files = new Map<string, FileHandle>();
  try {
    for (const [table, piece] of printP2pTables(size, company, only)) {
      stopping?.throwIfAborted();
      const file = files.get(table) ?? (await open(join(tables, `${table}.csv`), 'w'));
      files.set(table, file);
      await file.write(piece);
    }
  } finally {
    for (const file of files.values()) await file.close();
  }
};
