/**
 * One question, answered by the compiled statements on PostgreSQL and by the independent evaluation: what differs, in
 * words for people who look for the reason.
 */
import { isDeepStrictEqual } from 'node:util';
import { quoteIdentifier } from '@tessera/sql';
import type pg from 'pg';
import { checkModel } from '../../check-model.js';
import { compileQuery } from '../../compile-query.js';
import { createCallerView } from '../../query/caller-view.js';
import type { CompiledQuery, DataQuery } from '../../query/data-query.js';
import { runCompiledQuery, isSameValue, printRows } from './answers.js';
import { evaluateQuery, type ExpectedAnswer } from './evaluate-query.js';
import type { RandomQuery } from './random-query.js';
import type { RandomWorld } from './random-world.js';

type Place = { readonly client: pg.Client; readonly schema: string };
type Comparison = { readonly difference: string | undefined; readonly expected: ExpectedAnswer };

export const compareAnswers = async (
  { client, schema }: Place,
  random: RandomWorld,
  { query, caller }: RandomQuery,
): Promise<Comparison> => {
  const expected = evaluateQuery(random.world, query, caller);
  const checked = checkModel(random.world.definition, new Map());
  if (!checked.ok) return { expected, difference: `the model is refused: ${JSON.stringify(checked.faults)}` };
  const compiled = compileQuery(createCallerView(checked, caller), query, { schema });
  if (compiled.ok && expected.ok) {
    const another = compileQuery(
      createCallerView(checked, caller),
      { ...withoutSort(query), page: query.page + 1 },
      { schema },
    );
    const isSameCount = another.ok && JSON.stringify(another.value.count) === JSON.stringify(compiled.value.count);
    const difference =
      (isSameCount ? undefined : 'the count depends on the page or the sort') ??
      differenceOfTables(random, compiled.value, schema) ??
      (await differenceOfRows(client, random, expected, compiled.value));
    return { expected, difference };
  }
  const code = compiled.ok ? 'an answer' : compiled.failure.code;
  if (!expected.ok && expected.codes.includes(code)) return { expected, difference: undefined };
  const difference = `expected ${expected.ok ? 'an answer' : expected.codes.join(' or ')}, got ${code}`;
  return { expected, difference: compiled.ok ? difference : `${difference}: ${compiled.failure.detail}` };
};

const withoutSort = ({ sort: _, ...query }: DataQuery): DataQuery => query;

/** What is read is what the answer depends on. */
const differenceOfTables = (
  { world: { tables } }: RandomWorld,
  { rows, count, tables: told }: CompiledQuery,
  schema: string,
): string | undefined => {
  const place = (table: string): string => `${quoteIdentifier(schema)}.${quoteIdentifier(table)} as `;
  const read = [...tables.keys()].filter((table) => `${rows.text} ${count.text}`.includes(place(table)));
  return isDeepStrictEqual(read.sort(), [...told].sort())
    ? undefined
    : `reads ${read.join()}, but tells ${told.join()}`;
};

const differenceOfRows = async (
  client: pg.Client,
  { kpis }: RandomWorld,
  expected: ExpectedAnswer & { ok: true },
  compiled: CompiledQuery,
): Promise<string | undefined> => {
  const sql = `${compiled.rows.text}\n${JSON.stringify(compiled.rows.values)}\n${compiled.count.text}`;
  const found = await runCompiledQuery(client, compiled).catch((error: unknown) => String(error));
  if (typeof found === 'string') return `${found}\n${sql}`;
  const columns = compiled.columns.map(({ id, aggregation }) => ({ id, aggregation }));
  const exact = columns.map(({ id }) => kpis.find(({ definition }) => definition.id === id)?.isExact ?? true);
  const isEqual =
    JSON.stringify(columns) === JSON.stringify(expected.columns) &&
    found.total === expected.total &&
    found.rows.length === expected.rows.length &&
    expected.rows.every((row, at) =>
      row.every((value, column) => isSameValue(value, found.rows[at]?.[column] ?? null, exact[column] ?? true)),
    );
  const shown = [expected, found].map(({ rows, total }) => `${printRows(rows)}\n  of ${total}`);
  return isEqual ? undefined : `expected\n${shown[0]}\ngot\n${shown[1]}\n${sql}`;
};

export const explainDifference = (
  { world: { definition }, sqlIn }: RandomWorld,
  { query, caller }: RandomQuery,
  difference: string,
): string => [difference, JSON.stringify({ query, caller }), JSON.stringify(definition), sqlIn('s')].join('\n');
