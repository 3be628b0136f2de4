/**
 * A request for one entry -> the question to the model: the properties to show, and the key as a condition.
 * Refuses: types whose entries cannot be addressed, and keys that do not fit.
 */
import { fail, type Result } from '@tessera/failures';
import { type QueryFault, succeedUnless } from '@tessera/knowledge-model';
import type { EntityType } from '../model/entity-model.js';
import { type EntriesQuestion, wholeRecord } from './entries-question.js';
import { propertyFinder } from './find-property.js';
import { optionFaults } from './option-fault.js';
import { readKey } from './read-key.js';
import { readSelect } from './read-select.js';

export type EntryQuestion = Pick<EntriesQuestion, 'type' | 'query' | 'shown' | 'isSelected'>;

/** `key`: with its parentheses, as it stands in the path. One row answers; none is an entry that is not there. */
export const entryQuestion = (type: EntityType, key: string, $select: string | undefined): Result<EntryQuestion> => {
  if (type.key.length === 0) {
    const way = `read ${type.setName} with $filter instead`;
    return fail('GENERAL_NOTFOUND', `Entries of ${type.name} have no key, so none is addressed by one; ${way}.`);
  }
  const faults: QueryFault[] = [];
  const selection = readSelect(propertyFinder(type), $select, optionFaults('$select', faults));
  const expression = readKey(type, key, optionFaults('key', faults));
  return succeedUnless(faults, {
    type,
    query: {
      ...wholeRecord(type, selection.shown),
      parsedFilters: expression ? [{ parameter: 'key', text: key, expression }] : [],
      pageSize: 1,
    },
    ...selection,
  });
};
