/** The faults of attribute values: names, kinds of value, cultures, and what is mandatory. */
import type { AttributeType, AttributeValue, AttributeValues } from '@tessera/contracts';
import type { FaultList } from '@tessera/failures';
import { neutralCulture } from './attributes.js';
import { systemAttributes } from './system-attributes.js';
import { type AttributeModel, findAttribute, type StorageModel, type TypeModel } from './storage-model.js';

type Path = readonly (string | number)[];
type Check = { readonly storage: StorageModel; readonly list: FaultList };

/** `complete`: whether mandatory values must be there. */
export const checkAttributes = (
  check: Check,
  path: Path,
  type: TypeModel,
  given: AttributeValues,
  complete: boolean,
): void => {
  for (const [name, value] of Object.entries(given)) {
    if (check.list.isFull) return;
    const attribute = findAttribute(type, name);
    const here = [...path, name];
    if (!attribute) check.list.unknown(here, `attribute of "${type.name}"`, name, writableNames(type));
    else if (attribute.isSystem && !writableSystemNames.has(attribute.name))
      check.list.add(here, 'kept', `"${attribute.name}" is kept by the server`);
    else if (typeof value === 'object' && !Array.isArray(value)) checkCultures(check, here, attribute, value);
    else checkValue(check.list, here, attribute.type, value);
  }
  if (complete)
    for (const attribute of type.attributes) if (attribute.mandatory) checkMandatory(check, path, attribute, given);
};

const checkCultures = (
  { storage, list }: Check,
  path: Path,
  attribute: AttributeModel,
  values: Readonly<Record<string, AttributeValue>>,
): void => {
  for (const [culture, value] of Object.entries(values)) {
    const here = [...path, culture];
    if (culture !== neutralCulture && !attribute.localised)
      list.add(here, 'localised', `"${attribute.name}" is not localised; expected one value`);
    else if (culture !== neutralCulture && !storage.cultures.includes(Number(culture)))
      list.unknown(here, 'culture', culture, storage.cultures.map(String));
    else checkValue(list, here, attribute.type, value);
  }
};

const checkValue = (list: FaultList, path: Path, type: AttributeType, value: AttributeValue): void => {
  if (!isOfType[type](value)) list.add(path, 'type', `expected ${typeDescriptions[type]}, got ${kindOf(value)}`);
};

/** A mandatory attribute that has no value, or none in a mandatory culture; white space is none. */
export const checkMandatory = (
  { list }: Pick<Check, 'list'>,
  path: Path,
  attribute: AttributeModel,
  given: AttributeValues,
): void => {
  const value = Object.entries(given).find(([name]) => name.toLowerCase() === attribute.name.toLowerCase())?.[1];
  const isLocalised = typeof value === 'object' && !Array.isArray(value);
  if (isLocalised ? Object.values(value).every(isBlank) : isBlank(value))
    return list.add(path, 'mandatory', `the attribute "${attribute.name}" is mandatory`);
  if (!isLocalised || !isBlank(value[neutralCulture])) return;
  for (const culture of attribute.mandatoryCultures)
    if (isBlank(value[String(culture)]))
      list.add([...path, attribute.name], 'mandatory', `"${attribute.name}" is mandatory in the culture ${culture}`);
};

/** What `IsNull` of a filter holds for. */
export const isBlank = (value: AttributeValue | undefined): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0);

/** The year 0 is none for a filter, nor for PostgreSQL. */
const dateTimePattern =
  /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,7})?$/;
const isDateTime = (value: AttributeValue): boolean =>
  typeof value === 'string' &&
  dateTimePattern.test(value) &&
  !Number.isNaN(Date.parse(`${value.slice(0, 19)}Z`)) &&
  new Date(`${value.slice(0, 19)}Z`).toISOString().startsWith(value.slice(0, 19));

const isOfType: Readonly<Record<AttributeType, (value: AttributeValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'date-time': isDateTime,
  file: Array.isArray,
  link: Array.isArray,
};

const typeDescriptions: Readonly<Record<AttributeType, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  'date-time': 'a date-time without zone such as 2026-06-30T00:00:00',
  file: 'a list of files',
  link: 'a list of links',
};

const kindOf = (value: AttributeValue): string =>
  Array.isArray(value) ? 'a list' : `the ${typeof value} ${JSON.stringify(value)}`.slice(0, 80);

const writableNames = (type: TypeModel): readonly string[] =>
  type.attributes.filter(({ name, isSystem }) => !isSystem || writableSystemNames.has(name)).map(({ name }) => name);

const writableSystemNames: ReadonlySet<string> = new Set(
  systemAttributes.filter(({ given }) => given).map(({ name }) => name),
);
