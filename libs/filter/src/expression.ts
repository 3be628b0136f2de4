/**
 * The one tree of filters, whatever syntax they came in. Plain frozen data with the positions of the text it came from,
 * so that a later stage can point at what it refuses.
 * Refuses: meaning. Which fields exist and which literals fit them is decided by who owns the fields.
 */

/** Zero-based character positions in the filter's text; `end` is the first position behind. */
export type Span = { readonly start: number; readonly end: number };

export type FilterField = Span & { readonly name: string };

/** A literal as written: the text of a string without quotes and escapes, of a number, `true` or `false`. */
export type FilterLiteral = Span & { readonly kind: 'string' | 'number' | 'boolean'; readonly text: string };

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type MatchFunction = 'contains' | 'startswith' | 'endswith';

export type FilterExpression =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly FilterExpression[] }
  | { readonly kind: 'not'; readonly operand: FilterExpression }
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly field: FilterField;
      readonly literal: FilterLiteral;
    }
  | { readonly kind: 'in'; readonly field: FilterField; readonly literals: readonly FilterLiteral[] }
  | {
      readonly kind: 'match';
      readonly function: MatchFunction;
      readonly field: FilterField;
      readonly literal: FilterLiteral;
    }
  /** The field has no value, or only white space. */
  | { readonly kind: 'blank'; readonly field: FilterField };
