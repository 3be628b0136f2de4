/**
 * Which fields of a model may have the values that a term means, and how they are looked for: fields of few values by all
 * of them, others by the search that every question has.
 * Refuses: to ask anything; it says in which order, so that little is read first.
 */
import type { CallerView, DataQuery, SearchedField } from '@tessera/knowledge-model';
import type { TeamCatalog } from '../catalog/catalogs.js';

export type SearchableField = SearchedField & {
  readonly record: string;
  /** Of the record. */
  readonly id: string;
  /** Whether it has more values than are read, as far as is known before one asks. */
  readonly hasMany: boolean;
};

/** Of one field; with more it has many. */
export const valuesMax = 1_000;
const rowsOfSearch = 20;

const searchableFields = new WeakMap<CallerView, readonly SearchableField[]>();

/** Those of small tables first. What an external database has is not known, and not cheap to ask. */
export const searchableFieldsOf = (view: CallerView, { tables }: TeamCatalog): readonly SearchableField[] => {
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
        hasMany: rows > valuesMax && record.identifier.length === 1 && record.identifier[0] === field.id,
      })),
    );
};

/** Attributes before what has to be computed. */
const fieldsByRecord = (view: CallerView): ReadonlyMap<string, readonly SearchableField[]> => {
  const known = searchableFields.get(view) ?? stringFieldsOf(view);
  searchableFields.set(view, known);
  return Map.groupBy(known, ({ record }) => record);
};

const stringFieldsOf = ({ model, names }: CallerView): readonly SearchableField[] =>
  model.records.flatMap((record) =>
    record.fields.flatMap(({ id }) => {
      const column = names.fields.get(record.id)?.get(id)?.ofModel.column;
      if (column?.type !== 'string') return [];
      return [{ record: record.id, recordName: record.name, id, column, hasMany: false }];
    }),
  );

const question = (record: string, fields: readonly string[]) => ({
  record,
  fields,
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  page: 0,
});

/** All values of a field, each once, and one more than is few. */
export const valuesQuery = ({ record, id }: SearchableField): DataQuery => ({
  ...question(record, [id]),
  distinct: true,
  pageSize: valuesMax + 1,
});

/** Rows of which one of the fields contains the term. */
export const termQuery = (record: string, fields: readonly string[], term: string): DataQuery => ({
  ...question(record, fields),
  distinct: false,
  search: { term, fields, precision: 100 },
  pageSize: rowsOfSearch,
});
