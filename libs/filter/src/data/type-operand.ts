/**
 * A field with the functions around it -> the type that is compared, and the faults of both sides in words.
 * Refuses: names that the owner does not have, KPIs where rows are asked for, functions that do not take the type.
 */
import { nearestName } from '@tessera/failures';
import type { DataField, DataLiteral, ValueFunction } from '../expression.js';
import type { FilterFault } from '../filter-fault.js';
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
): TypedOperand<Field> | FilterFault => {
  const field = fields.get(name);
  if (!field) return unknownField(name, start, fields.keys());
  if (field.isKpi === true && !areKpisTaken)
    return typeFault(start, `${name} is a KPI; KPIs can be filtered at the level of the model only.`);
  let operand: TypedOperand<Field> = { name, field, applied: [], type: field.type };
  for (const called of applied) {
    const { takes, gives, named } = signatures[called];
    if (!takes.includes(operand.type)) return wrongOperator(operand, start, `${called} takes ${named}`);
    operand = { ...operand, applied: [...operand.applied, called], type: gives };
  }
  return operand;
};

/** `what` says what could be asked instead. */
export const wrongOperator = (operand: TypedOperand, position: number, what: string): FilterFault =>
  typeFault(position, `${nameOperand(operand)} is ${typeNames[operand.type]}; ${what}.`);

export const wrongLiteral = (operand: TypedOperand, literal: DataLiteral): FilterFault => {
  const name = nameOperand(operand);
  const wanted = `${name} is ${typeNames[operand.type]}; expected ${valuesThatFit[operand.type]}`;
  if (literal.kind === 'null')
    return typeFault(literal.start, `${wanted}, but there is null, for which ${name} eq null asks.`);
  const quoted = operand.type === 'string' ? `'${literal.text}'` : undefined;
  const hint = quoted === undefined ? '' : ` Did you mean ${quoted}?`;
  return typeFault(literal.start, `${wanted}, but there is ${nameLiteral(literal)}.${hint}`, quoted);
};

/** An unquoted string that is the name of a field was surely not meant as a string. */
export const fieldAsValue = ({ text, start }: DataLiteral): FilterFault =>
  typeFault(start, `${text} is a field; fields compare with values. Write '${text}' for the text.`, `'${text}'`);

const unknownField = (name: string, position: number, known: Iterable<string>): FilterFault => {
  const suggestion = nearestName(name, known);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return {
    position,
    message: `There is no field ${name}.${hint}`,
    rule: 'field',
    ...(suggestion !== undefined && { suggestion }),
  };
};

const typeFault = (position: number, message: string, suggestion?: string): FilterFault => ({
  position,
  message,
  rule: 'type',
  ...(suggestion !== undefined && { suggestion }),
});

const nameOperand = ({ name, applied }: TypedOperand): string =>
  applied.reduce((inner, called) => `${called}(${inner})`, name);
