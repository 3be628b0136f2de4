/** OData with public clients on the demo company and while its tables are loaded; and its refusals. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import { csdlXmlToJson, validateCsdlJson, validateCsdlXml } from '@tessera/testing/csdl';
import { recordAnswers } from './compatibility/record-answers.js';
import { createQueryClient, odataPathOf, type QueryClient } from './group-d.js';
import { itemsOf, memberOf, textOf } from './json.js';
import { createOdataFetchClient, createOdataJsClient, createOJsClient, type ODataClient } from './odata-clients.js';
import { odataRequestAt, refusedRequests, salesRequest } from './odata-refusals.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { loadRows, createTestKey, createTestModel } from './test-model.js';

let product: RunningProduct;
/** Of the model of few rows; of the demo company. */
let sendOData: QueryClient, demo: QueryClient;
let clients: Readonly<Record<string, ODataClient>>;
let light: ReturnType<typeof createOdataFetchClient>;
let ojs: ReturnType<typeof createOJsClient>;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestModel(product);
  const [gateway = ''] = product.gateways;
  const AppKey = product.environment['DEMO_KEY'] ?? '';
  sendOData = createQueryClient(
    gateway,
    await createTestKey(product, { furtherScopes: ['sales:all', 'finance:read'] }),
  );
  demo = createQueryClient(gateway, AppKey);
  const root = `${gateway}${service}`;
  const all = { AppKey, ...headers };
  light = createOdataFetchClient(root, all);
  ojs = createOJsClient(root, all);
  clients = { light, odatajs: createOdataJsClient(root, all), ojs };
});

const service = odataPathOf('p2p.base-km');
const items = 'PO_ITEM_entries';
const headers = { Prefer: 'odata.maxpagesize=100' };
const everyItem = {
  path: '/p2p.base-km/records/PO_ITEM/query',
  query: { sort: 'ORDER_NO,ITEM_NO', pageSize: '5000' },
};
const keyOf = (row: unknown): string => `${textOf(row, 'ORDER_NO')} ${String(memberOf(row, 'ITEM_NO'))}`;

/** How many rows `/query` counts. */
const totalOf = async (filterExpr?: string): Promise<unknown> => {
  const query = { fields: 'ORDER_NO', pageSize: '1', ...(filterExpr !== undefined && { filterExpr }) };
  const { document } = await demo({ path: '/p2p.base-km/records/PO_ITEM/query', query });
  return memberOf(document, 'total');
};

describe.each(['light', 'odatajs', 'ojs'])('the client library %s', (name) => {
  const client = (): ODataClient => {
    const found = clients[name];
    if (!found) throw new Error(name);
    return found;
  };

  it('reads $metadata', async () => {
    const metadata = JSON.stringify(await client().metadata());
    for (const word of ['ODataKnowledgeModel', 'PO_ITEM_entries', 'NET_AMOUNT', 'Edm.DateTimeOffset', 'SUPPLIER'])
      expect(metadata).toContain(word);
  });

  it('pages through all rows, as /query answers them', async () => {
    let page = await client().first(items);
    const total = await totalOf();
    expect(page.count).toBe(total);
    const rows = [...page.rows];
    let pages = 1;
    for (; page.next !== ''; pages++) {
      page = await client().follow(page.next);
      rows.push(...page.rows);
    }
    expect(pages).toBe(Math.ceil(Number(total) / 100));
    const { document } = await demo(everyItem);
    expect(rows).toEqual(itemsOf(document, 'content'));
  });

  it('filters and counts like /query', async () => {
    const filters = [
      ["COUNTRY eq 'DE' and NET_AMOUNT gt 1000", "COUNTRY eq 'DE' and NET_AMOUNT gt 1000"],
      ['year(ORDER_DATE) eq 2025', 'year(ORDER_DATE) eq 2025'],
      ["SUPPLIER/COUNTRY ne 'DE'", "SUPPLIER.COUNTRY ne 'DE'"],
      ["PLANT in ('1010','2010') and not (MAVERICK eq true)", "PLANT in ('1010','2010') and not (MAVERICK eq true)"],
    ] as const;
    for (const [filter, filterExpr] of filters) {
      const total = await totalOf(filterExpr);
      expect(total).toBeGreaterThan(0);
      expect([filter, (await client().first(items, filter)).count]).toEqual([filter, total]);
    }
  });

  it('reports the error message of the service', async () => {
    expect(await client().failure(items, 'NET_AMUNT gt 1')).toContain('NET_AMOUNT');
  });
});

it('a client library reads entries by key, ordered and counted, with its own methods', async () => {
  const set = light.client.getEntitySet(items);
  const options = light.client.newOptions().select(['ORDER_NO', 'ITEM_NO', 'NET_AMOUNT']);
  const largest = await set.query(options.orderby('NET_AMOUNT', 'desc').top(3).skip(1));
  const { document } = await demo({
    path: '/p2p.base-km/records/PO_ITEM/query',
    query: { fields: 'ORDER_NO,ITEM_NO,NET_AMOUNT', sort: '-NET_AMOUNT', pageSize: '4' },
  });
  expect(largest).toEqual([1, 2, 3].map((index) => memberOf(document, 'content', index)));
  const [first] = largest;
  const entry = await set.retrieve({ ORDER_NO: first.ORDER_NO, ITEM_NO: first.ITEM_NO });
  expect(entry).toMatchObject(first);
  expect(await set.count(light.client.newFilter().property('PLANT').eq("'1010'"))).toBe(
    await totalOf("PLANT eq '1010'"),
  );
});

it.each(['light', 'ojs'] as const)('a client library %s reads navigation paths behind a key', async (name) => {
  const client = clients[name];
  const order = "PURCHASE_ORDER_entries('4500000001')";
  const { rows, count } = (await client?.first(`${order}/PO_ITEM`, 'NET_AMOUNT gt 10')) ?? { rows: [], count: 0 };
  const filterExpr = "ORDER_NO eq '4500000001' and NET_AMOUNT gt 10";
  const { document } = await demo({ ...everyItem, query: { ...everyItem.query, filterExpr } });
  expect(rows).toEqual(itemsOf(document, 'content'));
  expect(count).toBe(memberOf(document, 'total'));
});

it('a client library expands the related entries of several entries', async () => {
  const options = light.client.newOptions().select(['ORDER_NO']).expand('PO_ITEM($select=ITEM_NO)').top(20);
  const orders = await light.client.getEntitySet('PURCHASE_ORDER_entries').query(options);
  const { document } = await demo(everyItem);
  const numbers = Map.groupBy(itemsOf(document, 'content'), (row) => memberOf(row, 'ORDER_NO'));
  expect(orders).toHaveLength(20);
  for (const order of orders)
    expect([order.ORDER_NO, itemsOf(order, 'PO_ITEM').map((item) => memberOf(item, 'ITEM_NO'))]).toEqual([
      order.ORDER_NO,
      numbers.get(order.ORDER_NO)?.map((item) => memberOf(item, 'ITEM_NO')),
    ]);
});

describe('a batch', () => {
  const addresses = [
    "PO_ITEM_entries?$filter=PLANT eq '1010'&$select=ORDER_NO,ITEM_NO,NET_AMOUNT&$count=true",
    "SUPPLIER_entries('100001')",
    "SUPPLIER_entries('100001')/PO_ITEM?$select=ORDER_NO,ITEM_NO&$top=5&$expand=GOODS_RECEIPT($select=QUANTITY;$top=1)",
    "PO_ITEM_entries/$count?$filter=contains(DESCRIPTION,'ATEX')",
  ];
  /** What each of them answers alone. */
  const alone = (): Promise<readonly unknown[]> =>
    Promise.all(
      addresses.map(async (address) => {
        const { document, text } = await demo({ path: `${service}/${address}`, headers });
        return document ?? Number(text);
      }),
    );

  it.each([true, false])(
    'of o.js returns the same answers as single requests, with relative addresses: %s',
    async (isRelative) => {
      const [items, supplier, related, count] = await alone();
      expect(await ojs.batch(addresses, isRelative)).toEqual([
        { contentId: 1, status: 200, body: memberOf(items, 'value') },
        { contentId: 2, status: 200, body: supplier },
        { contentId: 3, status: 200, body: memberOf(related, 'value') },
        { contentId: 4, status: 200, body: count },
      ]);
    },
  );

  it('of o.js reads all pages of a set', async () => {
    const total = Number(await totalOf());
    const pages = Array.from({ length: Math.ceil(total / 100) }, (_, at) => `${items}?$skip=${at * 100}&$top=100`);
    const answers = await ojs.batch(pages, true);
    const { document } = await demo(everyItem);
    expect((Array.isArray(answers) ? answers : []).flatMap((answer) => memberOf(answer, 'body'))).toEqual(
      itemsOf(document, 'content'),
    );
  });

  it.each(['execBatchRequests', 'execBatchRequestsJson'] as const)(
    'of @odata/client by %s returns the same answers as single requests',
    async (send) => {
      const { client } = light;
      const filter = client.newFilter().property('PLANT').eq("'1010'");
      const params = client.newOptions().filter(filter).select(['ORDER_NO', 'ITEM_NO', 'NET_AMOUNT']).count(true);
      const answers = await client[send]([
        client.newBatchRequest({ collection: items, params }),
        client.newBatchRequest({ collection: 'SUPPLIER_entries', id: '100001' }),
      ]);
      const documents = await Promise.all(answers.map((answer) => answer.json()));
      const values = documents.map((document) => [memberOf(document, '@odata.count'), memberOf(document, 'value')]);
      const [entries, supplier] = await alone();
      expect(values).toContainEqual([memberOf(entries, '@odata.count'), memberOf(entries, 'value')]);
      expect(documents).toContainEqual(supplier);
    },
  );
});

describe('$metadata of the demo', () => {
  it.each([
    ['p2p.base-km', 'DEMO_KEY'],
    ['p2p.base-km', 'READONLY_KEY'],
    ['p2p.de-km', 'DEMO_KEY'],
    ['p2p.own-km', 'DEMO_KEY'],
    ['cold-chain-km', 'NORTHGATE_KEY'],
  ])('of %s for %s is valid CSDL, as XML and as JSON', async (model, key) => {
    const read = createQueryClient(product.gateways[0] ?? '', product.environment[key] ?? '');
    const path = `${odataPathOf(model)}/$metadata`;
    for (const version of ['4.0', '4.01']) {
      const headers = { 'odata-maxversion': version };
      const xml = await read({ path, headers });
      expect([xml.status, await validateCsdlXml([xml.text])]).toEqual([200, []]);
      expect(xml.text).toContain(`Version="${version}"`);
      const json = await read({ path, headers, query: { $format: 'json' } });
      expect([json.status, validateCsdlJson(json.text)]).toEqual([200, []]);
      expect(memberOf(json.document, '$Version')).toBe(version);
      expect(csdlXmlToJson(xml.text)).toEqual(json.document);
      expect(memberOf(json.document, 'ODataKnowledgeModel', 'PO_ITEM')).toHaveProperty('NET_AMOUNT');
    }
  });
});

/** All rows of the items as lines of CSV. */
const readItems = async (): Promise<readonly string[]> => {
  const record = await demo({ path: '/p2p.base-km/records/PO_ITEM' });
  const attributes = memberOf(record.document, 'attributes');
  const fields = (Array.isArray(attributes) ? attributes : []).map((field) => textOf(field, 'id'));
  const { document } = await demo({
    path: '/p2p.base-km/records/PO_ITEM/query',
    query: { fields: fields.join(','), pageSize: '5000' },
  });
  const rows = memberOf(document, 'content');
  if (!Array.isArray(rows) || rows.length === 0) throw new Error(JSON.stringify(document));
  return rows.map((row: object) => Object.values(row).map(cellOf).join(','));
};
const cellOf = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : JSON.stringify(value);

describe('all rows of the demo', () => {
  it('come exactly once over nextLink while loads replace their table', async () => {
    const lines = await readItems();
    const loaded = { count: 0, isWanted: true };
    const loading = (async () => {
      while (loaded.isWanted) {
        await loadRows(product, 'po_item', loaded.count % 2 === 0 ? lines.toReversed() : lines, { schema: 'p2p' });
        loaded.count++;
      }
    })();
    try {
      for (const $orderby of [undefined, 'PLANT desc,NET_AMOUNT']) {
        const query = { $select: 'ORDER_NO,ITEM_NO', ...($orderby !== undefined && { $orderby }) };
        const keys = await pull(query, loaded);
        expect([keys.length, new Set(keys).size]).toEqual([lines.length, lines.length]);
      }
    } finally {
      loaded.isWanted = false;
      await loading;
      await loadRows(product, 'po_item', lines, { schema: 'p2p' });
    }
    expect(await totalOf()).toBe(lines.length);
  });

  const pull = async (query: Record<string, string>, loaded: { readonly count: number }) => {
    const headers = { prefer: 'odata.maxpagesize=120' };
    let question = { path: `${service}/${items}`, query };
    const keys: string[] = [];
    for (;;) {
      const { status, document, text } = await demo({ ...question, headers });
      if (status !== 200) throw new Error(text);
      const rows = memberOf(document, 'value');
      keys.push(...(Array.isArray(rows) ? rows : []).map(keyOf));
      const next = textOf(document, '@odata.nextLink');
      if (next === '') return keys;
      const { pathname, searchParams } = new URL(next);
      question = { path: pathname, query: Object.fromEntries(searchParams) };
      // No two pages are of the same load.
      const before = loaded.count;
      await waitUntil(() => loaded.count > before);
    }
  };
});

describe('OData', () => {
  it.each(refusedRequests)('rejects an invalid request with the fault and its correction: %s', async (...row) => {
    const [, question, status, code, ...told] = row;
    const answer = await sendOData(question);
    expect({ status: answer.status, code: textOf(answer.document, 'errorCode') }).toEqual({
      status,
      code: expect.stringMatching(`^${code}`),
    });
    const detail = textOf(answer.document, 'detail');
    for (const word of told) expect(detail).toContain(word);
    expect(memberOf(answer.document, 'error')).toEqual({
      code: textOf(answer.document, 'errorCode'),
      message: detail,
      details: expect.any(Array),
    });
    expect(answer.headers.get('odata-version')).toBe('4.01');
  });

  it('rejects a token that was changed, cut, or used with another order or set', async () => {
    const query = { $select: 'SALE_NO', $orderby: 'AMOUNT' };
    const { document } = await sendOData(salesRequest(query, { prefer: 'odata.maxpagesize=2' }));
    const { searchParams } = new URL(textOf(document, '@odata.nextLink'));
    const token = searchParams.get('$skiptoken') ?? '';
    expect((await sendOData(salesRequest({ ...query, $skiptoken: token }))).status).toBe(200);
    const middle = Math.floor(token.length / 2);
    const changed = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    for (const question of [
      salesRequest({ ...query, $skiptoken: changed }),
      salesRequest({ ...query, $skiptoken: token.slice(0, -4) }),
      salesRequest({ ...query, $skiptoken: '' }),
      salesRequest({ ...query, $orderby: 'COMPANY', $skiptoken: token }),
      odataRequestAt('/CUSTOMER_entries', { $skiptoken: token }),
    ]) {
      const answer = await sendOData(question);
      expect([question, answer.status]).toEqual([question, 400]);
      expect(textOf(answer.document, 'detail')).toContain('$skiptoken');
    }
  });

  it('treats SQL in values as text', async () => {
    for (const text of [`'; drop table sale; --`, `" or 1=1 --`, '$1', '\\', '%_', '1); select pg_sleep(9); --']) {
      const quoted = `'${text.replaceAll("'", "''")}'`;
      const found = await sendOData(salesRequest({ $filter: `COMPANY eq ${quoted}` }));
      expect([text, found.status, memberOf(found.document, 'value')]).toEqual([text, 200, []]);
      for (const name of ['$select', '$orderby', '$filter', 'filterid', '$skiptoken', '$top', '$format']) {
        const answer = await sendOData(salesRequest({ [name]: text }));
        expect([name, text, answer.status]).toEqual([name, text, name === '$format' ? 415 : 400]);
        expect(answer.text.replaceAll(text, '')).not.toMatch(/select |relation|syntax error at|pg_|"sale"/);
      }
      const key = await sendOData(odataRequestAt(`/COLOUR_entries(${encodeURIComponent(quoted)})`));
      expect([text, key.status]).toEqual([text, 404]);
    }
    expect((await sendOData(odataRequestAt('/SALE_entries/$count'))).text).toBe('5');
  });
});

recordAnswers();
