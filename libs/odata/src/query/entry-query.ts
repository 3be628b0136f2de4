/** A request for one entry -> the question to the model: the properties to show, and the key as a condition. */
import { fail, type Result } from '@tessera/failures';
import { type QueryFault, succeedUnless } from '@tessera/knowledge-model';
import type { EntityModel, EntityType } from '../model/entity-model.js';
import { type EntriesQuery, expandReading, relatedFields, wholeRecord } from './entries-query.js';
import { propertyFinder } from './find-property.js';
import { optionFaults } from './option-fault.js';
import { readExpand } from './read-expand.js';
import type { Aliases } from './read-filter.js';
import { readKey } from './read-key.js';
import { readSelect } from './read-select.js';

export type EntryQuery = Pick<EntriesQuery, 'type' | 'query' | 'shown' | 'isSelected' | 'expanded' | 'linked'>;

type EntryRequest = {
  /** With its parentheses, as it stands in the path; without one the entry is the only one that a link leads to. */
  readonly key?: string | undefined;
  readonly $select?: string | undefined;
  readonly $expand?: string | undefined;
  readonly aliases?: Aliases | undefined;
};

/** One row answers; none is an entry that is not there. */
export const buildEntryQuery = (
  type: EntityType,
  model: EntityModel,
  { key, $select, $expand, aliases }: EntryRequest,
): Result<EntryQuery> => {
  if (key !== undefined && type.key.length === 0) {
    const way = `read ${type.setName} with $filter instead`;
    return fail('GENERAL_NOTFOUND', `Entries of ${type.name} have no key, so none is addressed by one; ${way}.`);
  }
  const faults: QueryFault[] = [];
  const finder = propertyFinder(type);
  const selection = readSelect(finder, $select, optionFaults('$select', faults));
  const expanding = expandReading({ model, aliases, text: $expand, faults: optionFaults('$expand', faults) });
  const expansions = readExpand(expanding, finder, $expand);
  const expression = key === undefined ? undefined : readKey(type, key, optionFaults('key', faults));
  return succeedUnless(faults, {
    type,
    query: {
      ...wholeRecord(type, selection.shown),
      ...relatedFields(expansions),
      parsedFilters: key !== undefined && expression ? [{ parameter: 'key', text: key, expression }] : [],
      pageSize: 1,
    },
    ...selection,
    ...expansions,
  });
};
