/** The groups of `$apply` as a type of their own, by which conditions and orders behind them find what they name. */
import type { EntityModel, EntityProperty, EntityType } from '../model/entity-model.js';
import type { PropertyFinder } from './find-property.js';
import type { Grouping } from './read-apply.js';

type GroupScope = { readonly model: EntityModel; readonly finder: PropertyFinder };

/** Ids of its properties are those of columns; of a property of a related entry, behind the record and a dot. */
export const createGroupScope = (model: EntityModel, type: EntityType, { keys, measures }: Grouping): GroupScope => {
  const own = keys.filter(({ navigation }) => !navigation).map(({ property }) => property);
  const groups = typeWith(type, [...own, ...measures.map(({ property }) => property)], []);
  const navigation = [...new Set(keys.flatMap((key) => key.navigation ?? []))];
  const related = navigation.flatMap(({ record }) => {
    const other = model.typeByRecord.get(record);
    const properties = keys.filter((key) => key.navigation?.record === record).map(({ property }) => property);
    return other
      ? [
          typeWith(
            other,
            properties.map((property) => withoutRecord(other, property)),
            [],
          ),
        ]
      : [];
  });
  const types = [groups, ...related];
  const byPath = new Map(
    keys.map(({ property, navigation: way }) => [way ? `${way.name}/${property.name}` : property.name, property]),
  );
  const find = (name: string): EntityProperty | undefined => groups.propertyByName.get(name) ?? byPath.get(name);
  return {
    model: { ...model, types, typeByRecord: new Map(types.map((each) => [each.record, each])) },
    finder: {
      type: { ...groups, navigation },
      find,
      navigation: (path) =>
        navigation.find(({ name, record }) => [name, record].includes(/^[^/]*/.exec(path)?.[0] ?? '')),
    },
  };
};

const typeWith = (type: EntityType, properties: readonly EntityProperty[], kpis: EntityType['kpis']): EntityType => ({
  ...type,
  ...{ key: [], properties, navigation: [], kpis },
  propertyByName: new Map(properties.map((property) => [property.name, property])),
});

const withoutRecord = ({ record }: EntityType, property: EntityProperty): EntityProperty => ({
  ...property,
  id: property.id.slice(record.length + 1),
});
