/**
 * A question asked page by page, each behind the last row of the one before, as texts of PostgreSQL. Fails after more
 * pages than there are rows.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Result } from '@tessera/failures';
import type pg from 'pg';
import type { CompiledQuery, DataQuery, Keyset } from '../../query/data-query.js';
import { type TextValues, readTextRows } from './answers.js';

/** Compiles one of its pages, or all of it. */
export type CompilePage = (query: DataQuery) => Result<CompiledQuery>;

export type PageWalk = {
  readonly rows: readonly TextValues[];
  /** Behind which places pages began. */
  readonly places: readonly TextValues[];
};

/** Undefined when the question is refused. `skip`: rows before the first page. */
export const walkPages = async (
  client: pg.Client,
  compile: CompilePage,
  query: DataQuery,
  skip: number,
): Promise<PageWalk | undefined> => {
  const rows: TextValues[] = [];
  const places: TextValues[] = [];
  const texts = new Map<string, string>();
  for (let keyset: Keyset = { skip }; ;) {
    const compiled = compile({ ...query, keyset });
    if (!compiled.ok) return undefined;
    const { rows: statement, order } = compiled.value;
    const key = JSON.stringify(keyset.after?.map((value) => value === null));
    if (keyset.after && (texts.get(key) ?? statement.text) !== statement.text) throw new Error('The text changes.');
    texts.set(key, statement.text);
    const page = await readTextRows(client, statement);
    rows.push(...page);
    const last = page.at(-1);
    if (!last || page.length < query.pageSize) return { rows, places };
    const after = order.map(({ column }) => last[column] ?? null);
    if (places.some((place) => isDeepStrictEqual(place, after)))
      throw new Error(`${JSON.stringify(after)} comes twice.`);
    places.push(after);
    keyset = { skip, after };
  }
};
