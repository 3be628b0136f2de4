/**
 * `$select` -> the properties that are shown, each once, in the order of the text; all of them for `*` and without it.
 */
import type { EntityProperty } from '../model/entity-model.js';
import { type PropertyFinder, describeUnknownProperty } from './find-property.js';
import { splitAtCommas, type OptionFaultCollector, shortenText } from './option-fault.js';

export type Selection = { readonly shown: readonly EntityProperty[]; readonly isSelected: boolean };

export const readSelect = (
  finder: PropertyFinder,
  text: string | undefined,
  faults: OptionFaultCollector,
): Selection => {
  const all = finder.type.properties;
  if (text === undefined) return { shown: all, isSelected: false };
  const selected = new Set<EntityProperty>();
  let isAll = false;
  for (const { text: name, start } of splitAtCommas(text)) {
    if (faults.isFull()) break;
    const found = finder.find(name);
    if (found) selected.add(found);
    else if (name === '*') isAll = true;
    else refuseSelect(finder, name, start, faults);
  }
  return isAll ? { shown: all, isSelected: false } : { shown: [...selected], isSelected: true };
};

const refuseSelect = (finder: PropertyFinder, name: string, position: number, faults: OptionFaultCollector): void => {
  if (name === '') {
    const message = 'An item names nothing; expected a property or *.';
    return faults.add('GENERAL_PARAMETER_ILLEGAL', { rule: 'empty', message, position });
  }
  if (finder.navigation(name)) {
    const message = `${shortenText(name)} is of related entries, which $select does not show; expand them, or read their entity set.`;
    return faults.add('ODATA_OPTION_UNSUPPORTED', { rule: 'navigation', message, position });
  }
  return faults.add('KM_FIELD_NOTFOUND', { rule: 'unknown', position, ...describeUnknownProperty(finder, name) });
};
