/**
 * The one tree of filters, whatever syntax they came in. Plain frozen data with the positions of the text it came from,
 * so that a later stage can point at what it refuses. The owner of the fields decides which exist and which literals fit.
 */

/** Zero-based character positions in the filter's text; `end` is the first position behind. */
export type Span = { readonly start: number; readonly end: number };

/** Conditions and what joins them; the same for every kind of condition. */
export type LogicalExpression<Condition> =
  | Condition
  | { readonly kind: 'and' | 'or'; readonly operands: readonly LogicalExpression<Condition>[] }
  | { readonly kind: 'not'; readonly operand: LogicalExpression<Condition> };

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type MatchFunction = 'contains' | 'startswith' | 'endswith';

type Comparison<Field, Literal> = {
  readonly kind: 'compare';
  readonly operator: ComparisonOperator;
  readonly field: Field;
  readonly literal: Literal;
};
/** How a text may differ from one of a list and still be in it. */
export type ListMatchOptions = {
  /** Any text may stand before. */
  readonly anyBefore: boolean;
  readonly anyAfter: boolean;
  readonly ignoreCase: boolean;
};

type Membership<Field, Literal> = {
  readonly kind: 'in';
  readonly field: Field;
  readonly literals: readonly Literal[];
  /** No syntax has it; whoever makes the tree without text may ask for it. Of strings only. */
  readonly likeness?: ListMatchOptions;
};
type Match<Field, Literal> = {
  readonly kind: 'match';
  readonly function: MatchFunction;
  readonly field: Field;
  readonly literal: Literal;
};
/** The field has no value, or only white space. */
type Blank<Field> = { readonly kind: 'blank'; readonly field: Field };

type Condition<Field, Literal> = Comparison<Field, Literal> | Membership<Field, Literal> | Match<Field, Literal>;

export type FilterField = Span & { readonly name: string };

/** A literal as written: the text of a string without quotes and escapes, of a number, `true` or `false`. */
export type FilterLiteral = Span & { readonly kind: 'string' | 'number' | 'boolean'; readonly text: string };

/** A filter of the content repository. */
export type FilterExpression = LogicalExpression<FilterCondition>;
export type FilterCondition = Condition<FilterField, FilterLiteral> | Blank<FilterField>;

/** A function of one value, applied to a field before it is compared. */
export type ValueFunction = 'tolower' | 'toupper' | 'length' | 'year' | 'month' | 'day';

/**
 * `applied`: the functions around the field, the innermost first. With a `value` it is no field but what is computed, and
 * `name` is how that was written. `shown`: what faults call it, when that is not its name.
 */
export type DataField = FilterField & {
  readonly applied: readonly ValueFunction[];
  readonly value?: DataValue;
  readonly shown?: string;
};

export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

/** What is computed from the fields of a row. A comparison gives a truth value. */
export type DataValue = Span &
  (
    | { readonly kind: 'literal'; readonly literal: DataLiteral }
    | { readonly kind: 'field'; readonly name: string }
    /** How many related rows there are; `range` is added by whoever knows the ways. */
    | { readonly kind: 'count'; readonly path: string; readonly range?: RelatedRange }
    | { readonly kind: 'call'; readonly function: DataFunction; readonly arguments: readonly DataValue[] }
    | { readonly kind: 'negate'; readonly operand: DataValue }
    | {
        readonly kind: 'arithmetic';
        readonly operator: ArithmeticOperator;
        readonly left: DataValue;
        readonly right: DataValue;
      }
    | {
        readonly kind: 'comparison';
        readonly operator: Exclude<ComparisonOperator, 'ne'> | MatchFunction;
        readonly left: DataValue;
        readonly right: DataValue;
      }
  );

export type DataFunction =
  | ValueFunction
  | 'trim'
  | 'concat'
  | 'indexof'
  | 'substring'
  | 'date'
  | 'time'
  | 'hour'
  | 'minute'
  | 'second'
  | 'round'
  | 'floor'
  | 'ceiling';

/**
 * A literal of a filter on data, by the form it has: `word` is an unquoted string, `caller` the name of an attribute of
 * the caller (without `caller.`), whose values are known only when the filter is used.
 */
export type DataLiteral = Span & {
  readonly kind: FilterLiteral['kind'] | 'null' | 'date' | 'datetime' | 'time' | 'word' | 'caller';
  readonly text: string;
};

/** A filter on data of a knowledge model. */
export type DataExpression = LogicalExpression<DataCondition>;
export type DataCondition = Condition<DataField, DataLiteral> | AnyRelated;

/** One of the related rows fulfils the condition, or is there at all. */
type AnyRelated = Span & {
  readonly kind: 'any';
  /** The way to the rows, as a name with dots, and what a row is called in the condition. */
  readonly path: string;
  readonly variable?: string;
  readonly operand?: DataExpression;
  /** Added by whoever knows the ways. */
  readonly range?: RelatedRange;
};

/** Related rows under a name of their own, and whose they are: the record that is asked, or another range. */
export type RelatedRange = { readonly key: string; readonly from: string };
