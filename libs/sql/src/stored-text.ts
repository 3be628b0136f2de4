/**
 * Comparisons of values that are read as text (`storedText`). They mean the texts, and are written so that an index on the values
 * serves them: what is compared with becomes a value of the same type first. A text that is no such value equals nothing.
 */
import { printType } from './print-postgres.js';
import {
  allOf,
  binaryOperation,
  callFunction,
  column,
  parameter,
  type SqlExpression,
  type SqlStoredType,
} from './sql-tree.js';

export type StoredText = SqlExpression & { readonly kind: 'storedText' };

/** A text as a value of the type, null where it is none. */
export const storedValueOf = (type: SqlStoredType, text: SqlExpression): SqlExpression => ({
  kind: 'cast',
  operand: { kind: 'case', branches: [{ when: isValueOf(type, text), then: text }] },
  type,
});

const isValueOf = (type: SqlStoredType, text: SqlExpression): SqlExpression =>
  callFunction('pg_input_is_valid', text, parameter(printType(type), 'text'));

/** May be null. `text` is a parameter, which is read once for all rows. */
export const equalsText = (left: StoredText, text: SqlExpression): SqlExpression => {
  const isSame = binaryOperation(left, '=', text);
  if (!left.type.equality) return isSame;
  const value: SqlExpression = {
    kind: 'scalar',
    query: { kind: 'select', columns: [{ value: storedValueOf(left.type, text) }] },
  };
  const isFound = equalValues(left, value);
  return left.type.equality === 'exact' ? isFound : allOf([isFound, isSame]);
};

/** `texts`: a parameter of type `text[]`. */
export const isAmongTexts = (left: StoredText, texts: SqlExpression): SqlExpression => {
  const isSame: SqlExpression = { kind: 'any', left, list: texts };
  if (!left.type.equality) return isSame;
  const [alias, text] = ['texts of the list', column('texts of the list', 'text')];
  const list: SqlExpression = {
    kind: 'array',
    query: {
      kind: 'select',
      columns: [{ value: { kind: 'cast', operand: text, type: left.type } }],
      from: { kind: 'function', value: callFunction('unnest', texts), alias, columns: ['text'] },
      where: isValueOf(left.type, text),
    },
  };
  const isFound: SqlExpression = { kind: 'any', left: left.operand, list, ...operatorSchemaOf(left) };
  return left.type.equality === 'exact' ? isFound : allOf([isFound, isSame]);
};

/** The condition that two keys are equal: as their type compares where both have the same, else by their texts. */
export const equalKeys = (left: SqlExpression, right: SqlExpression): SqlExpression => {
  if (isStored(left) && isStored(right))
    return left.type.equality && printType(left.type) === printType(right.type)
      ? equalValues(left, right.operand)
      : binaryOperation(left, '=', right);
  if (isStored(left) && left.type.equality) return equalsTextKey(left, right);
  if (isStored(right) && right.type.equality) return equalsTextKey(right, left);
  return binaryOperation(left, '=', right);
};

const isStored = (sql: SqlExpression): sql is StoredText => sql.kind === 'storedText';

const equalsTextKey = (stored: StoredText, text: SqlExpression): SqlExpression =>
  allOf([equalValues(stored, storedValueOf(stored.type, text)), binaryOperation(stored, '=', text)]);

const equalValues = (left: StoredText, value: SqlExpression): SqlExpression => ({
  kind: 'binary',
  operator: '=',
  left: left.operand,
  right: value,
  ...operatorSchemaOf(left),
});

const operatorSchemaOf = ({ type }: StoredText) => (type.hasOwnOperators ? { schema: type.schema } : {});
