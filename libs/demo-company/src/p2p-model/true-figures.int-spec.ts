/** The KPIs of the demo's models, asked of PostgreSQL, against the figures that were counted from the rows without them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCallerView, checkModel, compileQuery, type CallerView, type DataQuery } from '@tessera/knowledge-model';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import type { P2pCompany } from '../p2p-data/company.js';
import { generateP2pRows } from '../p2p-data/generate-p2p-rows.js';
import { expectedP2pFigures, type KpiFigures, type Quotient } from '../p2p-data/truths.js';
import { p2pModels } from './p2p-models.js';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  for (const company of ['meridian', 'northgate'] as const) await bringIn(company);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const sqlTypes = {
  ...{ string: 'text', integer: 'bigint', float: 'numeric', boolean: 'boolean', date: 'date', time: 'time' },
  ...{ datetime: 'timestamp', timestamp: 'timestamptz' },
} as const;

/** The company is the schema. Tables are as a load leaves them: with their keys, and known to the planner. */
const bringIn = async (company: P2pCompany): Promise<void> => {
  await client.query(`create schema ${company}`);
  for (const { name, key, columns, rows } of generateP2pRows('tiny', company).tables) {
    const types = columns.map((column) => `${column.name} ${sqlTypes[column.type]}`).join(', ');
    await client.query(`create table ${company}.${name} (${types})`);
    const documents = [...rows()].map((row) => Object.fromEntries(columns.map((column, at) => [column.name, row[at]])));
    await client.query(
      `insert into ${company}.${name} select * from json_populate_recordset(null::${company}.${name}, $1)`,
      [JSON.stringify(documents)],
    );
    await client.query(`alter table ${company}.${name} add primary key (${key.join(', ')})`);
    await client.query(`analyze ${company}.${name}`);
  }
};

const viewOf = (company: P2pCompany, id: string, attributes: Readonly<Record<string, unknown>> = {}): CallerView => {
  const definitions = new Map(p2pModels[company].map((model) => [model.id, model]));
  const definition = definitions.get(id);
  const checked = definition && checkModel(definition, definitions);
  if (!checked?.ok) throw new Error(`${id} has faults.`);
  return createCallerView(checked, { scopes: [], attributes });
};

const nothingMore = { filterIds: [], filterExpressions: [], distinct: false, page: 0, pageSize: 1_000 };

/** Rows as asked for: fields as they are, KPIs as numbers. */
const ask = async (
  company: P2pCompany,
  view: CallerView,
  question: Pick<DataQuery, 'kpis'> & Partial<DataQuery>,
): Promise<readonly (readonly unknown[])[]> => {
  const compiled = compileQuery(view, { ...nothingMore, fields: [], ...question }, { schema: company });
  if (!compiled.ok) throw new Error(compiled.failure.detail);
  const { text, values } = compiled.value.rows;
  const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
  const { columns } = compiled.value;
  return rows.map((row) => row.map((value, at) => (columns[at]?.aggregation ? Number(value) : value)));
};

const rate = ([part, of]: Quotient): unknown => expect.closeTo(part / of, 12);
const provenKpis = Object.keys(expectedP2pFigures.tiny.kpis);
const figuresOf = (figures: KpiFigures): readonly unknown[] =>
  Object.values<number | Quotient>({ ...figures }).map((figure) =>
    typeof figure === 'number' ? figure : rate(figure),
  );

const truthsOf = { meridian: expectedP2pFigures.tiny, northgate: expectedP2pFigures.northgate } as const;

describe.each(['meridian', 'northgate'] as const)('the KPIs of %s', (company) => {
  const truths = truthsOf[company];
  const view = viewOf(company, 'p2p.base-km');

  it('equal the documented figures', async () => {
    expect(await ask(company, view, { kpis: provenKpis })).toEqual([figuresOf(truths.kpis)]);
  });

  it('equal the expected figures by plant, over any number of joined records', async () => {
    const rows = await ask(company, view, { kpis: provenKpis, fields: ['PURCHASE_ORDER.PLANT'] });
    expect(rows).toEqual(Object.entries(truths.kpisByPlant).map(([plant, figures]) => [plant, ...figuresOf(figures)]));
  });

  it('equal the expected figures by month and for slowly paid suppliers', async () => {
    const months = await ask(company, view, {
      kpis: ['MAVERICK_RATE'],
      fields: ['PO_ITEM.ORDER_MONTH'],
    });
    expect(months.map(([, found]) => found)).toEqual(Object.values(truths.maverickRateByMonth).map(rate));
    const { suppliers, lostDiscount, latePayments, payments } = truths.slowlyPaid;
    const ofThem = `PAYMENT.SUPPLIER_NO in (${suppliers.map((supplier) => `'${supplier}'`).join(', ')})`;
    expect(
      await ask(company, view, { kpis: ['LOST_DISCOUNT', 'LATE_PAYMENT_RATE'], filterExpressions: [ofThem] }),
    ).toEqual([[lostDiscount, rate([latePayments, payments])]]);
  });

  it('show the posting delay of goods receipts', async () => {
    const since = ['GOODS_RECEIPT.DELIVERED_ON lt 2026-03-01', 'GOODS_RECEIPT.DELIVERED_ON ge 2026-03-01'];
    const lags = Object.entries(truths.receiptLagDays);
    for (const [at, condition] of since.entries())
      expect(
        await ask(company, view, {
          ...{ kpis: ['POSTING_LAG_DAYS'], fields: ['GOODS_RECEIPT.PLANT'], filterExpressions: [condition] },
        }),
      ).toEqual(lags.map(([plant, { before, from }]) => [plant, rate(at === 0 ? before : from)]));
  });
});

describe('the policies of the meridian models', () => {
  const ofPlants = (...plants: readonly string[]): readonly unknown[] => {
    const own = plants.flatMap((plant) => expectedP2pFigures.tiny.kpisByPlant[plant] ?? []);
    const cents = own.reduce((sum, { LOST_DISCOUNT }) => sum + Math.round(LOST_DISCOUNT * 100), 0);
    const [part, of] = [0, 1].map((at) => own.reduce((sum, { MAVERICK_RATE }) => sum + (MAVERICK_RATE[at] ?? 0), 0));
    return [rate([part ?? 0, of ?? 0]), cents / 100];
  };
  const kpis = ['MAVERICK_RATE', 'LOST_DISCOUNT'];

  it('limit the German model to the purchases of the German company', async () => {
    const view = viewOf('meridian', 'p2p.de-km');
    expect(await ask('meridian', view, { kpis })).toEqual([ofPlants('1010', '1020')]);
    const countries = await ask('meridian', view, { kpis: ['ITEM_COUNT'], fields: ['PO_ITEM.COUNTRY'] });
    expect(countries.map(([country]) => country)).toEqual(['DE']);
  });

  it('limit a caller to its own company codes, and show nothing to a caller without any', async () => {
    const own = viewOf('meridian', 'p2p.own-km', { companyCodes: ['2000', '3000'] });
    expect(await ask('meridian', own, { kpis })).toEqual([ofPlants('2010', '3010')]);
    expect(await ask('meridian', viewOf('meridian', 'p2p.own-km'), { kpis: ['EVENT_COUNT'] })).toEqual([[0]]);
  });

  it('hide bank accounts', () => {
    expect(viewOf('meridian', 'p2p.de-km').hiddenFields).toEqual(['SUPPLIER.BANK_ACCOUNT']);
  });
});

describe('every KPI and filter of the models', () => {
  it.each(['meridian', 'northgate'] as const)('of %s can be queried', async (company) => {
    for (const { id } of p2pModels[company]) {
      const view = viewOf(company, id);
      const filters = [undefined, ...view.names.filters.keys()];
      for (const filter of filters) {
        const [row] = await ask(company, view, {
          kpis: [...view.names.kpis.keys()],
          filterIds: filter === undefined ? [] : [filter],
        });
        expect(row).toHaveLength(view.names.kpis.size);
      }
    }
  });
});
