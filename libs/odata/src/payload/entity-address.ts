/** Addresses of entries and of what is related to them, from the values of a row. */
import type { EntityProperty, NavigationProperty } from '../model/entity-model.js';
import type { PayloadLayout, Row } from './payload.js';
import { createValueTextConverter } from './value-text.js';

/** Undefined: there is none. */
export type GetRowAddress = (row: Row) => string | undefined;

type AddressSubject = Pick<PayloadLayout, 'root' | 'type' | 'places'>;

/** The canonical one, which is the id as well. */
export const createEntityAddressGetter = ({ root, type, places }: AddressSubject): GetRowAddress =>
  keyAddress(
    `${root}${type.setName}`,
    type.key.map((property) => ({ name: property.name, read: literalAt(property, places) })),
  );

/** Of what a navigation property leads to, behind the address of the entry. */
export const createRelatedAddressGetter = (
  subject: AddressSubject,
  { name }: Pick<NavigationProperty, 'name'>,
): GetRowAddress => {
  const address = createEntityAddressGetter(subject);
  return (row) => {
    const own = address(row);
    return own === undefined ? undefined : `${own}/${name}`;
  };
};

const noAddress: GetRowAddress = () => undefined;

type KeyPart = { readonly name: string; readonly read: GetRowAddress };

const keyAddress = (prefix: string, parts: readonly KeyPart[]): GetRowAddress => {
  if (parts.length === 0) return noAddress;
  return (row) => {
    const literals = parts.map(({ read }) => read(row));
    if (literals.includes(undefined)) return undefined;
    const key = parts.length === 1 ? literals : literals.map((literal, at) => `${parts[at]?.name}=${literal}`);
    return `${prefix}(${key.join(',')})`;
  };
};

/** A value as it is written in addresses, percent-encoded. */
const literalAt = (property: EntityProperty, places: AddressSubject['places']): GetRowAddress => {
  const place = places.get(property.id);
  if (place === undefined) return noAddress;
  const read = createValueTextConverter(property);
  const isText = property.edmType === 'Edm.String';
  return (row) => {
    const value = row[place];
    const text = value === null || value === undefined ? undefined : read(value);
    if (text === undefined) return undefined;
    return encodeURIComponent(isText ? `'${text.toWellFormed().replaceAll("'", "''")}'` : text);
  };
};
