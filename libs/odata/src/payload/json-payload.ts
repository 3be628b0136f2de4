/**
 * Entries as JSON, with as much metadata as was asked for. Control information stands where a reader of a stream needs
 * it: before what it is about, and the next page behind the last entry.
 */
import { type EntityProperty, schemaNamespace, type NavigationProperty } from '../model/entity-model.js';
import type { MetadataLevel } from '../query/choose-representation.js';
import { createEntityAddressGetter, createRelatedAddressGetter } from './entity-address.js';
import {
  contextUrlOf,
  type ExpandedEntryLayout,
  hasRelatedEntry,
  type NavigationEntriesLayout,
  type PayloadSerializer,
  type PayloadLayout,
  toRelatedLayout,
  type Row,
  rowFormatKey,
} from './payload.js';
import { isNumeral, createValueTextConverter } from './value-text.js';

export type JsonFormat = { readonly metadata: MetadataLevel; readonly ieee754Compatible: boolean };

export const createJsonSerializer = (subject: PayloadLayout, format: JsonFormat): PayloadSerializer => {
  const context = format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(contextUrlOf(subject))}`];
  const around = subject.isOne ? frameEntry(context) : createPageFrame(context, format);
  return { key: rowFormatKey(subject), writer: () => entryWriter(subject, format), separator: ',', ...around };
};

type PayloadFrame = Pick<PayloadSerializer, 'head' | 'tail'>;

export const createPageFrame = (context: readonly string[], format: JsonFormat): PayloadFrame => ({
  head: (count) => {
    const counted = count === undefined ? [] : [`"@odata.count":${writtenCount(count, format)}`];
    return `{${[...context, ...counted, '"value":['].join(',')}`;
  },
  tail: (nextLink) => `]${nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`}}`,
});

const writtenCount = (count: string, { ieee754Compatible }: JsonFormat): string =>
  ieee754Compatible ? `"${count}"` : count;

/** The members of the entry stand between. */
const frameEntry = (context: readonly string[]): PayloadFrame => ({
  head: () => `{${context.map((member) => `${member},`).join('')}`,
  tail: () => '}',
});

type WriteMembers = (row: Row) => string;

const entryWriter = (subject: PayloadLayout, format: JsonFormat): WriteMembers => {
  const control = controlWriter(subject, format);
  const values = createValuesWriter(subject, format, control ? ',' : '');
  const related = navigationWriter(subject, format);
  const [open, close] = subject.isOne ? ['', ''] : ['{', '}'];
  if (!control && !related) return (row) => open + values(row) + close;
  return (row) => `${open}${control?.(row) ?? ''}${values(row)}${related?.(row) ?? ''}${close}`;
};

/** `before`: stands before the first member. */
export const createValuesWriter = (
  { shown, places, representation }: Pick<PayloadLayout, 'shown' | 'places' | 'representation'>,
  { metadata, ieee754Compatible }: JsonFormat,
  before: string,
): WriteMembers => {
  const mark = representation.version === '4.0' ? '#' : '';
  const members = shown.map((property, index) => {
    const comma = index === 0 ? before : ',';
    const [key, type] = [JSON.stringify(property.name), JSON.stringify(`${mark}${property.edmType.slice(4)}`)];
    return {
      place: places.get(property.id) ?? -1,
      encode: jsonEncoder(property, ieee754Compatible),
      key: `${comma}${key}:`,
      typedKey: `${comma}${JSON.stringify(`${property.name}@odata.type`)}:${type},${key}:`,
      isTyped: (encoded: string): boolean => metadata === 'full' && !hasImplicitType(property, encoded),
    };
  });
  return (row) => {
    let text = '';
    for (const { place, encode, key, typedKey, isTyped } of members) {
      const value = row[place];
      const encoded = value === null || value === undefined ? 'null' : encode(value);
      text += isTyped(encoded) ? typedKey : key;
      text += encoded;
    }
    return text;
  };
};

/** A double that is no number is a string in JSON. */
const hasImplicitType = ({ edmType }: EntityProperty, encoded: string): boolean =>
  edmType === 'Edm.String' || edmType === 'Edm.Boolean' || (edmType === 'Edm.Double' && !encoded.startsWith('"'));

const jsonEncoder = (property: EntityProperty, ieee754Compatible: boolean): ((text: string) => string) => {
  const { edmType, exact } = property;
  if (edmType === 'Edm.String') return JSON.stringify;
  const read = createValueTextConverter(property);
  const isQuoted = exact || (ieee754Compatible && edmType !== 'Edm.Double');
  return (text) => {
    const value = read(text);
    if (value === undefined) return 'null';
    if (isUnquotedValue(edmType, value, isQuoted)) return value;
    return plainTextPattern.test(value) ? `"${value}"` : JSON.stringify(value);
  };
};

/** What needs no escape; numbers and moments do not. */
const plainTextPattern = /^[\w:.+-]*$/;

const isUnquotedValue = (edmType: EntityProperty['edmType'], value: string, isQuoted: boolean): boolean => {
  switch (edmType) {
    case 'Edm.Int64':
    case 'Edm.Double':
    case 'Edm.Decimal':
      return !isQuoted && isNumeral(value);
    case 'Edm.Boolean':
      return value === 'true' || value === 'false';
    case 'Edm.String':
    case 'Edm.Date':
    case 'Edm.TimeOfDay':
    case 'Edm.DateTimeOffset':
      return false;
  }
};

/**
 * The type with full metadata; the id also where a client cannot make it of the key that is shown, and where version 4.0 asks
 * for a null because there is none.
 */
const controlWriter = (subject: PayloadLayout, { metadata }: JsonFormat): WriteMembers | undefined => {
  const { type, shown, representation } = subject;
  if (metadata === 'none') return undefined;
  const address = createEntityAddressGetter(subject);
  const isFull = metadata === 'full';
  const typed = isFull ? [`"@odata.type":${JSON.stringify(`#${schemaNamespace}.${type.name}`)}`] : [];
  const hasKey = type.key.length > 0;
  const isKeyShown = hasKey && type.key.every((property) => shown.includes(property));
  const needsId = hasKey ? isFull || !isKeyShown : representation.version === '4.0';
  if (!needsId) return isFull ? () => typed.join() : undefined;
  return (row) => {
    const id = JSON.stringify(address(row) ?? null);
    const read = isFull && id !== 'null' ? [`"@odata.readLink":${id}`] : [];
    return [...typed, `"@odata.id":${id}`, ...read].join(',');
  };
};

/** Links come with full metadata, each before the related entry that it leads to. */
const navigationWriter = (subject: PayloadLayout, format: JsonFormat): WriteMembers | undefined => {
  const { type, expanded, linked } = subject;
  const parts = type.navigation.flatMap((navigation) => [
    ...(format.metadata === 'full' ? [linkWriter(subject, navigation)] : []),
    ...expanded
      .filter(({ name }) => name === navigation.name)
      .map((related) => relatedWriter(subject, related, format)),
    ...linked.filter(({ name }) => name === navigation.name).map((related) => linkedWriter(subject, related, format)),
  ]);
  if (parts.length === 0) return undefined;
  return (row) => {
    let text = '';
    for (const write of parts) text += write(row);
    return text;
  };
};

const linkWriter = (subject: PayloadLayout, navigation: NavigationProperty): WriteMembers => {
  const key = `,${JSON.stringify(`${navigation.name}@odata.navigationLink`)}:`;
  const address = createRelatedAddressGetter(subject, navigation);
  return (row) => {
    const link = address(row);
    return link === undefined ? '' : key + JSON.stringify(link);
  };
};

const relatedWriter = (subject: PayloadLayout, related: ExpandedEntryLayout, format: JsonFormat): WriteMembers => {
  const key = `,${JSON.stringify(related.name)}:`;
  const write = entryWriter(toRelatedLayout(subject, related), format);
  return (row) => key + (hasRelatedEntry(row, related) ? write(row) : 'null');
};

const linkedWriter = (subject: PayloadLayout, linked: NavigationEntriesLayout, format: JsonFormat): WriteMembers => {
  const { name, isCollection, isCounted, entriesOf } = linked;
  const [key, countKey, linkKey] = ['', '@odata.count', '@odata.nextLink'].map(
    (annotation) => `,${JSON.stringify(name + annotation)}:`,
  );
  const write = entryWriter(toRelatedLayout(subject, linked), format);
  const address = createRelatedAddressGetter(subject, linked);
  if (!isCollection)
    return (row) => {
      const [related] = entriesOf(row).rows;
      return key + (related ? write(related) : 'null');
    };
  return (row) => {
    const { rows, count, nextLink } = entriesOf(row);
    const counted = isCounted ? countKey + writtenCount(count, format) : '';
    const behind = nextLink && address(row);
    const next = behind === undefined ? '' : linkKey + JSON.stringify(nextLink?.(behind));
    return `${counted}${key}[${rows.map(write).join(',')}]${next}`;
  };
};
