/**
 * The entity data model of a view: records as entity types, fields as properties, relationships as navigation in both
 * directions. Which relationship leads from one record to another is what questions say, so that a filter along a
 * navigation property is about the rows that it shows.
 */
import {
  type CallerView,
  type NamedField,
  type RecordModel,
  findJoinPath,
  referencedRecords,
} from '@tessera/knowledge-model';
import { toODataName, entitySetSuffix } from '../names.js';
import {
  containerName,
  type EdmType,
  type EntityModel,
  type EntityProperty,
  type EntityType,
  type NavigationProperty,
  customTermNames,
} from './entity-model.js';

type Structure = Omit<EntityType, 'navigation' | 'kpis'>;

/** What the schema has beside entity types. */
const reservedNames: ReadonlySet<string> = new Set([containerName, customTermNames.label, customTermNames.format]);

export const createEntityModel = (view: CallerView): EntityModel => {
  const structures = view.model.records.map((record) => structureOf(view, record));
  const byRecord = new Map(
    structures.filter(({ properties }) => properties.length > 0).map((one) => [one.record, one]),
  );
  const neighbours = neighboursOf(view);
  const types = [...byRecord.values()].map((structure) => {
    const navigation = navigationOf(view, structure, neighbours.get(structure.record) ?? new Set(), byRecord);
    return { ...structure, navigation, kpis: kpisOf(view, structure, new Set(navigation.map(({ name }) => name))) };
  });
  const { name: label, description } = view.model;
  return { label, description, types, typeByRecord: new Map(types.map((type) => [type.record, type])) };
};

const structureOf = ({ names }: CallerView, record: RecordModel): Structure => {
  const fields = names.fields.get(record.id);
  const identifier = new Set(record.identifier);
  const properties = record.fields.flatMap(({ id, description }) => {
    const named = fields?.get(id);
    return named ? [propertyOf(named, description, identifier.has(id))] : [];
  });
  const propertyByField = new Map(properties.map((property) => [property.id, property]));
  const key = record.identifier.flatMap((id) => propertyByField.get(id) ?? []);
  const name = freeName(record.id, reservedNames);
  return {
    name,
    setName: `${name}${entitySetSuffix}`,
    record: record.id,
    label: record.name,
    description: record.description,
    key: key.length === record.identifier.length ? key : [],
    properties,
    propertyByName: new Map(properties.map((property) => [property.name, property])),
  };
};

const propertyOf = ({ ofRecord }: NamedField, description: string, isKey: boolean): EntityProperty => {
  const { column, field: id, type, nullable } = ofRecord;
  const { name: label, exact, format, unit, filterable, sortable } = column;
  return {
    name: toODataName(id),
    id,
    type,
    // No Edm.Double may be a key: two numbers that print alike need not be the same one.
    edmType: edmTypeOf(type, exact || isKey),
    exact,
    nullable: nullable && !isKey,
    label,
    description,
    ...(unit !== undefined && { unit }),
    ...(format !== undefined && { format }),
    filterable,
    sortable,
  };
};

/** Under names that neither a property nor a navigation property has. */
const kpisOf = (
  { model, names }: CallerView,
  { record, propertyByName }: Structure,
  navigation: ReadonlySet<string>,
): readonly EntityProperty[] => {
  const has = (name: string): boolean => propertyByName.has(name) || navigation.has(name);
  return model.kpis.flatMap(({ id, description }) => {
    const named = names.kpis.get(id);
    const isRelated = (grain: string) => findJoinPath(model.relationships, record, grain) !== undefined;
    if (!named || !referencedRecords(named.typed.formula).every(isRelated)) return [];
    const { type, column } = named;
    const { name: label, exact, format, unit } = column;
    return [
      {
        ...{ name: freeName(id, { has }), id, type, edmType: edmTypeOf(type, exact), exact, nullable: true },
        ...{ label, description, filterable: true, sortable: true },
        ...(unit !== undefined && { unit }),
        ...(format !== undefined && { format }),
      },
    ];
  });
};

export const edmTypeOf = (type: EntityProperty['type'], isDecimal: boolean): EdmType =>
  type === 'float' && isDecimal ? 'Edm.Decimal' : edmTypes[type];

const edmTypes: Readonly<Record<EntityProperty['type'], EdmType>> = {
  string: 'Edm.String',
  integer: 'Edm.Int64',
  float: 'Edm.Double',
  boolean: 'Edm.Boolean',
  date: 'Edm.Date',
  time: 'Edm.TimeOfDay',
  datetime: 'Edm.DateTimeOffset',
  timestamp: 'Edm.DateTimeOffset',
};

/** By record, in the order of the definition. */
const neighboursOf = ({ model }: CallerView): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>(model.records.map(({ id }) => [id, new Set()]));
  for (const { from, to } of model.relationships) {
    found.get(from)?.add(to);
    found.get(to)?.add(from);
  }
  return found;
};

const navigationOf = (
  { model, policies }: CallerView,
  from: Structure,
  neighbours: ReadonlySet<string>,
  byRecord: ReadonlyMap<string, Structure>,
): readonly NavigationProperty[] =>
  [...neighbours].flatMap((record) => {
    const to = byRecord.get(record);
    const [step, ...further] = findJoinPath(model.relationships, from.record, record) ?? [];
    if (!to || !step || further.length > 0) return [];
    const [back] = findJoinPath(model.relationships, record, from.record) ?? [];
    const keys = step.on.flatMap((pair) => {
      const [property, referenced] = [toODataName(pair.from), toODataName(pair.to)];
      return from.propertyByName.has(property) && to.propertyByName.has(referenced) ? [{ property, referenced }] : [];
    });
    const name = freeName(record, from.propertyByName);
    return [
      {
        name,
        record,
        isCollection: step.isToMany,
        isOptional: !step.isToMany && (policies.has(record) || !back?.isToMany),
        keys: keys.length === step.on.length ? keys : [],
      },
    ];
  });

/** The first of its names that is not taken; another id has none of them. */
const freeName = (id: string, names: { readonly has: (name: string) => boolean }): string => {
  for (let escaped = 0; escaped < id.length; escaped++) {
    const name = toODataName(id, escaped);
    if (!names.has(name)) return name;
  }
  return toODataName(id, id.length);
};
