/**
 * `$orderby` -> properties and directions: `NAME`, `NAME asc`, `NAME desc`; the same twice is once. Where entries are ordered also
 * what is computed of properties, and properties of an entry to which they lead: `SUPPLIER/NAME`, `length(NAME) desc`.
 */
import type { EntityProperty } from '../model/entity-model.js';
import { type PropertyFinder, describeUnknownProperty } from './find-property.js';
import { type ListItem, type OptionFaultCollector, shortenText } from './option-fault.js';
import type { OrderExpression } from './read-filter.js';
import { splitNestedList } from './scan-apply.js';

export type OrderItem = {
  readonly property: EntityProperty;
  readonly descending: boolean;
  /** Then the property is none of the type, and is called by how it was written. */
  readonly computed?: OrderExpression;
};

/** Reads what is no property of the type. */
export type OrderValueReader = (text: string) => OrderExpression | undefined;

export const readOrderby = (
  finder: PropertyFinder,
  text: string | undefined,
  faults: OptionFaultCollector,
  readValue?: OrderValueReader,
): readonly OrderItem[] => {
  if (text === undefined) return [];
  const order = new Map<string, OrderItem>();
  for (const item of splitNestedList({ text, start: 0 })) {
    if (faults.isFull()) break;
    const read =
      readValue && isComputed(finder, item.text) ? readComputed(item, readValue) : readItem(finder, item, faults);
    const before = read && order.get(read.property.id);
    if (before && before.descending !== read.descending) {
      const message = `${read.property.name} is named in both directions; name it once.`;
      faults.add('SORT_HAS_OPPOSITE', { rule: 'opposite', message, position: item.start });
    } else if (read) order.set(read.property.id, read);
  }
  return [...order.values()];
};

/** Neither a property nor a misspelt one, perhaps with a direction. */
const isComputed = (finder: PropertyFinder, text: string): boolean =>
  finder.find(/^\S*/.exec(text)?.[0] ?? '') === undefined
    ? /[(/'@]|^-/.test(text) || /^\S+\s+(?!(?:asc|desc)$)\S+\s+\S/.test(text)
    : /^\S+\s+(?!(?:asc|desc)\b)\S+\s+\S/i.test(text);

const readComputed = ({ text, start }: ListItem, readValue: OrderValueReader): OrderItem | undefined => {
  const direction = /\s+(?:asc|desc)$/.exec(text)?.[0] ?? '';
  const written = text.slice(0, text.length - direction.length);
  // Places count from the beginning of the option.
  const computed = readValue(`${' '.repeat(start)}${written}`);
  return computed && { property: orderProperty(written), descending: direction.trim() === 'desc', computed };
};

const orderProperty = (name: string): EntityProperty => ({
  ...{ name, id: name.replaceAll(/\s+/g, ' '), type: 'string', edmType: 'Edm.String', exact: false, nullable: true },
  ...{ label: name, description: '', filterable: false, sortable: true },
});

const readItem = (
  finder: PropertyFinder,
  { text, start }: ListItem,
  faults: OptionFaultCollector,
): OrderItem | undefined => {
  const space = text.search(/\s/);
  const name = space < 0 ? text : text.slice(0, space);
  const direction = space < 0 ? 'asc' : text.slice(space).trimStart();
  const property = finder.find(name);
  if (!property) return refuseOrderby(finder, name, start, faults);
  if (direction !== 'asc' && direction !== 'desc') {
    const meant = /^(?:asc|desc)$/i.test(direction) ? direction.toLowerCase() : undefined;
    const message = `Expected asc or desc${meant === undefined ? ', a comma or the end' : ' in lower case'}, but there is ${shortenText(direction)}.`;
    const position = start + text.length - direction.length;
    faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'syntax', message, position, suggestion: meant });
    return undefined;
  }
  if (property.sortable) return { property, descending: direction === 'desc' };
  const message = `${property.name} is not sortable; sort by another property.`;
  faults.add('SORT_UNKNOWN_FIELD', { rule: 'sortable', message, position: start });
  return undefined;
};

const refuseOrderby = (
  finder: PropertyFinder,
  name: string,
  position: number,
  faults: OptionFaultCollector,
): undefined => {
  if (name === '') {
    const message = 'An item names nothing; expected a property.';
    faults.add('SORT_IS_EMPTY', { rule: 'empty', message, position });
  } else if (finder.navigation(name)) {
    const message = `${shortenText(name)} is of related entries, by which nothing is sorted here.`;
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'navigation', message, position });
  } else faults.add('SORT_UNKNOWN_FIELD', { rule: 'unknown', position, ...describeUnknownProperty(finder, name) });
  return undefined;
};
