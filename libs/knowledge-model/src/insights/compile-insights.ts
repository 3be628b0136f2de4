/**
 * A query for what drives a KPI -> its statements: the KPI for each value of a field, and how many rows of its grain these are.
 */
import { fail, type Result, succeed } from '@tessera/failures';
import { compileResolvedQuery } from '../compile-query.js';
import type { TypedExpression } from '../expression/typed-expression.js';
import type { CallerView } from '../query/caller-view.js';
import type { CompiledQuery, CompiledStatement, DataQuery, ResultColumn } from '../query/data-query.js';
import { createCountColumn } from '../query/field-aggregate.js';
import type { RequestedKpi } from '../query/query-field.js';
import { resolveQuery } from '../query/resolve-query.js';

export type InsightQuery = Pick<DataQuery, 'filterIds' | 'parsedFilters'> & {
  readonly kpi: string;
  /** `RECORD.FIELD` */
  readonly fields: readonly string[];
  /** Of each field those that most rows have. */
  readonly valuesMax: number;
};

export type CompiledInsights = Pick<CompiledQuery, 'tables' | 'settings'> & {
  readonly kpi: ResultColumn;
  readonly isAdditive: boolean;
  /** One row: the KPI, the number of rows. */
  readonly overall: CompiledStatement;
  /** A row for each value: the value, the KPI, the number of rows. */
  readonly fields: readonly { readonly field: ResultColumn; readonly values: CompiledStatement }[];
};

export const compileInsights = (
  view: CallerView,
  question: InsightQuery,
  place: { readonly schema: string },
): Result<CompiledInsights> => {
  const kpi = view.names.kpis.get(question.kpi);
  const plain = compileWith(view, question, undefined, [], place);
  if (!plain.ok) return plain;
  const [grain] = plain.value.grain;
  if (!kpi || grain === undefined)
    return fail('GENERAL_PARAMETER_MISSMATCH', `${question.kpi} is computed over no rows; ask for another KPI.`);
  const rows = [createCountColumn('#rows', grain)];
  const overall = compileWith(view, question, undefined, rows, place);
  if (!overall.ok) return overall;
  const fields: { field: ResultColumn; compiled: CompiledQuery }[] = [];
  for (const id of question.fields) {
    const compiled = compileWith(view, question, id, rows, place);
    if (!compiled.ok) return compiled;
    const [field] = compiled.value.columns;
    if (field) fields.push({ field, compiled: compiled.value });
  }
  const tables = [overall.value, ...fields.map(({ compiled }) => compiled)].flatMap((compiled) => compiled.tables);
  return succeed({
    kpi: kpi.column,
    isAdditive: isAdditive(kpi.typed.formula),
    overall: overall.value.rows,
    fields: fields.map(({ field, compiled }) => ({ field, values: compiled.rows })),
    tables: [...new Set(tables)],
    settings: overall.value.settings,
  });
};

/** By the last column, descending, where there is a field. */
const compileWith = (
  view: CallerView,
  { kpi, filterIds, parsedFilters = [], valuesMax }: InsightQuery,
  field: string | undefined,
  others: readonly RequestedKpi[],
  place: { readonly schema: string },
): Result<CompiledQuery> => {
  const resolved = resolveQuery(view, {
    fields: field === undefined ? [] : [field],
    kpis: [kpi],
    filterIds,
    filterExpressions: [],
    parsedFilters,
    distinct: false,
    page: 0,
    pageSize: valuesMax,
  });
  if (!resolved.ok) return resolved;
  const columns = [...resolved.value.columns, ...others];
  const sort = field === undefined ? [] : [{ column: columns.length - 1, descending: true }];
  return compileResolvedQuery({ ...resolved.value, columns, sort }, place);
};

export const isAdditive = (formula: TypedExpression): boolean => {
  switch (formula.kind) {
    case 'aggregate':
      return !formula.distinct && (formula.function === 'sum' || formula.function === 'count');
    case 'kpi':
      return isAdditive(formula.formula);
    case 'negate':
      return isAdditive(formula.operand);
    case 'cast':
      // To an integer it rounds, each part for itself.
      return formula.type === 'float' && isAdditive(formula.operand);
    case 'arithmetic':
      return addsUpWith(formula);
    case 'call': {
      const [value, otherwise] = formula.arguments;
      const isZero = otherwise?.kind === 'literal' && Number(otherwise.value ?? Number.NaN) === 0;
      return formula.function === 'coalesce' && value !== undefined && isZero && isAdditive(value);
    }
    default:
      return false;
  }
};

const addsUpWith = ({ operator, left, right }: TypedExpression & { readonly kind: 'arithmetic' }): boolean => {
  switch (operator) {
    case '+':
    case '-':
      return isAdditive(left) && isAdditive(right);
    case '*':
      return (isAdditive(left) && isNumber(right)) || (isNumber(left) && isAdditive(right));
    case '/':
      return isAdditive(left) && isNumber(right);
    case '%':
    case '||':
      return false;
  }
};

const isNumber = (expression: TypedExpression): boolean => {
  if (expression.kind === 'negate' || expression.kind === 'cast') return isNumber(expression.operand);
  return expression.kind === 'literal' && (expression.type === 'integer' || expression.type === 'float');
};
