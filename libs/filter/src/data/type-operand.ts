/**
 * A field with the functions around it -> the type that is compared, and the faults of both sides in words.
 */
import { nearestName } from '@tessera/failures';
import type { DataField, DataLiteral, ValueFunction } from '../expression.js';
import { type ExpressionFault, faultAt } from '../fault.js';
import { nameLiteral, typeNames, valuesThatFit } from './type-literal.js';
import type { FieldDeclaration, FieldLookup, FieldType, TypedOperand } from './typed-filter.js';

const days: readonly FieldType[] = ['date', 'datetime', 'timestamp'];
const signatures: Readonly<
  Record<ValueFunction, { readonly takes: readonly FieldType[]; readonly gives: FieldType; readonly named: string }>
> = {
  tolower: { takes: ['string'], gives: 'string', named: 'a string' },
  toupper: { takes: ['string'], gives: 'string', named: 'a string' },
  length: { takes: ['string'], gives: 'integer', named: 'a string' },
  year: { takes: days, gives: 'integer', named: 'a date, a datetime or a timestamp' },
  month: { takes: days, gives: 'integer', named: 'a date, a datetime or a timestamp' },
  day: { takes: days, gives: 'integer', named: 'a date, a datetime or a timestamp' },
};

export const typeOperand = <Field extends FieldDeclaration>(
  { name, applied, start }: DataField,
  fields: FieldLookup<Field>,
  areKpisTaken: boolean,
): TypedOperand<Field> | ExpressionFault => {
  const field = fields.get(name);
  if (!field) return faultAt(start, 'field', `There is no field ${name}.`, nearestName(name, fields.keys()));
  if (field.isKpi === true && !areKpisTaken)
    return faultAt(start, 'type', `${name} is a KPI; KPIs can be filtered at the level of the model only.`);
  let operand: TypedOperand<Field> = { name, field, applied: [], type: field.type };
  for (const called of applied) {
    const { takes, gives, named } = signatures[called];
    if (!takes.includes(operand.type)) return wrongOperator(operand, start, `${called} takes ${named}`);
    operand = { ...operand, applied: [...operand.applied, called], type: gives };
  }
  return operand;
};

/** `what` says what could be asked instead. */
export const wrongOperator = (operand: TypedOperand, position: number, what: string): ExpressionFault =>
  faultAt(position, 'type', `${nameOperand(operand)} is ${typeNames[operand.type]}; ${what}.`);

export const wrongLiteral = (operand: TypedOperand, literal: DataLiteral): ExpressionFault => {
  const name = nameOperand(operand);
  const wanted = `${name} is ${typeNames[operand.type]}; expected ${valuesThatFit[operand.type]}`;
  if (literal.kind === 'null')
    return faultAt(literal.start, 'type', `${wanted}, but there is null, for which ${name} eq null asks.`);
  const quoted = operand.type === 'string' ? `'${literal.text}'` : undefined;
  return faultAt(literal.start, 'type', `${wanted}, but there is ${nameLiteral(literal)}.`, quoted);
};

/** An unquoted string that is the name of a field was surely not meant as a string. */
export const fieldAsValue = ({ text, start: position }: DataLiteral): ExpressionFault => {
  const message = `${text} is a field; fields compare with values. Write '${text}' for the text.`;
  return { position, message, rule: 'type', suggestion: `'${text}'` };
};

const nameOperand = ({ name, applied }: TypedOperand): string =>
  applied.reduce((inner, called) => `${called}(${inner})`, name);
