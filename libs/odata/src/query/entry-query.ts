/** A request for one entry -> the question to the model: the properties to show, and the key as a condition. */
import { fail, type Result } from '@tessera/failures';
import { type QueryFault, succeedUnlessFaults } from '@tessera/knowledge-model';
import type { EntityModel, EntityType } from '../model/entity-model.js';
import { type EntriesQuery, createExpandContext, selectRelatedFields, createRecordQuery } from './entries-query.js';
import { getPropertyFinder } from './find-property.js';
import { createOptionFaultCollector } from './option-fault.js';
import { readExpand } from './read-expand.js';
import type { ParameterAliases } from './read-filter.js';
import { parseKeyPredicate } from './read-key.js';
import { readSelect } from './read-select.js';

export type EntryQuery = Pick<EntriesQuery, 'type' | 'query' | 'shown' | 'isSelected' | 'expanded' | 'linked'>;

type EntryRequest = {
  /** With its parentheses, as it stands in the path; without one the entry is the only one that a link leads to. */
  readonly key?: string | undefined;
  readonly $select?: string | undefined;
  readonly $expand?: string | undefined;
  readonly aliases?: ParameterAliases | undefined;
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
  const finder = getPropertyFinder(type);
  const selection = readSelect(finder, $select, createOptionFaultCollector('$select', faults));
  const expanding = createExpandContext({
    model,
    aliases,
    text: $expand,
    faults: createOptionFaultCollector('$expand', faults),
  });
  const expansions = readExpand(expanding, finder, $expand);
  const expression =
    key === undefined ? undefined : parseKeyPredicate(type, key, createOptionFaultCollector('key', faults));
  return succeedUnlessFaults(faults, {
    type,
    query: {
      ...createRecordQuery(type, selection.shown),
      ...selectRelatedFields(expansions),
      parsedFilters: key !== undefined && expression ? [{ parameter: 'key', text: key, expression }] : [],
      pageSize: 1,
    },
    ...selection,
    ...expansions,
  });
};
