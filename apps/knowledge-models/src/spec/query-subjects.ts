/**
 * What a specification has queries of: each record, and the model as a whole when there are KPIs; with everything that such
 * a query can name. Never shows what the caller does not see.
 */
import { dateGrains, isDateType } from '@tessera/contracts/knowledge-models';
import {
  type CallerView,
  columnByGrain,
  type ModelFilter,
  type RecordModel,
  type RequestedColumn,
  type RequestedField,
} from '@tessera/knowledge-model';
import type { DescribedColumn } from './column-schema.js';

export type QueryTarget = {
  /** What operations and schemas are called after it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Behind the path of the model: `/records/ID`, or nothing. */
  readonly path: string;
  readonly tag: string;
  readonly columns: readonly DescribedColumn[];
  /** Ids. */
  readonly fields: readonly string[];
  readonly kpis: readonly string[];
  readonly sortable: readonly string[];
  readonly searchable: readonly string[];
  readonly filters: readonly string[];
};

const modelName = 'Model';
/** No record is called so: ids have no space. */
const modelTag = 'Key figures';

export const listQueryTargets = (view: CallerView, onlyCurated: boolean): readonly QueryTarget[] => {
  const { model, names } = view;
  const nameOf = namesFor(
    model.records.map(({ id }) => id),
    [modelName],
  );
  const records = model.records.filter(({ curated }) => curated || !onlyCurated);
  const ofRecords = records.flatMap((record) => {
    const fields = describedFields(view, record, 'ofRecord');
    return fields.length === 0 ? [] : [recordSubject(view, record, nameOf.get(record.id) ?? record.id, fields)];
  });
  return names.kpis.size === 0 ? ofRecords : [...ofRecords, modelSubject(view, records)];
};

const recordSubject = (
  view: CallerView,
  record: RecordModel,
  name: string,
  columns: readonly DescribedColumn[],
): QueryTarget => ({
  name,
  title: record.name,
  description: record.description,
  path: `/records/${record.id}`,
  tag: record.id,
  columns,
  ...queryableIds(columns),
  filters: filterIds(view, (filter) => isOfRelated(view, record, filter)),
});

const modelSubject = (view: CallerView, records: readonly RecordModel[]): QueryTarget => {
  const kpis = view.model.kpis.flatMap(({ id, description, direction, target }) => {
    const asked = view.names.kpis.get(id);
    return asked ? [{ column: asked.column, nullable: true, description, direction, target }] : [];
  });
  const columns = [...records.flatMap((record) => describedFields(view, record, 'ofModel')), ...kpis];
  return {
    name: modelName,
    title: view.model.name,
    description: view.model.description,
    path: '',
    tag: modelTag,
    columns,
    ...queryableIds(columns),
    filters: filterIds(view, () => true),
  };
};

/** At the level of the model a field has no value where no row is related. */
const describedFields = (
  { names }: CallerView,
  record: RecordModel,
  level: 'ofRecord' | 'ofModel',
): readonly DescribedColumn[] =>
  record.fields.flatMap(({ id, description }) => {
    const asked: RequestedField | undefined = names.fields.get(record.id)?.get(id)?.[level];
    if (!asked) return [];
    const nullable = level === 'ofModel' || asked.nullable;
    return [{ column: asked.column, nullable, description }, ...describedPeriods(asked, nullable)];
  });

/** The periods of dates by which questions group. */
const describedPeriods = (asked: RequestedField, nullable: boolean): readonly DescribedColumn[] =>
  isDateType(asked.type)
    ? dateGrains.map((grain) => ({
        column: { ...columnByGrain(asked, grain), name: `${asked.column.name} (${grain})` },
        nullable,
        description: grain === 'day' ? 'The day.' : `The first day of the ${grain}.`,
      }))
    : [];

type QueryableIds = Pick<QueryTarget, 'fields' | 'kpis' | 'sortable' | 'searchable'>;

const queryableIds = (columns: readonly DescribedColumn[]): QueryableIds => {
  const ids = (fits: (column: RequestedColumn['column']) => boolean): readonly string[] =>
    columns.flatMap(({ column }) => (fits(column) ? [column.id] : []));
  return {
    fields: ids(({ aggregation }) => !aggregation),
    kpis: ids(({ aggregation }) => aggregation),
    sortable: ids(({ sortable }) => sortable),
    searchable: ids(({ aggregation, type }) => !aggregation && type === 'string'),
  };
};

const filterIds = ({ model, names }: CallerView, fits: (filter: ModelFilter) => boolean): readonly string[] =>
  model.filters.flatMap(({ id }) => {
    const filter = names.filters.get(id);
    return filter && fits(filter) ? [id] : [];
  });

/** A query of a record takes no KPI, and fields of those records only that some way leads to. */
const isOfRelated = (view: CallerView, record: RecordModel, { groups, reads }: ModelFilter): boolean => {
  if (groups.length > 0) return false;
  const related = relatedTo(view, record.id);
  return reads.every((name) => related.has(name.slice(0, Math.max(0, name.indexOf('.')))));
};

const relatedTo = ({ model }: CallerView, record: string): ReadonlySet<string> => {
  const found = new Set([record]);
  for (const place of found)
    for (const { from, to } of model.relationships) {
      if (from === place) found.add(to);
      if (to === place) found.add(from);
    }
  return found;
};

/** `PO_ITEM` -> `PoItem`. */
const pascalCase = (id: string): string => {
  const words = id.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
  return /^[A-Za-z]/.test(name) ? name : `Record${name}`;
};

/** By id; the first of several that would be called the same keeps the name, the others are numbered. */
const namesFor = (ids: readonly string[], taken: readonly string[]): ReadonlyMap<string, string> => {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return new Map(
    ids.map((id) => {
      const wanted = pascalCase(id);
      let name = wanted;
      for (let number = 2; used.has(name.toLowerCase()); number++) name = `${wanted}${number}`;
      used.add(name.toLowerCase());
      return [id, name];
    }),
  );
};
