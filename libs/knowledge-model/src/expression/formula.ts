/** A formula as it was written: plain data with the place of every part in the text; check-formula.ts decides what it means. */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import type { Span } from '@tessera/filter';
import type { SqlAggregateFunction, SqlDatePart } from '@tessera/sql';

export type FormulaArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '||';
export type FormulaComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type AggregateFunction = SqlAggregateFunction;
export type DatePart = SqlDatePart;
/** Types whose literals have their name in front: `date '2026-05-07'`. */
export type TemporalType = 'date' | 'time' | 'datetime' | 'timestamp' | 'interval';

export type CaseBranch = { readonly when: Formula; readonly then: Formula };

export type FormulaNode =
  | { readonly kind: 'number' | 'string'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'moment'; readonly type: TemporalType; readonly text: string }
  /** `FIELD`, `KPI` or `RECORD.FIELD`. */
  | { readonly kind: 'name'; readonly record?: string; readonly id: string }
  /** `RECORD.*`, the rows of a record as what `count` counts. */
  | { readonly kind: 'rows'; readonly record: string }
  | { readonly kind: 'parameter'; readonly id: string }
  | { readonly kind: 'not'; readonly operand: Formula }
  | { readonly kind: 'negate'; readonly operand: Formula }
  | {
      readonly kind: 'arithmetic';
      readonly operator: FormulaArithmeticOperator;
      readonly left: Formula;
      readonly right: Formula;
    }
  | {
      readonly kind: 'comparison';
      readonly operator: FormulaComparisonOperator;
      readonly left: Formula;
      readonly right: Formula;
    }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Formula[] }
  | { readonly kind: 'isNull'; readonly operand: Formula; readonly negated: boolean }
  | { readonly kind: 'in'; readonly operand: Formula; readonly items: readonly Formula[]; readonly negated: boolean }
  | {
      readonly kind: 'between';
      readonly operand: Formula;
      readonly low: Formula;
      readonly high: Formula;
      readonly negated: boolean;
    }
  | { readonly kind: 'like'; readonly operand: Formula; readonly pattern: Formula; readonly negated: boolean }
  | {
      readonly kind: 'case';
      readonly operand?: Formula;
      readonly branches: readonly CaseBranch[];
      readonly otherwise?: Formula;
    }
  | { readonly kind: 'cast'; readonly operand: Formula; readonly type: ValueType }
  | { readonly kind: 'extract'; readonly part: DatePart; readonly operand: Formula }
  /** The name in small letters; whether such a function exists is not known yet. */
  | { readonly kind: 'call'; readonly function: string; readonly arguments: readonly Formula[] }
  | {
      readonly kind: 'aggregate';
      readonly function: AggregateFunction;
      readonly distinct: boolean;
      readonly argument: Formula;
      readonly filter?: Formula;
    };

export type Formula = Span & FormulaNode;

export const aggregateFunctions = ['sum', 'avg', 'min', 'max', 'count'] as const satisfies readonly AggregateFunction[];
export const dateParts = [
  'year',
  'isoyear',
  'quarter',
  'month',
  'week',
  'day',
  'isodow',
  'doy',
  'hour',
  'minute',
  'second',
  'epoch',
] as const satisfies readonly DatePart[];

/** Words that mean something wherever they stand; a field with such an id is written in double quotes. */
export const formulaReservedWords: ReadonlySet<string> = new Set(
  ['and', 'or', 'not', 'is', 'null', 'in', 'between', 'like', 'case', 'when', 'then', 'else', 'end'].concat([
    'true',
    'false',
    'distinct',
    'cast',
    'extract',
  ]),
);
