/**
 * What lists and details say of models, records, fields, filters and KPIs. What has no format, unit or target says nothing
 * of it.
 */
import type {
  CallerView,
  FieldModel,
  FilterModel,
  KpiModel,
  RecordModel,
  ResultColumn,
} from '@tessera/knowledge-model';
import type { PublishedModel } from '../catalog/published-models.js';

export const modelMembers = ['id', 'name', 'published'] as const;
export const presentModel = ({ id, publishedAt, checked }: PublishedModel) => ({
  id,
  name: checked.model.name,
  published: publishedAt.slice(0, 19).replace('T', ' '),
});

export const presentModelDetails = ({ id, checked: { model } }: PublishedModel) => ({
  id,
  name: model.name,
  ...(model.extends !== undefined && { extendedKMId: model.extends }),
});

export const filterMembers = ['id', 'name', 'description'] as const;
export const presentFilter = ({ id, name, description }: FilterModel) => ({ id, name, description });

export const recordMembers = ['id', 'name', 'description', 'shortDisplayName', 'internalNote'] as const;
export const presentRecord = ({ id, name, description, shortDisplayName, internalNote }: RecordModel) => ({
  id,
  name,
  description,
  shortDisplayName,
  internalNote,
});

export const kpiMembers = ['id', 'name', 'description', 'format', 'unit', 'direction', 'target'] as const;
export const presentKpi = (
  { formulas }: Pick<CallerView, 'formulas'>,
  { id, name, description, format, unit, direction, target, parameters }: KpiModel,
) => ({
  id,
  name,
  description,
  ...(format !== undefined && { format }),
  ...(unit !== undefined && { unit }),
  direction,
  ...(target !== undefined && { target }),
  parameters: parameters.map(({ id: parameter, name: label, value }) => ({ id: parameter, name: label, value })),
  records: [...(formulas.kpis.get(id)?.records ?? [])],
});

export const fieldMembers = [
  ...(['id', 'name', 'type', 'format', 'unit', 'filterable', 'sortable'] as const),
  ...(['description', 'shortDisplayName', 'internalNote'] as const),
] as const;

type PresentedField = Pick<ResultColumn, 'id' | 'name' | 'type' | 'format' | 'unit' | 'filterable' | 'sortable'> &
  Pick<FieldModel, 'description' | 'shortDisplayName' | 'internalNote'>;

type FieldList = 'fields' | 'attributes' | 'augmentedAttributes' | 'flags';

/** The fields of a record, all of them and by their kind, in the order of definition. */
export const presentFields = (
  { names }: Pick<CallerView, 'names'>,
  record: RecordModel,
): Readonly<Record<FieldList, readonly PresentedField[]>> => {
  const asked = names.fields.get(record.id);
  const seen = record.fields.flatMap((field) => {
    const column = asked?.get(field.id)?.ofRecord.column;
    return column ? [{ kind: field.origin.kind, presented: presentField(column, field) }] : [];
  });
  const ofKind = (kind: FieldModel['origin']['kind']): readonly PresentedField[] =>
    seen.flatMap((field) => (field.kind === kind ? [field.presented] : []));
  return {
    fields: seen.map(({ presented }) => presented),
    attributes: ofKind('attribute'),
    augmentedAttributes: ofKind('augmentedAttribute'),
    flags: ofKind('flag'),
  };
};

const presentField = (
  column: ResultColumn,
  { description, shortDisplayName, internalNote }: FieldModel,
): PresentedField => {
  const { id, name, type, format, unit, filterable, sortable } = column;
  return {
    id,
    name,
    type,
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
    filterable,
    sortable,
    description,
    shortDisplayName,
    internalNote,
  };
};

/** Of a record to others, each from its side; of their fields only those that the caller sees. */
export const presentRelationships = ({ model, names }: Pick<CallerView, 'model' | 'names'>, record: string) => {
  const isSeen = (of: string, field: string): boolean => names.fields.get(of)?.has(field) ?? false;
  return model.relationships.flatMap(({ from, to, on, cardinality }) => {
    const isFrom = from === record;
    if (!isFrom && to !== record) return [];
    const other = isFrom ? to : from;
    const fields = isFrom ? on : on.map((pair) => ({ from: pair.to, to: pair.from }));
    return [
      {
        record: other,
        cardinality: isFrom ? cardinality : reversed[cardinality],
        fields: fields.filter((pair) => isSeen(record, pair.from) && isSeen(other, pair.to)),
      },
    ];
  });
};

const reversed = {
  'one-to-one': 'one-to-one',
  'one-to-many': 'many-to-one',
  'many-to-one': 'one-to-many',
  'many-to-many': 'many-to-many',
} as const;
