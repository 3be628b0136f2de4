/**
 * Conditions that may fail on a value are computed only where policies hold: PostgreSQL may compute them before it looks at a policy,
 * and the failure would tell of a hidden row. What fails on no value stands as it is, so that indexes serve it.
 */
import { allOf, type SqlExpression, type SqlFunction, type SqlOperator, type SqlQuery } from '@tessera/sql';

export const guardCondition = (policies: readonly SqlExpression[], condition: SqlExpression): SqlExpression =>
  policies.length === 0 || isTotal(condition)
    ? condition
    : { kind: 'guarded', condition: allOf(policies), value: condition };

const totalOperators: ReadonlySet<SqlOperator> = new Set(['=', '<>', '>', '>=', '<', '<=', 'like', 'ilike', '<%']);
const totalFunctions: ReadonlySet<SqlFunction> = new Set([
  'pg_input_is_valid',
  ...(['lower', 'upper', 'btrim', 'char_length', 'strpos', 'starts_with', 'timezone'] as const),
  ...(['coalesce', 'nullif', 'greatest', 'least', 'unnest', 'width_bucket'] as const),
]);

/** True when it fails on no value. Casts to types of the database are of their own values, or of texts that were looked at. */
export const isTotal = (sql: SqlExpression): boolean => {
  switch (sql.kind) {
    case 'column':
    case 'parameter':
    case 'lateParameter':
    case 'constant':
      return true;
    case 'binary':
      return (totalOperators.has(sql.operator) || isRemainder(sql)) && isTotal(sql.left) && isTotal(sql.right);
    case 'any':
      return isTotal(sql.left) && isTotal(sql.list);
    case 'in':
      return isTotal(sql.operand) && isTotalQuery(sql.query);
    case 'row':
    case 'and':
    case 'or':
      return sql.operands.every(isTotal);
    case 'not':
    case 'isNull':
    case 'isNotTrue':
    case 'extract':
    case 'collate':
    case 'storedText':
      return isTotal(sql.operand);
    case 'cast':
      return typeof sql.type !== 'string' && isTotal(sql.operand);
    case 'call':
      return totalFunctions.has(sql.function) && sql.arguments.every(isTotal);
    case 'case': {
      const parts = sql.branches.flatMap(({ when, then }) => [when, then]);
      return [...parts, ...(sql.operand ? [sql.operand] : []), ...(sql.otherwise ? [sql.otherwise] : [])].every(
        isTotal,
      );
    }
    case 'between':
      return [sql.operand, sql.low, sql.high].every(isTotal);
    case 'guarded':
      return isTotal(sql.condition) && isTotal(sql.value);
    case 'exists':
    case 'array':
    case 'scalar':
      return isTotalQuery(sql.query);
    case 'negate':
    case 'aggregate':
    case 'deviation':
    case 'percentiles':
    case 'rowsInAll':
    case 'rowNumber':
    case 'rowsInPart':
      return false;
  }
};

/** True for a division by a number that is not 0. */
const isRemainder = ({ operator, right }: SqlExpression & { readonly kind: 'binary' }): boolean =>
  operator === '%' && right.kind === 'parameter' && typeof right.value === 'number' && right.value !== 0;

/** Queries in conditions look at rows; what they answer of these are columns. */
const isTotalQuery = (query: SqlQuery): boolean =>
  query.kind === 'unionAll' ? query.queries.every(isTotalQuery) : query.where === undefined || isTotal(query.where);
