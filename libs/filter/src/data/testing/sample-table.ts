/**
 * A table with a column of every type that a field can have, with nulls and without, and its fields as an owner declares
 * them. Moments are text of one form (`2015-05-07T08:30:15.123456`, timestamps in UTC), numbers are text.
 */
import { column, printPostgres } from '@tessera/sql';
import pg from 'pg';
import { compileFilter } from '../compile-filter.js';
import { parseDataFilter } from '../parse-data-filter.js';
import { type TypingOptions, typeCheckFilter } from '../type-filter.js';
import type { FieldDeclaration, TypedFilter } from '../typed-filter.js';

type SampleField = FieldDeclaration & { readonly sqlType: string };
export type SampleRow = { readonly id: number } & Readonly<Record<string, string | number | boolean | null>>;

export const sampleFields: ReadonlyMap<string, SampleField> = new Map<string, SampleField>([
  ['NAME', { type: 'string', nullable: true, sqlType: 'text' }],
  ['CODE', { type: 'string', nullable: false, sqlType: 'text' }],
  ['COUNT', { type: 'integer', nullable: true, sqlType: 'bigint' }],
  ['SIZE', { type: 'integer', nullable: false, sqlType: 'integer' }],
  ['RATE', { type: 'float', nullable: true, sqlType: 'double precision' }],
  ['AMOUNT', { type: 'float', nullable: true, sqlType: 'numeric' }],
  ['WEIGHT', { type: 'float', nullable: false, sqlType: 'double precision' }],
  ['BLOCKED', { type: 'boolean', nullable: true, sqlType: 'boolean' }],
  ['PAID', { type: 'boolean', nullable: false, sqlType: 'boolean' }],
  ['DUE', { type: 'date', nullable: true, sqlType: 'date' }],
  ['BOOKED', { type: 'date', nullable: false, sqlType: 'date' }],
  ['OPENS', { type: 'time', nullable: true, sqlType: 'time' }],
  ['CLOSES', { type: 'time', nullable: false, sqlType: 'time' }],
  ['SEEN', { type: 'datetime', nullable: true, sqlType: 'timestamp' }],
  ['MADE', { type: 'datetime', nullable: false, sqlType: 'timestamp' }],
  ['SENT', { type: 'timestamp', nullable: true, sqlType: 'timestamptz' }],
  ['READ', { type: 'timestamp', nullable: false, sqlType: 'timestamptz' }],
]);

export type SampleTable = {
  readonly fill: (rows: readonly SampleRow[]) => Promise<void>;
  readonly idsWhere: (condition: string, values: readonly unknown[]) => Promise<readonly number[]>;
  /** The plan for many rows, as text. */
  readonly explain: (condition: string, values: readonly unknown[]) => Promise<string>;
  readonly end: () => Promise<void>;
};

/** The session's zone is far from UTC, so that nothing may depend on it. */
export const openSampleTable = async (url: string): Promise<SampleTable> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const columns = [...sampleFields].map(
    ([name, { sqlType, nullable }]) => `"${name}" ${sqlType}${nullable ? '' : ' not null'}`,
  );
  await client.query(`set timezone = 'Pacific/Auckland'`);
  await client.query(`create table trial (id integer primary key, ${columns.join(', ')})`);
  for (const name of sampleFields.keys()) await client.query(`create index on trial ("${name}")`);
  return {
    fill: async (rows) => {
      const zoned = rows.map((row) => ({ ...row, SENT: zonedText(row['SENT']), READ: zonedText(row['READ']) }));
      await client.query('delete from trial');
      await client.query('insert into trial select * from jsonb_populate_recordset(null::trial, $1)', [
        JSON.stringify(zoned),
      ]);
    },
    idsWhere: async (condition, values) => {
      const { rows } = await client.query<{ id: number }>(`select id from trial t where ${condition} order by id`, [
        ...values,
      ]);
      return rows.map(({ id }) => id);
    },
    explain: async (condition, values) => {
      await client.query('begin; set local enable_seqscan = off');
      const { rows } = await client.query(`explain select id from trial t where ${condition}`, [...values]);
      await client.query('rollback');
      return JSON.stringify(rows);
    },
    end: () => client.end(),
  };
};

const zonedText = (value: unknown): string | null => (typeof value === 'string' ? `${value}Z` : null);

/** Text of a filter -> its SQL over the table, or its faults. */
export const compileSampleFilter = (text: string, options?: TypingOptions) => {
  const parsed = parseDataFilter(text, { callerAttributes: true });
  if (!parsed.ok) return { ok: false, faults: [parsed.fault] } as const;
  const typed = typeCheckFilter(parsed.value, sampleFields, options);
  if (!typed.ok) return typed;
  return { ok: true, sql: compileTypedFilter(typed.value) } as const;
};

export const compileTypedFilter = (filter: TypedFilter<SampleField>) =>
  printPostgres(compileFilter(filter, (_field, name) => column('t', name)));
