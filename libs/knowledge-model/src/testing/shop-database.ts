/** The shop in a database of its own, and questions to it: compiled, run, with every value as PostgreSQL prints it. */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import { createTestDatabase } from '@tessera/testing';
import pg from 'pg';
import { checkModel } from '../check-model.js';
import { compileQuery } from '../compile-query.js';
import type { CompiledQuery, CompiledStatement, DataQuery, QueryCaller } from '../query/data-query.js';
import { createCallerView } from '../query/caller-view.js';
import { shopDefinition, shopTablesSql } from './shop-model.js';

export type QueryMembers = Partial<DataQuery>;

/** Whom no policy restricts. */
export const fullAccessCaller: QueryCaller = { scopes: ['all'], attributes: {} };
/** Who sees the customers of Rome, and orders of any freight but 99. */
export const romeCaller: QueryCaller = { scopes: [], attributes: { cities: ['Rome'] } };

export const emptyQuery: DataQuery = {
  ...{ fields: [], kpis: [], filterIds: [], filterExpressions: [] },
  ...{ distinct: false, page: 0, pageSize: 50 },
};

const checked = checkModel(shopDefinition, new Map());

export const compileShopQuery = (
  question: QueryMembers,
  caller: QueryCaller = fullAccessCaller,
  definition = checked,
) => {
  if (!definition.ok) throw new Error(JSON.stringify(definition.faults));
  return compileQuery(createCallerView(definition, caller), { ...emptyQuery, ...question }, { schema: 'shop' });
};

/** Of a question that has no fault. `policies`: in the place of those of the shop. */
export const compileValidShopQuery = (
  question: QueryMembers,
  caller?: QueryCaller,
  policies?: readonly PolicyDefinition[],
): CompiledQuery => {
  const definition = policies ? checkModel({ ...shopDefinition, policies: [...policies] }, new Map()) : checked;
  const compiled = compileShopQuery(question, caller, definition);
  if (!compiled.ok) throw new Error(compiled.failure.detail);
  return compiled.value;
};

type Rows = readonly (readonly (string | null)[])[];

export type ShopDatabase = {
  readonly client: pg.Client;
  readonly run: (statement: CompiledStatement) => Promise<Rows>;
  readonly answer: (query: CompiledQuery) => Promise<{ readonly rows: Rows; readonly total: string }>;
  /** How PostgreSQL goes about it when a sort or a walk through all rows costs more than anything else. */
  readonly explain: (statement: CompiledStatement) => Promise<string>;
  readonly end: () => Promise<void>;
};

export const openShopDatabase = async (): Promise<ShopDatabase> => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query(shopTablesSql);
  const run = async ({ text, values }: CompiledStatement): Promise<Rows> => {
    const types = { getTypeParser: () => (value: string) => value };
    const { rows } = await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array', types });
    return rows;
  };
  return {
    client,
    run,
    answer: async ({ rows, count, settings }) => {
      for (const [name, value] of Object.entries(settings))
        await client.query('select set_config($1, $2, false)', [name, value]);
      const [total] = await run(count);
      return { rows: await run(rows), total: total?.[0] ?? '' };
    },
    explain: async ({ text, values }) => {
      await client.query('set enable_seqscan = off; set enable_sort = off; set enable_incremental_sort = off');
      return (await run({ text: `explain (costs off) ${text}`, values })).map(([line]) => line).join('\n');
    },
    end: async () => {
      await client.end();
      await database.drop();
    },
  };
};
