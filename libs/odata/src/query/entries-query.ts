/**
 * A request for entries -> the query of the model, what of its answer is shown, and the address of the next page. The
 * faults of all options are returned at once.
 */
import { parsePreferences } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { type DataQuery, type ParsedFilter, type QueryFault, succeedUnlessFaults } from '@tessera/knowledge-model';
import type { EntityModel, EntityProperty, EntityType } from '../model/entity-model.js';
import { type PropertyFinder, getPropertyFinder } from './find-property.js';
import { createOptionFaultCollector, type OptionFaultCollector } from './option-fault.js';
import { readApply } from './read-apply.js';
import { type ExpandContext, type Expansions, maxExpandSteps, maxLinkedExpansions, readExpand } from './read-expand.js';
import { type ParameterAliases, readFilter, readOrderValue } from './read-filter.js';
import { type OrderItem, readOrderby } from './read-orderby.js';
import { readSearch } from './read-search.js';
import { readSelect } from './read-select.js';
import { openToken, type KeysetValues, type TokenSeal } from './skip-token.js';

export type EntriesQuery = Expansions & {
  readonly type: EntityType;
  /** Asks for the shown fields first; one row more than a page holds, so that the last page is known as such. */
  readonly query: DataQuery;
  /** In the order of `query.fields`. */
  readonly shown: readonly EntityProperty[];
  /** Whether `$select` chose them. */
  readonly isSelected: boolean;
  /** Entries of a page; 0 with `$top=0`. */
  readonly pageSize: number;
  /** What this page leaves of `$top`; there is no next page when it is 0. */
  readonly topLeft?: number;
  /** The page size that the client preferred, when it was heeded. */
  readonly preferred?: number;
  /** Whether the answer says how many match. */
  readonly isCounted: boolean;
  /** What the token of the next page is bound to, at an address that `binding` stands for. */
  readonly bindToken: (binding: string) => string;
};

export type EntriesPageQuery = EntriesQuery & { readonly tokenBinding: string };

export type FilterRequest = {
  readonly $apply?: string | undefined;
  readonly $filter?: string | undefined;
  readonly $search?: string | undefined;
  readonly aliases?: ParameterAliases | undefined;
  readonly filterid?: readonly string[] | undefined;
};

export type EntriesRequest = FilterRequest & {
  readonly $select?: string | undefined;
  readonly $expand?: string | undefined;
  readonly $orderby?: string | undefined;
  readonly $top?: number | undefined;
  readonly $skip?: number | undefined;
  readonly $count?: boolean | undefined;
  readonly $skiptoken?: string | undefined;
  readonly prefer?: string | undefined;
};

/** Entries of a page at most, and as a rule. */
export const maxPageEntries = 5_000;
/** The same of entries that others are read for. */
const linkedPageEntriesMax = 500;
const linkedPageEntries = 100;

export const buildEntriesQuery = (
  type: EntityType,
  model: EntityModel,
  request: EntriesRequest,
  seal: TokenSeal,
): Result<EntriesPageQuery> => {
  const faults: QueryFault[] = [];
  const { aliases } = request;
  const places = (option: string): OptionPlace => ({
    parameter: option,
    faults: createOptionFaultCollector(option, faults),
  });
  const expanding = createExpandContext({
    model,
    aliases,
    text: request.$expand,
    faults: createOptionFaultCollector('$expand', faults),
  });
  const reading = { model, aliases, places, expanding };
  const question = readEntries(reading, type, request);
  const tokenBinding = question.bindToken(seal.binding);
  const after = readToken(seal, tokenBinding, request.$skiptoken, faults);
  const { keyset } = question.query;
  return succeedUnlessFaults(faults, {
    ...question,
    tokenBinding,
    query: { ...question.query, ...(keyset && { keyset: { ...keyset, ...(after && { after }) } }) },
  });
};

/** By which name an option is told of, its faults, and the whole text that it stands in when this is another. */
type OptionPlace = {
  readonly parameter: string;
  readonly faults: OptionFaultCollector;
  readonly text?: string | undefined;
};

type Reading = {
  readonly model: EntityModel;
  readonly aliases: ParameterAliases | undefined;
  readonly places: (option: string) => OptionPlace;
  readonly expanding: ExpandContext;
};

/** Without what a token says. */
const readEntries = (
  { model, aliases, places, expanding }: Reading,
  type: EntityType,
  request: EntriesRequest,
): EntriesQuery => {
  const finder = getPropertyFinder(type);
  const selection = readSelect(finder, request.$select, places('$select').faults);
  const expansions = readExpand(expanding, finder, request.$expand);
  const { parameter, faults: orderFaults, text: whole } = places('$orderby');
  const order = readOrderby(finder, request.$orderby, orderFaults, (text) =>
    readOrderValue(model, finder, text, orderFaults, aliases),
  );
  const pageMax = expansions.linked.length > 0 ? linkedPageEntriesMax : maxPageEntries;
  const preferred = parsePreferredPageSize(request.prefer, pageMax);
  const pageSize = Math.min(
    preferred ?? (expansions.linked.length > 0 ? linkedPageEntries : pageMax),
    request.$top ?? pageMax,
  );
  const asked = [...selection.shown, ...order.flatMap(({ property, computed }) => (computed ? [] : [property]))];
  return {
    type,
    query: {
      ...createRecordQuery(type, asked),
      ...selectRelatedFields(expansions),
      filterIds: request.filterid ?? [],
      ...readConditions(model, finder, { ...request, aliases }, places),
      ...(order.length > 0 && { sort: order.map(sortItem).join(',') }),
      ...orderValuesOf(order, parameter, whole ?? request.$orderby ?? ''),
      pageSize: pageSize + 1,
      keyset: { skip: request.$skip ?? 0 },
    },
    ...selection,
    ...expansions,
    pageSize,
    ...(request.$top !== undefined && { topLeft: request.$top - pageSize }),
    ...(preferred !== undefined && { preferred }),
    isCounted: request.$count ?? false,
    bindToken: (binding) => bindingOf(binding, type, order, aliases),
  };
};

type ExpandOption = Pick<ExpandContext, 'model' | 'faults'> & {
  readonly aliases: ParameterAliases | undefined;
  /** The whole of it. */
  readonly text: string | undefined;
};

/** Reads what stands in the parentheses of `$expand`, whose faults are all its own. */
export const createExpandContext = (
  option: ExpandOption,
  stepsLeft = maxExpandSteps,
  budget = { linkedLeft: maxLinkedExpansions },
): ExpandContext => ({
  ...{ model: option.model, faults: option.faults, stepsLeft, budget },
  readLinked: (type, options) => {
    const { $top, $skip, $count, ...texts } = options;
    const numbers = {
      ...($top !== undefined && { $top: Number($top) }),
      ...($skip !== undefined && { $skip: Number($skip) }),
      ...($count !== undefined && { $count: $count.trim() === 'true' }),
    };
    const { model, aliases, text, faults } = option;
    const expanding = createExpandContext(option, stepsLeft - 1, budget);
    const reading = { model, aliases, places: () => ({ parameter: '$expand', faults, text }), expanding };
    const trimmed = Object.entries(texts).map(([name, padded]) => [name, padded.trim()] as const);
    return {
      entries: readEntries(reading, type, { ...texts, ...numbers }),
      request: { ...Object.fromEntries(trimmed), ...numbers, aliases },
    };
  },
});

/** For its count; what it asks for does not matter. */
export const buildCountQuery = (type: EntityType, model: EntityModel, request: FilterRequest): Result<DataQuery> => {
  const faults: QueryFault[] = [];
  const places = (option: string): OptionPlace => ({
    parameter: option,
    faults: createOptionFaultCollector(option, faults),
  });
  const conditions = readConditions(model, getPropertyFinder(type), request, places);
  return succeedUnlessFaults(faults, {
    ...createRecordQuery(type, type.properties.slice(0, 1)),
    filterIds: request.filterid ?? [],
    ...conditions,
    pageSize: 1,
  });
};

/** Those of `$apply` without groups, and behind them `$filter` and `$search`. */
const readConditions = (
  model: EntityModel,
  finder: PropertyFinder,
  { $apply, $filter, $search, aliases }: FilterRequest,
  places: Reading['places'],
): Pick<DataQuery, 'parsedFilters' | 'search'> => {
  const { search, filters } = readSearch(finder.type, $search, places('$search').faults);
  const placed = (option: string, read: readonly ParsedFilter[]): readonly ParsedFilter[] => {
    const { parameter, text } = places(option);
    return read.map((filter) => ({ ...filter, parameter, ...(text !== undefined && { text }) }));
  };
  const parsedFilters = [
    ...readApply(model, finder, $apply, places('$apply').faults, aliases).rowFilters,
    ...placed('$filter', readFilter(model, finder, $filter, places('$filter').faults, aliases)),
    ...placed('$search', filters),
  ];
  return { parsedFilters, ...(search && { search }) };
};

/** All rows of a record, and of them the fields, each once. */
export const createRecordQuery = (type: EntityType, properties: readonly EntityProperty[]) => ({
  record: type.record,
  fields: [...new Set(properties.map(({ id }) => id))],
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
});

/** What related entries show, as the question names it. */
export const selectRelatedFields = ({ expanded }: Pick<Expansions, 'expanded'>) =>
  expanded.length > 0 && {
    relatedFields: expanded.flatMap(({ type, shown }) => shown.map(({ id }) => `${type.record}.${id}`)),
  };

const sortItem = ({ property, descending, computed }: OrderItem, place: number): string =>
  `${descending ? '-' : '+'}${computed ? orderId(place) : property.id}`;

const orderId = (place: number): string => `#${place + 1}`;

const orderValuesOf = (
  order: readonly OrderItem[],
  parameter: string,
  text: string,
): Pick<DataQuery, 'orderValues'> => {
  const orderValues = order.flatMap(({ computed }, place) =>
    computed ? [{ id: orderId(place), parameter, text, value: computed.value }] : [],
  );
  return orderValues.length > 0 ? { orderValues } : {};
};

/** A token is of one order of one record: another type of a field would make another order of its values. */
const bindingOf = (
  binding: string,
  { record, key }: EntityType,
  order: readonly OrderItem[],
  aliases: ParameterAliases | undefined,
): string =>
  JSON.stringify([
    binding,
    record,
    order.map(({ property, descending, computed }) => [
      property.id,
      computed ? [...computed.properties.map(({ id, type }) => [id, type]), aliases] : property.type,
      descending,
    ]),
    key.map(({ id, type }) => [id, type]),
  ]);

const readToken = (
  { key }: TokenSeal,
  binding: string,
  token: string | undefined,
  faults: QueryFault[],
): KeysetValues | undefined => {
  // What is wrong elsewhere may be why a token does not fit.
  if (token === undefined || faults.length > 0) return undefined;
  const values = openToken(key, binding, token);
  if (!values) faults.push(invalidToken);
  return values;
};

const invalidToken: QueryFault = {
  code: 'GENERAL_PARAMETER_ILLEGAL',
  path: '$skiptoken',
  rule: 'token',
  message: '$skiptoken is not one that was given for this order; leave it out to begin again.',
};

export const parsePreferredPageSize = (prefer: string | undefined, sizeMax: number): number | undefined => {
  for (const [name, value] of parsePreferences(prefer ?? '')) {
    if (name !== 'odata.maxpagesize' && name !== 'maxpagesize') continue;
    return /^\d{1,15}$/.test(value) && Number(value) > 0 ? Math.min(Number(value), sizeMax) : undefined;
  }
  return undefined;
};

type NextLinkRequest = Omit<EntriesRequest, '$skip' | '$skiptoken' | 'prefer'> & {
  readonly $format?: string | undefined;
};

/** `root`: the address of the service with a slash at its end. `topLeft`: what is left of `$top`, if there is one. */
export const formatNextLink = (
  address: { readonly root: string; readonly setName: string },
  { $apply, $filter, $search, aliases = {}, filterid, $select, $expand, $orderby, $count, $format }: NextLinkRequest,
  token: string,
  topLeft?: number,
): string => {
  const options: readonly (readonly [string, string | undefined])[] = [
    ['$apply', $apply],
    ['$filter', $filter],
    ['$search', $search],
    ...Object.entries(aliases),
    ...(filterid ?? []).map((id) => ['filterid', id] as const),
    ['$select', $select],
    ['$expand', $expand],
    ['$orderby', $orderby],
    ['$count', $count === true ? 'true' : undefined],
    ['$format', $format],
    ['$top', topLeft === undefined ? undefined : String(topLeft)],
    ['$skiptoken', token],
  ];
  const query = options.flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}=${encodeURIComponent(text.toWellFormed())}`],
  );
  return `${address.root}${address.setName}?${query.join('&')}`;
};
