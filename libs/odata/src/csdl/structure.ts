/**
 * What both notations of CSDL say of the structure alike: facets of types, and which keys of a relationship can be
 * told.
 */
import type { EdmType, EntityModel, EntityProperty, EntityType, NavigationProperty } from '../model/entity-model.js';

/** Digits of a fraction of a second; types that are not here have none. */
export const fractionalSecondsPrecision: Readonly<Partial<Record<EdmType, number>>> = {
  'Edm.TimeOfDay': 6,
  'Edm.DateTimeOffset': 6,
};

/** CSDL knows no container of nothing. */
export const hasEntitySets = ({ types }: EntityModel): boolean => types.length > 0;

export type CsdlNavigation = {
  readonly name: string;
  readonly type: EntityType;
  readonly isCollection: boolean;
  readonly nullable: boolean;
  /** Property -> property of the other type. */
  readonly constraints: NavigationProperty['keys'];
};

type Key = NavigationProperty['keys'][number] & { readonly own: EntityProperty; readonly other: EntityProperty };

export const navigationsOf = (model: EntityModel, from: EntityType): readonly CsdlNavigation[] =>
  from.navigation.flatMap(({ name, record, isCollection, isOptional, keys }) => {
    const type = model.typeByRecord.get(record);
    if (!type) return [];
    const typed = isCollection ? [] : keys.flatMap((key) => keyOf(from, type, key));
    const isKnown = typed.length > 0 && typed.length === keys.length;
    const nullable = isOptional || !isKnown || typed.some(({ own, other }) => own.nullable || other.nullable);
    // CSDL asks for it: of a relationship that may be missing, keys that may be.
    const constraints = typed.filter(({ own }) => own.nullable === nullable);
    return [{ name, type, isCollection, nullable, constraints }];
  });

/** A constraint is of two properties of one type; a float is a decimal where it is a key. */
const keyOf = (from: EntityType, to: EntityType, key: NavigationProperty['keys'][number]): readonly Key[] => {
  const own = from.propertyByName.get(key.property);
  const other = to.propertyByName.get(key.referenced);
  return own && other && own.edmType === other.edmType ? [{ ...key, own, other }] : [];
};
