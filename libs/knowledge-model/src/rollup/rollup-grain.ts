/**
 * What a rollup keeps of each of its grains: one row for each combination of the keys, with the parts of its aggregates, and the
 * statements that make the table of it.
 */
import {
  callFunction,
  countStar,
  parameter,
  printPostgres,
  type PrintedSql,
  quoteIdentifier,
  type SqlColumn,
  type SqlExpression,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { TypedAggregate } from '../expression/typed-expression.js';
import { planQuery } from '../plan/plan-query.js';
import type { CheckedRollup } from '../query/caller-view.js';
import { buildGrainSelects } from '../statement/write-groups.js';
import { fingerprintOf } from './rewrite-expression.js';

export type RollupPart = {
  readonly column: string;
  readonly value: SqlExpression;
  /** Of the smallest or largest decimal: columns with the fewest and the most digits behind the point that its values show. */
  readonly digits?: { readonly fewest: SqlColumn; readonly most: SqlColumn };
};

export type RollupGrain = {
  /** The id of the rollup. */
  readonly rollup: string;
  /** The keys under the names `k1`, `k2` and so on; groups and joins as those of a question. */
  readonly select: SqlSelect;
  readonly keys: readonly SqlExpression[];
  /** Columns of keys that the model calls integers. */
  readonly integerKeys: readonly string[];
  /** The first counts the rows. */
  readonly parts: readonly RollupPart[];
  /** By the names that the model gives them. */
  readonly tables: readonly string[];
  /** Another one for other groups. */
  readonly fingerprint: string;
};

export const rollupKeyColumn = (at: number): string => `k${at + 1}`;

/** Of each rollup in the one schema in which it is asked for; every question looks at all of its model. */
const opened = new WeakMap<CheckedRollup, { readonly schema: string; readonly grains: readonly RollupGrain[] }>();

/** `schema`: as PostgreSQL knows the one that holds the tables. */
export const openRollupGrains = (rollup: CheckedRollup, schema: string): readonly RollupGrain[] => {
  const known = opened.get(rollup);
  if (known?.schema === schema) return known.grains;
  const grains = planRollupGrains(rollup, schema);
  opened.set(rollup, { schema, grains });
  return grains;
};

const planRollupGrains = ({ id, query }: CheckedRollup, schema: string): readonly RollupGrain[] => {
  const plan = planQuery(query);
  if (!plan.ok || plan.value.kind !== 'groups') throw new Error(`The rollup ${id} was checked.`);
  const { grains, keys } = plan.value;
  const selects = buildGrainSelects({ view: query.view, schema }, plan.value, grains);
  const types = keys.map(({ asked }) => asked.type);
  return selects.map((select, at) => rollupGrain(id, select, types, grains[at]?.aggregates ?? []));
};

const rollupGrain = (
  rollup: string,
  { columns, ...select }: SqlSelect,
  types: readonly ValueType[],
  aggregates: readonly TypedAggregate[],
): RollupGrain => {
  const keyCount = types.length;
  const keys = columns.slice(0, keyCount).map(({ value }) => value);
  const values = new Map([[fingerprintOf(countStar), { value: countStar, isDecimal: false }]]);
  columns.slice(keyCount).forEach(({ value }, at) => {
    const isDecimal = aggregates[at]?.type === 'float';
    for (const part of partsOfAggregate(value)) {
      const print = fingerprintOf(part);
      if (!values.has(print)) values.set(print, { value: part, isDecimal });
    }
  });
  const parts = [...values.values()].map(({ value, isDecimal }, at) => rollupPart(value, at + 1, isDecimal));
  const sources = [...(select.from ? [select.from] : []), ...(select.joins ?? []).map(({ source }) => source)];
  const kept: SqlSelect = {
    ...select,
    columns: [
      ...keys.map((value, at) => ({ value, alias: rollupKeyColumn(at) })),
      ...parts.map(({ value, column }) => ({ value, alias: column })),
      ...parts.flatMap(({ digits }) => (digits ? [digits.fewest, digits.most] : [])),
    ],
  };
  const { text, values: literals } = printPostgres(kept);
  const tables = [...new Set(sources.map(nameOfTable))];
  const integerKeys = types.flatMap((type, at) => (type === 'integer' ? [rollupKeyColumn(at)] : []));
  return { rollup, select: kept, keys, integerKeys, parts, tables, fingerprint: JSON.stringify([text, literals]) };
};

const nameOfTable = (source: SqlSource): string => (source.kind === 'table' ? source.name : '');

/** An average is no sum of averages. */
export const partsOfAggregate = (value: SqlExpression): readonly SqlExpression[] =>
  value.kind === 'aggregate' && value.function === 'avg' && !value.distinct
    ? [
        { ...value, function: 'sum' },
        { ...value, function: 'count' },
      ]
    : [value];

/** Which of two equal decimals is the largest depends on the order of the rows, unless all show as many digits. */
const rollupPart = (value: SqlExpression, number: number, isDecimal: boolean): RollupPart => {
  const part = { column: `p${number}`, value };
  if (!isDecimal || value.kind !== 'aggregate' || (value.function !== 'min' && value.function !== 'max')) return part;
  if (!value.argument) return part;
  const argument = callFunction('scale', value.argument);
  return {
    ...part,
    digits: {
      fewest: { value: { ...value, function: 'min', argument }, alias: `f${number}` },
      most: { value: { ...value, function: 'max', argument }, alias: `m${number}` },
    },
  };
};

/** As PostgreSQL names it. */
type Place = { readonly schema: string; readonly name: string };

export type RollupStatements = {
  /** Makes at most one row more than `groupsMax`. */
  readonly create: PrintedSql;
  /**
   * One row: `isWhole`, unless a row was joined to several; `hasFractions`, when a key is no integer although the model says so;
   * `mixed`, the columns that hold values of different digits.
   */
  readonly check: string;
  /** What nobody reads, `mixed` among it; undefined when there is nothing. */
  readonly tidy: (mixed: readonly string[]) => string | undefined;
};

export const printRollupStatements = (grain: RollupGrain, place: Place, groupsMax: number): RollupStatements => {
  const table = `${quoteIdentifier(place.schema)}.${quoteIdentifier(place.name)}`;
  const { select, parts, integerKeys } = grain;
  const { text, values } = printPostgres({ ...select, limit: parameter(String(groupsMax + 1), 'bigint') });
  const compared = parts.flatMap(({ column, digits }) => (digits ? [{ column, ...digits }] : []));
  const digitColumns = compared.flatMap(({ fewest, most }) => [fewest.alias ?? '', most.alias ?? '']);
  const mixed = compared.map(({ column, fewest, most }) => {
    const [low, high] = [quoteIdentifier(fewest.alias ?? ''), quoteIdentifier(most.alias ?? '')];
    return `case when min(${low}) is distinct from max(${high}) then '${column}' end`;
  });
  return {
    create: { text: `create table ${table} with (autovacuum_enabled = off) as ${text}`, values },
    check: `select ${printIsWhole(select)} as "isWhole", ${printHasFractions(integerKeys)} as "hasFractions",
      array_remove(array[${mixed.join(', ')}]::text[], null) as mixed from ${table}`,
    tidy: (unusable) => {
      const dropped = [...digitColumns, ...unusable].map((name) => `drop column ${quoteIdentifier(name)}`);
      return dropped.length > 0 ? `alter table ${table} ${dropped.join(', ')}` : undefined;
    },
  };
};

/** Of two equal ones that show different digits one would be lost. */
const printHasFractions = (keys: readonly string[]): string =>
  keys.length === 0
    ? 'false'
    : `coalesce(greatest(${keys.map((key) => `max(scale(${quoteIdentifier(key)}))`).join(', ')}), 0) > 0`;

/** The first part of all groups counts the rows of the joined tables. */
const printIsWhole = ({ from, joins = [] }: SqlSelect): string => {
  if (joins.length === 0 || from?.kind !== 'table') return 'true';
  const root = `${quoteIdentifier(from.schema)}.${quoteIdentifier(from.name)}`;
  return `coalesce(sum(p1), 0) = (select count(*) from ${root})`;
};
