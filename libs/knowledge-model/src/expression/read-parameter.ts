/** The value of a KPI's parameter -> a literal of the type that it says or looks like. */
import type { KpiParameterModel } from '../model/knowledge-model.js';
import { parseMoment } from './moments.js';
import { type FormulaType, createTypedLiteral, type TypedExpression } from './typed-expression.js';
import { isMomentType } from './types.js';

const integerPattern = /^-?\d{1,39}$/;
const numberPattern = /^-?\d{1,20}(?:\.\d{1,18})?$/;
const lookedFor = ['integer', 'float', 'boolean', 'date', 'datetime', 'timestamp', 'string'] as const;

/** Undefined when the value is none of its type. */
export const parseKpiParameter = ({ value, type }: KpiParameterModel): TypedExpression | undefined => {
  const types = type ? [type] : lookedFor;
  for (const candidate of types) {
    const read = readValue(candidate, value);
    if (read !== undefined) return createTypedLiteral(read, candidate);
  }
  return undefined;
};

const readValue = (type: FormulaType, text: string): string | boolean | undefined => {
  if (isMomentType(type)) return parseMoment(type, text);
  if (type === 'integer') return integerPattern.test(text) ? text : undefined;
  if (type === 'float') return numberPattern.test(text) ? text : undefined;
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  return text;
};
