/** A question as the arguments of the tool load-data, which has filters for the usual conditions and no search. */
import { parseCondition, type Condition } from './condition.js';
import { addDays, dayMsOf, type Period } from './period.js';
import { pageSize } from './question-input.js';
import { grainOf, type Question } from './question.js';
import { typeOf, type FieldType, type Schema } from './schema.js';

/** Why a question cannot be asked another way. */
export type ShareObstacle = 'grain' | 'search' | 'condition' | 'sort' | 'record';
export type ShareText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: ShareObstacle };

type ToolFilter = Readonly<Record<string, unknown>>;
type FilterList = 'string_filters' | 'numeric_filters' | 'date_filters' | 'null_filters';
type Applied = readonly (readonly [FilterList, ToolFilter])[];

const refuse = (why: ShareObstacle): ShareText => ({ ok: false, why });

export const toolCallOf = (question: Question, schema: Schema): ShareText => {
  const { fields, kpis, filters, conditions, period, search, sort, page } = question;
  if (fields.some((field) => grainOf(field) !== '')) return refuse('grain');
  if (search !== '') return refuse('search');
  if (sort.includes(',')) return refuse('sort');
  const applied: (readonly [FilterList, ToolFilter])[] = [];
  for (const expression of conditions) {
    const condition = parseCondition(expression);
    const found = condition && filtersOf(condition, typeOf(schema, condition.field));
    if (found === undefined) return refuse('condition');
    applied.push(...found);
  }
  if (period !== undefined) applied.push(...daysFilter(period));
  const lists = Map.groupBy(applied, ([list]) => list);
  const written = {
    columns: [...fields, ...kpis],
    ...{ page, page_size: pageSize },
    ...(sort !== '' && { order_by: sort.replace(/^[+-]/, ''), ascending: !sort.startsWith('-') }),
    ...(filters.length > 0 && { filters }),
    ...(lists.size > 0 && {
      applied_filters: Object.fromEntries([...lists].map(([list, all]) => [list, all.map(([, filter]) => filter)])),
    }),
  };
  return { ok: true, text: JSON.stringify(written, undefined, 2) };
};

const daysFilter = ({ field, from, to }: Pick<Period, 'field' | 'from' | 'to'>): Applied =>
  from === '' && to === ''
    ? []
    : [
        [
          'date_filters',
          { column_id: field, ...(from !== '' && { start_date: from }), ...(to !== '' && { end_date: to }) },
        ],
      ];

/** Undefined for what the tool has no filter for. */
const filtersOf = (condition: Condition, type: FieldType): Applied | undefined => {
  const { field, operator } = condition;
  if (operator === 'null' || operator === 'notNull')
    return [['null_filters', { column_id: field, is_null: operator === 'null' }]];
  switch (type) {
    case 'string':
      return textFilters(condition);
    case 'integer':
    case 'float':
      return numberFilters(condition);
    case 'date':
      return dateFilters(condition);
    case 'datetime':
    case 'timestamp':
    case 'boolean':
    case 'time':
      return undefined;
  }
};

const textFilters = ({ field, operator, values }: Condition): Applied | undefined => {
  const filter = { column_id: field, values, case_sensitive: true };
  switch (operator) {
    case 'eq':
    case 'in':
      return [['string_filters', filter]];
    case 'ne':
      return [['string_filters', { ...filter, negation: true }]];
    case 'contains':
      return [['string_filters', { ...filter, add_wildcard_before: true, add_wildcard_after: true }]];
    case 'startswith':
      return [['string_filters', { ...filter, add_wildcard_after: true }]];
    case 'endswith':
      return [['string_filters', { ...filter, add_wildcard_before: true }]];
    default:
      return undefined;
  }
};

const comparators: Readonly<Partial<Record<Condition['operator'], string>>> = {
  ...{ eq: '=', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=' },
};

const numberFilters = ({ field, operator, values }: Condition): Applied | undefined => {
  const [first, second] = values.map(Number);
  if (values.some((value) => value === '' || !Number.isFinite(Number(value)))) return undefined;
  const filter = (comparator: string, value: number | undefined) =>
    ['numeric_filters', { column_id: field, value, comparator }] as const;
  if (operator === 'between') return [filter('>=', first), filter('<=', second)];
  const comparator = comparators[operator];
  return comparator === undefined ? undefined : [filter(comparator, first)];
};

const dateFilters = ({ field, operator, values }: Condition): Applied | undefined => {
  const [first = '', second = ''] = values;
  if (values.some((value) => dayMsOf(value) === undefined)) return undefined;
  switch (operator) {
    case 'eq':
      return daysFilter({ field, from: first, to: first });
    case 'between':
      return daysFilter({ field, from: first, to: second });
    case 'ge':
      return daysFilter({ field, from: first, to: '' });
    case 'gt':
      return daysFilter({ field, from: addDays(first, 1), to: '' });
    case 'le':
      return daysFilter({ field, from: '', to: first });
    case 'lt':
      return daysFilter({ field, from: '', to: addDays(first, -1) });
    default:
      return undefined;
  }
};
