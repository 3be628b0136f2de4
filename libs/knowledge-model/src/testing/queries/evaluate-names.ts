/** What the names of a question stand for, and for which of them it has to be refused. */
import type { DataExpression } from '@tessera/filter';
import type { DataQuery } from '../../query/data-query.js';
import { conjunctsOf, namesInFilter, parseSampleFilters } from './evaluate-condition.js';
import { toFieldName, type VisibleData } from './evaluate-view.js';
import { fieldIdsOf, type FieldName, findRecordDefinition, typeOfField, type SampleWorld } from './sample-world.js';

/** `id`: as it was asked for. */
type RequestedField = FieldName & { readonly id: string };

export type RequestedNames = {
  readonly level?: string | undefined;
  readonly fields: readonly RequestedField[];
  readonly kpis: readonly string[];
  readonly rowConditions: readonly DataExpression[];
  readonly groupConditions: readonly DataExpression[];
  /** Fields that the conditions of rows and the search read. */
  readonly conditionFields: readonly FieldName[];
  readonly conditionKpis: readonly string[];
  readonly search?: { readonly term: string; readonly fields: readonly FieldName[] } | undefined;
  readonly sort: readonly { readonly at: number; readonly isDescending: boolean }[];
  readonly distinct: boolean;
};

const requestedFields = (
  world: SampleWorld,
  visible: VisibleData,
  { fields, record }: DataQuery,
): readonly string[] => {
  if (fields !== 'all') return [...new Set(fields)];
  const level = record ?? '';
  return fieldIdsOf(findRecordDefinition(world, level)).filter((field) => visible.hasField({ record: level, field }));
};

const conditionsOf = (world: SampleWorld, query: DataQuery): readonly DataExpression[] => {
  const filters = (world.definition.filters ?? []).filter(({ id }) => query.filterIds.includes(id));
  return [
    ...filters.flatMap(({ expression = '' }) => parseSampleFilters(expression)),
    ...writtenFilters(query),
  ].flatMap(conjunctsOf);
};

const writtenFilters = ({ filterExpressions, parsedFilters = [] }: DataQuery): readonly DataExpression[] => [
  ...filterExpressions.flatMap(parseSampleFilters),
  ...parsedFilters.map(({ expression }) => expression),
];

export const findNameRefusals = (world: SampleWorld, visible: VisibleData, query: DataQuery): readonly string[] => {
  const level = query.record;
  const isField = (name: string): boolean => visible.hasField(toFieldName(name, level));
  const isKpi = (name: string): boolean => level === undefined && !name.includes('.') && visible.hasKpi(name);
  const may = (name: string, what: 'filterable' | 'sortable'): boolean => {
    const { record, field } = toFieldName(name, level);
    return findRecordDefinition(world, record).attributes?.find(({ id }) => id === field)?.[what] ?? true;
  };
  const fields = requestedFields(world, visible, query);
  const named = writtenFilters(query).flatMap(namesInFilter);
  const sorted = sortOf(query).map(({ id }) => id);
  const filters = (world.definition.filters ?? []).filter(({ id }) => query.filterIds.includes(id));
  const filtered = filters.flatMap(({ expression = '' }) => parseSampleFilters(expression)).flatMap(namesInFilter);
  const groups = conditionsOf(world, query).filter((condition) => namesInFilter(condition).some(isKpi));
  const isAsked = (name: string): boolean => fields.includes(name) || !isField(name);
  return [
    ...(fields.every(isField) ? [] : ['KM_FIELD_NOTFOUND']),
    ...(query.kpis.every((id) => visible.hasKpi(id)) ? [] : ['KM_KPI_NOTFOUND']),
    ...(query.filterIds.every((id) => visible.hasFilter(id)) ? [] : ['KM_FILTER_NOTFOUND']),
    ...(named.every((name) => isKpi(name) || (isField(name) && may(name, 'filterable'))) ? [] : ['KM_FIELD_NOTFOUND']),
    ...(level === undefined || filtered.every((name) => name.includes('.')) ? [] : ['GENERAL_PARAMETER_MISSMATCH']),
    ...(groups.flatMap(namesInFilter).every(isAsked) ? [] : ['GENERAL_PARAMETER_MISSMATCH']),
    ...((query.search?.fields ?? []).every(isField) ? [] : ['KM_FIELD_NOTFOUND']),
    ...(sorted.every((id) => (fields.includes(id) && may(id, 'sortable')) || query.kpis.includes(id))
      ? []
      : ['SORT_UNKNOWN_FIELD']),
  ];
};

const sortOf = ({ sort }: DataQuery): readonly { readonly id: string; readonly isDescending: boolean }[] =>
  (sort?.split(',') ?? []).map((item) => ({ id: item.replace(/^[+ -]/, ''), isDescending: item.startsWith('-') }));

/** Of a question that has no refusals. */
export const resolveRequestedNames = (world: SampleWorld, visible: VisibleData, query: DataQuery): RequestedNames => {
  const level = query.record;
  const fields = requestedFields(world, visible, query).map((id) => ({ id, ...toFieldName(id, level) }));
  const kpis = [...new Set(query.kpis)];
  const isKpi = (name: string): boolean => level === undefined && !name.includes('.');
  const conditions = conditionsOf(world, query);
  const ofGroups = conditions.filter((condition) => namesInFilter(condition).some(isKpi));
  const ofRows = conditions.filter((condition) => !ofGroups.includes(condition));
  // Precision 0 is every row, whatever is searched.
  const isSearched = query.search !== undefined && query.search.precision > 0;
  const search = isSearched
    ? { term: query.search.term, fields: searchedFields(world, visible, query, fields) }
    : undefined;
  const columns = [...fields.map(({ id }) => id), ...kpis];
  return {
    level,
    fields,
    kpis,
    rowConditions: ofRows,
    groupConditions: ofGroups,
    conditionFields: [
      ...ofRows.flatMap(namesInFilter).map((name) => toFieldName(name, level)),
      ...(search?.fields ?? []),
    ],
    conditionKpis: [...new Set(ofGroups.flatMap(namesInFilter).filter(isKpi))],
    search,
    sort: sortOf(query).map(({ id, isDescending }) => ({ at: columns.indexOf(id), isDescending })),
    distinct: query.distinct,
  };
};

const searchedFields = (
  world: SampleWorld,
  visible: VisibleData,
  { search, record: level }: DataQuery,
  asked: readonly FieldName[],
): readonly FieldName[] => {
  if (search?.fields) return search.fields.map((name) => toFieldName(name, level));
  const records = level === undefined ? [...new Set(asked.map(({ record }) => record))] : [level];
  return records
    .flatMap((record) => fieldIdsOf(findRecordDefinition(world, record)).map((field) => ({ record, field })))
    .filter((name) => visible.hasField(name) && typeOfField(world, name) === 'string');
};
