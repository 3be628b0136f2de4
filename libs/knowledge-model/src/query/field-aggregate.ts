/** An aggregate that no KPI of the model is -> the column that answers it, over the rows of its record. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { createTypedExpression, type TypedExpression } from '../expression/typed-expression.js';
import type { CallerView } from './caller-view.js';
import type { FieldAggregate } from './data-query.js';
import { findField, type RequestedField, type RequestedKpi } from './query-field.js';

/** Of a field that the caller sees, and whose type has such an aggregate. */
export const createAggregateColumn = ({ names }: CallerView, aggregate: FieldAggregate): RequestedKpi => {
  const { id, function: name, record, field } = aggregate;
  if (field === undefined) return createCountColumn(id, record);
  const named = findField(names, record, field)?.ofRecord;
  if (!named || !isAggregatable(name, named.type)) throw new Error(`There is no ${name} of ${record}.${field}.`);
  return columnWith(aggregate, aggregateResultType(name, named.type), named);
};

/** Of the rows of a record. */
export const createCountColumn = (id: string, record: string): RequestedKpi =>
  columnWith({ id, function: 'count', distinct: false, record }, 'integer');

/** As in the formulas of KPIs. */
export const isAggregatable = (name: FieldAggregate['function'], type: ValueType): boolean => {
  if (name === 'count') return true;
  return name === 'min' || name === 'max' ? type !== 'boolean' : type === 'integer' || type === 'float';
};

export const aggregateResultType = (name: FieldAggregate['function'], type: ValueType): ValueType =>
  name === 'count' ? 'integer' : name === 'avg' ? 'float' : type;

const columnWith = (
  { id, function: name, distinct, record }: FieldAggregate,
  type: ValueType,
  named?: RequestedField,
): RequestedKpi => {
  const argument: TypedExpression | undefined = named?.expression;
  const isCount = name === 'count';
  const formula = createTypedExpression(
    { kind: 'aggregate', function: name, distinct, ...(argument && { argument }), records: [record] },
    type,
    !isCount,
    argument ? [argument] : [],
  );
  const exact = !isCount && named?.column.exact === true;
  const column = { id, name: id, type, aggregation: true, filterable: true, sortable: true, exact };
  // A group may come from a KPI and have no rows of the record.
  return { isKpi: true, type, nullable: true, kpi: id, typed: { formula, records: [record] }, column };
};
