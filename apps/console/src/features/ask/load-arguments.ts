/** The arguments of a call of load-data, as a model gave them, and the same question as a query of the knowledge model. */
import { isObject, type JsonObject } from '../../api/json-values.js';

export type LoadArguments = {
  /** Ids of fields and KPIs. */
  readonly columns: readonly string[];
  /** Ids of filters of the model. */
  readonly filters: readonly string[];
  readonly conditions: readonly Condition[];
  readonly sort?: { readonly column: string; readonly isAscending: boolean };
};

export type Condition = { readonly column: string } & (
  | {
      readonly kind: 'texts';
      readonly values: readonly string[];
      readonly anyBefore: boolean;
      readonly anyAfter: boolean;
      readonly isExact: boolean;
      readonly isNegated: boolean;
    }
  | { readonly kind: 'number'; readonly comparator: Comparator; readonly value: number }
  | { readonly kind: 'days'; readonly from?: string; readonly to?: string; readonly isNegated: boolean }
  | { readonly kind: 'null'; readonly isNull: boolean }
);

const operatorBySymbol = { '=': 'eq', '!=': 'ne', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' } as const;
export type Comparator = keyof typeof operatorBySymbol;
const isComparator = (value: unknown): value is Comparator =>
  typeof value === 'string' && Object.hasOwn(operatorBySymbol, value);

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;

/** Undefined for the arguments of another tool. */
export const readLoadArguments = (given: unknown): LoadArguments | undefined => {
  if (!isObject(given)) return undefined;
  const columns = textsOf(given['columns']);
  if (columns.length === 0) return undefined;
  const applied = isObject(given['applied_filters']) ? given['applied_filters'] : {};
  const each = (
    name: string,
    read: (filter: JsonObject, column: string) => readonly Condition[],
  ): readonly Condition[] =>
    (Array.isArray(applied[name]) ? applied[name] : [])
      .filter(isObject)
      .flatMap((filter) => (typeof filter['column_id'] === 'string' ? read(filter, filter['column_id']) : []));
  return {
    ...{ columns, filters: textsOf(given['filters']) },
    conditions: [
      ...each('string_filters', readTexts),
      ...each('numeric_filters', readNumber),
      ...each('date_filters', readDays),
      ...each('null_filters', (filter, column) => [{ kind: 'null', column, isNull: filter['is_null'] !== false }]),
    ],
    ...(typeof given['order_by'] === 'string' && {
      sort: { column: given['order_by'], isAscending: given['ascending'] !== false },
    }),
  };
};

const readTexts = (filter: JsonObject, column: string): readonly Condition[] => {
  const values = textsOf(filter['values']);
  if (values.length === 0) return [];
  return [
    {
      ...{ kind: 'texts', column, values, isNegated: filter['negation'] === true },
      ...{ anyBefore: filter['add_wildcard_before'] === true, anyAfter: filter['add_wildcard_after'] === true },
      isExact: filter['case_sensitive'] === true,
    },
  ];
};

const readNumber = (filter: JsonObject, column: string): readonly Condition[] => {
  const { value, comparator = '=' } = filter;
  return typeof value === 'number' && isComparator(comparator) ? [{ kind: 'number', column, comparator, value }] : [];
};

const readDays = (filter: JsonObject, column: string): readonly Condition[] => {
  const [from, to] = [day(filter['start_date']), day(filter['end_date'])];
  if (from === undefined && to === undefined) return [];
  return [{ kind: 'days', column, from, to, isNegated: filter['negation'] === true }];
};

/** A question to a knowledge model, as the operations that query it take it. */
export type ModelQuery = {
  readonly model: string;
  readonly fields: readonly string[];
  readonly kpis: readonly string[];
  readonly filters: readonly string[];
  readonly filterExpr: readonly string[];
  readonly sort?: string;
};

/** KPIs have no record before their id. */
export const isField = (column: string): boolean => column.includes('.');

export const toModelQuery = (model: string, { columns, filters, conditions, sort }: LoadArguments): ModelQuery => ({
  ...{ model, filters, fields: columns.filter(isField), kpis: columns.filter((column) => !isField(column)) },
  filterExpr: conditions.map(toFilterText),
  ...(sort !== undefined && { sort: `${sort.isAscending ? '' : '-'}${sort.column}` }),
});

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The condition in the language of filters. */
export const toFilterText = (condition: Condition): string => {
  const { column } = condition;
  switch (condition.kind) {
    case 'texts':
      return textsFilter(condition);
    case 'number':
      return `${column} ${operatorBySymbol[condition.comparator]} ${condition.value}`;
    case 'days': {
      const { from, to, isNegated } = condition;
      const parts = [
        ...(from === undefined ? [] : [`${column} ge ${from}`]),
        ...(to === undefined ? [] : [`${column} le ${to}`]),
      ];
      return isNegated ? `not (${parts.join(' and ')})` : parts.join(' and ');
    }
    case 'null':
      return `${column} ${condition.isNull ? 'eq' : 'ne'} null`;
  }
};

/** Tools compare without case unless they are told otherwise; for digits that is the same. */
const textsFilter = ({
  column,
  values,
  anyBefore,
  anyAfter,
  isExact,
  isNegated,
}: Extract<Condition, { kind: 'texts' }>) => {
  const folds = !isExact && values.some((value) => value.toLowerCase() !== value.toUpperCase());
  const [field, texts] = folds
    ? [`tolower(${column})`, values.map((value) => quoted(value.toLowerCase()))]
    : [column, values.map(quoted)];
  if (anyBefore || anyAfter) {
    const name = anyBefore && anyAfter ? 'contains' : anyAfter ? 'startswith' : 'endswith';
    const likes = texts.map((text) => `${name}(${field}, ${text})`).join(' or ');
    return isNegated ? `not (${likes})` : texts.length > 1 ? `(${likes})` : likes;
  }
  const [only = ''] = texts;
  if (texts.length === 1) return `${field} ${isNegated ? 'ne' : 'eq'} ${only}`;
  return `${isNegated ? 'not ' : ''}${field} in (${texts.join(', ')})`;
};
