/**
 * A plan for people: which records are read and how they are joined, what is filtered, grouped and computed. Never shows a
 * value: conditions have a question mark in its place.
 */
import type { TypedCondition, TypedFilter, TypedOperand } from '@tessera/filter';
import type {
  GrainPlan,
  JoinedRecord,
  PlannedOrder,
  PlannedRecord,
  QueryField,
  QueryPlan,
  RowCondition,
  RowSource,
} from '@tessera/knowledge-model';

/** As JSON, which knows no lists that must not change. */
type PlanDescription = { [member: string]: string | boolean | PlanDescription | (string | PlanDescription)[] };

export const describePlan = (plan: QueryPlan): PlanDescription => {
  const asked = (column: number): string => columnIds(plan)[column - 1] ?? '';
  const orderBy = plan.order.map((order) => describeOrder(order, asked));
  switch (plan.kind) {
    case 'rows':
      return {
        kind: 'rows',
        ...describeSource(plan.source),
        columns: [...columnIds(plan)],
        distinct: plan.distinct,
        orderBy,
      };
    case 'groups':
      return {
        kind: 'groups',
        by: plan.keys.map(({ asked: { column } }) => column.id),
        kpis: plan.kpis.map(({ asked: { column } }) => column.id),
        grains: plan.grains.map(describeGrain),
        ...listMember('having', plan.conditions.map(describeFilter)),
        orderBy,
      };
  }
};

const columnIds = (plan: QueryPlan): readonly string[] =>
  (plan.kind === 'rows' ? plan.columns : [...plan.keys, ...plan.kpis]).flatMap(({ asked }) =>
    'column' in asked ? [asked.column.id] : [],
  );

const describeGrain = ({ source, aggregates, isMultiplied }: GrainPlan): PlanDescription => ({
  ...describeSource(source),
  aggregates: String(aggregates.length),
  countsRowsOnce: isMultiplied,
});

const describeSource = ({ root, joins, joinedPolicies, conditions, semiJoins }: RowSource): PlanDescription => ({
  root: describeRecord(root),
  ...listMember('joins', joins.map(describeJoin)),
  ...listMember(
    'policies',
    joinedPolicies.map(({ filter }) => describeFilter(filter)),
  ),
  ...listMember('where', conditions.map(describeCondition)),
  ...listMember(
    'exists',
    semiJoins.map(({ records, conditions: inner }) => ({
      joins: records.map(describeJoin),
      where: inner.map(describeCondition),
    })),
  ),
});

const describeRecord = ({ record, alias, policies, parents }: PlannedRecord): PlanDescription => ({
  record,
  as: alias,
  ...listMember('policies', policies.map(describeFilter)),
  ...(parents && {
    visibleIf: { joins: parents.records.map(describeJoin), where: parents.filters.map(describeFilter) },
  }),
});

const describeJoin = (joined: JoinedRecord): PlanDescription => ({
  ...describeRecord(joined),
  to: joined.parent,
  on: joined.on.map(({ from, to }) => `${joined.parent}.${from} = ${joined.alias}.${to}`),
  toMany: joined.isToMany,
  optional: joined.isOptional,
});

const describeCondition = (condition: RowCondition): string => {
  if (condition.kind === 'filter') return describeFilter(condition.filter);
  if (condition.kind === 'link') return `linked to ${condition.record}`;
  const { fields } = condition.search;
  return `search in ${fields.map(nameOf).join(', ')}`;
};

const describeOrder = ({ by, descending }: PlannedOrder, asked: (column: number) => string): string =>
  `${by.kind === 'position' ? asked(by.position) : `${by.alias}.${by.column}`}${descending ? ' desc' : ''}`;

const describeFilter = (filter: TypedFilter<QueryField>): string => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.operands.map(describeFilter).join(` ${filter.kind} `)})`;
    case 'not':
      return `not ${describeFilter(filter.operand)}`;
    default:
      return describeComparison(filter);
  }
};

const describeComparison = (condition: TypedCondition<QueryField>): string => {
  switch (condition.kind) {
    case 'constant':
      return String(condition.value);
    case 'isNull':
      return `${operandOf(condition.operand)} eq null`;
    case 'compare':
      return `${operandOf(condition.operand)} ${condition.operator} ?`;
    case 'in':
      return `${operandOf(condition.operand)} in (?)`;
    case 'like':
      return `${operandOf(condition.operand)} like (?)`;
    case 'match':
      return `${condition.function}(${operandOf(condition.operand)}, ?)`;
    case 'any':
      return `any ${condition.range.key} (${condition.condition ? describeFilter(condition.condition) : ''})`;
  }
};

const operandOf = ({ field, applied }: TypedOperand<QueryField>): string =>
  applied.reduce((inner, name) => `${name}(${inner})`, nameOf(field));

const nameOf = (field: QueryField): string => (field.isKpi ? field.kpi : `${field.record}.${field.field}`);

/** A member that is left out when there is nothing to say. */
const listMember = (member: string, entries: readonly (string | PlanDescription)[]): PlanDescription =>
  entries.length > 0 ? { [member]: [...entries] } : {};
