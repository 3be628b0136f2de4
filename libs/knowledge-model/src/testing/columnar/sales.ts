/** Sales with everything in them that engines are known to disagree on, and their sellers: model and tables. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { quoteIdentifier } from '@tessera/sql';

export const salesModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'sales',
  source: { schema: 'sales' },
  records: [
    {
      id: 'SALE',
      table: 'sale',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'PLANT', column: 'plant', type: 'string' },
        { id: 'OTHER_PLANT', column: 'PLANT', type: 'string' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'MIXED', column: 'mixed', type: 'float' },
        { id: 'ZERO', column: 'zero', type: 'float' },
        { id: 'QTY', column: 'qty', type: 'integer' },
        { id: 'HUGE', column: 'huge', type: 'float' },
        { id: 'BROKEN', column: 'broken', type: 'float' },
        { id: 'DAY', column: 'day', type: 'date' },
        { id: 'AT', column: 'at', type: 'datetime' },
        { id: 'SEEN', column: 'seen', type: 'timestamp' },
        { id: 'OPEN', column: 'open', type: 'boolean' },
        { id: 'SELLER', column: 'seller', type: 'integer' },
      ],
      augmentedAttributes: [
        { id: 'SIZE', type: 'string', expression: "case when AMOUNT >= 100 then 'large' else 'small' end" },
        { id: 'MONTH', type: 'date', expression: "date_trunc('month', cast(SEEN as date))" },
      ],
    },
    {
      id: 'SELLER',
      table: 'seller',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'NAME', column: 'name', type: 'string' },
        { id: 'SHARE', column: 'share', type: 'float' },
      ],
      augmentedAttributes: [{ id: 'KNOWN', type: 'string', expression: "coalesce(NAME, 'unknown')" }],
    },
  ],
  relationships: [{ from: 'SALE', to: 'SELLER', on: { SELLER: 'ID' }, cardinality: 'many-to-one' }],
  policies: [
    { record: 'SALE', rows: 'PLANT in caller.plants', unless: { scope: 'all' } },
    { record: 'SELLER', rows: "NAME ne 'Secret'", unless: { scope: 'all' } },
  ],
};

/** With a KPI `K` of this formula. */
export const salesModelWith = (expression: string): KnowledgeModelDefinition => ({
  ...salesModel,
  kpis: [{ id: 'K', expression }],
});

/** The order of rows is not that of their values. `firstDay`: of the dates. */
export const salesTablesSql = (schema: string, firstDay: string): string => {
  const place = quoteIdentifier(schema);
  return `
    create table ${place}.sale (id bigint not null, plant text collate pg_c_utf8, "PLANT" text collate pg_c_utf8, amount numeric,
      mixed numeric, zero numeric, qty bigint, huge numeric, broken numeric, day date, at timestamp, seen timestamptz, open boolean,
      seller bigint);
    insert into ${place}.sale select i,
      case when i % 17 = 0 then '\uFEFFBerlin'
        else (array['Berlin', 'berlin', '', null, 'a\\b', '100%', '1_0', 'Ärmel', '💥', '￿'])[1 + i % 10] end,
      (array['x', 'y', null])[1 + i % 3],
      case when i % 11 > 0 then (i % 977 - 300)::numeric / 100 + 0.00 end::numeric(12, 2),
      case when i % 7 > 0 then (array[1, 1.5, -2.25, 0, 0.0, 10.125])[1 + i % 6] end,
      0.00, case when i % 13 > 0 then i % 50 - 10 end, 12345678901234567890.123456789 + i, case when i = 5 then 'NaN'::numeric else 1 end,
      case when i % 2 = 0 then date '2018-11-03' else date '${firstDay}' end + (i * 37 % 900),
      timestamp '2023-12-28 23:59:58.999999' + i * interval '7 hours 13 seconds 17 microseconds',
      timestamptz '2023-12-30 21:30:00+02' + i * interval '5 hours 1 second', (array[true, false, null])[1 + i % 3], i % 9
      from generate_series(1, 600) i;
    create table ${place}.seller (id bigint not null, name text collate pg_c_utf8, share numeric);
    insert into ${place}.seller values (1, 'Ada', 0.125), (2, null, 0.250), (3, 'Secret', 0.500), (4, '', 1.000), (5, 'Zoë', null);`;
};
