/** A model of two records with every type of value, its tables, and a few rows with everything that is awkward. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { column, type SqlExpression } from '@tessera/sql';
import { checkModel, type CheckedModel } from '../check-model.js';
import type { TypedExpression } from '../expression/typed-expression.js';

export const sampleDefinition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'trial',
  source: { schema: 'trial' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'ORDER_NO', column: 'order "no"', nullable: false },
        { id: 'NAME', column: 'name' },
        { id: 'QTY', column: 'qty', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'RATIO', column: 'ratio', type: 'float' },
        { id: 'OPEN', column: 'open', type: 'boolean' },
        { id: 'DAY', column: 'day', type: 'date' },
        { id: 'CLOCK', column: 'clock', type: 'time' },
        { id: 'AT', column: 'at', type: 'datetime' },
        { id: 'MOMENT', column: 'moment', type: 'timestamp' },
      ],
      augmentedAttributes: [
        { id: 'SIZE', expression: "case when AMOUNT >= 100 then 'large' else 'small' end" },
        { id: 'PRICE', expression: 'AMOUNT / QTY' },
      ],
      flags: [{ id: 'SMALL', expression: "SIZE = 'small'" }],
    },
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['ORDER_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order "no"' },
        { id: 'COUNTRY', column: 'country' },
        { id: 'date', column: 'date', type: 'date' },
      ],
    },
  ],
  relationships: [{ from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' }],
};

/** `double precision` and `integer` behind float and integer as well, as external databases have them. */
export const sampleTablesSql = `
  create table item (id bigint primary key, "order ""no""" text not null, name text, qty integer, amount numeric,
    ratio double precision, open boolean, day date, clock time, at timestamp, moment timestamptz);
  create table "order" ("order ""no""" text primary key, country text, date date);
  insert into "order" values ('A', 'DE', '2026-01-31'), ('B', null, '2026-02-28');
  insert into item values
    (1, 'A', 'Pump',  4,    100.50, 0.5,  true,  '2026-01-31', '08:30:00', '2026-01-31T23:30:00', '2026-01-31T23:30:00Z'),
    (2, 'A', '12 %',  0,    -2.5,   -2.5, false, '2024-02-29', '00:00:00', '2024-02-29T00:00:00', '2024-02-29T00:00:00Z'),
    (3, 'B', '7.5',   7,    0,      null, true,  null,         null,       null,                  null),
    (4, 'B', null,    null, 99.99,  1e15, null,  '2026-03-01', '23:59:59', '2026-03-01T12:00:00', '2026-03-01T12:00:00Z');
`;

/** What no formula may depend on. */
export const unusualSessionSettings =
  "set timezone = 'Asia/Kathmandu'; set datestyle = 'SQL, DMY'; set intervalstyle = 'iso_8601'";

const withFormula = (expression: string, record?: string): KnowledgeModelDefinition =>
  record === undefined
    ? { ...sampleDefinition, kpis: [{ id: 'TRIED', expression }] }
    : {
        ...sampleDefinition,
        records: (sampleDefinition.records ?? []).map((entry) =>
          entry.id === record
            ? { ...entry, augmentedAttributes: [...(entry.augmentedAttributes ?? []), { id: 'TRIED', expression }] }
            : entry,
        ),
      };

export const checkSampleFormula = (expression: string, record?: string): CheckedModel =>
  checkModel(withFormula(expression, record), new Map());

/** Of a field of `record`, or of a KPI. */
export const typeCheckSampleFormula = (expression: string, record?: string): TypedExpression => {
  const checked = checkSampleFormula(expression, record);
  if (!checked.ok) throw new Error(`${expression}: ${JSON.stringify(checked.faults)}`);
  const found =
    record === undefined
      ? checked.formulas.kpis.get('TRIED')?.formula
      : checked.formulas.fields.get(record)?.get('TRIED');
  if (!found) throw new Error('The formula is not there.');
  return found;
};

/** The faults, each as `position: message`. */
export const faultsOfSampleFormula = (expression: string, record?: string): readonly string[] => {
  const checked = checkSampleFormula(expression, record);
  return checked.ok ? [] : checked.faults.map(({ position, message }) => `${position}: ${message}`);
};

export const resolveSampleColumn = (record: string, name: string): SqlExpression => column(record.toLowerCase(), name);
