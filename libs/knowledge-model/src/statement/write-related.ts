/** Conditions on related rows under a name of their own: subqueries that see what the caller may see. */
import { allOf, binary, column, exists, parameter, type SqlExpression } from '@tessera/sql';
import type { RelatedRange } from '@tessera/filter';
import { joinPathBetween, type JoinStep } from '../plan/join-paths.js';
import type { CallerView } from '../query/caller-view.js';
import { aliasOfKey, isRangeKey, rangeBeside, recordOfKey } from '../query/related-range.js';
import { columnOf, type FieldPlaces, tableOf, writePolicies, type Writing } from './write-clauses.js';

/** Whether there is a related row for which the condition holds. */
export const writeAny = (
  writing: Writing,
  { key, from }: RelatedRange,
  condition: SqlExpression | undefined,
  places: FieldPlaces,
): SqlExpression => {
  const where = [...relationOf(writing, key, from, places), ...(condition ? [condition] : [])];
  return exists(tableOf(writing, { record: recordOfKey(key), alias: aliasOfKey(key) }), allOf(where));
};

/** The places of ranges beside those that there are. What is one row away is looked up where it is read. */
export const withRanges = (writing: Writing, places: FieldPlaces): FieldPlaces => {
  const inside: FieldPlaces = {
    ...places,
    column: (record, name) => {
      if (!isRangeKey(record)) return places.column(record, name);
      const range = rangeBeside(record);
      if (range === undefined) return column(aliasOfKey(record), name);
      const alias = aliasOfKey(record);
      return {
        kind: 'scalar',
        query: {
          kind: 'select',
          columns: [{ value: column(alias, name) }],
          from: tableOf(writing, { record: recordOfKey(record), alias }),
          where: allOf(relationOf(writing, record, range, inside)),
          limit: parameter('1', 'bigint'),
        },
      };
    },
    keyOf: (record) => {
      if (!isRangeKey(record)) return places.keyOf(record);
      const range = rangeBeside(record);
      const [pair] = range === undefined ? [] : stepBetween(writing.view, range, record).on;
      return pair && columnOf(writing.view, recordOfKey(record), pair.to);
    },
  };
  return inside;
};

const relationOf = (writing: Writing, key: string, from: string, places: FieldPlaces): readonly SqlExpression[] => {
  const { view } = writing;
  const [record, alias] = [recordOfKey(key), aliasOfKey(key)];
  const keys = stepBetween(view, from, key).on.map((pair) =>
    binary(
      column(alias, columnOf(view, record, pair.to)),
      '=',
      places.column(from, columnOf(view, recordOfKey(from), pair.from)),
    ),
  );
  return [...keys, ...writePolicies(writing, { record, alias, policies: view.policies.get(record) ?? [] })];
};

const stepBetween = ({ model }: CallerView, from: string, to: string): JoinStep => {
  const [step, ...further] = joinPathBetween(model.relationships, recordOfKey(from), recordOfKey(to)) ?? [];
  if (!step || further.length > 0) throw new Error(`${to} is not one step away from ${from}.`);
  return step;
};
