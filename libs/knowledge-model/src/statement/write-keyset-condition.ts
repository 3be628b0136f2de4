/**
 * What holds for exactly the rows behind a place in an order, in the form in which PostgreSQL begins an index scan at that
 * place: a comparison of rows where the order allows it, else one item after the other, each behind a bound of its own.
 * Refuses: values in the text, which depends on nothing of the place but where it is null.
 */
import { allOf, anyOf, binary, negation, sameAgain, type SqlExpression } from '@tessera/sql';
import type { PlannedOrder } from '../plan/query-plan.js';

/** An item of the order, and its value in the row before. */
type OrderByItem = Pick<PlannedOrder, 'descending' | 'nullable'> & {
  readonly operand: SqlExpression;
  readonly value: string | null;
};

type Present = OrderByItem & { readonly value: string };

/** No row is in two of them, and those of the first come first: rows with a value in the first item, and without. */
export const writeSections = (items: readonly OrderByItem[]): readonly SqlExpression[] => {
  const [first, ...others] = items;
  if (!first) return [];
  const { operand, value, descending, nullable } = first;
  const isNull: SqlExpression = { kind: 'isNull', operand };
  if (value === null) {
    const behind = allOf([isNull, writeKeysetCondition(others)]);
    return nullable && !descending ? [behind, negation(isNull)] : [behind];
  }
  const behind = writeBehindValue({ ...first, value }, others);
  return nullable && descending ? [behind, isNull] : [behind];
};

export const writeKeysetCondition = (items: readonly OrderByItem[]): SqlExpression => anyOf(writeSections(items));

/** Not true where the first item is null. */
const writeBehindValue = (first: Present, others: readonly OrderByItem[]): SqlExpression => {
  const beyond = first.descending ? '<' : '>';
  const value = sameAgain(first.value);
  if (others.length === 0) return binary(first.operand, beyond, value);
  const row = rowOf(first, others);
  if (row) return binary(row.left, beyond, row.right);
  return allOf([
    binary(first.operand, `${beyond}=`, value),
    anyOf([binary(first.operand, beyond, value), writeKeysetCondition(others)]),
  ]);
};

/** A row with a null in it is behind no other, which is so in an ascending order: there nulls come first. */
const rowOf = (
  first: Present,
  others: readonly OrderByItem[],
): { readonly left: SqlExpression; readonly right: SqlExpression } | undefined => {
  const { descending } = first;
  const rest = others.flatMap(({ value, ...item }) =>
    value !== null && item.descending === descending && !(descending && item.nullable) ? [{ ...item, value }] : [],
  );
  if (rest.length < others.length) return undefined;
  const items = [first, ...rest];
  return {
    left: { kind: 'row', operands: items.map(({ operand }) => operand) },
    right: { kind: 'row', operands: items.map(({ value }) => sameAgain(value)) },
  };
};
