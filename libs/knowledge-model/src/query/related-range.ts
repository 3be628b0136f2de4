/**
 * Names of related rows that a condition looks through by itself: `ITEM #1`, and of what is one row away from each of them,
 * `ITEM #1 SUPPLIER`. They stand where else the id of a record does; no id has a space in it.
 */
import { createTypedExpression } from '../expression/typed-expression.js';
import type { NamedField, RequestedField } from './query-field.js';

export const createRangeKey = (record: string, number: number): string => `${record} #${number}`;

export const createRelatedKeyInRange = (range: string, record: string): string => `${range} ${record}`;

/** Of a record itself its id. */
export const recordOfRangeKey = (key: string): string => {
  const [record = '', , beside] = key.split(' ');
  return beside ?? record;
};

/** The range that the key is one row away from; undefined of ranges and records. */
export const parentRangeOfKey = (key: string): string | undefined => {
  const [record = '', number = '', beside] = key.split(' ');
  return beside === undefined ? undefined : `${record} ${number}`;
};

export const isRangeKey = (key: string): boolean => key.includes(' ');

/** PostgreSQL cuts longer names. */
const nameBytesMax = 63;

/** No record is called so; the number is the only one of its condition. */
export const aliasOfRangeKey = (key: string): string => key.slice(key.indexOf(' ') + 1).slice(0, nameBytesMax);

type Fields = ReadonlyMap<string, ReadonlyMap<string, NamedField>>;

/** `KEY.FIELD` as a field whose record is the key. */
export const findFieldInRange = (fields: Fields, name: string): RequestedField | undefined => {
  const dot = name.indexOf('.');
  const key = name.slice(0, Math.max(0, dot));
  const named = isRangeKey(key) ? fields.get(recordOfRangeKey(key))?.get(name.slice(dot + 1)) : undefined;
  if (!named) return undefined;
  const field = parentRangeOfKey(key) === undefined ? named.ofRecord : named.ofModel;
  const { expression: formula, field: id, type, nullable } = field;
  const expression = createTypedExpression({ kind: 'derived', record: key, field: id, formula }, type, nullable, [
    formula,
  ]);
  return { ...field, record: key, expression };
};
