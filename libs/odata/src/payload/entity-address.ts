/**
 * Addresses of entries and of what is related to them, from the values of a row. A related entry has the address in its
 * own set, and related entries are a filter of theirs, so that every address leads somewhere.
 */
import type { EntityProperty, NavigationProperty } from '../model/entity-model.js';
import type { PayloadSubject, Row } from './payload.js';
import { textReader } from './value-text.js';

/** Undefined: there is none. */
export type AddressOf = (row: Row) => string | undefined;

type AddressSubject = Pick<PayloadSubject, 'root' | 'model' | 'type' | 'places'>;

/** The canonical one, which is the id as well. */
export const entityAddress = ({ root, type, places }: AddressSubject): AddressOf =>
  keyAddress(
    `${root}${type.setName}`,
    type.key.map((property) => ({ name: property.name, read: literalAt(property, places) })),
  );

/** Of what a navigation property leads to. */
export const relatedAddress = (subject: AddressSubject, navigation: NavigationProperty): AddressOf =>
  navigation.isCollection ? collectionAddress(subject, navigation) : oneAddress(subject, navigation);

/** By its key, when that is what the relationship is by. */
const oneAddress = ({ root, model, type, places }: AddressSubject, { record, keys }: NavigationProperty): AddressOf => {
  const other = model.typeByRecord.get(record);
  if (!other) return noAddress;
  const parts = other.key.flatMap(({ name }) => {
    const own = keys.find(({ referenced }) => referenced === name)?.property;
    const property = own === undefined ? undefined : type.propertyByName.get(own);
    return property ? [{ name, read: literalAt(property, places) }] : [];
  });
  return parts.length === other.key.length ? keyAddress(`${root}${other.setName}`, parts) : noAddress;
};

/** Those that lead back to this entry. */
const collectionAddress = (
  { root, model, type, places }: AddressSubject,
  { record }: NavigationProperty,
): AddressOf => {
  const other = model.typeByRecord.get(record);
  const back = other?.navigation.find((navigation) => navigation.record === type.record);
  if (!other || !back || type.key.length === 0) return noAddress;
  const conditions = type.key.map((property) => ({
    before: encodeURIComponent(`${back.name}/${property.name} eq `),
    read: literalAt(property, places),
  }));
  const prefix = `${root}${other.setName}?$filter=`;
  return (row) => {
    const texts = conditions.map(({ before, read }) => [before, read(row)] as const);
    if (texts.some(([, literal]) => literal === undefined)) return undefined;
    return prefix + texts.map(([before, literal]) => `${before}${literal}`).join(encodeURIComponent(' and '));
  };
};

/** What an address needs of a row beside what is shown: the ids of fields. */
export const fieldsOfAddresses = ({ type }: Pick<AddressSubject, 'type'>): readonly string[] => {
  const byName = type.navigation.flatMap(({ isCollection, keys }) => (isCollection ? [] : keys));
  const ids = byName.flatMap(({ property }) => type.propertyByName.get(property)?.id ?? []);
  return [...new Set([...type.key.map(({ id }) => id), ...ids])];
};

const noAddress: AddressOf = () => undefined;

type KeyPart = { readonly name: string; readonly read: AddressOf };

const keyAddress = (prefix: string, parts: readonly KeyPart[]): AddressOf => {
  if (parts.length === 0) return noAddress;
  return (row) => {
    const literals = parts.map(({ read }) => read(row));
    if (literals.includes(undefined)) return undefined;
    const key = parts.length === 1 ? literals : literals.map((literal, at) => `${parts[at]?.name}=${literal}`);
    return `${prefix}(${key.join(',')})`;
  };
};

/** A value as it is written in addresses, percent-encoded. */
const literalAt = (property: EntityProperty, places: AddressSubject['places']): AddressOf => {
  const place = places.get(property.id);
  if (place === undefined) return noAddress;
  const read = textReader(property);
  const isText = property.edmType === 'Edm.String';
  return (row) => {
    const value = row[place];
    const text = value === null || value === undefined ? undefined : read(value);
    if (text === undefined) return undefined;
    return encodeURIComponent(isText ? `'${text.toWellFormed().replaceAll("'", "''")}'` : text);
  };
};
