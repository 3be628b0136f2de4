/**
 * A request with `$apply` that answers groups -> the query of the model, as it is asked at the level of the model, with the
 * members that an answer shows. `$filter`, `$orderby`, `$top`, `$skip` and `$count` are about the groups.
 */
import type { Result } from '@tessera/failures';
import { type DataQuery, type QueryFault, succeedUnlessFaults } from '@tessera/knowledge-model';
import type { EntityModel, EntityType } from '../model/entity-model.js';
import {
  type EntriesPageQuery,
  type EntriesRequest,
  type FilterRequest,
  maxPageEntries,
  parsePreferredPageSize,
} from './entries-query.js';
import { getPropertyFinder } from './find-property.js';
import { createGroupScope } from './group-scope.js';
import { createOptionFaultCollector } from './option-fault.js';
import { type ParsedApply, type Grouping, readApply } from './read-apply.js';
import { readFilter } from './read-filter.js';
import { readOrderby } from './read-orderby.js';
import { openToken, type TokenSeal } from './skip-token.js';

export type GroupsQuery = Pick<
  EntriesPageQuery,
  'type' | 'pageSize' | 'topLeft' | 'preferred' | 'isCounted' | 'tokenBinding'
> & {
  /** Asks for one group more than a page holds. */
  readonly query: DataQuery;
  readonly groups: Grouping;
  /** Groups before the page. */
  readonly skip: number;
};

export const buildGroupsQuery = (
  type: EntityType,
  model: EntityModel,
  request: EntriesRequest,
  seal: TokenSeal,
): Result<GroupsQuery> => {
  const faults: QueryFault[] = [];
  const { groups, query } = readGroups(type, model, request, faults);
  const { finder } = createGroupScope(model, type, groups);
  const order = readOrderby(finder, request.$orderby, createOptionFaultCollector('$orderby', faults));
  for (const option of ['$select', '$expand'] as const) {
    const message = 'With groups there is nothing to choose from; groupby and aggregate name what is answered.';
    if (request[option] !== undefined)
      createOptionFaultCollector(option, faults).add('ODATA_OPTION_UNSUPPORTED', {
        rule: 'apply',
        message,
        position: 0,
      });
  }
  const tokenBinding = bindingOf(seal, type, request);
  const after = readOffset(seal, tokenBinding, request.$skiptoken, faults);
  const preferred = parsePreferredPageSize(request.prefer, maxPageEntries);
  const pageSize = Math.min(preferred ?? maxPageEntries, request.$top ?? maxPageEntries);
  const skip = after ?? request.$skip ?? 0;
  const sort = order.map(({ property, descending }) => `${descending ? '-' : '+'}${property.id}`).join(',');
  return succeedUnlessFaults(faults, {
    type,
    query: { ...query, ...(sort !== '' && { sort }), pageSize: pageSize + 1, keyset: { skip } },
    groups,
    skip,
    pageSize,
    ...(request.$top !== undefined && { topLeft: request.$top - pageSize }),
    ...(preferred !== undefined && { preferred }),
    isCounted: request.$count ?? false,
    tokenBinding,
  });
};

/** For the number of groups. */
export const buildGroupCountQuery = (
  type: EntityType,
  model: EntityModel,
  request: FilterRequest,
): Result<DataQuery> => {
  const faults: QueryFault[] = [];
  const { query } = readGroups(type, model, request, faults);
  return succeedUnlessFaults(faults, query);
};

type GroupsRead = { readonly groups: Grouping; readonly query: DataQuery };

const readGroups = (type: EntityType, model: EntityModel, request: FilterRequest, faults: QueryFault[]): GroupsRead => {
  const applied = readApply(
    model,
    getPropertyFinder(type),
    request.$apply,
    createOptionFaultCollector('$apply', faults),
    request.aliases,
  );
  const { groups = { keys: [], measures: [] } } = applied;
  const scope = createGroupScope(model, type, groups);
  if (request.$search !== undefined) {
    const message =
      'Groups are not searched; $filter has conditions on them, search(...) and filter(...) in $apply are of their entries.';
    createOptionFaultCollector('$search', faults).add('ODATA_OPTION_UNSUPPORTED', {
      rule: 'apply',
      message,
      position: 0,
    });
  }
  const filters = readFilter(
    scope.model,
    scope.finder,
    request.$filter,
    createOptionFaultCollector('$filter', faults),
    request.aliases,
  );
  return { groups, query: queryOf(type, applied, groups, { filterIds: request.filterid ?? [], filters }) };
};

type Conditions = Pick<DataQuery, 'filterIds'> & { readonly filters: ParsedApply['groupFilters'] };

const queryOf = (
  { record }: EntityType,
  { rowFilters, groupFilters }: ParsedApply,
  { keys, measures }: Grouping,
  { filterIds, filters }: Conditions,
): DataQuery => {
  const aggregates = measures.flatMap(({ aggregate }) => aggregate ?? []);
  const conditions = [...groupFilters, ...filters];
  return {
    fields: keys.map(({ property }) => property.id),
    kpis: [...new Set(measures.flatMap(({ property, aggregate }) => (aggregate ? [] : [property.id])))],
    // Groups alone are those of the entries.
    aggregates: measures.length === 0 ? [entryCount(record)] : aggregates,
    filterIds,
    filterExpressions: [],
    parsedFilters: rowFilters.map((filter) => ({ ...filter, record })),
    ...(conditions.length > 0 && { groupFilters: conditions }),
    distinct: false,
    page: 0,
    pageSize: 1,
  };
};

const entryCount = (record: string) => ({ id: '#', function: 'count', distinct: false, record }) as const;

/** A token is of one question: what is skipped are groups of it. */
const bindingOf = (
  { binding }: TokenSeal,
  { record }: EntityType,
  { $apply, $filter, aliases, filterid, $orderby }: EntriesRequest,
): string =>
  JSON.stringify([binding, record, 'groups', $apply, $filter ?? '', filterid ?? [], $orderby ?? '', aliases]);

const readOffset = (
  { key }: TokenSeal,
  binding: string,
  token: string | undefined,
  faults: QueryFault[],
): number | undefined => {
  if (token === undefined || faults.length > 0) return undefined;
  const [offset] = openToken(key, binding, token) ?? [];
  if (typeof offset === 'string') return Number(offset);
  const message = '$skiptoken is not one that was given for these groups; leave it out to begin again.';
  faults.push({ code: 'GENERAL_PARAMETER_ILLEGAL', path: '$skiptoken', rule: 'token', message });
  return undefined;
};
