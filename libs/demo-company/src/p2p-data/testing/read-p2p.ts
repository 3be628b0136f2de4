/** Reads purchase-to-pay data once for the specs: its truths, digests of its files and, when asked for, its rows. */
import { createHash } from 'node:crypto';
import { companies, type P2pCompany, type P2pSize } from '../company.js';
import { printCsvHeader, createRowPrinter } from '../csv.js';
import { generateP2pRows } from '../generate-p2p-rows.js';
import type { Row } from '../table.js';
import type { ExpectedP2pFigures } from '../truths.js';
import { createFigureCounter, toNamedRows, type NamedRow } from './count-truths.js';

const suspectsOf = (company: P2pCompany) => {
  const { maverickPlants, maverickGroups, slowlyPaid } = companies[company];
  return { maverickPlants, maverickGroups, slowlyPaid: slowlyPaid.length };
};

export const computeFigures = (size: P2pSize, company: P2pCompany): ExpectedP2pFigures => {
  const { tables, portions } = generateP2pRows(size, company);
  const count = createFigureCounter(tables, suspectsOf(company));
  for (const portion of portions()) count.take(new Map([...portion].map(([name, rows]) => [name, [...rows]])));
  return count.truths();
};

/** Truths, and lines of table and digest of its file. */
export const computeFiguresAndDigests = (size: P2pSize, company: P2pCompany) => {
  const { tables, portions } = generateP2pRows(size, company);
  const count = createFigureCounter(tables, suspectsOf(company));
  const files = new Map(
    tables.map(({ name, columns }) => [
      name,
      { print: createRowPrinter(columns), hash: createHash('sha256').update(printCsvHeader(columns)) },
    ]),
  );
  for (const portion of portions()) {
    const rows = new Map<string, readonly Row[]>([...portion].map(([name, list]) => [name, [...list]]));
    count.take(rows);
    for (const [name, { print, hash }] of files) hash.update((rows.get(name) ?? []).map(print).join(''));
  }
  const digests = [...files].map(([name, { hash }]) => `${size} ${company} ${name} ${hash.digest('hex')}\n`);
  return { truths: count.truths(), digests: digests.join('') };
};

type NamedTables = (table: string) => readonly NamedRow[];

/** All rows, by the names of their columns; for small sizes. */
export const createP2pTableReader = (size: P2pSize, company: P2pCompany): NamedTables => {
  const { tables } = generateP2pRows(size, company);
  const all = new Map(tables.map(({ name, rows }) => [name, [...rows()]]));
  const named = new Map(tables.map(({ name }) => [name, toNamedRows(tables, all, name)]));
  return (table) => {
    const rows = named.get(table);
    if (!rows) throw new Error(`There is no table ${table}.`);
    return rows;
  };
};
