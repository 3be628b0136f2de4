/**
 * How large the statements of a plan become, told before they are made: fields, conditions and policies as often as they are
 * written, each with the formulas that it names. Refuses: to know SQL.
 */
import type { TypedFilter } from '@tessera/filter';
import { fieldsOfFilter } from '../query/conditions.js';
import type { QueryField } from '../query/query-field.js';
import type { PlannedRecord, QueryPlan, RowCondition, RowSource, RowsPlan } from './query-plan.js';
import { recordsOf } from './row-condition.js';

/** Two hundred fields of 150 parts. More keeps the process busy, and beyond twice as much a statement has no more values. */
export const planWeightMax = 30_000;

export const weightOf = (plan: QueryPlan): number => {
  switch (plan.kind) {
    case 'rows': {
      const rows = sourceWeight(plan.source) + sum(plan.columns.map(({ asked }) => fieldWeight(asked)));
      return plan.places.length > 0 ? weightBehind(plan, rows) : rows;
    }
    case 'groups': {
      const keys = sum(plan.keys.map(({ asked }) => fieldWeight(asked)));
      const grains = plan.grains.map(
        ({ source, aggregates }) => keys + sourceWeight(source) + sum(aggregates.map(({ weight }) => weight)),
      );
      const kpis = plan.kpis.map(({ asked }) => fieldWeight(asked));
      return sum([...grains, ...kpis, ...plan.conditions.map(filterWeight)]);
    }
  }
};

/**
 * No page behind a row may be refused when the first was not: what is ordered by stands up to three times in its condition,
 * and with a column first all of it perhaps twice.
 */
const weightBehind = ({ columns, order, places }: RowsPlan, rows: number): number => {
  const ordered = places.flatMap(({ column }) => columns[column]?.asked ?? []);
  const sections = order[0]?.nullable && ordered[0]?.expression.kind === 'column' ? 2 : 1;
  return sections * (rows + 3 * sum(ordered.map(fieldWeight)));
};

const sourceWeight = ({ root, joins, conditions, semiJoins }: RowSource): number =>
  sum([
    ...[root, ...joins].map(policyWeight),
    ...conditions.map(conditionWeight),
    ...semiJoins.flatMap((semiJoin) => [
      ...semiJoin.records.map(policyWeight),
      ...semiJoin.conditions.map(conditionWeight),
    ]),
  ]);

const policyWeight = ({ policies }: PlannedRecord): number => sum(policies.map(filterWeight));

const conditionWeight = (condition: RowCondition): number =>
  condition.kind === 'filter' ? filterWeight(condition.filter) : searchWeight(condition);

/** A search in several records is written a second time, for the rows of the root. */
const searchWeight = (condition: RowCondition & { readonly kind: 'search' }): number =>
  Math.min(2, recordsOf(condition).size) * sum(condition.search.fields.map(fieldWeight));

const filterWeight = (filter: TypedFilter<QueryField>): number => sum(fieldsOfFilter(filter).map(fieldWeight));

/** One more for what is done with it. */
const fieldWeight = (field: QueryField): number =>
  1 + (field.isKpi ? field.typed.formula.weight : field.expression.weight);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
