/** Formulas whose names and types are known, and the parts that they consist of. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { RelatedRange } from '@tessera/filter';
import type { AggregateFunction, FormulaArithmeticOperator, FormulaComparisonOperator, DatePart } from './formula.js';

/** Intervals and the bare null exist inside of formulas only. */
export type FormulaType = ValueType | 'interval' | 'null';

export const truncationUnits = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
type TruncationUnit = (typeof truncationUnits)[number];

/** The functions that take and give plain values, as they are called in formulas. */
export const scalarFunctions = [
  'abs',
  'floor',
  'ceil',
  'round',
  'lower',
  'upper',
  'trim',
  'length',
  'substring',
  'concat',
  'replace',
  'coalesce',
  'nullif',
  'greatest',
  'least',
] as const;
export type ScalarFunction = (typeof scalarFunctions)[number];

/** What questions compute and no formula of a model can call. `indexof` counts from 0, `div` drops what remains. */
export type QueryOnlyFunction = 'indexof' | 'contains' | 'startswith' | 'endswith' | 'div';

export type TypedCaseBranch = { readonly when: TypedExpression; readonly then: TypedExpression };

export type TypedNode =
  /** Numbers as they were written. */
  | { readonly kind: 'literal'; readonly value: string | boolean | null }
  | { readonly kind: 'column'; readonly record: string; readonly field: string; readonly column: string }
  /** How many related rows the caller sees; questions have it, formulas of models have not. */
  | { readonly kind: 'relatedCount'; readonly range: RelatedRange }
  /** A field that is a formula over other fields of the record. */
  | { readonly kind: 'derived'; readonly record: string; readonly field: string; readonly formula: TypedExpression }
  | { readonly kind: 'kpi'; readonly id: string; readonly formula: TypedExpression }
  | { readonly kind: 'not' | 'negate'; readonly operand: TypedExpression }
  | {
      readonly kind: 'arithmetic';
      readonly operator: FormulaArithmeticOperator;
      readonly left: TypedExpression;
      readonly right: TypedExpression;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: FormulaComparisonOperator;
      readonly left: TypedExpression;
      readonly right: TypedExpression;
    }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly TypedExpression[] }
  | { readonly kind: 'isNull'; readonly operand: TypedExpression; readonly negated: boolean }
  | {
      readonly kind: 'in';
      readonly operand: TypedExpression;
      readonly values: readonly (string | boolean)[];
      readonly valueType: FormulaType;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'between';
      readonly operand: TypedExpression;
      readonly low: TypedExpression;
      readonly high: TypedExpression;
      readonly negated: boolean;
    }
  | { readonly kind: 'like'; readonly operand: TypedExpression; readonly pattern: string; readonly negated: boolean }
  | {
      readonly kind: 'case';
      readonly operand?: TypedExpression;
      readonly branches: readonly TypedCaseBranch[];
      readonly otherwise?: TypedExpression;
    }
  /** From the type of the operand to the type of this node. */
  | { readonly kind: 'cast'; readonly operand: TypedExpression }
  | { readonly kind: 'extract'; readonly part: DatePart; readonly operand: TypedExpression }
  | { readonly kind: 'truncate'; readonly part: TruncationUnit; readonly operand: TypedExpression }
  | {
      readonly kind: 'call';
      readonly function: ScalarFunction | QueryOnlyFunction;
      readonly arguments: readonly TypedExpression[];
    }
  /** Without an argument it counts the rows of its only record. */
  | {
      readonly kind: 'aggregate';
      readonly function: AggregateFunction;
      readonly distinct: boolean;
      readonly argument?: TypedExpression;
      readonly filter?: TypedExpression;
      /** The records that it reads, in the order of their first reading: its grain. */
      readonly records: readonly string[];
    };

export type TypedExpression = TypedNode & {
  readonly type: FormulaType;
  /** Whether it may be null. */
  readonly nullable: boolean;
  /** How many nodes of SQL it becomes, named formulas put in. */
  readonly weight: number;
};

export type TypedAggregate = TypedExpression & { readonly kind: 'aggregate' };

/** `parts`: what it is made of, counted as often as the SQL repeats it. */
export const createTypedExpression = (
  node: TypedNode,
  type: FormulaType,
  nullable: boolean,
  parts: readonly TypedExpression[],
): TypedExpression => ({ ...node, type, nullable, weight: 1 + parts.reduce((sum, { weight }) => sum + weight, 0) });

export const createTypedLiteral = (value: string | boolean | null, type: FormulaType): TypedExpression =>
  createTypedExpression({ kind: 'literal', value }, type, value === null, []);

export const isAnyNullable = (parts: readonly TypedExpression[]): boolean => parts.some(({ nullable }) => nullable);

/** Whether dividing by it may have no result. */
export const canBeZero = (divisor: TypedExpression): boolean =>
  divisor.kind !== 'literal' || typeof divisor.value !== 'string' || Number(divisor.value) === 0;

export const subexpressionsOf = (value: TypedExpression): readonly TypedExpression[] => {
  switch (value.kind) {
    case 'literal':
    case 'column':
    case 'relatedCount':
      return [];
    case 'derived':
    case 'kpi':
      return [value.formula];
    case 'not':
    case 'negate':
    case 'isNull':
    case 'in':
    case 'like':
    case 'cast':
    case 'extract':
    case 'truncate':
      return [value.operand];
    case 'arithmetic':
    case 'comparison':
      return [value.left, value.right];
    case 'and':
    case 'or':
      return value.operands;
    case 'between':
      return [value.operand, value.low, value.high];
    case 'case':
      return [value.operand, ...value.branches.flatMap(({ when, then }) => [when, then]), value.otherwise].filter(
        (part) => part !== undefined,
      );
    case 'call':
      return value.arguments;
    case 'aggregate':
      return [value.argument, value.filter].filter((part) => part !== undefined);
  }
};

export const referencedRecords = (value: TypedExpression): readonly string[] => [
  ...new Set(aggregatesIn(value).flatMap(({ records }) => records)),
];

/** In the order of the formula; the same one as often as it is named. */
export const aggregatesIn = (value: TypedExpression): readonly TypedAggregate[] =>
  value.kind === 'aggregate' ? [value] : subexpressionsOf(value).flatMap(aggregatesIn);
