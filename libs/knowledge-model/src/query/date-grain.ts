/** A field of dates by their period: `ORDER_DATE:month` is the first day of the month, and groups are made by it. */
import { type DateGrain, dateGrains, isDateType } from '@tessera/contracts/knowledge-models';
import { withArticle } from '../expression/check-context.js';
import { createTypedExpression, type TypedExpression } from '../expression/typed-expression.js';
import type { ResultColumn } from './data-query.js';
import type { RequestedField } from './query-field.js';
import { unknownGrain, type UnknownNameMessage } from './query-fault.js';

/** No id of a model has this character. */
const separator = ':';

type WrittenField = { readonly name: string; readonly grain?: string };

export const splitGrain = (id: string): WrittenField => {
  const at = id.indexOf(separator);
  return at < 0 ? { name: id } : { name: id.slice(0, at), grain: id.slice(at + separator.length) };
};

/** The field by that period; its type is `date`, and it is no field of its record. What is wrong is told with its rule. */
export const fieldByGrain = (
  field: RequestedField,
  text: string,
): RequestedField | (UnknownNameMessage & { readonly rule: 'grain' | 'type' }) => {
  const { id } = field.column;
  if (!isDateType(field.expression.type))
    return {
      rule: 'type',
      message: `${id} is ${withArticle(field.type)}; only dates have a grain, as in FIELD:month.`,
    };
  const grain = dateGrains.find((each) => each === text);
  return grain ? truncated(field, grain) : { rule: 'grain', ...unknownGrain(id, text) };
};

const truncated = (field: RequestedField, grain: DateGrain): RequestedField => ({
  ...field,
  type: 'date',
  field: `${field.field}${separator}${grain}`,
  expression: firstDayOf(field.expression, grain),
  column: columnByGrain(field, grain),
});

/** The result column of a field of dates that was asked for by that period. */
export const columnByGrain = ({ column }: RequestedField, grain: DateGrain): ResultColumn => {
  const { format: _format, ...others } = column;
  return { ...others, id: `${column.id}${separator}${grain}`, type: 'date', grain, filterable: false };
};

/** Of a timestamp the day in UTC. A week begins on Monday. */
const firstDayOf = (operand: TypedExpression, grain: DateGrain): TypedExpression => {
  const { nullable } = operand;
  const day =
    operand.type === 'date' ? operand : createTypedExpression({ kind: 'cast', operand }, 'date', nullable, [operand]);
  return grain === 'day'
    ? day
    : createTypedExpression({ kind: 'truncate', part: grain, operand: day }, 'date', nullable, [day]);
};
