/** Entity models for tests, made by hand: records, the types of their fields, keys and ways between them. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { fromODataName } from '../names.js';
import type { EdmType, EntityModel, EntityProperty, EntityType } from '../model/entity-model.js';

export type SampleRecord = {
  readonly fields: Readonly<Record<string, ValueType>>;
  readonly key?: readonly string[];
  /** Names of navigation properties -> the record, with `*` behind it for many. */
  readonly ways?: Readonly<Record<string, string>>;
  readonly unsortable?: readonly string[];
  /** Names of KPIs -> the types of their values. */
  readonly kpis?: Readonly<Record<string, ValueType>>;
};

const edmTypes: Readonly<Record<ValueType, EdmType>> = {
  string: 'Edm.String',
  integer: 'Edm.Int64',
  float: 'Edm.Double',
  boolean: 'Edm.Boolean',
  date: 'Edm.Date',
  time: 'Edm.TimeOfDay',
  datetime: 'Edm.DateTimeOffset',
  timestamp: 'Edm.DateTimeOffset',
};

/** Keys of `records` and `fields` are OData names. */
export const createSampleModel = (records: Readonly<Record<string, SampleRecord>>): EntityModel => {
  const types = Object.entries(records).map(([name, record]) => sampleType(name, record));
  return { label: 'Trial', description: '', types, typeByRecord: new Map(types.map((type) => [type.record, type])) };
};

export const findSampleType = (model: EntityModel, record: string): EntityType => {
  const type = model.typeByRecord.get(record);
  if (!type) throw new Error(`There is no record ${record} in the trial.`);
  return type;
};

const sampleType = (name: string, record: SampleRecord): EntityType => {
  const { fields, key = [], ways = {}, unsortable = [], kpis = {} } = record;
  const propertyWith = ([property, type]: readonly [string, ValueType]): EntityProperty => ({
    name: property,
    id: fromODataName(property),
    type,
    edmType: type === 'float' && key.includes(property) ? 'Edm.Decimal' : edmTypes[type],
    exact: false,
    nullable: !key.includes(property),
    label: property,
    description: '',
    filterable: true,
    sortable: !unsortable.includes(property),
  });
  const properties = Object.entries(fields).map(propertyWith);
  const propertyByName = new Map(properties.map((property) => [property.name, property]));
  return {
    name,
    setName: `${name}_entries`,
    record: fromODataName(name),
    label: name,
    description: '',
    key: key.flatMap((property) => propertyByName.get(property) ?? []),
    properties,
    propertyByName,
    kpis: Object.entries(kpis).map(propertyWith),
    navigation: Object.entries(ways).map(([way, record]) => ({
      name: way,
      record: record.replace('*', ''),
      isCollection: record.endsWith('*'),
      isOptional: false,
      keys: [],
    })),
  };
};
