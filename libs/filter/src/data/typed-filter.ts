/**
 * A filter whose fields are known and whose values have the type of their field. Null is a value here: `isNull` asks
 * for it, every other condition is false for it, and `not` turns that false into true.
 */
import type {
  DataField,
  DataLiteral,
  DataValue,
  ListMatchOptions,
  LogicalExpression,
  MatchFunction,
  RelatedRange,
  ValueFunction,
} from '../expression.js';
import type { ExpressionFault } from '../parser.js';
import type { MomentSpan } from './moment.js';

export type FieldType = 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'time' | 'datetime' | 'timestamp';

/** What the owner of a field says about it; the owner may add what it needs to write the field in SQL. */
export type FieldDeclaration = { readonly type: FieldType; readonly nullable: boolean; readonly isKpi?: boolean };

/** The fields of one question by name; a Map is one. */
export type FieldLookup<Field extends FieldDeclaration> = {
  readonly get: (name: string) => Field | undefined;
  /** What a wrong name is compared with. */
  readonly keys: () => Iterable<string>;
  /** What is computed of fields, as a field; absent where fields alone can be named. */
  readonly compute?: (field: ComputedField) => ComputedFieldResult<Field>;
};

export type ComputedField = DataField & { readonly value: DataValue };

export type ComputedFieldResult<Field> =
  | { readonly ok: true; readonly value: Field }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** A field with the functions around it, the innermost first; `type` is that of the result. */
export type TypedOperand<Field extends FieldDeclaration = FieldDeclaration> = {
  readonly name: string;
  readonly field: Field;
  readonly applied: readonly ValueFunction[];
  readonly type: FieldType;
};

/** Numbers, dates and strings as text, so that nothing is lost; an `integer` fits into eight bytes. */
export type TypedValue = (
  | { readonly kind: 'string' | 'integer' | 'decimal' | 'date'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | ({ readonly kind: 'time' | 'datetime' | 'timestamp' } & MomentSpan)
) & {
  /** Absent where it is a value of an attribute of the caller. */
  readonly origin?: { readonly literal: DataLiteral; readonly type: FieldType };
};

export type TypedCondition<Field extends FieldDeclaration = FieldDeclaration> =
  /** `operand`: what was named, though its value does not matter. */
  | { readonly kind: 'constant'; readonly value: boolean; readonly operand?: TypedOperand<Field> }
  | { readonly kind: 'isNull'; readonly operand: TypedOperand<Field> }
  | {
      readonly kind: 'compare';
      readonly operator: 'eq' | 'gt' | 'ge' | 'lt' | 'le';
      readonly operand: TypedOperand<Field>;
      readonly value: TypedValue;
    }
  /** Two values at least, all of the operand's type. */
  | { readonly kind: 'in'; readonly operand: TypedOperand<Field>; readonly values: readonly TypedValue[] }
  /** One text at least. */
  | {
      readonly kind: 'like';
      readonly operand: TypedOperand<Field>;
      readonly texts: readonly string[];
      readonly likeness: ListMatchOptions;
    }
  | {
      readonly kind: 'match';
      readonly function: MatchFunction;
      readonly operand: TypedOperand<Field>;
      readonly text: string;
    }
  | { readonly kind: 'any'; readonly range: RelatedRange; readonly condition?: TypedFilter<Field> };

export type TypedFilter<Field extends FieldDeclaration = FieldDeclaration> = LogicalExpression<TypedCondition<Field>>;
