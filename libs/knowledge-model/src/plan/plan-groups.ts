/**
 * A question with KPIs: the groups, and over which rows each aggregate is computed, so that no join multiplies it.
 * Refuses: unrelated records, and an aggregate none of whose records leads to the others (KM_JOIN_NOTFOUND).
 */
import { type Result, succeed } from '@tessera/failures';
import { aggregatesIn } from '../expression/parts-of-expression.js';
import type { TypedAggregate } from '../expression/typed-expression.js';
import { fieldsOfFilter } from '../query/conditions.js';
import { type AskedField, type AskedKpi, isRecordField, type KpiField } from '../query/query-field.js';
import type { ResolvedQuery } from '../query/resolved-query.js';
import { collationOf, columnOrder, planOrder, planPage } from './plan-order.js';
import { isNullable } from './plan-rows.js';
import { planSource } from './plan-source.js';
import type { GrainPlan, GroupsPlan, PlannedColumn, RowCondition } from './query-plan.js';
import { rowConditions } from './row-condition.js';
import { failUnrelated } from './unrelated-records.js';
import { leadsToOne, joinPathBetween } from './join-paths.js';

type Grains = ReadonlyMap<string, readonly TypedAggregate[]>;

export const planGroups = (
  query: ResolvedQuery,
  keys: readonly AskedField[],
  kpis: readonly AskedKpi[],
): Result<GroupsPlan> => {
  const { view, groupFilters, sort } = query;
  const filtered = groupFilters.flatMap((filter) => fieldsOfFilter(filter));
  const filteredKpis = filtered.flatMap((field) => (isRecordField(field) ? [] : [field]));
  const aggregates = grainsOf(query, [...kpis, ...filteredKpis]);
  if (!aggregates.ok) return aggregates;
  const grains = planGrains(query, keys, aggregates.value);
  if (!grains.ok) return grains;
  const counted = planGrains(query, keys, countedOf(aggregates.value, filteredKpis, keys.length > 0));
  if (!counted.ok) return counted;
  const nullable = (column: number): boolean => {
    const key = keys[column];
    if (key) return grains.value.some(({ source }) => isNullable(source, key));
    return kpis[column - keys.length]?.nullable ?? true;
  };
  const ties = keys.map((_, column) => columnOrder(column, nullable(column)));
  const isSorted = (kpi: number): boolean => sort.some(({ column }) => column === keys.length + kpi);
  const planned = <Asked extends AskedField | AskedKpi>(asked: Asked, isOrdered: boolean): PlannedColumn<Asked> => {
    const collation = isOrdered ? collationOf(view, asked.isKpi ? asked.typed.formula : asked.expression) : undefined;
    return { asked, ...(collation && { collation }) };
  };
  return succeed({
    kind: 'groups',
    view,
    keys: keys.map((key) => planned(key, true)),
    kpis: kpis.map((kpi, index) => planned(kpi, isSorted(index))),
    grains: grains.value,
    isCombined: grains.value.length > 1 || filtered.some(isRecordField),
    conditions: groupFilters,
    order: planOrder(sort, nullable, ties),
    page: planPage(query),
    countGrains: keys.length === 0 && groupFilters.length === 0 ? undefined : counted.value,
  });
};

/** By the record over whose rows they are computed; of several the one from which the others are one row away. */
const grainsOf = ({ view }: ResolvedQuery, kpis: readonly KpiField[]): Result<Grains> => {
  const { relationships } = view.model;
  const grains = new Map<string, TypedAggregate[]>();
  for (const aggregate of new Set(kpis.flatMap(({ typed }) => aggregatesIn(typed.formula)))) {
    const { records } = aggregate;
    const root = records.find((from) => records.every((to) => leadsToOne(joinPathBetween(relationships, from, to))));
    if (root === undefined) return failUnrelated(view.model, records[0] ?? '', records.slice(1));
    grains.set(root, [...(grains.get(root) ?? []), aggregate]);
  }
  return succeed(grains);
};

/** What is read by the KPIs of conditions. Grains without any of it stay only where they have groups. */
const countedOf = (grains: Grains, kpis: readonly KpiField[], haveGroups: boolean): Grains => {
  const read = new Set(kpis.flatMap(({ typed }) => aggregatesIn(typed.formula)));
  const counted = [...grains].map(([root, aggregates]) => [root, aggregates.filter((one) => read.has(one))] as const);
  return new Map(counted.filter(([, aggregates]) => haveGroups || aggregates.length > 0));
};

const planGrains = (
  query: ResolvedQuery,
  keys: readonly AskedField[],
  grains: Grains,
): Result<readonly GrainPlan[]> => {
  const conditions: readonly RowCondition[] = rowConditions(query);
  const plans: GrainPlan[] = [];
  for (const [root, aggregates] of grains) {
    const asked = new Set([...keys.map(({ record }) => record), ...aggregates.flatMap(({ records }) => records)]);
    const source = planSource(query.view, root, [...asked], conditions);
    if (!source.ok) return source;
    const isMultiplied = aggregates.length > 0 && source.value.joins.some(({ isToMany }) => isToMany);
    plans.push({ source: source.value, aggregates, isMultiplied });
  }
  return succeed(plans);
};
