/**
 * The select of a grain over rows -> the same groups made of those of a rollup, or why it cannot be. Its rows are read by the same joins;
 * its keys and conditions read keys of the rollup; its aggregates are made of parts that can be added up, or of keys.
 */
import {
  binaryOperation,
  callFunction,
  column,
  parameter,
  type SqlExpression,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import type { GrainPlan } from '../plan/query-plan.js';
import { createRewriter, fingerprintOf, type RewriteExpression } from './rewrite-expression.js';
import { partsOfAggregate, type RollupGrain, rollupKeyColumn } from './rollup-grain.js';

/** A rollup that has been made. */
export type RollupTable = {
  /** As PostgreSQL names it, in the schema of the tables that it was made of. */
  readonly name: string;
  /** Of the columns that it has: their types as PostgreSQL says them. */
  readonly columns: ReadonlyMap<string, string>;
  readonly rows: number;
};

/** In the order in which they are looked for. */
export const rollupObstacles = ['joins', 'keys', 'conditions', 'aggregates'] as const;
export type RollupObstacle = (typeof rollupObstacles)[number];

export type RollupFit =
  | { readonly fits: true; readonly select: SqlSelect }
  | { readonly fits: false; readonly obstacle: RollupObstacle };

const stopAt = (obstacle: RollupObstacle): RollupFit => ({ fits: false, obstacle });

const alias = 'rollup';

/** `plan`: that of the select. */
export const fitRollup = (
  asked: SqlSelect,
  { aggregates }: Pick<GrainPlan, 'aggregates'>,
  { select: kept, keys, parts }: RollupGrain,
  { name, columns }: RollupTable,
): RollupFit => {
  const aliases = matchSources(asked, kept);
  if (!aliases || kept.from?.kind !== 'table') return stopAt('joins');
  const rename = (one: string): string => aliases.get(one) ?? `${one} `;
  const keyColumns = keys.map((_, at) => column(alias, rollupKeyColumn(at)));
  const rewrite = createRewriter(
    keys.map((value, at) => ({ value, column: keyColumns[at] ?? value })),
    rename,
  );
  const keyCount = asked.groupBy ?? 0;
  const askedKeys = asked.columns.slice(0, keyCount).flatMap(({ value }) => rewrite(value) ?? []);
  // Without keys there is one group even of no rows; with them there is none.
  const isAlwaysOne = keys.length === 0;
  if (askedKeys.length < keyCount || (isAlwaysOne && keyCount > 0)) return stopAt('keys');
  const where = asked.where && rewrite(asked.where);
  if (asked.where && !where) return stopAt('conditions');
  const isEachGroup = keyColumns.every((key) => askedKeys.some((one) => fingerprintOf(one) === fingerprintOf(key)));
  const typeOf = new Map(
    parts.flatMap(({ value, column: of }) => {
      const type = columns.get(of);
      return type === undefined || type === 'interval'
        ? []
        : [[fingerprintOf(value), { place: column(alias, of), type }]];
    }),
  );
  const find: FindPart = (value) => typeOf.get(fingerprintOf(value, rename));
  const values = asked.columns.slice(keyCount).flatMap(({ value }, at) => {
    const isAmbiguous = ambiguousTypes.includes(aggregates[at]?.type ?? 'interval');
    return combineAggregate(value, { find, rewrite, isEachGroup, isAmbiguous }) ?? [];
  });
  if (values.length < asked.columns.length - keyCount) return stopAt('aggregates');
  return {
    fits: true,
    select: {
      kind: 'select',
      columns: [...askedKeys, ...values].map((value, at) => ({ ...asked.columns[at], value })),
      from: { kind: 'table', schema: kept.from.schema, name, alias },
      ...(where && { where }),
      groupBy: keyCount,
    },
  };
};

/** Equal values of these may look different. */
const ambiguousTypes: readonly string[] = ['float', 'interval'];

/** Its sources under the names that they have in the rollup; undefined when one is not joined there as it is here. */
const matchSources = (asked: SqlSelect, kept: SqlSelect): ReadonlyMap<string, string> | undefined => {
  if (!asked.from || !kept.from || asked.distinct || !isSameTable(asked.from, kept.from)) return undefined;
  const aliases = new Map([[asked.from.alias, kept.from.alias]]);
  for (const { source, ...join } of asked.joins ?? []) {
    const found = (kept.joins ?? []).find(({ source: other, ...candidate }) => {
      if (!('on' in join) || !('on' in candidate) || !isSameTable(source, other)) return false;
      const rename = (one: string): string => (one === source.alias ? other.alias : (aliases.get(one) ?? `${one} `));
      return fingerprintOf(join.on, rename) === fingerprintOf(candidate.on);
    });
    if (!found) return undefined;
    aliases.set(source.alias, found.source.alias);
  }
  return aliases;
};

const isSameTable = (one: SqlSource, other: SqlSource): boolean =>
  one.kind === 'table' && other.kind === 'table' && one.schema === other.schema && one.name === other.name;

type FoundPart = { readonly place: SqlExpression; readonly type: string };
type FindPart = (value: SqlExpression) => FoundPart | undefined;

type Combining = {
  readonly find: FindPart;
  readonly rewrite: RewriteExpression;
  /** Whether each group is one of the rollup, of which nothing has to be added up. */
  readonly isEachGroup: boolean;
  readonly isAmbiguous: boolean;
};

type Aggregate = SqlExpression & { readonly kind: 'aggregate' };

const combineAggregate = (value: SqlExpression, combining: Combining): SqlExpression | undefined => {
  if (value.kind !== 'aggregate') return undefined;
  return addUp(value, combining) ?? computeOfKeys(value, combining) ?? readOfGroup(value, combining);
};

const addUp = (value: Aggregate, { find, rewrite }: Combining): SqlExpression | undefined => {
  if (value.distinct) return undefined;
  const whole = addUpParts(value.function, partsOfAggregate(value).map(find));
  if (whole || !value.filter) return whole;
  const { filter: condition, ...all } = value;
  const filter = rewrite(condition);
  return filter && addUpParts(value.function, partsOfAggregate(all).map(find), filter);
};

const addUpParts = (
  name: Aggregate['function'],
  parts: readonly (FoundPart | undefined)[],
  filter?: SqlExpression,
): SqlExpression | undefined => {
  const [first, second] = parts;
  if (!first) return undefined;
  const over = (of: 'sum' | 'min' | 'max', { place: argument }: FoundPart): SqlExpression => ({
    ...{ kind: 'aggregate', function: of, distinct: false, argument },
    ...(filter && { filter }),
  });
  const count = (part: FoundPart): SqlExpression => ({
    kind: 'cast',
    operand: callFunction('coalesce', over('sum', part), parameter('0', 'numeric')),
    type: 'bigint',
  });
  switch (name) {
    case 'sum':
      return isExact(first) ? withTypeOf(first, over('sum', first)) : undefined;
    case 'count':
      return count(first);
    case 'min':
    case 'max':
      return over(name, first);
    case 'avg':
      return second && isExact(first)
        ? binaryOperation(over('sum', first), '/', callFunction('nullif', count(second), parameter('0', 'bigint')))
        : undefined;
  }
};

/** Sums of floating point depend on the order of the rows. */
const isExact = ({ type }: FoundPart): boolean => type === 'numeric' || type === 'bigint';

/** PostgreSQL makes a `numeric` of a sum of `bigint`, which was the sum of shorter integers here. */
const withTypeOf = ({ type }: FoundPart, sum: SqlExpression): SqlExpression =>
  type === 'bigint' ? { kind: 'cast', operand: sum, type: 'bigint' } : sum;

/** However often a value comes, it is the smallest, the largest, or one of the different ones. */
const computeOfKeys = (value: Aggregate, { rewrite, isAmbiguous }: Combining): SqlExpression | undefined => {
  const isExtreme = value.function === 'min' || value.function === 'max';
  const isOfValues = value.function === 'count' ? value.distinct : isExtreme && !isAmbiguous;
  const argument = isOfValues && value.argument ? rewrite(value.argument) : undefined;
  const filter = value.filter && rewrite(value.filter);
  if (!argument || (value.filter && !filter)) return undefined;
  return { ...value, argument, ...(filter && { filter }) };
};

/** Of one value that is the largest, too. */
const readOfGroup = (value: Aggregate, { find, isEachGroup, isAmbiguous }: Combining): SqlExpression | undefined => {
  const found = isEachGroup && !isAmbiguous ? find(value) : undefined;
  if (!found) return undefined;
  const read: SqlExpression = { kind: 'aggregate', function: 'max', distinct: false, argument: found.place };
  return value.function === 'count' ? callFunction('coalesce', read, parameter('0', 'bigint')) : read;
};
