/** OData by clients that are generated from `$metadata`: the typed one of odata2ts, and `cds import` of SAP CAP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findCompileErrors } from '@tessera/testing/compile';
import { createQueryClient, odataPathOf, type QueryClient } from './group-d.js';
import { itemsOf, memberOf } from './json.js';
import { createCapApplication, generateClientAndImportProgram } from './odata-generated-clients.js';
import { getSharedProduct } from './product.js';

const folder = mkdtempSync(join(tmpdir(), 'odata-clients-'));
const api = '/p2p.base-km/records';
let demo: QueryClient;
let service: { readonly root: string; readonly headers: { readonly AppKey: string }; readonly metadata: string };
beforeAll(async () => {
  const { gateways, environment } = await getSharedProduct();
  const [gateway = ''] = gateways;
  const AppKey = environment['DEMO_KEY'] ?? '';
  demo = createQueryClient(gateway, AppKey);
  const path = odataPathOf('p2p.base-km');
  const { text } = await demo({ path: `${path}/$metadata` });
  service = { root: `${gateway}${path}`, headers: { AppKey }, metadata: text };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rows as `/query` answers them. */
const rowsOf = async (record: string, query: Record<string, string>): Promise<readonly unknown[]> => {
  const { document, text } = await demo({ path: `${api}/${record}/query`, query: { pageSize: '5000', ...query } });
  const rows = itemsOf(document, 'content');
  if (rows.length === 0) throw new Error(text);
  return rows;
};
const numbersOf = async (record: string, field: string, filterExpr: string): Promise<readonly unknown[]> =>
  (await rowsOf(record, { fields: field, filterExpr, sort: field })).map((row) => memberOf(row, field));

const placeOf = (row: unknown): string => `${String(memberOf(row, 'ORDER_NO'))} ${String(memberOf(row, 'ITEM_NO'))}`;
const supplierNames = async (): Promise<ReadonlyMap<unknown, unknown>> => {
  const suppliers = await rowsOf('SUPPLIER', { fields: 'SUPPLIER_NO,NAME' });
  return new Map(suppliers.map((row) => [memberOf(row, 'SUPPLIER_NO'), memberOf(row, 'NAME')]));
};

/** Uses the client as its users do, and wrongly where it says so. */
const program = `
import { FetchClient } from '@odata2ts/http-client-fetch';
import { ODataKnowledgeModelService } from './client/ODataKnowledgeModelService.js';

export const answers = async (root: string, headers: Record<string, string>) => {
  const service = new ODataKnowledgeModelService(new FetchClient({ headers }), root);
  const items = service.PO_ITEM_entries();
  const suppliers = service.SUPPLIER_entries();
  const all = await items.query((builder) => builder.top(5000));
  const counted = await items.query((builder, item) =>
    builder.count(true).top(0).filter(item.PLANT.in('1010', '2010').and(item.SUPPLIER.props.COUNTRY.ne('DE'))),
  );
  const any = await suppliers.query((builder, { PO_ITEM, SUPPLIER_NO }) =>
    builder.orderBy(SUPPLIER_NO.asc()).filter(PO_ITEM.any((item) => item.NET_AMOUNT.gt(10000).and(item.PLANT.eq('1010')))),
  );
  const computed = await suppliers.query((builder, { NAME, CREATED_ON, SUPPLIER_NO }) =>
    builder
      .select('SUPPLIER_NO')
      .orderBy(SUPPLIER_NO.asc())
      .filter(NAME.trim().toLower().contains('gmbh'), NAME.length().gt(24))
      .filter(NAME.indexOf('a').gt(0), CREATED_ON.year().lt(2020), NAME.concatSuffix('!').endsWith('!')),
  );
  const one = await service
    .PO_ITEM_entries({ ORDER_NO: '4500000001', ITEM_NO: 10 })
    .query((builder) => builder.expanding('SUPPLIER', (supplier) => supplier.select('NAME', 'COUNTRY')));
  const order = service.PURCHASE_ORDER_entries('4500000001');
  const related = await order.PO_ITEM().query((builder, item) => builder.filter(item.NET_AMOUNT.gt(10)).count(true));
  const further = await order.PO_ITEM({ ORDER_NO: '4500000001', ITEM_NO: 10 }).query();
  const partner = await order.SUPPLIER().query((builder) => builder.select('NAME'));
  const orders = await service.PURCHASE_ORDER_entries().query((builder, { ORDER_NO }) =>
    builder
      .select('ORDER_NO')
      .orderBy(ORDER_NO.desc())
      .top(50)
      .expanding('PO_ITEM', (nested, { NET_AMOUNT, ITEM_NO }) =>
        nested
          .select('ITEM_NO')
          .filter(NET_AMOUNT.gt(100))
          .orderBy(NET_AMOUNT.desc(), ITEM_NO.asc())
          .top(3)
          .expanding('SUPPLIER', (supplier) => supplier.select('NAME')),
      ),
  );
  const failure = await items.query((builder) => builder.top(-1)).catch((error: Error) => error.message);
  const first: number | undefined = all.data.value[0]?.NET_AMOUNT;
  const name: string | null | undefined = one.data.SUPPLIER?.NAME;
  // @ts-expect-error A property of another type.
  const amount: string | undefined = all.data.value[0]?.NET_AMOUNT;
  // @ts-expect-error A property that is not there.
  void all.data.value[0]?.NET_AMUNT;
  // @ts-expect-error A number is not compared with a string.
  items.query((builder, item) => builder.filter(item.NET_AMOUNT.gt('1')));
  void [first, name, amount];
  return {
    all: all.data.value,
    count: counted.data['@odata.count'],
    any: any.data.value.map(({ SUPPLIER_NO }) => SUPPLIER_NO),
    computed: computed.data.value.map(({ SUPPLIER_NO }) => SUPPLIER_NO),
    one: one.data,
    related: { count: related.data['@odata.count'], rows: related.data.value },
    further: further.data,
    partner: partner.data.NAME,
    orders: orders.data.value.map(({ ORDER_NO, PO_ITEM }) => ({
      ORDER_NO,
      PO_ITEM: PO_ITEM?.map(({ ITEM_NO, SUPPLIER }) => ({ ITEM_NO, NAME: SUPPLIER?.NAME })),
    })),
    failure,
  };
};
`;

describe('the typed client that odata2ts generates', () => {
  const project = join(folder, 'typed');
  let answers: unknown;
  beforeAll(async () => {
    const ask = memberOf(await generateClientAndImportProgram(project, service.metadata, program), 'answers');
    if (typeof ask !== 'function') throw new Error('The program has no answers.');
    answers = await ask(service.root, service.headers);
  });

  it('compiles, with the types of properties', () => {
    expect(findCompileErrors(join(project, 'program.mts'))).toEqual([]);
  });

  it('reads every row as /query answers it', async () => {
    expect(memberOf(answers, 'all')).toEqual(await rowsOf('PO_ITEM', { sort: 'ORDER_NO,ITEM_NO' }));
  });

  it('counts, and filters by any, functions and related entries, like /query', async () => {
    const filterExpr = "PLANT in ('1010','2010') and SUPPLIER.COUNTRY ne 'DE'";
    const { document } = await demo({ path: `${api}/PO_ITEM/query`, query: { pageSize: '1', filterExpr } });
    expect(memberOf(answers, 'count')).toBe(memberOf(document, 'total'));
    const large = await numbersOf('PO_ITEM', 'SUPPLIER_NO', "NET_AMOUNT gt 10000 and PLANT eq '1010'");
    expect(memberOf(answers, 'any')).toEqual([...new Set(large)]);
    const named = await rowsOf('SUPPLIER', { fields: 'SUPPLIER_NO,NAME,CREATED_ON', sort: 'SUPPLIER_NO' });
    const expected = named.filter((row) => {
      const [name, day] = [String(memberOf(row, 'NAME')), String(memberOf(row, 'CREATED_ON'))];
      return name.toLowerCase().includes('gmbh') && name.length > 24 && name.indexOf('a') > 0 && day < '2020';
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(memberOf(answers, 'computed')).toEqual(expected.map((row) => memberOf(row, 'SUPPLIER_NO')));
  });

  it('reads an entry by its key with a related one', async () => {
    const [row] = await rowsOf('PO_ITEM', { filterExpr: "ORDER_NO eq '4500000001' and ITEM_NO eq 10" });
    const supplierNo = String(memberOf(row, 'SUPPLIER_NO'));
    const [supplier] = await rowsOf('SUPPLIER', {
      fields: 'NAME,COUNTRY',
      filterExpr: `SUPPLIER_NO eq '${supplierNo}'`,
    });
    expect(memberOf(answers, 'one')).toMatchObject({ ...Object(row), SUPPLIER: supplier });
  });

  it('follows navigation properties behind a key: to a collection, to one of its entries and to a single entry', async () => {
    const filterExpr = "ORDER_NO eq '4500000001'";
    const items = await rowsOf('PO_ITEM', { filterExpr, sort: 'ITEM_NO' });
    const rows = items.filter((row) => Number(memberOf(row, 'NET_AMOUNT')) > 10);
    expect(memberOf(answers, 'related')).toEqual({ count: rows.length, rows });
    expect(rows.length).toBeGreaterThan(0);
    expect(memberOf(answers, 'further')).toMatchObject(Object(items[0]));
    const [order] = await rowsOf('PURCHASE_ORDER', { filterExpr });
    const ofSupplier = `SUPPLIER_NO eq '${String(memberOf(order, 'SUPPLIER_NO'))}'`;
    const [supplier] = await rowsOf('SUPPLIER', { filterExpr: ofSupplier });
    expect(memberOf(answers, 'partner')).toBe(memberOf(supplier, 'NAME'));
  });

  it('expands related entries with conditions, an order and a limit, two steps deep', async () => {
    const names = await supplierNames();
    const largest = Map.groupBy(
      await rowsOf('PO_ITEM', { filterExpr: 'NET_AMOUNT gt 100', sort: '-NET_AMOUNT,ITEM_NO' }),
      (row) => memberOf(row, 'ORDER_NO'),
    );
    const orders = await rowsOf('PURCHASE_ORDER', { fields: 'ORDER_NO', sort: '-ORDER_NO' });
    const expected = orders.slice(0, 50).map((order) => ({
      ORDER_NO: memberOf(order, 'ORDER_NO'),
      PO_ITEM: (largest.get(memberOf(order, 'ORDER_NO')) ?? []).slice(0, 3).map((row) => ({
        ITEM_NO: memberOf(row, 'ITEM_NO'),
        NAME: names.get(memberOf(row, 'SUPPLIER_NO')),
      })),
    }));
    expect(memberOf(answers, 'orders')).toEqual(expected);
  });

  it('reports the error message of the service', () => {
    expect(memberOf(answers, 'failure')).toContain('$top');
  });
});

describe('an application of SAP CAP that has imported the service', () => {
  let queries: Awaited<ReturnType<typeof createCapApplication>>;
  beforeAll(async () => {
    queries = await createCapApplication(join(folder, 'cap'), service);
  });

  it('reads every row as /query answers it', async () => {
    const [all] = await queries('SELECT from tessera.PO_ITEM_entries');
    expect(all?.rows).toEqual(await rowsOf('PO_ITEM', { sort: 'ORDER_NO,ITEM_NO' }));
  });

  it('pages, filters and counts like /query', async () => {
    const [page, filtered, ordered, any, counted, byKey] = await queries(
      'SELECT from tessera.PO_ITEM_entries { ORDER_NO, ITEM_NO } limit 100 offset 300',
      "SELECT from tessera.PO_ITEM_entries { ITEM_NO } where SUPPLIER.COUNTRY = 'DE' and year(ORDER_DATE) = 2025 and NET_AMOUNT > 1000",
      'SELECT from tessera.SUPPLIER_entries { NAME } order by CREATED_ON desc, SUPPLIER_NO limit 5',
      "SELECT from tessera.SUPPLIER_entries { SUPPLIER_NO } where exists PO_ITEM[NET_AMOUNT > 10000 and PLANT = '1010'] order by SUPPLIER_NO",
      "GET /PO_ITEM_entries?$count=true&$top=1&$filter=contains(DESCRIPTION,'ATEX')",
      "SELECT from tessera.SUPPLIER_entries['100001'] { NAME, COUNTRY }",
    );
    const items = await rowsOf('PO_ITEM', { fields: 'ORDER_NO,ITEM_NO', sort: 'ORDER_NO,ITEM_NO' });
    expect(page?.rows).toEqual(items.slice(300, 400));
    const filterExpr = "SUPPLIER.COUNTRY eq 'DE' and year(ORDER_DATE) eq 2025 and NET_AMOUNT gt 1000";
    expect(filtered?.rows).toHaveLength((await rowsOf('PO_ITEM', { fields: 'ITEM_NO', filterExpr })).length);
    const suppliers = await rowsOf('SUPPLIER', { sort: '-CREATED_ON,SUPPLIER_NO' });
    expect(ordered?.rows).toEqual(suppliers.slice(0, 5).map((row) => ({ NAME: memberOf(row, 'NAME') })));
    const large = await numbersOf('PO_ITEM', 'SUPPLIER_NO', "NET_AMOUNT gt 10000 and PLANT eq '1010'");
    expect(any?.rows).toEqual([...new Set(large)].map((SUPPLIER_NO) => ({ SUPPLIER_NO })));
    const described = await rowsOf('PO_ITEM', { filterExpr: "contains(DESCRIPTION,'ATEX')" });
    expect([itemsOf(counted?.rows).length, counted?.count]).toEqual([1, described.length]);
    expect(byKey?.rows).toEqual(
      (await rowsOf('SUPPLIER', { filterExpr: "SUPPLIER_NO eq '100001'", fields: 'NAME,COUNTRY' }))[0],
    );
  });

  it('expands related entries', async () => {
    const [expanded] = await queries('SELECT from tessera.PO_ITEM_entries { ORDER_NO, ITEM_NO, SUPPLIER { NAME } }');
    const names = await supplierNames();
    const items = await rowsOf('PO_ITEM', { fields: 'ORDER_NO,ITEM_NO,SUPPLIER_NO', sort: 'ORDER_NO,ITEM_NO' });
    expect(expanded?.rows).toEqual(
      items.map((row) => ({
        ORDER_NO: memberOf(row, 'ORDER_NO'),
        ITEM_NO: memberOf(row, 'ITEM_NO'),
        SUPPLIER: { NAME: names.get(memberOf(row, 'SUPPLIER_NO')) },
      })),
    );
  });

  it('expands every order to its items and their receipts, page by page', async () => {
    const numbers = await rowsOf('PURCHASE_ORDER', { fields: 'ORDER_NO', sort: 'ORDER_NO' });
    const page =
      'SELECT from tessera.PURCHASE_ORDER_entries { ORDER_NO, PO_ITEM { ITEM_NO, GOODS_RECEIPT { RECEIPT_NO, QUANTITY } } }';
    const [some, ...pages] = await queries(
      "SELECT from tessera.SUPPLIER_entries { SUPPLIER_NO, PO_ITEM[PLANT='1010'] { ORDER_NO, ITEM_NO } } order by SUPPLIER_NO",
      ...numbers.flatMap((_, at) => (at % 100 === 0 ? [`${page} order by ORDER_NO limit 100 offset ${at}`] : [])),
    );
    const receipts = Map.groupBy(await rowsOf('GOODS_RECEIPT', { sort: 'RECEIPT_NO' }), placeOf);
    const items = Map.groupBy(await rowsOf('PO_ITEM', { sort: 'ORDER_NO,ITEM_NO' }), (row) =>
      memberOf(row, 'ORDER_NO'),
    );
    const expected = numbers.map((order) => ({
      ORDER_NO: memberOf(order, 'ORDER_NO'),
      PO_ITEM: (items.get(memberOf(order, 'ORDER_NO')) ?? []).map((row) => ({
        ITEM_NO: memberOf(row, 'ITEM_NO'),
        GOODS_RECEIPT: (receipts.get(placeOf(row)) ?? []).map((receipt) => ({
          RECEIPT_NO: memberOf(receipt, 'RECEIPT_NO'),
          QUANTITY: memberOf(receipt, 'QUANTITY'),
        })),
      })),
    }));
    expect(pages.flatMap(({ rows }) => rows)).toEqual(expected);
    const ofPlant = Map.groupBy(
      await rowsOf('PO_ITEM', { filterExpr: "PLANT eq '1010'", sort: 'ORDER_NO,ITEM_NO' }),
      (row) => memberOf(row, 'SUPPLIER_NO'),
    );
    const suppliers = await rowsOf('SUPPLIER', { fields: 'SUPPLIER_NO', sort: 'SUPPLIER_NO' });
    expect(some?.rows).toEqual(
      suppliers.map((row) => ({
        SUPPLIER_NO: memberOf(row, 'SUPPLIER_NO'),
        PO_ITEM: (ofPlant.get(memberOf(row, 'SUPPLIER_NO')) ?? []).map((item) => ({
          ORDER_NO: memberOf(item, 'ORDER_NO'),
          ITEM_NO: memberOf(item, 'ITEM_NO'),
        })),
      })),
    );
  });

  it('reads navigation paths behind a key', async () => {
    const [items, partner, further] = await queries(
      "SELECT from tessera.PURCHASE_ORDER_entries['4500000001']:PO_ITEM { ITEM_NO, NET_AMOUNT } order by NET_AMOUNT desc, ITEM_NO",
      "SELECT from tessera.PO_ITEM_entries[ORDER_NO='4500000001' and ITEM_NO=10]:SUPPLIER { NAME, COUNTRY }",
      "SELECT from tessera.PURCHASE_ORDER_entries['4500000001']:SUPPLIER.PO_ITEM { ORDER_NO, ITEM_NO }",
    );
    const filterExpr = "ORDER_NO eq '4500000001'";
    const ofOrder = { fields: 'ITEM_NO,NET_AMOUNT', filterExpr, sort: '-NET_AMOUNT,ITEM_NO' };
    expect(items?.rows).toEqual(await rowsOf('PO_ITEM', ofOrder));
    const [order] = await rowsOf('PURCHASE_ORDER', { filterExpr });
    const ofSupplier = `SUPPLIER_NO eq '${String(memberOf(order, 'SUPPLIER_NO'))}'`;
    const suppliers = await rowsOf('SUPPLIER', { fields: 'NAME,COUNTRY', filterExpr: ofSupplier });
    expect([partner?.rows]).toEqual(suppliers);
    const ofPartner = { fields: 'ORDER_NO,ITEM_NO', filterExpr: ofSupplier, sort: 'ORDER_NO,ITEM_NO' };
    expect(further?.rows).toEqual(await rowsOf('PO_ITEM', ofPartner));
  });

  it('sends a request that is too long for a URL in a batch', async () => {
    const items = await rowsOf('PO_ITEM', { fields: 'ORDER_NO,ITEM_NO', sort: 'ORDER_NO,ITEM_NO' });
    const numbers = [...new Set(items.map((row) => memberOf(row, 'ORDER_NO')))].slice(0, 100);
    const [long] = await queries(
      `SELECT from tessera.PO_ITEM_entries { ORDER_NO, ITEM_NO } where ORDER_NO in (${numbers.map((no) => `'${String(no)}'`).join(',')})`,
    );
    expect(long?.requests).toEqual(['POST /$batch']);
    expect(long?.rows).toEqual(items.filter((row) => numbers.includes(memberOf(row, 'ORDER_NO'))));
  });

  it('reports the error message of the service', async () => {
    const [failed] = await queries('GET /PO_ITEM_entries?$filter=NET_AMUNT gt 1');
    expect(failed?.error).toContain('NET_AMOUNT');
  });
});
