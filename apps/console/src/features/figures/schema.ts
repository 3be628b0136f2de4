/** What a model has for the person who asks: records with fields and relationships, KPIs, filters. */
import type { AnswerFor } from '../../api/operations.js';
import type { Option } from '../../ui/options.js';

export type ModelRecord = AnswerFor<'readRecord'>;
export type FieldType = ModelRecord['fields'][number]['type'];
export type Kpi = AnswerFor<'listKpis'>['content'][number];
export type ModelFilter = AnswerFor<'listFilters'>['content'][number];

export type ModelField = ModelRecord['fields'][number] & {
  /** `RECORD.FIELD`, as questions name it. */
  readonly path: string;
  readonly record: string;
  readonly recordName: string;
};

export type Schema = {
  readonly records: readonly ModelRecord[];
  readonly fields: readonly ModelField[];
  readonly kpis: readonly Kpi[];
  readonly filters: readonly ModelFilter[];
  readonly recordById: ReadonlyMap<string, ModelRecord>;
  /** By path. */
  readonly fieldByPath: ReadonlyMap<string, ModelField>;
  readonly kpiById: ReadonlyMap<string, Kpi>;
  readonly filterById: ReadonlyMap<string, ModelFilter>;
  /** What can be chosen, made once: lists of the same objects are drawn from what is there. */
  readonly options: Readonly<Record<'fields' | 'kpis' | 'filters', readonly Option[]>>;
};

const described = ({ id, name, description }: Pick<ModelFilter, 'id' | 'name' | 'description'>): Option => ({
  ...{ id, label: name },
  ...(description !== '' && { description }),
});

export const schemaOf = (
  records: readonly ModelRecord[],
  kpis: readonly Kpi[],
  filters: readonly ModelFilter[],
): Schema => {
  const fields = records.flatMap((record) =>
    record.fields.map((field) => ({
      ...field,
      ...{ path: `${record.id}.${field.id}`, record: record.id, recordName: record.name },
    })),
  );
  return {
    ...{ records, fields, kpis, filters },
    recordById: new Map(records.map((record) => [record.id, record])),
    fieldByPath: new Map(fields.map((field) => [field.path, field])),
    kpiById: new Map(kpis.map((kpi) => [kpi.id, kpi])),
    filterById: new Map(filters.map((filter) => [filter.id, filter])),
    options: {
      fields: fields.map(({ path, name, recordName }) => ({ id: path, label: name, description: recordName })),
      ...{ kpis: kpis.map(described), filters: filters.map(described) },
    },
  };
};

/** KPIs are numbers; a name that the model does not have is taken for a text. */
export const typeOf = (schema: Schema, name: string): FieldType =>
  schema.fieldByPath.get(name)?.type ?? (schema.kpiById.has(name) ? 'float' : 'string');

export const isDateType = (type: FieldType): boolean => type === 'date' || type === 'datetime' || type === 'timestamp';

/** What a person calls it; the id where the model has no such thing. */
export const nameIn = ({ fieldByPath, kpiById, filterById }: Schema, id: string): string =>
  fieldByPath.get(id)?.name ?? kpiById.get(id)?.name ?? filterById.get(id)?.name ?? id;
