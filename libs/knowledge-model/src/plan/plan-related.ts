/**
 * Related rows that stand beside the rows of a record: which record can, and what tells of each whether it is there.
 * Refuses: records that are not one row away by one step (KM_JOIN_NOTFOUND), since they would have to be searched for, or
 * would multiply rows.
 */
import { fail, type Result, succeed } from '@tessera/failures';
import type { CallerView } from '../query/caller-view.js';
import type { RelatedPlace } from '../query/compiled-query.js';
import { valueTypeOf } from '../query/name-fields.js';
import type { RecordField } from '../query/query-field.js';
import { joinPathBetween } from './join-paths.js';

type RelatedRows = {
  readonly places: readonly RelatedPlace[];
  /** The fields that are asked for, and behind them what the places need. */
  readonly columns: readonly RecordField[];
};

/** `root`: the record that is asked; `records`: all whose fields are asked for. */
export const planRelated = (
  view: CallerView,
  root: string,
  records: readonly string[],
  fields: readonly RecordField[],
): Result<RelatedRows> => {
  const columns: RecordField[] = [...fields];
  const places: RelatedPlace[] = [];
  for (const record of records.filter((each) => each !== root)) {
    const key = keyOf(view, root, record);
    if (!key) return failElsewhere(root, record);
    const known = columns.findIndex((field) => field.record === record && field.field === key.field);
    places.push({ record, column: known >= 0 ? known : columns.push(key) - 1 });
  }
  return succeed({ places, columns });
};

/** A row was joined because this is equal to something, so it is null only where there is none. Policies may hide it. */
const keyOf = ({ model, formulas }: CallerView, root: string, record: string): RecordField | undefined => {
  const [step, ...further] = joinPathBetween(model.relationships, root, record) ?? [];
  const field = step?.isToMany === false && further.length === 0 ? step.on[0]?.to : undefined;
  const expression = field === undefined ? undefined : formulas.fields.get(record)?.get(field);
  const type = expression && valueTypeOf(expression.type);
  return field !== undefined && expression && type
    ? { isKpi: false, type, nullable: true, record, field, expression }
    : undefined;
};

const failElsewhere = (root: string, record: string) =>
  fail(
    'KM_JOIN_NOTFOUND',
    `Fields of ${record} cannot stand beside those of ${root}; only a record to which one relationship leads, to one row, can.`,
  );
