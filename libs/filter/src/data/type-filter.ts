/**
 * The tree of a filter and the fields of its owner -> the typed filter. The type of the field decides what a literal is.
 * Refuses: unknown fields, KPIs where none can be asked for, literals of another kind, operators and functions that the
 * type does not have; each with its position and what would fit, a few at once.
 */
import type { DataExpression, DataField, DataLiteral, Likeness } from '../expression.js';
import type { ExpressionFault } from '../fault.js';
import { typeLiteral } from './type-literal.js';
import { fieldAsValue, typeOperand, wrongLiteral, wrongOperator } from './type-operand.js';
import type {
  FieldDeclaration,
  FieldLookup,
  TypedCondition,
  TypedFilter,
  TypedOperand,
  TypedValue,
} from './typed-filter.js';

export type TypingOptions = {
  /** Record level has no KPIs, model level filters by them after aggregation. */
  readonly kpis?: boolean;
  /** The values of an attribute of the caller. Without a fitting value for each, the whole filter matches nothing. */
  readonly callerValues?: (attribute: string) => readonly string[] | undefined;
};

type FilterTyping<Field extends FieldDeclaration> =
  | { readonly ok: true; readonly value: TypedFilter<Field> }
  | { readonly ok: false; readonly faults: readonly ExpressionFault[] };

const faultsMax = 5;
const nothing = { kind: 'constant', value: false } as const;

/** What is known while a filter is typed. */
type Typing<Field extends FieldDeclaration> = {
  readonly fields: FieldLookup<Field>;
  readonly options: TypingOptions;
  readonly faults: ExpressionFault[];
  /** An attribute of the caller has no value that fits: nobody is let in by what is not known. */
  isCallerUnknown: boolean;
};

export const typeFilter = <Field extends FieldDeclaration>(
  expression: DataExpression,
  fields: FieldLookup<Field>,
  options: TypingOptions = {},
): FilterTyping<Field> => {
  const typing: Typing<Field> = { fields, options, faults: [], isCallerUnknown: false };
  const value = typeLogic(typing, expression);
  if (typing.faults.length > 0) return { ok: false, faults: typing.faults.slice(0, faultsMax) };
  return { ok: true, value: typing.isCallerUnknown ? nothing : value };
};

const typeLogic = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  expression: DataExpression,
): TypedFilter<Field> => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, operands: expression.operands.map((operand) => typeLogic(typing, operand)) };
    case 'not':
      return { kind: 'not', operand: typeLogic(typing, expression.operand) };
    case 'compare':
    case 'in':
    case 'match': {
      const operand = operandOf(typing, expression.field);
      return operand ? typeCondition(typing, operand, expression) : nothing;
    }
  }
};

const operandOf = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  field: DataField,
): TypedOperand<Field> | undefined => {
  const operand = typeOperand(field, typing.fields, typing.options.kpis ?? false);
  if (!('rule' in operand)) return operand;
  refuse(typing, operand);
  return undefined;
};

const refuse = (typing: { readonly faults: ExpressionFault[] }, fault: ExpressionFault): typeof nothing => {
  typing.faults.push(fault);
  return nothing;
};

const typeCondition = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  operand: TypedOperand<Field>,
  expression: DataExpression & { kind: 'compare' | 'in' | 'match' },
): TypedFilter<Field> => {
  switch (expression.kind) {
    case 'compare':
      return typeComparison(typing, operand, expression);
    case 'in': {
      const { field, literals, likeness } = expression;
      if (likeness && operand.type !== 'string')
        return refuse(typing, wrongOperator(operand, field.start, 'only texts are like others'));
      const values = literals.flatMap((literal) => valuesOf(typing, operand, literal, true));
      return likeness ? isLike(operand, values, likeness) : isAmong(operand, values);
    }
    case 'match': {
      const { field, literal } = expression;
      if (operand.type !== 'string')
        return refuse(typing, wrongOperator(operand, field.start, `${expression.function} takes a string`));
      const [value] = valuesOf(typing, operand, literal, false);
      return value?.kind === 'string'
        ? { kind: 'match', function: expression.function, operand, text: value.text }
        : nothing;
    }
  }
};

const typeComparison = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  operand: TypedOperand<Field>,
  { operator, field, literal }: DataExpression & { kind: 'compare' },
): TypedFilter<Field> => {
  const isOrder = operator !== 'eq' && operator !== 'ne';
  if (isOrder && operand.type === 'boolean')
    return refuse(typing, wrongOperator(operand, field.start, 'use eq, ne or in'));
  // The order of anything and null is false, as OData has it.
  if (literal.kind === 'null')
    return isOrder ? { ...nothing, operand } : negatedIf(operator === 'ne', { kind: 'isNull', operand });
  const values = valuesOf(typing, operand, literal, !isOrder);
  const [value] = values;
  if (isOrder) return value ? { kind: 'compare', operator, operand, value } : nothing;
  return negatedIf(operator === 'ne', isAmong(operand, values));
};

const isAmong = <Field extends FieldDeclaration>(
  operand: TypedOperand<Field>,
  values: readonly TypedValue[],
): TypedCondition<Field> => {
  const [value] = values;
  if (!value) return nothing;
  return values.length === 1 ? { kind: 'compare', operator: 'eq', operand, value } : { kind: 'in', operand, values };
};

const isLike = <Field extends FieldDeclaration>(
  operand: TypedOperand<Field>,
  values: readonly TypedValue[],
  likeness: Likeness,
): TypedCondition<Field> => {
  const texts = values.flatMap((value) => (value.kind === 'string' ? value.text : []));
  return texts.length > 0 ? { kind: 'like', operand, texts, likeness } : nothing;
};

const negatedIf = <Field extends FieldDeclaration>(
  isNegated: boolean,
  operand: TypedFilter<Field>,
): TypedFilter<Field> => (isNegated ? { kind: 'not', operand } : operand);

/** The value of a literal, or those of an attribute of the caller; none after a fault. */
const valuesOf = <Field extends FieldDeclaration>(
  typing: Typing<Field>,
  operand: TypedOperand<Field>,
  literal: DataLiteral,
  areSeveralTaken: boolean,
): readonly TypedValue[] => {
  if (literal.kind === 'caller') {
    const texts = typing.options.callerValues?.(literal.text);
    const values = texts?.flatMap((text) => typeLiteral(operand.type, { ...literal, kind: 'string', text }) ?? []);
    if (values && values.length === texts?.length && (areSeveralTaken || values.length === 1)) return values;
    typing.isCallerUnknown = true;
    return [];
  }
  const value = typeLiteral(operand.type, literal);
  const isField = literal.kind === 'word' && typing.fields.get(literal.text) !== undefined;
  if (value && !isField) return [value];
  refuse(typing, isField ? fieldAsValue(literal) : wrongLiteral(operand, literal));
  return [];
};
