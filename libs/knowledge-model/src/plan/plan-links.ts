/**
 * Links from the rows of a record to those of another, gone one step at a time: what a row brings for the next step, and the
 * condition on the rows that the step leads to. The attributes are read whether the caller sees them or not; their values go no
 * further than to the next statement.
 */
import { type CallerView, columnReadingIn } from '../query/caller-view.js';
import type { LinkColumns } from '../query/data-query.js';
import { type RecordField, valueTypeOf } from '../query/query-field.js';
import { findJoinPath, type JoinStep } from './join-paths.js';
import type { LinkCondition } from './query-plan.js';

type LinkedRows = {
  readonly places: readonly LinkColumns[];
  /** The fields that are asked for, and behind them what the places need. */
  readonly columns: readonly RecordField[];
};

export const planLinkColumns = (
  view: CallerView,
  root: string,
  links: readonly string[],
  fields: readonly RecordField[],
): LinkedRows => {
  const columns: RecordField[] = [...fields];
  const places = links.map((record) => ({
    record,
    columns: stepTo(view, root, record).on.map(({ from }) => {
      const known = columns.findIndex((field) => field.record === root && field.field === from);
      return known >= 0 ? known : columns.push(attributeOf(view, root, from)) - 1;
    }),
  }));
  return { places, columns };
};

/** The attributes of `record` that the step leads to. */
export const planLinkCondition = (
  view: CallerView,
  from: string,
  record: string,
): Pick<LinkCondition, 'record' | 'on'> => ({
  record,
  on: stepTo(view, from, record).on.map((pair) => {
    const { type, expression } = attributeOf(view, from, pair.from);
    const reading = expression.kind === 'column' ? columnReadingIn(view, from, expression.column) : undefined;
    return { attribute: pair.to, type, ...(reading && { reading }) };
  }),
});

const stepTo = ({ model }: CallerView, from: string, to: string): JoinStep => {
  const [step, ...further] = findJoinPath(model.relationships, from, to) ?? [];
  if (!step || further.length > 0) throw new Error(`No one step leads from ${from} to ${to}.`);
  return step;
};

export const attributeOf = ({ formulas }: CallerView, record: string, field: string): RecordField => {
  const expression = formulas.fields.get(record)?.get(field);
  const type = expression && valueTypeOf(expression.type);
  if (!type) throw new Error(`${record}.${field} is no attribute.`);
  return { isKpi: false, type, nullable: expression.nullable, record, field, expression };
};
