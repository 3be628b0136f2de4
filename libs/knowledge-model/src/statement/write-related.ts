/** Conditions on related rows under a name of their own: subqueries that see what the caller may see. */
import { allOf, countStar, equalKeys, exists, parameter, type SqlExpression } from '@tessera/sql';
import type { RelatedRange } from '@tessera/filter';
import { guardCondition } from './guard-conditions.js';
import { findJoinPath, type JoinStep } from '../plan/join-paths.js';
import { planRecord } from '../plan/plan-policies.js';
import type { CallerView } from '../query/caller-view.js';
import { aliasOfRangeKey, isRangeKey, parentRangeOfKey, recordOfRangeKey } from '../query/related-range.js';
import {
  columnNameOf,
  type FieldResolvers,
  readColumn,
  buildTableSource,
  buildPolicyConditions,
  type SqlBuildContext,
} from './write-clauses.js';

/** Whether there is a related row for which the condition holds. */
export const buildRelatedExists = (
  writing: SqlBuildContext,
  { key, from }: RelatedRange,
  condition: SqlExpression | undefined,
  places: FieldResolvers,
): SqlExpression => {
  const [record, alias] = [recordOfRangeKey(key), aliasOfRangeKey(key)];
  const policies = buildPolicyConditions(writing, planRecord(writing.view, record, alias));
  const where = [
    ...relationOf(writing, key, from, places),
    ...(condition ? [guardCondition(policies, condition)] : []),
  ];
  return exists(buildTableSource(writing, { record, alias }), allOf(where));
};

/** The places of ranges beside those that there are. What is one row away is looked up where it is read. */
export const addRangeFieldResolvers = (writing: SqlBuildContext, places: FieldResolvers): FieldResolvers => {
  const inside: FieldResolvers = {
    ...places,
    column: (record, name) => {
      if (!isRangeKey(record)) return places.column(record, name);
      const range = parentRangeOfKey(record);
      const alias = aliasOfRangeKey(record);
      const value = readColumn(writing.view, recordOfRangeKey(record), alias, name);
      if (range === undefined) return value;
      return {
        kind: 'scalar',
        query: {
          kind: 'select',
          columns: [{ value }],
          from: buildTableSource(writing, { record: recordOfRangeKey(record), alias }),
          where: allOf(relationOf(writing, record, range, inside)),
          limit: parameter('1', 'bigint'),
        },
      };
    },
    relatedCount: ({ key, from }) => ({
      kind: 'scalar',
      query: {
        kind: 'select',
        columns: [{ value: countStar }],
        from: buildTableSource(writing, { record: recordOfRangeKey(key), alias: aliasOfRangeKey(key) }),
        where: allOf(relationOf(writing, key, from, inside)),
      },
    }),
    keyOf: (record) => {
      if (!isRangeKey(record)) return places.keyOf(record);
      const range = parentRangeOfKey(record);
      const [pair] = range === undefined ? [] : stepBetween(writing.view, range, record).on;
      return pair && columnNameOf(writing.view, recordOfRangeKey(record), pair.to);
    },
  };
  return inside;
};

const relationOf = (
  writing: SqlBuildContext,
  key: string,
  from: string,
  places: FieldResolvers,
): readonly SqlExpression[] => {
  const { view } = writing;
  const [record, alias] = [recordOfRangeKey(key), aliasOfRangeKey(key)];
  const keys = stepBetween(view, from, key).on.map((pair) =>
    equalKeys(
      readColumn(view, record, alias, columnNameOf(view, record, pair.to)),
      places.column(from, columnNameOf(view, recordOfRangeKey(from), pair.from)),
    ),
  );
  return [...keys, ...buildPolicyConditions(writing, planRecord(view, record, alias))];
};

const stepBetween = ({ model }: CallerView, from: string, to: string): JoinStep => {
  const [step, ...further] = findJoinPath(model.relationships, recordOfRangeKey(from), recordOfRangeKey(to)) ?? [];
  if (!step || further.length > 0) throw new Error(`${to} is not one step away from ${from}.`);
  return step;
};
