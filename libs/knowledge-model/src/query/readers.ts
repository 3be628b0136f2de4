/**
 * Who reads what: which fields and KPIs are gone when a field is hidden.
 * Refuses: filters and policies, which nothing else reads.
 */
import { partsOfExpression } from '../expression/parts-of-expression.js';
import type { TypedModel } from '../expression/type-model.js';
import type { TypedExpression } from '../expression/typed-expression.js';

/** Field (`RECORD.FIELD`) or KPI -> the fields and KPIs whose own formulas name it. */
export type Readers = ReadonlyMap<string, readonly string[]>;

export const readersIn = ({ fields, kpis }: TypedModel): Readers => {
  const readers = new Map<string, string[]>();
  const note = (expression: TypedExpression) => {
    const [reader] = nameOf(expression);
    if (reader === undefined) return;
    for (const read of new Set(partsOfExpression(expression).flatMap(namesRead))) {
      const known = readers.get(read);
      if (known) known.push(reader);
      else readers.set(read, [reader]);
    }
  };
  for (const ofRecord of fields.values()) for (const expression of ofRecord.values()) note(expression);
  for (const { formula } of kpis.values()) note(formula);
  return readers;
};

/** What is named in a formula itself, without what that reads in turn. */
const namesRead = (expression: TypedExpression): readonly string[] => {
  const own = nameOf(expression);
  return own.length > 0 ? own : partsOfExpression(expression).flatMap(namesRead);
};

const nameOf = (expression: TypedExpression): readonly string[] => {
  if (expression.kind === 'kpi') return [expression.id];
  if (expression.kind !== 'column' && expression.kind !== 'derived') return [];
  return [`${expression.record}.${expression.field}`];
};

/** What is named, and everything that reads it, by whatever way. */
export const withReaders = (readers: Readers, names: Iterable<string>): ReadonlySet<string> => {
  const all = new Set(names);
  for (const name of all) for (const reader of readers.get(name) ?? []) all.add(reader);
  return all;
};
