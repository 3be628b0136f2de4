/** The tables of the trial model in a database of its own, in a session whose settings no formula may depend on. */
import type { SqlValue } from '@tessera/sql';
import { createTestDatabase } from '@tessera/testing';
import pg from 'pg';
import { unusualSessionSettings, sampleTablesSql } from './sample-model.js';

export type SampleDatabase = {
  readonly client: pg.Client;
  /** Of an expression over `item` in the order of its rows, as PostgreSQL prints it in JSON. */
  readonly valuesOfRows: (sql: string, values: readonly SqlValue[]) => Promise<string>;
  /** Of an expression that aggregates `item`. */
  readonly valueOfAll: (sql: string, values: readonly SqlValue[]) => Promise<string>;
  readonly end: () => Promise<void>;
};

export const openSampleDatabase = async (): Promise<SampleDatabase> => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query(sampleTablesSql);
  await client.query(unusualSessionSettings);
  const ask = async (inner: string, order: string, values: readonly SqlValue[]): Promise<string> => {
    const text = `select coalesce(to_jsonb(value)::text, 'null') as value from (${inner}) as tried ${order}`;
    const { rows } = await client.query<{ value: string }>(text, [...values]);
    return rows.map(({ value }) => value).join(' ');
  };
  return {
    client,
    valuesOfRows: (sql, values) => ask(`select ${sql} as value, item.id from item`, 'order by id', values),
    valueOfAll: (sql, values) => ask(`select ${sql} as value from item`, '', values),
    end: async () => {
      await client.end();
      await database.drop();
    },
  };
};
