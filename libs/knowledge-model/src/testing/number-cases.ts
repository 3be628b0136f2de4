/**
 * Formulas of ITEM over numbers: the SQL that they become, and their values in the rows 1 to 4.
 */
export type FormulaCase = {
  readonly formula: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** As PostgreSQL prints them in JSON. */
  readonly values: string;
};

export const numberCases: readonly FormulaCase[] = [
  {
    formula: 'AMOUNT * 2 + QTY',
    sql: '(("item"."amount" * $1::bigint) + "item"."qty")',
    parameters: ['2'],
    values: '205.00 -5.0 7 null',
  },
  {
    formula: 'QTY / 2',
    sql: '(("item"."qty")::numeric / $1::bigint)',
    parameters: ['2'],
    values: '2.0000000000000000 0.00000000000000000000 3.5000000000000000 null',
  },
  {
    formula: 'AMOUNT / QTY',
    sql: '("item"."amount" / nullif("item"."qty", $1::bigint))',
    parameters: ['0'],
    values: '25.1250000000000000 null 0.00000000000000000000 null',
  },
  {
    formula: 'RATIO / QTY',
    sql: '("item"."ratio" / nullif("item"."qty", $1::bigint))',
    parameters: ['0'],
    values: '0.125 null null null',
  },
  {
    formula: '7 % QTY',
    sql: '($1::bigint % nullif("item"."qty", $2::bigint))',
    parameters: ['7', '0'],
    values: '3 null 0 null',
  },
  {
    formula: '-7 % 4',
    sql: '((- $1::bigint) % $2::bigint)',
    parameters: ['7', '4'],
    values: '-3 -3 -3 -3',
  },
  {
    formula: 'RATIO % 2',
    sql: '(("item"."ratio")::numeric % ($1::bigint)::numeric)',
    parameters: ['2'],
    values: '0.5 -0.5 null 0',
  },
  {
    formula: '9223372036854775807 * 2 + QTY',
    sql: '(((($1::numeric)::numeric * $2::bigint))::numeric + "item"."qty")',
    parameters: ['9223372036854775807', '2'],
    values: '18446744073709551618 18446744073709551614 18446744073709551621 null',
  },
  {
    formula: '123456789012345678901234567890 > QTY',
    sql: '($1::numeric > "item"."qty")',
    parameters: ['123456789012345678901234567890'],
    values: 'true true true null',
  },
  {
    formula: 'round(RATIO)',
    sql: 'round(("item"."ratio")::numeric)',
    parameters: [],
    values: '1 -3 null 1000000000000000',
  },
  {
    formula: 'round(AMOUNT / 3, 2)',
    sql: 'round((("item"."amount" / $1::bigint))::numeric, $2::integer)',
    parameters: ['3', '2'],
    values: '33.50 -0.83 0.00 33.33',
  },
  {
    formula: 'floor(AMOUNT) - ceil(AMOUNT)',
    sql: '((floor(("item"."amount")::numeric))::numeric - ceil(("item"."amount")::numeric))',
    parameters: [],
    values: '-1 -1 0 -1',
  },
  {
    formula: 'floor(QTY)',
    sql: '"item"."qty"',
    parameters: [],
    values: '4 0 7 null',
  },
  {
    formula: 'abs(-RATIO)',
    sql: 'abs((- "item"."ratio"))',
    parameters: [],
    values: '0.5 2.5 null 1000000000000000',
  },
  {
    formula: 'greatest(QTY, AMOUNT, 1)',
    sql: 'greatest("item"."qty", "item"."amount", $1::bigint)',
    parameters: ['1'],
    values: '100.50 1 7 99.99',
  },
  {
    formula: 'coalesce(QTY, RATIO, -1)',
    sql: 'coalesce("item"."qty", "item"."ratio", (- $1::bigint))',
    parameters: ['1'],
    values: '4 0 7 1000000000000000',
  },
  {
    formula: 'nullif(QTY, 0)',
    sql: 'nullif("item"."qty", $1::bigint)',
    parameters: ['0'],
    values: '4 null 7 null',
  },
  {
    formula: 'QTY not in (0, -4, 4)',
    sql: '(not ("item"."qty" = any($1::bigint[])))',
    parameters: [['0', '-4', '4']],
    values: 'false false true null',
  },
  {
    formula: 'QTY in (4, 0.5)',
    sql: '("item"."qty" = any($1::numeric[]))',
    parameters: [['4', '0.5']],
    values: 'true false false null',
  },
  {
    formula: 'AMOUNT between 0 and 100',
    sql: '("item"."amount" between $1::bigint and $2::bigint)',
    parameters: ['0', '100'],
    values: 'false false true true',
  },
  {
    formula: 'QTY not between 1 and AMOUNT',
    sql: '(not ("item"."qty" between $1::bigint and "item"."amount"))',
    parameters: ['1'],
    values: 'false true true null',
  },
  {
    formula: "cast('infinity' as float)",
    sql: '((case when ((not (lower($1::text) like $2::text)) and pg_input_is_valid($3::text, $4::text)) then $5::text end))::numeric',
    parameters: ['infinity', '%n%', 'infinity', 'numeric', 'infinity'],
    values: 'null null null null',
  },
  {
    formula: 'cast(RATIO as integer)',
    sql: 'round(("item"."ratio")::numeric)',
    parameters: [],
    values: '1 -3 null 1000000000000000',
  },
];
