/**
 * The rows of the tables in `apps/bench/workspace`. Every value follows from the number of its row, so that all runs have the same rows.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, type Figure } from '../engine.js';
import { benchTeam, type Product } from '../product/product.js';
import { benchFolder, runTessera, type TesseraRunResult, withFolder, writeLines } from './run-tessera.js';

export const benchModelId = 'bench.sales-km';
export const salesRowCount = 1_000_000;
/** Figures say with how many rollups of the model they were measured. */
export const rollupCount = 1;

/**
 * The models with policies along relationships, and the shares of rows that they let through. Visits follow each other by their customers,
 * as lines do by their orders; sales have their articles in no order.
 */
export const restrictedModels = {
  'bench.restricted-1-km': '60 %',
  'bench.restricted-2-km': '2.5 %',
  'bench.restricted-3-km': '0.2 %',
} as const;

const articles = 100_000;
/** Of each depot fifty customers, each with ten visits. */
const depots = 160;
const customers = 50 * depots;
const visitsOfCustomer = 10;

const digits = (value: number, count: number): string => String(value).padStart(count, '0');
const articleOf = (number: number): string => `M${digits(number, 5)}`;
export const depotIdFor = (number: number): string => `D${digits(number % depots, 3)}`;
export const customerIdFor = (number: number): string => `C${digits(number, 5)}`;

/** A number that looks drawn and is not: the row's number, mixed. */
const hashOf = (row: number, salt: number): number => {
  let value = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  return (value ^ (value >>> 15)) >>> 0;
};

const dayMs = 86_400_000;
const firstDay = Date.UTC(2022, 0, 1);
const dateOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);
const oneOf = (values: readonly string[], draw: number): string => values[draw % values.length] ?? '';
const moneyOf = (cents: number): string => (cents / 100).toFixed(2);

const germany = 'DE';
const countries = ['FR', 'ES', 'IT', 'PL', 'NL', 'AT', 'CZ', 'US', 'CN', 'IN'];
const plantCount = 24;
const plantOf = (number: number): string => `P${digits(number, 2)}`;
const plantChoices = 2 ** (plantCount / 2);
export const plantConditionCount = plantChoices * (countries.length + 1);

/** So many different ones; each leaves half of the plants and all countries but one. */
export const plantConditionFor = (number: number) => ({
  plants: Array.from({ length: plantCount / 2 }, (_, pair) => plantOf(2 * pair + ((number >> pair) % 2))),
  withoutCountry: oneOf([...countries, germany], Math.floor(number / plantChoices)),
});

const channels = ['direct', 'partner', 'online'];
const states = ['open', 'shipped', 'invoiced', 'paid'];

/** Of a hundred rows five are of DE, and nine in ten cost more than 100: 45,000 in a million. */
const saleOf = (row: number): readonly unknown[] => {
  const draw = (salt: number) => hashOf(row, salt);
  const cents = Math.floor(row / 20) % 10 === 0 ? 1_000 + (draw(2) % 9_000) : 10_001 + (draw(2) % 990_000);
  const day = draw(3) % 1_600;
  const quantity = 1 + (draw(4) % 20);
  return [
    row + 1,
    row % 20 === 0 ? germany : oneOf(countries, draw(1)),
    plantOf(draw(5) % plantCount),
    customerIdFor(draw(6) % 8_000),
    articleOf(draw(7) % articles),
    `Category ${draw(8) % 40}`,
    oneOf(channels, draw(9)),
    oneOf(states, draw(10)),
    'EUR',
    quantity,
    moneyOf(Math.round(cents / quantity)),
    moneyOf(cents),
    moneyOf(draw(11) % 500),
    moneyOf(Math.round(cents * 0.19)),
    draw(12) % 10 === 0,
    dateOf(day),
    draw(13) % 5 === 0 ? '' : dateOf(day + 3),
    `${dateOf(day)}T08:${digits(draw(14) % 60, 2)}:00Z`,
    draw(15) % 3 === 0 ? '' : `K${draw(16) % 500}`,
    draw(17) % 4 === 0 ? `Delivered in ${1 + (draw(18) % 9)} parts` : '',
  ];
};

const saleColumns =
  'id,country,plant,customer,product,category,channel,status,currency,quantity,price,amount,discount,tax,express,sold_on,shipped_on,created_at,contract,note';
export const salesFieldIds: readonly string[] = saleColumns.toUpperCase().split(',');

type Table = { readonly columns: string; readonly rows: number; readonly row: (row: number) => readonly unknown[] };

/** The small tables, by their ids. */
const relatedTables: Readonly<Record<string, Table>> = {
  article: {
    columns: 'id,name,family',
    rows: articles,
    row: (row) => [articleOf(row), `Article ${row}`, `F${digits(row % 40, 2)}`],
  },
  depot: { columns: 'id,city', rows: depots, row: (row) => [depotIdFor(row), `City ${row}`] },
  customer: {
    columns: 'id,name,depot',
    rows: customers,
    row: (row) => [customerIdFor(row), `Customer ${row}`, depotIdFor(row)],
  },
  visit: {
    columns: 'id,customer,visited_on,minutes',
    rows: visitsOfCustomer * customers,
    row: (row) => [
      row + 1,
      customerIdFor(Math.floor(row / visitsOfCustomer)),
      dateOf(hashOf(row, 1) % 1_600),
      hashOf(row, 2) % 120,
    ],
  },
};

const linesOf = function* ({ columns, rows, row }: Table): Generator<string> {
  yield columns;
  for (let number = 0; number < rows; number++) yield row(number).join(',');
};

const writeTable = async (folder: string, id: string, table: Table): Promise<string> => {
  const path = join(folder, 'tables', `${id}.csv`);
  await writeLines(path, linesOf(table));
  return path;
};

/** The folder of the workspace and the file of the sales, which go after `work`. */
export const withSalesWorkspace = <T>(rows: number, work: (folder: string, sales: string) => Promise<T>): Promise<T> =>
  withFolder(async (folder) => {
    cpSync(join(benchFolder, 'workspace'), folder, { recursive: true });
    return work(folder, await writeTable(folder, 'sale', { columns: saleColumns, rows, row: saleOf }));
  });

/** Ends when the rows can be asked for. */
export const loadTable = (product: Product, id: string, path: string): Promise<TesseraRunResult> =>
  runTessera(product, ['load', `bench.${id}`, path, '--allow-shrink', '--team', benchTeam]);

/** The time of the sales alone; the other tables are small. */
export const measureSalesLoad = ({ product, say }: Bench, rows: number): Promise<Figure> =>
  withSalesWorkspace(rows, async (folder, sales) => {
    await runTessera(product, ['apply', folder]);
    say(`loading ${rows} rows`);
    const { seconds, ownPeakMb } = await loadTable(product, 'sale', sales);
    for (const [id, table] of Object.entries(relatedTables))
      await loadTable(product, id, await writeTable(folder, id, table));
    return {
      what: `Load of ${rows.toLocaleString('en')} rows of 20 columns (rollups of the model: ${rollupCount}): time`,
      actual: `${seconds.toFixed(0)} s (${(rows / seconds).toFixed(0)} rows a second, command line ${ownPeakMb.toFixed(0)} MB)`,
    };
  });
