/**
 * What the arguments of a tool have wrong, each fault at its place inside of them, as one failure. Never tells a hidden name
 * from an unknown one: names are looked up in what the caller sees.
 */
import {
  fail,
  type FailureCode,
  createFaultList,
  type FaultList,
  findNearestName,
  type Result,
} from '@tessera/failures';
import { dateTypes, maxFilterLength, type AppliedFilters } from '@tessera/contracts/knowledge-models';
import type { ComparisonOperator, DataExpression, DataField, DataLiteral } from '@tessera/filter';
import { type RequestedColumn, type CallerView, type DataQuery, createFilterLookup } from '@tessera/knowledge-model';

export type ArgumentPath = readonly (string | number)[];

export type ArgumentFaultCollector = {
  readonly list: FaultList;
  /** A name that is none of `known`. */
  readonly unknown: (path: ArgumentPath, what: string, name: string, known: () => Iterable<string>) => void;
};

/** Each search for the nearest name looks at all of them. */
const suggestionsMax = 20;

export const createArgumentFaultCollector = (): ArgumentFaultCollector => {
  const list = createFaultList('body');
  return {
    list,
    unknown: (path, what, name, known) => {
      const suggestion =
        list.faults.length < suggestionsMax
          ? (fieldCalled(name, known()) ?? findNearestName(name, known()))
          : undefined;
      list.add(path, 'enum', `there is no ${what} "${name}"`, suggestion);
    },
  };
};

/** Of a field its record is left out easily. */
const fieldCalled = (name: string, known: Iterable<string>): string | undefined => {
  const ending = `.${name.toLowerCase()}`;
  for (const id of known) if (id.toLowerCase().endsWith(ending)) return id;
  return undefined;
};

export const failInvalidArguments = ({ list }: ArgumentFaultCollector): Result<never> => {
  const [first] = list.faults;
  const others = list.faults.length - 1;
  const more = others > 0 ? ` (and ${others} more)` : '';
  return fail('TOOL_ARGUMENTS_INVALID', `${first?.path}: ${first?.message}${more}.`, { faults: list.faults });
};

/** Faults that the compiler finds in parameters become faults of arguments. */
const argumentCodes: ReadonlySet<FailureCode> = new Set([
  'KM_FIELD_NOTFOUND',
  'KM_KPI_NOTFOUND',
  'KM_FILTER_NOTFOUND',
  'KM_FILTER_TYPE',
  'KM_FILTER_SYNTAX',
  'SORT_UNKNOWN_FIELD',
  'GENERAL_PARAMETER_MISSING',
  'GENERAL_PARAMETER_MISSMATCH',
] as const);

export const mapToToolArgumentFailure = <Value>(result: Result<Value>): Result<Value> => {
  if (result.ok || !argumentCodes.has(result.failure.code)) return result;
  const { failure } = result;
  const faults = (failure.faults ?? []).map((fault) => ({ ...fault, in: 'body' }));
  return { ok: false, failure: { ...failure, code: 'TOOL_ARGUMENTS_INVALID', faults } };
};

type FilterArguments = {
  readonly applied_filters?: AppliedFilters | undefined;
  readonly filters: readonly string[];
};
type ReadFilters = Required<Pick<DataQuery, 'filterIds' | 'parsedFilters' | 'groupFilters'>>;

/** A column of the model by its id, as the caller sees it. */
export const createColumnFinder = ({ names }: CallerView): ((id: string) => RequestedColumn | undefined) => {
  const lookup = createFilterLookup(names, undefined);
  return (id) => lookup.get(id);
};

export const listColumnIds = ({ names }: CallerView): readonly string[] => [
  ...[...names.fields.values()].flatMap((fields) => [...fields.values()].map(({ ofModel }) => ofModel.column.id)),
  ...names.kpis.keys(),
];

type Filters<Kind extends keyof AppliedFilters> = AppliedFilters[Kind][number];

export const readToolFilters = (
  view: CallerView,
  { applied_filters: applied, filters }: FilterArguments,
  faults: ArgumentFaultCollector,
  /** Ids of what is aggregated and no KPI; figures are compared with it after it was aggregated. */
  aggregates: ReadonlySet<string> = new Set(),
): ReadFilters => {
  filters.forEach((id, index) => {
    if (!view.names.filters.has(id)) faults.unknown(['filters', index], 'filter', id, () => view.names.filters.keys());
  });
  const { string_filters = [], numeric_filters = [], date_filters = [] } = applied ?? {};
  const { boolean_filters = [], null_filters = [] } = applied ?? {};
  const find = createColumnFinder(view);
  const check = (path: ArgumentPath, id: string, types?: readonly string[]): void => {
    if (aggregates.has(id) && types?.includes('integer')) return;
    const column = find(id);
    const { list } = faults;
    if (!column) faults.unknown(path, 'column', id, () => listColumnIds(view));
    else if (types && !types.includes(column.type)) list.add(path, 'type', wrongType(id, column.type, types));
    else if (!column.column.filterable) list.add(path, 'filterable', `"${id}" is not filterable`);
  };
  const read = <Filter extends { readonly column_id: string }>(
    list: readonly Filter[],
    kind: keyof AppliedFilters,
    types: readonly string[] | undefined,
    make: (filter: Filter) => DataExpression,
  ) =>
    list.map((filter, index) => {
      const path = ['applied_filters', kind, index];
      check([...path, 'column_id'], filter.column_id, types);
      return { parameter: path.join('.'), text: '', expression: make(filter), column: filter.column_id };
    });
  string_filters.forEach(({ values }, index) => {
    const length = values.reduce((sum, value) => sum + value.length, 0);
    const path = ['applied_filters', 'string_filters', index, 'values'];
    if (length > maxFilterLength)
      faults.list.add(path, 'maxLength', `expected at most ${maxFilterLength} characters together`);
  });
  date_filters.forEach((filter, index) => checkDays(filter, ['applied_filters', 'date_filters', index], faults));
  const conditions = [
    ...read(string_filters, 'string_filters', ['string'], textExpression),
    ...read(numeric_filters, 'numeric_filters', ['integer', 'float'], numberExpression),
    ...read(date_filters, 'date_filters', dateTypes, dateExpression),
    ...read(boolean_filters, 'boolean_filters', ['boolean'], booleanExpression),
    ...read(null_filters, 'null_filters', undefined, nullExpression),
  ];
  const conditionsOf = (isOfGroups: boolean) =>
    conditions.flatMap(({ column, ...filter }) => (aggregates.has(column) === isOfGroups ? [filter] : []));
  return { filterIds: filters, parsedFilters: conditionsOf(false), groupFilters: conditionsOf(true) };
};

const filterOf: Readonly<Partial<Record<string, string>>> = {
  string: 'string_filters',
  boolean: 'boolean_filters',
  integer: 'numeric_filters',
  float: 'numeric_filters',
  date: 'date_filters',
  datetime: 'date_filters',
  timestamp: 'date_filters',
};

const wrongType = (id: string, type: string, types: readonly string[]): string => {
  const better = filterOf[type];
  const hint = better === undefined ? '' : `; use ${better}`;
  return `"${id}" is of type ${type}; expected a column of type ${types.join(' or ')}${hint}`;
};

const checkDays = (
  { start_date: start, end_date: end }: Filters<'date_filters'>,
  path: ArgumentPath,
  { list }: ArgumentFaultCollector,
): void => {
  if (start === undefined && end === undefined) list.add(path, 'required', 'expected start_date, end_date or both');
  for (const [name, day] of [['start_date', start] as const, ['end_date', end] as const])
    if (day?.startsWith('0000')) list.add([...path, name], 'format', 'there is no year 0');
  if (start !== undefined && end !== undefined && start > end)
    list.add([...path, 'end_date'], 'minimum', `expected a day from ${start} on`);
};

/** There is no text that positions would be of. */
const noPosition = { start: 0, end: 0 };
const fieldOf = (name: string): DataField => ({ name, applied: [], ...noPosition });
const literalOf = (kind: DataLiteral['kind'], text: string): DataLiteral => ({ kind, text, ...noPosition });
const negatedIf = (isNegated: boolean, operand: DataExpression): DataExpression =>
  isNegated ? { kind: 'not', operand } : operand;
const comparisonExpression = (name: string, operator: ComparisonOperator, literal: DataLiteral): DataExpression => ({
  kind: 'compare',
  operator,
  field: fieldOf(name),
  literal,
});

/** Texts as they are stored are compared as every filter compares them, by the indexes of their columns. */
const textExpression = (filter: Filters<'string_filters'>): DataExpression => {
  const { column_id, values, add_wildcard_before, add_wildcard_after, case_sensitive, negation } = filter;
  const literals = values.map((value) => literalOf('string', value));
  const [only] = literals;
  const likeness = { anyBefore: add_wildcard_before, anyAfter: add_wildcard_after, ignoreCase: !case_sensitive };
  const isLikeness = Object.values(likeness).includes(true);
  const isOne = only !== undefined && literals.length === 1;
  const expression: DataExpression =
    isOne && !isLikeness
      ? comparisonExpression(column_id, 'eq', only)
      : { kind: 'in', field: fieldOf(column_id), literals, ...(isLikeness && { likeness }) };
  return negatedIf(negation, expression);
};

const operatorBySymbol = { '=': 'eq', '!=': 'ne', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' } as const;

const numberExpression = ({ column_id, value, comparator }: Filters<'numeric_filters'>): DataExpression =>
  comparisonExpression(column_id, operatorBySymbol[comparator], literalOf('number', String(value)));

const dateExpression = ({ column_id, start_date, end_date, negation }: Filters<'date_filters'>): DataExpression => {
  const operands = [
    ...(start_date === undefined ? [] : [comparisonExpression(column_id, 'ge', literalOf('date', start_date))]),
    ...(end_date === undefined ? [] : [comparisonExpression(column_id, 'le', literalOf('date', end_date))]),
  ];
  return negatedIf(negation, { kind: 'and', operands });
};

const booleanExpression = ({ column_id, value }: Filters<'boolean_filters'>): DataExpression =>
  comparisonExpression(column_id, 'eq', literalOf('boolean', String(value)));

const nullExpression = ({ column_id, is_null }: Filters<'null_filters'>): DataExpression =>
  comparisonExpression(column_id, is_null ? 'eq' : 'ne', literalOf('null', 'null'));
