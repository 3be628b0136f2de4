/** `$orderby` -> properties and directions: `NAME`, `NAME asc`, `NAME desc`; the same twice is once. */
import type { EntityProperty } from '../model/entity-model.js';
import { type PropertyFinder, unknownProperty } from './find-property.js';
import { type ListItem, listItems, type OptionFaults, shortenText } from './option-fault.js';

export type OrderItem = { readonly property: EntityProperty; readonly descending: boolean };

export const readOrderby = (
  finder: PropertyFinder,
  text: string | undefined,
  faults: OptionFaults,
): readonly OrderItem[] => {
  if (text === undefined) return [];
  const order = new Map<EntityProperty, OrderItem>();
  for (const item of listItems(text)) {
    if (faults.isFull()) break;
    const read = readItem(finder, item, faults);
    const before = read && order.get(read.property);
    if (before && before.descending !== read.descending) {
      const message = `${read.property.name} is named in both directions; name it once.`;
      faults.add('SORT_HAS_OPPOSITE', { rule: 'opposite', message, position: item.start });
    } else if (read) order.set(read.property, read);
  }
  return [...order.values()];
};

const readItem = (finder: PropertyFinder, { text, start }: ListItem, faults: OptionFaults): OrderItem | undefined => {
  const space = text.search(/\s/);
  const name = space < 0 ? text : text.slice(0, space);
  const direction = space < 0 ? 'asc' : text.slice(space).trimStart();
  const property = finder.find(name);
  if (!property) return refuse(finder, name, start, faults);
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

const refuse = (finder: PropertyFinder, name: string, position: number, faults: OptionFaults): undefined => {
  if (name === '') {
    const message = 'An item names nothing; expected a property.';
    faults.add('SORT_IS_EMPTY', { rule: 'empty', message, position });
  } else if (finder.navigation(name)) {
    const message = `${shortenText(name)} is of related entries, by which nothing is sorted here.`;
    faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'navigation', message, position });
  } else faults.add('SORT_UNKNOWN_FIELD', { rule: 'unknown', position, ...unknownProperty(finder, name) });
  return undefined;
};
