/**
 * An expression over rows -> the same over groups of them: each part that is a key of the groups becomes its column. An expression that
 * reads anything else of a row has no value for a group.
 */
import { callFunction, parameter, type SqlExpression } from '@tessera/sql';

/** Thrown at any depth, and caught where an expression is rewritten. */
class NoKeyError extends Error {}

type RenameAlias = (alias: string) => string;

/** The same text for the same expression, whatever literals it was made of. `rename`: the names of its sources. */
export const fingerprintOf = (sql: SqlExpression, rename: RenameAlias = sameName): string =>
  JSON.stringify(sql, (member, value: unknown) => {
    if (member === 'origin') return undefined;
    return member === 'table' && typeof value === 'string' ? rename(value) : value;
  });

const sameName: RenameAlias = (alias) => alias;

export type GroupKey = { readonly value: SqlExpression; readonly column: SqlExpression };

/** Undefined when it reads what is no key. */
export type RewriteExpression = (sql: SqlExpression) => SqlExpression | undefined;

export const createRewriter = (keys: readonly GroupKey[], rename: RenameAlias): RewriteExpression => {
  const known = new Map(keys.map((key) => [fingerprintOf(key.value), key.column]));
  // Where texts are only told apart, they may be so by any order of texts.
  const unordered = new Map(
    keys.flatMap((key) => (key.value.kind === 'collate' ? [[fingerprintOf(key.value.operand), key.column]] : [])),
  );
  const rewrite = (sql: SqlExpression): SqlExpression => {
    if (sql.kind === 'parameter' || sql.kind === 'constant') return sql;
    return known.get(fingerprintOf(sql, rename)) ?? rewriteLongerPeriod(sql) ?? rewriteParts(sql, rewrite, compared);
  };
  const compared = (sql: SqlExpression): SqlExpression => unordered.get(fingerprintOf(sql, rename)) ?? rewrite(sql);
  const rewriteLongerPeriod = (sql: SqlExpression): SqlExpression | undefined => {
    const period = periodOf(sql);
    if (!period) return undefined;
    for (const part of partsOfPeriods[period.unit] ?? []) {
      const day = known.get(fingerprintOf(firstDayOf(part, period.moment), rename));
      if (day) return truncate(period.unit, { kind: 'cast', operand: day, type: 'timestamp' });
    }
    return undefined;
  };
  return (sql) => {
    try {
      return rewrite(sql);
    } catch (error) {
      if (error instanceof NoKeyError) return undefined;
      throw error;
    }
  };
};

/** Each begins with the first day of these. */
const partsOfPeriods: Readonly<Record<string, readonly string[]>> = { year: ['quarter', 'month'], quarter: ['month'] };

const truncate = (unit: string, moment: SqlExpression): SqlExpression =>
  callFunction('date_trunc', parameter(unit, 'text'), moment);

/** As formulas write it. */
const firstDayOf = (unit: string, moment: SqlExpression): SqlExpression => ({
  kind: 'cast',
  operand: truncate(unit, moment),
  type: 'date',
});

const periodOf = (sql: SqlExpression): { readonly unit: string; readonly moment: SqlExpression } | undefined => {
  if (sql.kind !== 'call' || sql.function !== 'date_trunc' || sql.arguments.length > 2) return undefined;
  const [unit, moment] = sql.arguments;
  return unit?.kind === 'parameter' && typeof unit.value === 'string' && moment
    ? { unit: unit.value, moment }
    : undefined;
};

type Rewrite = (sql: SqlExpression) => SqlExpression;

/** `compared`: of a part that is only told apart from another. */
const rewriteParts = (sql: SqlExpression, rewrite: Rewrite, compared: Rewrite): SqlExpression => {
  switch (sql.kind) {
    case 'parameter':
    case 'constant':
      return sql;
    case 'binary': {
      const side = isEquality(sql.operator) ? compared : rewrite;
      return { ...sql, left: side(sql.left), right: side(sql.right) };
    }
    case 'any':
      return {
        ...sql,
        left: sql.operator === 'ilike' ? rewrite(sql.left) : compared(sql.left),
        list: rewrite(sql.list),
      };
    case 'and':
    case 'or':
    case 'row':
      return { ...sql, operands: sql.operands.map(rewrite) };
    case 'isNull':
    case 'collate':
      return { ...sql, operand: compared(sql.operand) };
    case 'not':
    case 'negate':
    case 'isNotTrue':
    case 'cast':
    case 'storedText':
    case 'extract':
      return { ...sql, operand: rewrite(sql.operand) };
    case 'call':
      return { ...sql, arguments: sql.arguments.map(rewrite) };
    case 'case':
      return {
        ...sql,
        branches: sql.branches.map(({ when, then }) => ({ when: rewrite(when), then: rewrite(then) })),
        ...(sql.operand && { operand: compared(sql.operand) }),
        ...(sql.otherwise && { otherwise: rewrite(sql.otherwise) }),
      };
    case 'between':
      return { ...sql, operand: rewrite(sql.operand), low: rewrite(sql.low), high: rewrite(sql.high) };
    case 'guarded':
      return { ...sql, condition: rewrite(sql.condition), value: rewrite(sql.value) };
    case 'column':
    case 'lateParameter':
    case 'in':
    case 'aggregate':
    case 'deviation':
    case 'percentiles':
    case 'rowsInAll':
    case 'rowNumber':
    case 'rowsInPart':
    case 'exists':
    case 'array':
    case 'scalar':
      throw new NoKeyError();
  }
};

const isEquality = (operator: string): boolean => operator === '=' || operator === '<>' || operator === 'like';
