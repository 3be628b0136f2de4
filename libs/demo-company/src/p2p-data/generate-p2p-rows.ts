/**
 * The purchase-to-pay data of a company as tables of typed rows: the same each time on every machine, drawn while they
 * are read. Reading a table twice draws it twice.
 */
import type { P2pCompany, P2pSize } from './company.js';
import { generateBlocks, type GeneratedBlock } from './draw-blocks.js';
import type { Column, Row } from './table.js';
import { p2pTables } from './tables.js';

type P2pTable = {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: () => Iterable<Row>;
};

export type P2pData = {
  readonly tables: readonly P2pTable[];
  /** All tables in one go, some rows of each at a time: names of tables and their next rows. */
  readonly portions: () => Iterable<ReadonlyMap<string, Iterable<Row>>>;
};

export const generateP2pRows = (size: P2pSize, company: P2pCompany): P2pData => ({
  tables: p2pTables.map(({ name, key, columns, rowsOf }) => ({
    ...{ name, key, columns },
    rows: function* () {
      for (const block of generateBlocks(size, company)) yield* rowsOf(block);
    },
  })),
  portions: function* () {
    for (const block of generateBlocks(size, company)) yield portionOf(block);
  },
});

const portionOf = (block: GeneratedBlock): ReadonlyMap<string, Iterable<Row>> =>
  new Map(p2pTables.map(({ name, rowsOf }) => [name, rowsOf(block)]));
