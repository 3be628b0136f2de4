/** Compiles queries of a knowledge model to SQL in this process: median microseconds after warm-up. */
import {
  createCallerView,
  checkModel,
  compileQuery,
  parseKnowledgeModel,
  type CallerView,
  type DataQuery,
} from '@tessera/knowledge-model';
import { median, percentile } from '../statistics.js';
import type { Figure } from './bench.js';

const microsecondsMax = 300;
const warmUps = 3_000;
const compiles = 5_000;

const attribute = (id: string, type: string) => ({ id, column: id.toLowerCase(), type });
const definition = {
  kind: 'KnowledgeModel',
  id: 'bench.orders-km',
  source: { schema: 'bench' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['ORDER_NO', 'ITEM_NO'],
      attributes: [
        attribute('ORDER_NO', 'string'),
        attribute('ITEM_NO', 'integer'),
        attribute('COUNTRY', 'string'),
        attribute('AMOUNT', 'float'),
        attribute('ORDER_DATE', 'date'),
      ],
      augmentedAttributes: [{ id: 'SIZE', expression: "case when AMOUNT >= 10000 then 'large' else 'small' end" }],
    },
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['ORDER_NO'],
      attributes: [attribute('ORDER_NO', 'string'), attribute('SUPPLIER_NO', 'string'), attribute('PLANT', 'string')],
    },
    {
      id: 'INVOICE',
      table: 'invoice',
      identifier: ['INVOICE_NO'],
      attributes: [attribute('INVOICE_NO', 'string'), attribute('ORDER_NO', 'string'), attribute('NET', 'float')],
    },
  ],
  relationships: [
    { from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' },
    { from: 'INVOICE', to: 'ORDER', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'ORDERED', expression: 'sum(ITEM.AMOUNT)' },
    { id: 'INVOICED', expression: 'sum(INVOICE.NET)' },
    { id: 'INVOICED_SHARE', expression: 'INVOICED / ORDERED' },
  ],
};

const queryRequests: DataQuery = {
  fields: [],
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
  pageSize: 50,
};
const queries: Readonly<Record<string, DataQuery>> = {
  'a filtered page of a record': {
    ...queryRequests,
    record: 'ITEM',
    fields: ['ORDER_NO', 'ITEM_NO', 'AMOUNT', 'SIZE', 'ORDER_DATE'],
    filterExpressions: ["COUNTRY eq 'DE' and AMOUNT gt 100"],
    sort: '-ORDER_DATE',
  },
  'a page over two records': {
    ...queryRequests,
    fields: ['ITEM.AMOUNT', 'ITEM.SIZE', 'ORDER.PLANT'],
    filterExpressions: ["ORDER.PLANT in ('1010', '1020') and ITEM.SIZE eq 'large'"],
    sort: '-ITEM.AMOUNT',
  },
  'KPIs of two grains by a field': {
    ...queryRequests,
    fields: ['ORDER.PLANT'],
    kpis: ['ORDERED', 'INVOICED', 'INVOICED_SHARE'],
    filterExpressions: ["ORDER.SUPPLIER_NO eq '100000'"],
    sort: '-INVOICED_SHARE',
  },
};

export const measureQueryCompilation = (): readonly Figure[] => {
  const view = viewOf();
  return Object.entries(queries).map(([what, query]) => {
    const times = timesOf(view, query);
    const middle = median(times);
    return {
      what: `Compiling ${what}`,
      target: `< ${microsecondsMax} us`,
      actual: `${middle.toFixed(0)} us (p99 ${percentile(times, 0.99).toFixed(0)} us)`,
      holds: middle < microsecondsMax,
    };
  });
};

const viewOf = (): CallerView => {
  const parsed = parseKnowledgeModel(definition);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const checked = checkModel(parsed.value, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createCallerView(checked, { scopes: [], attributes: {} });
};

const timesOf = (view: CallerView, query: DataQuery): readonly number[] => {
  const compile = (): void => {
    const compiled = compileQuery(view, query, { schema: 'team.bench' });
    if (!compiled.ok) throw new Error(compiled.failure.detail);
  };
  for (let count = 0; count < warmUps; count++) compile();
  return Array.from({ length: compiles }, () => {
    const startMs = performance.now();
    compile();
    return (performance.now() - startMs) * 1_000;
  });
};
