/**
 * Which fields of a model may have the values that a term means, and how they are looked for: fields of few values by all of
 * them, keys by how they begin, other texts by the search of queries.
 */
import type { DataExpression } from '@tessera/filter';
import { type CallerView, type DataQuery, type SearchedField, unicodeFormsOf } from '@tessera/knowledge-model';
import type { TeamCatalog } from '../catalog/catalogs.js';

export type SearchableField = SearchedField & {
  readonly record: string;
  /** Of the record. */
  readonly id: string;
  /** Whether it tells which row it is, or which other row belongs to it. */
  readonly isKey: boolean;
  /** Whether it has more values than are read, as far as is known before one asks. */
  readonly hasMany: boolean;
};

/** Of one field; with more it has many. */
export const maxSearchableValues = 1_000;
const rowsOfSearch = 20;

const searchableFieldsByNames = new WeakMap<CallerView['names'], readonly SearchableField[]>();

/** Those of small tables first. What an external database has is not known, and not cheap to ask. */
export const findSearchableFields = (
  view: CallerView,
  { tables }: Pick<TeamCatalog, 'tables'>,
): readonly SearchableField[] => {
  const { source, records } = view.model;
  if (source.database !== undefined) return [];
  const sized = records.flatMap((record) => {
    const rows = tables.get(`${source.schema}.${record.table}`)?.rows ?? 0;
    return rows > 0 ? [{ record, rows }] : [];
  });
  return sized
    .sort((left, right) => left.rows - right.rows)
    .flatMap(({ record, rows }) =>
      (fieldsByRecord(view).get(record.id) ?? []).map((field) => ({
        ...field,
        hasMany: rows > maxSearchableValues && record.identifier.length === 1 && record.identifier[0] === field.id,
      })),
    );
};

/** Attributes before what has to be computed. */
const fieldsByRecord = (view: CallerView): ReadonlyMap<string, readonly SearchableField[]> => {
  const known = searchableFieldsByNames.get(view.names) ?? stringFieldsOf(view);
  searchableFieldsByNames.set(view.names, known);
  return Map.groupBy(known, ({ record }) => record);
};

const stringFieldsOf = ({ model, names }: CallerView): readonly SearchableField[] =>
  model.records.flatMap((record) =>
    record.fields.flatMap(({ id }) => {
      const column = names.fields.get(record.id)?.get(id)?.ofModel.column;
      if (column?.type !== 'string') return [];
      const isKey = record.identifier.includes(id) || isOfRelationship(model, record.id, id);
      return [{ record: record.id, recordName: record.name, id, column, isKey, hasMany: false }];
    }),
  );

const isOfRelationship = ({ relationships }: CallerView['model'], record: string, field: string): boolean =>
  relationships.some(({ from, to, on }) =>
    on.some((pair) => (from === record && pair.from === field) || (to === record && pair.to === field)),
  );

const recordQuery = (record: string, fields: readonly string[]) => ({
  record,
  fields,
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  page: 0,
});

/** All values of a field, each once, and one more than is few. */
export const createDistinctValuesQuery = ({ record, id }: SearchableField): DataQuery => ({
  ...recordQuery(record, [id]),
  distinct: true,
  pageSize: maxSearchableValues + 1,
});

/** Rows of which one of the fields contains the term. */
export const createTextSearchQuery = (record: string, fields: readonly string[], term: string): DataQuery => ({
  ...recordQuery(record, fields),
  distinct: false,
  search: { term, fields, precision: 100 },
  pageSize: rowsOfSearch,
});

/** Rows of which one of the keys begins with the term, as it is or in the other case; their indexes serve it. */
export const createKeySearchQuery = (record: string, fields: readonly string[], term: string): DataQuery => {
  const cases = [term, term.toUpperCase(), term.toLowerCase()];
  const spellings = [...new Set(cases.flatMap(unicodeFormsOf))];
  const operands = fields.flatMap((name) => spellings.map((text) => beginsWith(name, text)));
  return {
    ...recordQuery(record, fields),
    distinct: false,
    parsedFilters: [{ parameter: 'search_terms', text: term, expression: { kind: 'or', operands } }],
    pageSize: rowsOfSearch,
  };
};

const noPosition = { start: 0, end: 0 };
const beginsWith = (name: string, text: string): DataExpression => ({
  kind: 'match',
  function: 'startswith',
  field: { name, applied: [], ...noPosition },
  literal: { kind: 'string', text, ...noPosition },
});
