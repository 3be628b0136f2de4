/**
 * Filters of the model by id and filter expressions, as written or parsed before -> conditions on rows and on groups.
 */
import type { FailureCode, Result } from '@tessera/failures';
import {
  type ComputedField,
  type ComputedFieldResult,
  type DataExpression,
  type DataField,
  type DataValue,
  type FieldLookup,
  parseDataFilters,
  typeCheckFilter,
} from '@tessera/filter';
import { computeField } from './compute-value.js';
import { fieldsNamedIn, typeCheckConditions, wordsIn } from './conditions.js';
import type { DataQuery, ParsedFilter, ResultColumn } from './data-query.js';
import {
  createColumnLookup,
  type SplitConditions,
  createFilterLookup,
  type RecordField,
  type RequestedColumn,
  type RequestedField,
} from './query-field.js';
import {
  maxQueryFaults,
  type QueryFault,
  succeedUnlessFaults,
  describeUnknownFilter,
  describeUnknownNameInFilter,
  describeWordInQuestion,
  type UnknownNameMessage,
} from './query-fault.js';
import type { QueryLevel } from './caller-view.js';

/** So much of an expression is shown where it has a fault. */
const excerptMax = 80;

type Resolving = {
  readonly level: QueryLevel;
  readonly columns: readonly RequestedColumn[];
  readonly faults: QueryFault[];
};

type ResolvedFilters = Pick<SplitConditions, 'rows' | 'groups'>;

export const resolveFilters = (
  level: QueryLevel,
  columns: readonly RequestedColumn[],
  { filterIds, filterExpressions, parsedFilters = [], groupFilters = [] }: DataQuery,
): Result<ResolvedFilters> => {
  const resolving: Resolving = { level, columns, faults: [] };
  const conditions = [
    ...[...new Set(filterIds)].flatMap((id) => resolveId(resolving, id)),
    ...resolveExpressions(resolving, filterExpressions),
    ...parsedFilters.flatMap((filter) => resolveParsed(resolving, filter)),
    ...groupFilters.flatMap((filter) => resolveGroupFilter(resolving, filter)),
  ];
  return succeedUnlessFaults(resolving.faults.slice(0, maxQueryFaults), {
    rows: conditions.flatMap(({ rows }) => rows),
    groups: conditions.flatMap(({ groups }) => groups),
  });
};

const resolveId = (resolving: Resolving, id: string): readonly SplitConditions[] => {
  const { level, faults } = resolving;
  const found = level.view.names.filters.get(id);
  const note = (code: FailureCode, rule: string, told: UnknownNameMessage) =>
    void faults.push({ code, path: 'filters', rule, ...told });
  if (faults.length >= maxQueryFaults) return [];
  if (!found) {
    note('KM_FILTER_NOTFOUND', 'unknown', describeUnknownFilter(level.view.model, id));
    return [];
  }
  const kpi = found.reads.find((name) => !name.includes('.'));
  if (level.record && kpi !== undefined) {
    const message = `The filter ${id} names the KPI ${kpi}; KPIs can be filtered at the level of the model only.`;
    note('GENERAL_PARAMETER_MISSMATCH', 'level', { message });
  }
  const apart = level.record ? undefined : fieldOfOtherLevel(resolving, found);
  if (apart !== undefined) {
    const message = `The filter ${id} joins a KPI with a field in one condition; name ${apart} in fields as well.`;
    note('GENERAL_PARAMETER_MISSMATCH', 'group', { message });
  }
  return [found];
};

/** A field that a condition on groups names and that makes no groups. */
const fieldOfOtherLevel = ({ columns }: Resolving, { besideKpis }: SplitConditions): string | undefined =>
  besideKpis.find((name) => !columns.some(({ column }) => column.id === name));

const resolveExpressions = (resolving: Resolving, texts: readonly string[]): readonly SplitConditions[] => {
  if (texts.length === 0) return [];
  const { faults } = resolving;
  const parsing = parseDataFilters(texts);
  if (!parsing.ok) {
    faults.push(faultAt(sourceOf(texts, parsing.fault.valueIndex), 'KM_FILTER_SYNTAX', parsing.fault));
    return [];
  }
  return parsing.value.flatMap(({ valueIndex, expression }) =>
    resolveExpression(resolving, expression, sourceOf(texts, valueIndex)),
  );
};

/** Where an expression was written: the path of its faults, what they call it, and its text. */
type Source = { readonly path: string; readonly shown: string; readonly text: string };

const sourceOf = (texts: readonly string[], index: number): Source => {
  const [isOnly, text] = [texts.length === 1, texts[index] ?? ''];
  return isOnly
    ? { path: 'filterExpr', shown: 'filterExpr', text }
    : { path: `filterExpr.${index}`, shown: `filterExpr ${index + 1} of ${texts.length}`, text };
};

const resolveParsed = (resolving: Resolving, filter: ParsedFilter): readonly SplitConditions[] => {
  const { parameter, text, expression, record } = filter;
  return resolveExpression(resolving, expression, { path: parameter, shown: parameter, text }, record);
};

/** A condition on what is answered; fields that make groups may stand in it without a KPI as well. */
const resolveGroupFilter = (
  { level, columns, faults }: Resolving,
  { parameter, text, expression }: ParsedFilter,
): readonly SplitConditions[] => {
  const typing = typeCheckFilter(expression, createColumnLookup(columns), { kpis: true });
  if (typing.ok) return [{ rows: [], groups: [typing.value], besideKpis: [] }];
  const source: Source = { path: parameter, shown: parameter, text };
  for (const fault of typing.faults.slice(0, maxQueryFaults)) {
    if (fault.rule === 'field')
      throw new Error(`A condition on groups of ${level.view.model.id} names what is not asked for.`);
    faults.push(faultAt(source, 'KM_FILTER_TYPE', fault));
  }
  return [];
};

/** Each may cost a search for the nearest name. */
const comparedWordsMax = 100;

type LocatedFault = UnknownNameMessage & { readonly position: number; readonly rule: string };
/** `byId`: the record whose fields are named by their ids alone; that of the level, when it has one. */
const resolveExpression = (
  resolving: Resolving,
  expression: DataExpression,
  source: Source,
  byId?: string,
): readonly SplitConditions[] => {
  const { faults, level } = resolving;
  if (faults.length >= maxQueryFaults) return [];
  const { view, record = view.model.recordById.get(byId ?? '') } = level;
  const fields = createFilterLookup(view.names, record?.id, level.record === undefined);
  const lookup = { ...fields, compute: (field: ComputedField) => computeField(field, fields) };
  const note = (code: FailureCode, told: LocatedFault) => void faults.push(faultAt(source, code, told));
  const named = fieldsNamedIn(expression);
  const typing = typeCheckConditions(expression, lookup, record === undefined);
  if (!typing.ok) {
    for (const fault of typing.faults.slice(0, maxQueryFaults)) {
      const name = named.find(({ start }) => start === fault.position)?.name ?? '';
      if (fault.rule !== 'field') note('KM_FILTER_TYPE', fault);
      else note('KM_FIELD_NOTFOUND', { ...fault, ...describeUnknownNameInFilter(view.model, record, name) });
    }
    return [];
  }
  for (const { name, start } of named)
    if (lookup.get(name)?.column.filterable === false) note('KM_FIELD_NOTFOUND', notFilterable(name, start));
  for (const { text, start: position } of wordsIn(expression).slice(0, comparedWordsMax)) {
    const told = describeWordInQuestion(view.model, text);
    if (told) note('KM_FILTER_TYPE', { ...told, position, rule: 'type' });
  }
  const apart = fieldOfOtherLevel(resolving, typing.value);
  if (apart !== undefined) note('GENERAL_PARAMETER_MISSMATCH', fieldBesideKpiFault(apart, named));
  return [typing.value];
};

/** Values to order by, as columns behind all others. */
export const resolveOrderValues = (
  { view, record }: QueryLevel,
  { orderValues = [] }: DataQuery,
): Result<readonly RequestedField[]> => {
  const faults: QueryFault[] = [];
  const fields = createFilterLookup(view.names, record?.id, record === undefined);
  const columns = orderValues.flatMap(({ id, parameter, text, value }): readonly RequestedField[] => {
    const found = orderField(fields, value, text.slice(value.start, value.end));
    if (found.ok) return [{ ...found.value, column: orderColumn(id, found.value) }];
    const { position, message, ...fault } = found.fault;
    const where = `${parameter}, character ${position + 1}`;
    faults.push({ code: 'KM_FILTER_TYPE', path: parameter, ...fault, position, message: `${where}: ${message}` });
    return [];
  });
  return succeedUnlessFaults(faults.slice(0, maxQueryFaults), columns);
};

const orderField = (
  fields: FieldLookup<RequestedColumn>,
  value: DataValue,
  name: string,
): ComputedFieldResult<RecordField> => {
  const field = value.kind === 'field' ? fields.get(value.name) : undefined;
  if (field && !field.isKpi) return { ok: true, value: field };
  return computeField({ name, applied: [], start: value.start, end: value.end, value }, fields);
};

const orderColumn = (id: string, { type }: RecordField): ResultColumn => ({
  ...{ id, name: id, type, aggregation: false, filterable: false, sortable: true, exact: false },
});

const notFilterable = (name: string, position: number): LocatedFault => ({
  message: `${name} is not filterable; filter by another field.`,
  position,
  rule: 'filterable',
});

const fieldBesideKpiFault = (apart: string, named: readonly DataField[]): LocatedFault => ({
  message: `A condition that joins a KPI with a field needs the field to be asked for; name ${apart} in fields.`,
  position: named.find(({ name }) => name === apart)?.start ?? 0,
  rule: 'group',
});

const excerptAround = (text: string, position: number): string => {
  const from = text.length > excerptMax ? Math.max(0, position - excerptMax / 2) : 0;
  const part = text.slice(from, from + excerptMax);
  return `${from > 0 ? '...' : ''}${part}${from + part.length < text.length ? '...' : ''}`.toWellFormed();
};

/** People count characters from one, `position` counts from zero. */
const faultAt = ({ path, shown, text }: Source, code: FailureCode, told: LocatedFault): QueryFault => {
  const where = `${shown} (${excerptAround(text, told.position)}), character ${told.position + 1}`;
  return {
    code,
    path,
    message: `${where}: ${told.message}`,
    rule: told.rule,
    position: told.position,
    ...(told.suggestion !== undefined && { suggestion: told.suggestion }),
  };
};
