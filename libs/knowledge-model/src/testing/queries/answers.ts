/**
 * What PostgreSQL answers to a compiled question, read into values that the independent evaluation can be compared
 * with.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type pg from 'pg';
import type { CompiledQuery, CompiledStatement } from '../../query/data-query.js';
import { isRational, valueToText, type FormulaValue } from '../evaluate.js';
import * as numbers from '../rational.js';
import { valueOfText } from './evaluate-condition.js';
import { createValueKey } from './sample-world.js';

type QueryAnswer = { readonly rows: readonly (readonly FormulaValue[])[]; readonly total: number };

export const runCompiledQuery = async (client: pg.Client, compiled: CompiledQuery): Promise<QueryAnswer> => {
  for (const [name, value] of Object.entries(compiled.settings))
    await client.query('select set_config($1, $2, true)', [name, value]);
  const rows = await readTextRows(client, compiled.rows);
  const [count] = await readTextRows(client, compiled.count);
  const types = compiled.columns.map(({ type }) => type);
  return {
    rows: rows.map((row) => row.map((text, at) => readText(text, types[at] ?? 'string'))),
    total: Number(count?.[0]),
  };
};

export type TextValues = readonly (string | null)[];

const asText = { getTypeParser: () => (text: string) => text };

export const readTextRows = async (
  client: pg.Client,
  { text, values }: CompiledStatement,
): Promise<readonly TextValues[]> => {
  const asked = { text, values: [...values], rowMode: 'array' as const, types: asText };
  return (await client.query<(string | null)[]>(asked)).rows;
};

const readText = (text: string | null, type: ValueType): FormulaValue => {
  if (text === null) return null;
  const value = valueOfText(type === 'boolean' ? (booleans.get(text) ?? text) : withoutExponent(text, type), type);
  if (value === undefined) throw new Error(`${text} is no ${type}.`);
  return value;
};

const booleans: ReadonlyMap<string, string> = new Map([
  ['t', 'true'],
  ['f', 'false'],
]);

/** `1.5e-07` as double precision prints it. */
const withoutExponent = (text: string, type: ValueType): string => {
  const [, sign = '', digits = '', exponent] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined || type === 'string') return text;
  const [whole = '', fraction = ''] = digits.split('.');
  const places = fraction.length - Number(exponent);
  const all = (whole + fraction).padStart(places + 1, '0').padEnd((whole + fraction).length - Math.min(places, 0), '0');
  return places > 0 ? `${sign}${all.slice(0, -places)}.${all.slice(-places)}` : `${sign}${all}`;
};

/** What was rounded only has to be near. */
export const isSameValue = (expected: FormulaValue, found: FormulaValue, isExact: boolean): boolean => {
  if (isExact || !isRational(expected) || !isRational(found)) return createValueKey(expected) === createValueKey(found);
  const difference = numbers.add(expected, numbers.negate(found));
  const allowed = numbers.multiply(expected, numbers.createRational(1n, 10n ** 14n));
  return numbers.compare(sized(difference), sized(allowed)) <= 0;
};

const sized = (value: numbers.Rational): numbers.Rational => (value.over < 0n ? numbers.negate(value) : value);

/** For people who look for a difference. */
export const printRows = (rows: readonly (readonly FormulaValue[])[]): string =>
  rows.map((row) => `  ${row.map(showValue).join(' | ')}`).join('\n');

const showValue = (value: FormulaValue): string => {
  if (value === null) return 'null';
  if (isRational(value)) return value.under === 1n ? `${value.over}` : `${value.over}/${value.under}`;
  return typeof value === 'string' ? JSON.stringify(value) : valueToText(value);
};
