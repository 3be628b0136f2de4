/**
 * A query and the model as its caller sees it -> the query with its names known and its filters typed, or its faults with
 * the nearest right names: columns, related fields, filters, search, sort.
 */
import { findNearestName, type Result, succeed } from '@tessera/failures';
import { withSuggestion } from '@tessera/filter';
import { type CallerView, type QueryLevel, resolveQueryLevel } from './caller-view.js';
import type { DataQuery, DataSearch, ResolvedQuery, ResolvedSearch, ResolvedSort } from './data-query.js';
import { fieldByGrain, splitGrain } from './date-grain.js';
import { createAggregateColumn } from './field-aggregate.js';
import { type RequestedColumn, type RequestedField, findField, type RecordField } from './query-field.js';
import {
  printExpectedNames,
  maxQueryFaults,
  type QueryFault,
  refuseQuery,
  shortenName,
  succeedUnlessFaults,
  describeUnknownModelField,
  describeUnknownRecordField,
  describeUnknownKpi,
} from './query-fault.js';
import { resolveFilters, resolveOrderValues } from './resolve-filters.js';

export const resolveQuery = (view: CallerView, query: DataQuery): Result<ResolvedQuery> => {
  const level = resolveQueryLevel(view, query.record);
  if (!level.ok) return level;
  const columns = resolveColumns(level.value, query);
  if (!columns.ok) return columns;
  const related = resolveRelated(level.value, query);
  if (!related.ok) return related;
  const filters = resolveFilters(level.value, columns.value, query);
  if (!filters.ok) return filters;
  const search = resolveSearch(level.value, columns.value, query.search);
  if (!search.ok) return search;
  const values = resolveOrderValues(level.value, query);
  if (!values.ok) return values;
  const own = [...columns.value, ...values.value];
  const sort = resolveSort(level.value, own, query.sort);
  if (!sort.ok) return sort;
  const { links = [], linkedFrom, distinct, page, pageSize, keyset } = query;
  return succeed({
    view,
    ...(query.record !== undefined && { record: query.record }),
    columns: [...own, ...related.value],
    rowFilters: filters.value.rows,
    groupFilters: filters.value.groups,
    ...(search.value && { search: search.value }),
    sort: sort.value,
    links,
    ...(linkedFrom && { linkedFrom }),
    distinct,
    page,
    pageSize,
    ...(keyset && { keyset }),
  });
};

const resolveColumns = (level: QueryLevel, query: DataQuery): Result<readonly RequestedColumn[]> => {
  const { view } = level;
  const faults: QueryFault[] = [];
  const columns = [
    ...resolveFields(level, query, faults),
    ...resolveKpis(level, query, faults),
    ...(query.aggregates ?? []).map((aggregate) => createAggregateColumn(view, aggregate)),
  ];
  return faults.length > 0 || columns.length > 0
    ? succeedUnlessFaults(faults, columns)
    : refuseQuery(nothingRequested(level, query));
};

const resolveFields = (level: QueryLevel, { fields }: DataQuery, faults: QueryFault[]): readonly RequestedColumn[] => {
  if (fields !== 'all') return requestedFields(level, fields, faults);
  const { view, record } = level;
  return record ? [...(view.names.fields.get(record.id)?.values() ?? [])].map(({ ofRecord }) => ofRecord) : [];
};

/** Those that name a grain are found by what stands before it. */
const requestedFields = (level: QueryLevel, ids: readonly string[], faults: QueryFault[]): readonly RequestedColumn[] =>
  [...new Set(ids)].flatMap((id) => {
    const { name, grain } = splitGrain(id);
    const [found] = resolveFieldNames(level, [name], 'fields', faults);
    if (!found || grain === undefined) return found ?? [];
    const made = fieldByGrain(found, grain);
    if ('isKpi' in made) return made;
    if (faults.length < maxQueryFaults) faults.push({ code: 'KM_FIELD_NOTFOUND', path: 'fields', ...made });
    return [];
  });

/** `path`: the parameter that names them. */
export const resolveFieldNames = (
  { view, record }: QueryLevel,
  ids: readonly string[],
  path: string,
  faults: QueryFault[],
): readonly RequestedField[] =>
  [...new Set(ids)].flatMap((id) => {
    // At the level of a record a dot is another record's, or too much.
    const found = record ? view.names.fields.get(record.id)?.get(id) : findField(view.names, undefined, id);
    if (found) return [record ? found.ofRecord : found.ofModel];
    if (faults.length < maxQueryFaults) {
      const told = record
        ? describeUnknownRecordField(view.model, record, id)
        : describeUnknownModelField(view.model, id);
      faults.push({ code: 'KM_FIELD_NOTFOUND', path, rule: 'unknown', ...told });
    }
    return [];
  });

/** The fields of related records that are asked for beside those of the record. */
const resolveRelated = (level: QueryLevel, { relatedFields = [] }: DataQuery): Result<readonly RequestedField[]> => {
  if (relatedFields.length > 0 && !level.record) return refuseQuery(relatedToNothing);
  const faults: QueryFault[] = [];
  return succeedUnlessFaults(faults, resolveFieldNames({ view: level.view }, relatedFields, relatedFieldsPath, faults));
};

const relatedFieldsPath = 'relatedFields';
const relatedToNothing = {
  code: 'GENERAL_PARAMETER_MISSMATCH',
  path: relatedFieldsPath,
  rule: 'level',
  message: 'Related fields stand beside those of a record; at the level of the model name them in fields.',
} as const;

const resolveKpis = (
  { view, record }: QueryLevel,
  { kpis }: DataQuery,
  faults: QueryFault[],
): readonly RequestedColumn[] => {
  if (record && kpis.length > 0) {
    const message = 'KPIs are asked for at the level of the model, not of a record.';
    faults.push({ code: 'GENERAL_PARAMETER_MISSMATCH', path: 'kpis', rule: 'level', message });
    return [];
  }
  return [...new Set(kpis)].flatMap((id) => {
    const found = view.names.kpis.get(id);
    if (found) return [found];
    if (faults.length < maxQueryFaults)
      faults.push({ code: 'KM_KPI_NOTFOUND', path: 'kpis', rule: 'unknown', ...describeUnknownKpi(view.model, id) });
    return [];
  });
};

const nothingRequested = ({ record }: QueryLevel, { fields }: DataQuery): QueryFault => {
  const rule = 'missing';
  if (record && fields === 'all')
    return { code: 'KM_FIELD_NOTFOUND', path: 'fields', rule, message: `${record.id} has no field to answer.` };
  const message = record
    ? `Name in fields what is asked for, e.g. ${record.fields[0]?.id ?? 'FIELD'}.`
    : 'Name in fields, in kpis or in both what is asked for.';
  return { code: 'GENERAL_PARAMETER_MISSING', path: 'fields', rule, message };
};

const resolveSearch = (
  level: QueryLevel,
  columns: readonly RequestedColumn[],
  search: DataSearch | undefined,
): Result<ResolvedSearch | undefined> => {
  if (!search) return succeed(undefined);
  const { term, precision, fields: named = [] } = search;
  const fields = named.length > 0 ? resolveSearchFields(level, named) : succeed(searchableNames(level, columns));
  if (!fields.ok) return fields;
  return fields.value.length > 0
    ? succeed({ term, precision, fields: fields.value })
    : refuseQuery(nothingToSearch(level, columns));
};

const resolveSearchFields = (level: QueryLevel, ids: readonly string[]): Result<readonly RecordField[]> => {
  const faults: QueryFault[] = [];
  const fields = resolveFieldNames(level, ids, 'searchField', faults);
  for (const { type, column } of fields)
    if (type !== 'string' && faults.length < maxQueryFaults) {
      const message = `${column.id} is of type ${type}; fields of type string can be searched.`;
      faults.push({ code: 'KM_FIELD_NOTFOUND', path: 'searchField', rule: 'type', message });
    }
  return succeedUnlessFaults(faults, fields);
};

const searchableNames = ({ view, record }: QueryLevel, columns: readonly RequestedColumn[]): readonly RecordField[] => {
  const records = record ? [record.id] : new Set(columns.flatMap((column) => (column.isKpi ? [] : [column.record])));
  return [...records]
    .flatMap((id) => [...(view.names.fields.get(id)?.values() ?? [])])
    .map(({ ofRecord, ofModel }) => (record ? ofRecord : ofModel))
    .filter(({ type }) => type === 'string');
};

const nothingToSearch = ({ record }: QueryLevel, columns: readonly RequestedColumn[]): QueryFault => {
  const path = 'searchField';
  if (!record && columns.every(({ isKpi }) => isKpi))
    return {
      code: 'GENERAL_PARAMETER_MISSING',
      path,
      rule: 'missing',
      message: 'Name in searchField the fields to search; without fields there is none to choose from.',
    };
  const what = record ? record.id : 'The records that are asked for';
  const message = `${what} ${record ? 'has' : 'have'} no field of type string to search.`;
  return { code: 'GENERAL_PARAMETER_MISSMATCH', path, rule: 'type', message };
};

type Item = { readonly id: string; readonly descending: boolean };

const resolveSort = (
  level: QueryLevel,
  columns: readonly RequestedColumn[],
  sort: string | undefined,
): Result<readonly ResolvedSort[]> => {
  if (sort === undefined) return succeed([]);
  const items = sort.split(',').map(readItem);
  const empty = items.findIndex(({ id }) => id === '');
  if (empty >= 0) return refuseQuery(emptyItem(items.length, empty));
  const places = new Map(columns.map(({ column }, place) => [column.id, place]));
  const found = new Map<number, ResolvedSort>();
  const faults: QueryFault[] = [];
  for (const { id, descending } of items) {
    const place = places.get(id);
    const column = place === undefined ? undefined : columns[place];
    const before = place === undefined ? undefined : found.get(place);
    if (faults.length === maxQueryFaults) break;
    if (place === undefined || !column) faults.push(notRequested(level, columns, id));
    else if (!column.column.sortable) faults.push(notSortable(columns, id));
    else if (before && before.descending !== descending) faults.push(oppositeSortFault(id));
    else found.set(place, { column: place, descending });
  }
  return succeedUnlessFaults(faults, [...found.values()]);
};

const readItem = (text: string): Item => {
  const sign = /^\s*[+-]/.exec(text)?.[0] ?? '';
  return { id: text.slice(sign.length).trim(), descending: sign.endsWith('-') };
};

const emptyItem = (count: number, index: number): QueryFault => {
  const what = count === 1 ? 'The sort' : `Item ${index + 1} of the sort`;
  const message = `${what} names nothing; expected what is asked for, with - before it to descend.`;
  return { code: 'SORT_IS_EMPTY', path: 'sort', rule: 'empty', message };
};

const oppositeSortFault = (id: string): QueryFault => ({
  code: 'SORT_HAS_OPPOSITE',
  path: 'sort',
  rule: 'opposite',
  message: `The sort names ${id} in both directions; name it once.`,
});

const notSortable = (columns: readonly RequestedColumn[], id: string): QueryFault =>
  unknownColumn(`${id} is not sortable${printExpectedNames(sortableNames(columns))}.`);

const notRequested = (level: QueryLevel, columns: readonly RequestedColumn[], id: string): QueryFault => {
  const names = sortableNames(columns);
  const suggestion = suggestWithDirection(id, names) ?? otherLevel(level, id, names);
  if (suggestion !== undefined) return unknownColumn(`There is no ${shortenName(id)} to sort by.`, suggestion);
  const parameter = parameterOf(level, id);
  if (parameter !== undefined)
    return unknownColumn(`${id} is not asked for; name it in ${parameter} as well to sort by it.`);
  const near = findNearestName(id, names);
  return near === undefined
    ? unknownColumn(`There is no ${shortenName(id)} to sort by${printExpectedNames(names)}.`)
    : unknownColumn(`There is no ${shortenName(id)} to sort by.`, near);
};

/** `A desc`, as other languages have it. */
const suggestWithDirection = (id: string, names: readonly string[]): string | undefined => {
  const [, name, direction] = /^(\S+) (asc|desc)$/i.exec(id) ?? [];
  if (name === undefined || !names.includes(name)) return undefined;
  return direction?.toLowerCase() === 'desc' ? `-${name}` : name;
};

/** The same field as the other level writes it. */
const otherLevel = ({ record }: QueryLevel, id: string, names: readonly string[]): string | undefined => {
  if (record) return id.startsWith(`${record.id}.`) ? names.find((name) => `${record.id}.${name}` === id) : undefined;
  const same = names.filter((name) => name.endsWith(`.${id}`));
  return same.length === 1 ? same[0] : undefined;
};

/** The parameter in which it could be asked for. */
const parameterOf = ({ view, record }: QueryLevel, id: string): string | undefined => {
  if (record) return view.names.fields.get(record.id)?.has(id) ? 'fields' : undefined;
  if (view.names.kpis.has(id)) return 'kpis';
  return findField(view.names, undefined, id) ? 'fields' : undefined;
};

const sortableNames = (columns: readonly RequestedColumn[]): readonly string[] =>
  columns.flatMap(({ column }) => (column.sortable ? [column.id] : []));

const unknownColumn = (message: string, suggestion?: string): QueryFault => ({
  code: 'SORT_UNKNOWN_FIELD',
  path: 'sort',
  rule: 'unknown',
  message: withSuggestion(message, suggestion),
  ...(suggestion !== undefined && { suggestion }),
});
