/**
 * Conditions on rows: the parts that all have to hold, the records that each reads, and what it comes to where a record
 * has no row. Refuses: SQL.
 */
import type { TypedFilter } from '@tessera/filter';
import { fieldsOfFilter } from '../query/conditions.js';
import type { RecordField } from '../query/query-field.js';
import type { ResolvedQuery, ResolvedSearch } from '../query/resolved-query.js';
import type { CallerView } from '../query/caller-view.js';
import type { RowCondition } from './query-plan.js';

export const rowConditions = ({ view, rowFilters, search }: ResolvedQuery): readonly RowCondition[] => [
  ...rowFilters.flatMap(conjuncts).map((filter) => ({ kind: 'filter' as const, filter })),
  ...(search && search.precision > 0 ? [{ kind: 'search' as const, search, isIndexed: isIndexed(view, search) }] : []),
];

/**
 * Whether trigram indexes can find the rows: they are made for tables of the platform, and know a term that a text is to
 * contain only by its trigrams.
 */
export const isIndexed = ({ model }: Pick<CallerView, 'model'>, { term, precision }: ResolvedSearch): boolean =>
  precision > 0 && model.source.database === undefined && (precision < wholeMatch || trigram.test(term));

/** From here on a text has to contain the term. */
export const wholeMatch = 100;

/** What stands before and behind the term in the text is not known: of a single word three characters in a row are. */
const trigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;

const conjuncts = (filter: TypedFilter<RecordField>): readonly TypedFilter<RecordField>[] =>
  filter.kind === 'and' ? filter.operands.flatMap(conjuncts) : [filter];

export const recordsOf = (condition: RowCondition): ReadonlySet<string> =>
  new Set(
    (condition.kind === 'filter' ? fieldsOfFilter(condition.filter) : condition.search.fields).map(
      ({ record }) => record,
    ),
  );

/** Whether it cannot hold where these records have no row. */
export const needsRowOf = (condition: RowCondition, isAbsent: (record: string) => boolean): boolean =>
  condition.kind === 'filter'
    ? truthWithout(condition.filter, isAbsent) === false
    : condition.search.fields.every(({ record }) => isAbsent(record));

/** Undefined: it depends on the rows that are there. */
const truthWithout = (filter: TypedFilter<RecordField>, isAbsent: (record: string) => boolean): boolean | undefined => {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const decisive = filter.kind === 'or';
      const truths = filter.operands.map((operand) => truthWithout(operand, isAbsent));
      if (truths.includes(decisive)) return decisive;
      return truths.includes(undefined) ? undefined : !decisive;
    }
    case 'not': {
      const truth = truthWithout(filter.operand, isAbsent);
      return truth === undefined ? undefined : !truth;
    }
    case 'constant':
      return filter.value;
    case 'isNull':
      return isAbsent(filter.operand.field.record) ? true : undefined;
    case 'compare':
    case 'in':
    case 'like':
    case 'match':
      return isAbsent(filter.operand.field.record) ? false : undefined;
  }
};
