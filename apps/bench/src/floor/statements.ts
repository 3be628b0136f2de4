/** Named statements of the floors: those of a file in `apps/bench/sql`, each behind a line with its name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { checkoutFolder } from '../product/product.js';

const connectionsMax = 10;

export type Rows = <Row = Record<string, unknown>>(name: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export const openPool = (connectionString: string): pg.Pool => new pg.Pool({ connectionString, max: connectionsMax });

export const prepareStatements = (pool: pg.Pool, file: string, types?: pg.CustomTypesConfig): Rows => {
  const text = readFileSync(join(checkoutFolder, 'apps', 'bench', 'sql', file), 'utf8');
  const statements = new Map(
    [...text.matchAll(/^-- name: (\S+)\n(?:--.*\n)*([^;]+);/gm)].map(([, name = '', sql = '']) => [name, sql]),
  );
  return async <Row>(name: string, values: readonly unknown[]) => {
    const sql = statements.get(name);
    if (sql === undefined) throw new Error(`${file} has no statement ${name}.`);
    const config = { name, text: sql, values: [...values], ...(types && { types }) };
    return (await pool.query<Row & pg.QueryResultRow>(config)).rows;
  };
};
