/** SQL that a caller shapes, as data: expressions and queries. Operators, functions and types are closed lists. */
export type SqlSelect = {
  readonly kind: 'select';
  readonly distinct?: boolean;
  readonly columns: readonly SqlColumn[];
  /** One row when absent. */
  readonly from?: SqlSource;
  readonly joins?: readonly SqlJoin[];
  readonly where?: SqlExpression;
  /** So many columns, from the first on. By position, since a value in an expression is another parameter each time. */
  readonly groupBy?: number;
  readonly having?: SqlExpression;
  readonly orderBy?: readonly SqlOrder[];
  readonly limit?: SqlExpression;
  readonly offset?: SqlExpression;
};

export type SqlUnionAll = { readonly kind: 'unionAll'; readonly queries: readonly SqlSelect[] };
export type SqlQuery = SqlSelect | SqlUnionAll;

export type SqlColumn = { readonly value: SqlExpression; readonly alias?: string };

export type SqlSource =
  | { readonly kind: 'table'; readonly schema: string; readonly name: string; readonly alias: string }
  | { readonly kind: 'query'; readonly query: SqlQuery; readonly alias: string }
  | {
      readonly kind: 'function';
      readonly value: SqlExpression;
      readonly alias: string;
      readonly columns: readonly string[];
    };

export type SqlJoin =
  | { readonly kind: 'left'; readonly source: SqlSource; readonly on: SqlExpression }
  | { readonly kind: 'cross'; readonly source: SqlSource };

export type SqlOrder = {
  /** The position of a column, from 1 on, or an expression that is no column. */
  readonly by: number | SqlExpression;
  readonly descending: boolean;
  /** PostgreSQL's own place when absent: last ascending, first descending. */
  readonly nulls?: 'first' | 'last';
};

type SqlScalarType =
  | 'text'
  | 'numeric'
  | 'double precision'
  | 'integer'
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'interval';
export type SqlType = SqlScalarType | `${SqlScalarType}[]`;
/** A type that a database has, by its name there. */
export type SqlTypeName = { readonly schema: string; readonly name: string };
/** A type that is read as text. */
export type SqlStoredType = SqlTypeName & {
  /**
   * `exact`: values are equal where their texts are. `index`: values with the same text are equal, others may be too. Absent: the type
   * has no equality that an index serves.
   */
  readonly equality?: 'exact' | 'index';
  /** True when its operators are in its own schema, where nobody may look for them. */
  readonly hasOwnOperators?: boolean;
  /** True when its values come in the order of the code points of their texts. */
  readonly isOrderedAsText?: boolean;
  /** A function that shows a value as rows do, where a cast to text does not. */
  readonly shownBy?: 'abbrev';
};
export type SqlOperator =
  | '='
  | '<>'
  | '>'
  | '>='
  | '<'
  | '<='
  | '->'
  | 'like'
  | 'ilike'
  | '<%'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||';
/** Both put texts in the order of their code points; an index serves the one that its column has. */
export type SqlCollation = 'C' | 'pg_c_utf8';
export type SqlFunction =
  | 'lower'
  | 'upper'
  | 'btrim'
  | 'char_length'
  | 'strpos'
  | 'starts_with'
  | 'reverse'
  | 'substr'
  | 'replace'
  | 'concat'
  | 'abs'
  | 'round'
  | 'scale'
  | 'floor'
  | 'ceil'
  | 'div'
  | 'coalesce'
  | 'nullif'
  | 'greatest'
  | 'least'
  | 'timezone'
  | 'to_char'
  | 'date_trunc'
  | 'to_jsonb'
  | 'jsonb_typeof'
  | 'pg_input_is_valid'
  | 'jsonb_each'
  | 'jsonb_each_text'
  | 'unnest'
  | 'width_bucket'
  | 'show_trgm';
export type SqlAggregateFunction = 'sum' | 'avg' | 'min' | 'max' | 'count';
/** What `extract` takes out of a date, a time or an interval. */
export type SqlDatePart =
  | 'year'
  | 'isoyear'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'isodow'
  | 'doy'
  | 'hour'
  | 'minute'
  | 'second'
  | 'epoch';

export type SqlExpression =
  | { readonly kind: 'column'; readonly table?: string; readonly name: string }
  /** Without a type it is of the type of what it is compared with. */
  | {
      readonly kind: 'parameter';
      readonly value: SqlValue;
      readonly type?: SqlType;
      readonly origin?: SqlParameterOrigin;
    }
  /** A parameter that has its value when the statement is run. */
  | { readonly kind: 'lateParameter'; readonly name: string; readonly type: SqlType }
  | { readonly kind: 'constant'; readonly value: boolean | null }
  | {
      readonly kind: 'binary';
      readonly operator: SqlOperator;
      /** The schema of the operator, where it is not PostgreSQL's own. */
      readonly schema?: string;
      readonly left: SqlExpression;
      readonly right: SqlExpression;
    }
  /** `left = any(list)`, unless there is another operator; the list is one parameter, or what `array(select ...)` makes of it. */
  | {
      readonly kind: 'any';
      readonly operator?: 'like' | 'ilike';
      readonly schema?: string;
      readonly left: SqlExpression;
      readonly list: SqlExpression;
    }
  /** Whether the operand is one of the rows of the query, which has one column. */
  | { readonly kind: 'in'; readonly operand: SqlExpression; readonly query: SqlQuery }
  /** Compared with another row from its first operand on; two operands at least. */
  | { readonly kind: 'row'; readonly operands: readonly SqlExpression[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly SqlExpression[] }
  | { readonly kind: 'not' | 'negate'; readonly operand: SqlExpression }
  | { readonly kind: 'isNull'; readonly operand: SqlExpression }
  /** `operand is not true`: holds where the operand is false or null, and is never null. */
  | { readonly kind: 'isNotTrue'; readonly operand: SqlExpression }
  | { readonly kind: 'call'; readonly function: SqlFunction; readonly arguments: readonly SqlExpression[] }
  | { readonly kind: 'cast'; readonly operand: SqlExpression; readonly type: SqlType | SqlTypeName }
  /** The text of a value whose type is none of `SqlType`. */
  | { readonly kind: 'storedText'; readonly operand: SqlExpression; readonly type: SqlStoredType }
  /** With an operand each branch names a value that it may have, else a condition; null when no branch fits. */
  | {
      readonly kind: 'case';
      readonly operand?: SqlExpression;
      readonly branches: readonly SqlCaseBranch[];
      readonly otherwise?: SqlExpression;
    }
  | {
      readonly kind: 'between';
      readonly operand: SqlExpression;
      readonly low: SqlExpression;
      readonly high: SqlExpression;
    }
  | { readonly kind: 'extract'; readonly part: SqlDatePart; readonly operand: SqlExpression }
  /** Without an argument it counts rows. */
  | {
      readonly kind: 'aggregate';
      readonly function: SqlAggregateFunction;
      readonly distinct: boolean;
      readonly argument?: SqlExpression;
      readonly filter?: SqlExpression;
    }
  /** How far values lie apart, as those of a sample; null for fewer than two. */
  | { readonly kind: 'deviation'; readonly operand: SqlExpression }
  /** The list of the values that are so far on the way through all of them in order, each of them one of these. */
  | { readonly kind: 'percentiles'; readonly fractions: SqlExpression; readonly operand: SqlExpression }
  /** How many rows the select has, whichever of them are its page. */
  | { readonly kind: 'rowsInAll' }
  /** The number of a row among those of the select that are equal by this, from 1 on; and how many these are. */
  | { readonly kind: 'rowNumber'; readonly partitionBy: SqlExpression; readonly orderBy: readonly SqlOrder[] }
  | { readonly kind: 'rowsInPart'; readonly partitionBy: SqlExpression }
  /** `case when condition then value else false end`: the value is not looked at unless the condition holds. */
  | { readonly kind: 'guarded'; readonly condition: SqlExpression; readonly value: SqlExpression }
  | { readonly kind: 'collate'; readonly operand: SqlExpression; readonly collation: SqlCollation }
  /** Whether the query has a row, the list of its only column, or the value of its only row in it, null without a row. */
  | { readonly kind: 'exists' | 'array' | 'scalar'; readonly query: SqlQuery };

export type SqlCaseBranch = { readonly when: SqlExpression; readonly then: SqlExpression };
export type SqlValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

export const column = (table: string, name: string): SqlExpression => ({ kind: 'column', table, name });
/** A literal as it was written. */
export type LiteralText = { readonly kind: string; readonly text: string };

/** The literal that a value was made of, and the value of another one in its place; undefined when another statement is needed. */
export type SqlParameterOrigin = {
  readonly literal: LiteralText;
  readonly valueFrom: (other: LiteralText) => SqlValue | undefined;
};

export const parameter = (value: SqlValue, type: SqlType, origin?: SqlParameterOrigin): SqlExpression =>
  origin ? { kind: 'parameter', value, type, origin } : { kind: 'parameter', value, type };
export const lateParameter = (name: string, type: SqlType): SqlExpression => ({ kind: 'lateParameter', name, type });
/** A text that PostgreSQL wrote, back as what it was: to a column of four bytes `0.1` is another number than to one of eight. */
export const untypedParameter = (text: string): SqlExpression => ({ kind: 'parameter', value: text });
export const constant = (value: boolean | null): SqlExpression => ({ kind: 'constant', value });
export const binaryOperation = (left: SqlExpression, operator: SqlOperator, right: SqlExpression): SqlExpression => ({
  kind: 'binary',
  operator,
  left,
  right,
});
export const callFunction = (name: SqlFunction, ...values: readonly SqlExpression[]): SqlExpression => ({
  kind: 'call',
  function: name,
  arguments: values,
});
export const countStar: SqlExpression = { kind: 'aggregate', function: 'count', distinct: false };
export const allOf = (operands: readonly SqlExpression[]): SqlExpression => chainOf('and', operands);
export const anyOf = (operands: readonly SqlExpression[]): SqlExpression => chainOf('or', operands);
export const negation = (operand: SqlExpression): SqlExpression => ({ kind: 'not', operand });

export const exists = (from: SqlSource, where: SqlExpression): SqlExpression => ({
  kind: 'exists',
  query: { kind: 'select', columns: [], from, where },
});

/** No operand: true for `and`, false for `or`. */
const chainOf = (kind: 'and' | 'or', operands: readonly SqlExpression[]): SqlExpression => {
  const [first] = operands;
  if (!first) return constant(kind === 'and');
  return operands.length === 1 ? first : { kind, operands };
};
