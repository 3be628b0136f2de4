/** KPIs over the four rows of ITEM: the SQL that they become, and their value. */
import type { FormulaCase } from './number-cases.js';

export const kpiCases: readonly FormulaCase[] = [
  {
    formula: 'sum(ITEM.AMOUNT)',
    sql: 'sum("item"."amount")',
    parameters: [],
    values: '197.99',
  },
  {
    formula: 'sum(ITEM.AMOUNT) / count(ITEM.*)',
    sql: '(sum("item"."amount") / nullif(count(*), $1::bigint))',
    parameters: ['0'],
    values: '49.4975000000000000',
  },
  {
    formula: 'sum(ITEM.QTY) / sum(nullif(ITEM.QTY, ITEM.QTY))',
    sql: '((sum("item"."qty"))::numeric / nullif(sum(nullif("item"."qty", "item"."qty")), $1::bigint))',
    parameters: ['0'],
    values: 'null',
  },
  {
    formula: 'sum(ITEM.AMOUNT) / (count(ITEM.*) - 4)',
    sql: '(sum("item"."amount") / nullif(((count(*))::numeric - $1::bigint), $2::bigint))',
    parameters: ['4', '0'],
    values: 'null',
  },
  {
    formula: 'avg(case when ITEM.SMALL then 1.0 else 0.0 end)',
    sql: 'avg((case when ((case when ("item"."amount" >= $1::bigint) then $2::text else $3::text end) = $4::text) then $5::numeric else $6::numeric end))',
    parameters: ['100', 'large', 'small', 'small', '1.0', '0.0'],
    values: '0.75000000000000000000',
  },
  {
    formula: 'count(ITEM.NAME)',
    sql: 'count("item"."name")',
    parameters: [],
    values: '3',
  },
  {
    formula: 'count(distinct ITEM.ORDER_NO)',
    sql: 'count(distinct "item"."order ""no""")',
    parameters: [],
    values: '2',
  },
  {
    formula: 'count(ITEM.*) filter (where ITEM.OPEN)',
    sql: 'count(*) filter (where "item"."open")',
    parameters: [],
    values: '2',
  },
  {
    formula: "sum(ITEM.AMOUNT) filter (where ITEM.NAME = 'none')",
    sql: 'sum("item"."amount") filter (where ("item"."name" = $1::text))',
    parameters: ['none'],
    values: 'null',
  },
  {
    formula: "coalesce(sum(ITEM.AMOUNT) filter (where ITEM.NAME = 'none'), 0)",
    sql: 'coalesce(sum("item"."amount") filter (where ("item"."name" = $1::text)), $2::bigint)',
    parameters: ['none', '0'],
    values: '0',
  },
  {
    formula: 'max(ITEM.DAY) - min(ITEM.DAY)',
    sql: '(max("item"."day") - min("item"."day"))',
    parameters: [],
    values: '731',
  },
  {
    formula: 'max(ITEM.NAME)',
    sql: 'max("item"."name")',
    parameters: [],
    values: '"Pump"',
  },
  {
    formula: 'round(100 * avg(ITEM.RATIO), 1)',
    sql: 'round((($1::bigint * avg("item"."ratio")))::numeric, $2::integer)',
    parameters: ['100', '1'],
    values: '33333333333333300.0',
  },
  {
    formula: 'case when count(ITEM.*) > 3 then max(ITEM.SIZE) end',
    sql: '(case when (count(*) > $1::bigint) then max((case when ("item"."amount" >= $2::bigint) then $3::text else $4::text end)) end)',
    parameters: ['3', '100', 'large', 'small'],
    values: '"small"',
  },
];
