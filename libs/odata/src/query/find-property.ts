/** Names in options -> properties of an entity type. A name may be written as the id of its field as well. */
import { findNearestName } from '@tessera/failures';
import { fromODataName } from '../names.js';
import type { EntityProperty, EntityType, NavigationProperty } from '../model/entity-model.js';
import { shortenText } from './option-fault.js';

export type PropertyFinder = {
  readonly type: EntityType;
  readonly find: (name: string) => EntityProperty | undefined;
  /** The navigation property that a path begins with, by its name or by the record that it leads to. */
  readonly navigation: (path: string) => NavigationProperty | undefined;
};

const finderCache = new WeakMap<EntityType, PropertyFinder>();

/** Made once for a type, which every request of those who see it shares. */
export const getPropertyFinder = (type: EntityType): PropertyFinder => {
  const finder = finderCache.get(type) ?? makeFinder(type);
  finderCache.set(type, finder);
  return finder;
};

const makeFinder = (type: EntityType): PropertyFinder => {
  const byId = new Map(type.properties.map((property) => [property.id, property]));
  const navigation = new Map(type.navigation.map((property) => [property.name, property]));
  const byRecord = new Map(type.navigation.map((property) => [property.record, property]));
  return {
    type,
    find: (name) => type.propertyByName.get(name) ?? byId.get(fromODataName(name)) ?? byId.get(name),
    navigation: (path) => {
      const name = /^[^/]*/.exec(path)?.[0] ?? '';
      return navigation.get(name) ?? byRecord.get(fromODataName(name)) ?? byRecord.get(name);
    },
  };
};

/** `There is no property AMOUT in ORDER`, with what comes nearest. */
export const describeUnknownProperty = (
  { type }: Pick<PropertyFinder, 'type'>,
  name: string,
): { readonly message: string; readonly suggestion: string | undefined } => ({
  message: `There is no property ${shortenText(name)} in ${type.name}.`,
  suggestion: findNearestName(name, type.propertyByName.keys()),
});
