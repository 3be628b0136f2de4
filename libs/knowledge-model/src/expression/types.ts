/** Which types go together: the common type of several values, and which type can be cast to which. */
import { dateTypes, isDateType, type ValueType } from '@tessera/contracts/knowledge-models';
import type { DatePart, TemporalType } from './formula.js';
import type { FormulaType } from './typed-expression.js';

export const isNumberOrNull = (type: FormulaType): boolean => type === 'integer' || type === 'float' || type === 'null';

export const isMomentType = (type: FormulaType): type is TemporalType =>
  isDateType(type) || type === 'time' || type === 'interval';

/** The type that all of them can become without loss; `null` when all are. */
export const findCommonType = (types: readonly FormulaType[]): FormulaType | undefined => {
  const known: readonly FormulaType[] = [...new Set(types.filter((type) => type !== 'null'))];
  const [first] = known;
  if (first === undefined) return 'null';
  if (known.length === 1) return first;
  if (known.every(isNumberOrNull)) return 'float';
  return known.every(isDateType) ? dateTypes.findLast((type) => known.includes(type)) : undefined;
};

const castSources: Readonly<Record<ValueType, readonly FormulaType[]>> = {
  string: ['integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'],
  integer: ['string', 'float', 'boolean'],
  float: ['string', 'integer'],
  boolean: ['string'],
  date: ['string', 'datetime', 'timestamp'],
  time: ['string', 'datetime', 'timestamp'],
  datetime: ['string', 'date', 'timestamp'],
  timestamp: ['string', 'date', 'datetime'],
};

export const canCast = (from: FormulaType, to: ValueType): boolean =>
  from === to || from === 'null' || castSources[to].includes(from);

/** `week` is of ISO 8601, and of `isoyear`: 2024-12-30 is in week 1 of 2025. */
const dayParts: readonly DatePart[] = ['year', 'isoyear', 'quarter', 'month', 'week', 'day', 'isodow', 'doy', 'epoch'];
const clockParts: readonly DatePart[] = ['hour', 'minute', 'second', 'epoch'];

/** The parts that a value of the type has. */
export const datePartsOf = (type: FormulaType): readonly DatePart[] => {
  switch (type) {
    case 'date':
      return dayParts;
    case 'time':
      return clockParts;
    case 'datetime':
    case 'timestamp':
      return [...new Set([...dayParts, ...clockParts])];
    case 'interval':
      return ['year', 'month', 'day', ...clockParts];
    case 'string':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'null':
      return [];
  }
};
