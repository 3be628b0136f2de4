/** OData over the gateway of the launched product, with a model of few rows. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordAnswers } from './compatibility/record-answers.js';
import { createQueryClient, odataPathOf, type QueryClient, type QueryRequest, type QueryAnswer } from './group-d.js';
import { itemsOf, memberOf, memberNamesOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { applyModel, createTestKey, createTestModel, testModelId } from './test-model.js';

let product: RunningProduct;
/** Full access; one company and no bank accounts; no scopes or attributes. */
let all: QueryClient, restricted: QueryClient, unprivileged: QueryClient;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestModel(product);
  const [gateway = ''] = product.gateways;
  all = createQueryClient(gateway, await createTestKey(product, { furtherScopes: ['sales:all', 'finance:read'] }));
  restricted = createQueryClient(gateway, await createTestKey(product, { attributes: { companies: ['1000'] } }));
  unprivileged = createQueryClient(gateway, await createTestKey(product));
});

const service = odataPathOf(testModelId);
const at = (path: string, query: QueryRequest['query'] = {}, headers: QueryRequest['headers'] = {}): QueryRequest => ({
  path: `${service}${path}`,
  query,
  headers,
});
const sales = (query: QueryRequest['query'] = {}, headers: QueryRequest['headers'] = {}) =>
  at('/SALE_entries', query, headers);

const good = async (ask: QueryClient, question: QueryRequest): Promise<QueryAnswer> => {
  const answer = await ask(question);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
};
/** The values of the entries, without control information. */
const valuesIn = ({ document }: Pick<QueryAnswer, 'document'>): readonly unknown[][] => {
  const entries = memberOf(document, 'value');
  if (!Array.isArray(entries)) throw new Error(JSON.stringify(document));
  return entries.map((entry: object) =>
    Object.entries(entry).flatMap(([name, value]) => (name.includes('@') ? [] : [value])),
  );
};
const valuesOf = async (ask: QueryClient, question: QueryRequest) => valuesIn(await good(ask, question));
const numbersOf = async (ask: QueryClient, query: QueryRequest['query']) =>
  (await valuesOf(ask, sales({ $select: 'SALE_NO', ...query }))).flat();
const nextOf = ({ document }: QueryAnswer): QueryRequest => {
  const { pathname, searchParams } = new URL(textOf(document, '@odata.nextLink'));
  return { path: pathname, query: Object.fromEntries(searchParams) };
};

describe('OData navigation paths behind a key', () => {
  const salesOf = (
    customer: number,
    more = '',
    query: QueryRequest['query'] = {},
    headers: QueryRequest['headers'] = {},
  ) => at(`/CUSTOMER_entries(${customer})/SALE${more}`, query, headers);
  const modern = { accept: 'application/json', 'odata-version': '4.01', 'odata-maxversion': '4.01' };

  it('return related entries, page by page', async () => {
    const query = { $select: 'SALE_NO', $orderby: 'AMOUNT desc', $count: 'true', $filter: 'AMOUNT gt @p', '@p': '1' };
    const headers = { prefer: 'odata.maxpagesize=2' };
    const first = await good(all, salesOf(1, '', { ...query, $expand: 'CUSTOMER' }, { ...modern, ...headers }));
    const second = await good(all, { ...nextOf(first), headers });
    expect([first, second].map((answer) => memberOf(answer.document, '@odata.count'))).toEqual([3, 3]);
    expect(
      [first, second].flatMap(({ document }) => itemsOf(document, 'value').map((sale) => memberOf(sale, 'SALE_NO'))),
    ).toEqual([1, 2, 5]);
    expect(memberOf(second.document, '@odata.nextLink')).toBeUndefined();
    const further = await good(
      all,
      at('/SALE_entries(3)/CUSTOMER/SALE', { $select: 'SALE_NO' }, { ...modern, prefer: 'maxpagesize=1' }),
    );
    expect([further, await good(all, nextOf(further))].map(valuesIn)).toEqual([[[3]], [[4]]]);
    expect(
      await valuesOf(
        all,
        salesOf(1, '', { $select: 'SALE_NO', $top: '1', $skip: '1', filterid: 'RICH', $format: 'json' }),
      ),
    ).toEqual([[2]]);
  });

  it('return a single entry, a property, its raw value, a count or references', async () => {
    expect((await good(all, at('/SALE_entries(3)/CUSTOMER', {}, modern))).document).toMatchObject({ NAME: 'Bob' });
    expect((await good(all, at('/SALE_entries(3)/AMOUNT'))).document).toMatchObject({ value: 100 });
    const value = await good(
      all,
      at('/SALE_entries(3)/SIZE/$value', { $format: 'text/plain' }, { ...modern, accept: 'text/plain' }),
    );
    expect([value.text, value.headers.get('content-type')]).toEqual(['large', expect.stringMatching(/^text\/plain/)]);
    expect(
      (
        await good(
          all,
          salesOf(
            1,
            '/$count',
            { $filter: 'AMOUNT lt 100', $format: 'text/plain' },
            { ...modern, accept: 'text/plain' },
          ),
        )
      ).text,
    ).toBe('2');
    expect(itemsOf((await good(all, salesOf(2, '/$ref'))).document, 'value')).toHaveLength(2);
    expect((await good(all, salesOf(1, '(5)/COMPANY'))).document).toMatchObject({ value: '2000' });
    expect(await all(at('/CUSTOMER_entries(3)/COUNTRY'))).toMatchObject({ status: 204, text: '' });
  });

  it('return 404 behind hidden rows and for hidden properties', async () => {
    expect((await good(restricted, salesOf(1, '/$count'))).text).toBe('2');
    expect((await good(restricted, salesOf(2))).document).toMatchObject({ value: [] });
    for (const path of ['/SALE_entries(3)/CUSTOMER', '/SALE_entries(3)/AMOUNT/$value', '/CUSTOMER_entries(1)/SALE(5)'])
      expect(await restricted(at(path))).toMatchObject({ status: 404 });
    const [hidden, unknown] = await Promise.all(
      ['BANK_ACCOUNT', 'BENK_ACCOUNT'].map((name) => restricted(at(`/CUSTOMER_entries(1)/${name}`))),
    );
    expect(hidden?.text.replaceAll('BANK_', 'BENK_')).toBe(unknown?.text);
    expect(memberOf(unknown?.document, 'errorCode')).toBe('GENERAL_NOTFOUND_PATH');
  });
});

describe('OData expanded entries', () => {
  const $expand = 'SALE($select=SALE_NO;$filter=AMOUNT gt @least;$orderby=AMOUNT desc;$top=1;$count=true)';
  const customers = (more: QueryRequest['query'] = {}) =>
    at('/CUSTOMER_entries', { $select: 'NAME,CUSTOMER_NO', $expand, '@least': '60', ...more });

  it('apply query options of their own to the related entries of each, also when nested', async () => {
    const { document } = await good(all, customers());
    expect(textOf(document, '@odata.context')).toMatch(/#CUSTOMER_entries\(NAME,CUSTOMER_NO,SALE\(SALE_NO\)\)$/);
    expect(memberOf(document, 'value')).toEqual([
      { NAME: 'Ann', CUSTOMER_NO: 1, 'SALE@odata.count': 2, SALE: [{ SALE_NO: 1 }] },
      { NAME: 'Bob', CUSTOMER_NO: 2, 'SALE@odata.count': 1, SALE: [{ SALE_NO: 3 }] },
      { NAME: 'Cleo, the great', CUSTOMER_NO: 3, 'SALE@odata.count': 0, SALE: [] },
    ]);
    const deep = await good(all, at('/SALE_entries(1)/CUSTOMER', { $expand: 'SALE($expand=CUSTOMER($select=NAME))' }));
    expect(memberOf(deep.document, 'SALE', 2, 'CUSTOMER', 'NAME')).toBe('Ann');
  });

  it('include only entries that the caller may see', async () => {
    const { document, text } = await good(restricted, customers({ $expand: 'SALE($count=true)' }));
    expect(itemsOf(document, 'value').map((customer) => memberOf(customer, 'SALE@odata.count'))).toEqual([2, 0, 0]);
    expect(text).not.toMatch(/BANK|2000/);
    expect(await restricted(customers({ $expand: 'SALE($filter=CUSTOMER/BANK_ACCOUNT ne null)' }))).toMatchObject({
      status: 400,
    });
  });
});

describe('OData entries', () => {
  it('have all or the selected properties, in the order of the model', async () => {
    const { document } = await good(all, sales({ $top: '1' }));
    expect(document).toEqual({
      '@odata.context': expect.stringMatching(/^http:\/\/localhost:\d+\/.*\.svc\/\$metadata#SALE_entries$/),
      value: [
        {
          ...{ SALE_NO: 1, CUSTOMER_NO: 1, COMPANY: '1000', AMOUNT: 250.5, SOLD_ON: '2026-01-31' },
          ...{ SIZE: 'large', FREE: false },
        },
      ],
    });
    const selected = await good(all, sales({ $select: 'AMOUNT,SIZE', $top: '1' }));
    expect(valuesIn(selected)).toEqual([[250.5, 'large']]);
    expect(textOf(selected.document, '@odata.context')).toMatch(/#SALE_entries\(AMOUNT,SIZE\)$/);
  });

  it('include related entries with $expand, as far as the caller may see them', async () => {
    const $expand = 'CUSTOMER($select=NAME,COUNTRY)';
    const { document } = await good(all, sales({ $select: 'SALE_NO', $expand, $filter: 'SALE_NO ge 3' }));
    const context = /#SALE_entries\(SALE_NO,CUSTOMER\(NAME,COUNTRY\)\)$/;
    expect(textOf(document, '@odata.context')).toMatch(context);
    const id = (no: number) => ({
      '@odata.id': expect.stringMatching(new RegExp(`/CUSTOMER_entries\\(${no}\\)$`)),
    });
    expect(memberOf(document, 'value')).toEqual([
      { SALE_NO: 3, CUSTOMER: { ...id(2), NAME: 'Bob', COUNTRY: 'IT' } },
      { SALE_NO: 4, CUSTOMER: { ...id(2), NAME: 'Bob', COUNTRY: 'IT' } },
      { SALE_NO: 5, CUSTOMER: { ...id(1), NAME: 'Ann', COUNTRY: 'DE' } },
    ]);
    const one = at('/SALE_entries(1)', { select: 'SALE_NO', EXPAND: '*' });
    expect((await good(all, one)).document).toMatchObject({ CUSTOMER: { NAME: 'Ann', BANK_ACCOUNT: 'DE11' } });
    expect((await good(restricted, one)).text).not.toContain('BANK');
  });

  it.each([
    ["SIZE eq 'large'", [1, 3]],
    ["COMPANY in ('1000','3000') and AMOUNT lt 100", [2]],
    ["CUSTOMER/COUNTRY ne 'DE'", [3, 4]],
    ['SOLD_ON ge 2026-03-01 or FREE eq true', [4, 5]],
    ['month(SOLD_ON) eq 2', [2, 3]],
    ["not contains(tolower(SIZE),'arg')", [2, 4, 5]],
  ])('match $filter: %s', async ($filter, expected) => {
    expect(await numbersOf(all, { $filter })).toEqual(expected);
  });

  it('match $search only by properties that the caller may see', async () => {
    expect(await numbersOf(all, { $search: 'LARGE NOT 2000' })).toEqual([1]);
    expect(await numbersOf(restricted, { $search: 'small OR large' })).toEqual([1, 2]);
    const customers = (ask: QueryClient) =>
      valuesOf(ask, at('/CUSTOMER_entries', { $search: 'DE33', $select: 'NAME' }));
    expect([await customers(all), await customers(restricted)]).toEqual([[['Cleo, the great']], []]);
  });

  it("match all of the model's filters in filterid and $filter", async () => {
    expect(await numbersOf(all, { filterid: 'LARGE' })).toEqual([1, 3]);
    expect(await numbersOf(all, { filterid: 'LARGE,RICH' })).toEqual([1]);
    expect(await numbersOf(all, { filterid: 'LARGE', $filter: 'AMOUNT lt 200' })).toEqual([3]);
  });

  it('are ordered, limited and counted', async () => {
    const query = {
      $select: 'SALE_NO,SOLD_ON',
      $orderby: 'SOLD_ON desc,SALE_NO',
      $skip: '2',
      $top: '2',
      $count: 'true',
    };
    const answer = await good(all, sales(query));
    expect(valuesIn(answer)).toEqual([
      [2, '2026-02-28'],
      [3, '2026-02-28'],
    ]);
    expect(memberOf(answer.document, '@odata.count')).toBe(5);
    expect(memberOf(answer.document, '@odata.nextLink')).toBeUndefined();
    expect(await numbersOf(all, { top: '1', ORDERBY: 'AMOUNT' })).toEqual([4]);
  });

  it('are paged by the preferred page size, each once, in order', async () => {
    const query = { $select: 'SALE_NO', $orderby: 'COMPANY desc', $filter: 'AMOUNT gt 0', $count: 'true' };
    const first = await good(all, sales(query, { prefer: 'odata.maxpagesize=2' }));
    expect(first.headers.get('preference-applied')).toContain('odata.maxpagesize=2');
    const second = await good(all, { ...nextOf(first), headers: { prefer: 'odata.maxpagesize=2' } });
    expect([first, second].map((answer) => valuesIn(answer).flat())).toEqual([
      [5, 3],
      [2, 1],
    ]);
    for (const { document } of [first, second]) expect(memberOf(document, '@odata.count')).toBe(4);
    expect(memberOf(second.document, '@odata.nextLink')).toBeUndefined();
  });

  it('are counted by /$count', async () => {
    const answer = await good(all, at('/SALE_entries/$count', { $filter: 'AMOUNT ge 100' }));
    expect(answer.text).toBe('2');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain\b/);
    expect((await good(all, at('/SALE_entries/%24count', { filterid: 'RICH' }))).text).toBe('3');
  });

  it('are read by their keys, named or not', async () => {
    for (const key of ['(3)', '(SALE_NO=3)', '(%33)']) {
      const { document } = await good(all, at(`/SALE_entries${key}`, { $select: 'SALE_NO,AMOUNT' }));
      expect(document).toMatchObject({ SALE_NO: 3, AMOUNT: 100 });
    }
    expect((await good(all, at("/COLOUR_entries('red')"))).document).toMatchObject({ NAME: 'red' });
  });
});

/** As spreadsheets and BI tools say it, of metadata and of data alike. */
const ofSpreadsheets = {
  'odata-maxversion': '4.0',
  accept:
    'application/json;odata.metadata=minimal;q=1.0,application/json;odata.streaming=true;q=0.9,' +
    'application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7',
};

describe('a representation', () => {
  it.each([
    ['', {}, {}, 'application/json;odata.metadata=minimal'],
    ['', { $format: 'atom' }, {}, 'application/atomsvc+xml'],
    ['/$metadata', {}, {}, 'application/xml'],
    ['/$metadata', { $format: 'json' }, {}, 'application/json'],
    ['/$metadata', {}, { accept: 'application/json' }, 'application/json'],
    ['/$metadata', { $format: 'xml' }, { accept: 'application/json' }, 'application/xml'],
    ['/$metadata', {}, ofSpreadsheets, 'application/xml'],
    ['/SALE_entries', {}, ofSpreadsheets, 'application/json;odata.metadata=minimal'],
    ['/SALE_entries', {}, {}, 'application/json;odata.metadata=minimal'],
    ['/SALE_entries', {}, { accept: 'application/json;odata.metadata=none' }, 'application/json;odata.metadata=none'],
    ['/SALE_entries', { $format: 'application/json;odata.metadata=full' }, {}, 'application/json;odata.metadata=full'],
    ['/SALE_entries', {}, { accept: 'text/csv, application/json;q=0.1, application/atom+xml' }, 'application/atom+xml'],
    ['/SALE_entries(1)', { $format: 'atom' }, {}, 'application/atom+xml'],
  ])('of "%s" follows $format %j, else Accept %j', async (path, query, headers, type) => {
    const answer = await good(all, at(path, query, headers));
    expect(answer.headers.get('content-type')).toContain(type);
    expect(answer.headers.get('odata-version')).toBe(
      memberNamesOf(headers).includes('odata-maxversion') ? '4.0' : '4.01',
    );
    expect(answer.headers.get('vary')).toContain('Authorization');
  });

  it('has the maximum OData version of the client', async () => {
    for (const path of ['', '/$metadata', '/SALE_entries', '/SALE_entries(1)', '/SALE_entries/$count'])
      for (const version of ['4.0', '4.01']) {
        const { headers } = await good(all, at(path, {}, { 'odata-version': '4.0', 'odata-maxversion': version }));
        expect([path, headers.get('odata-version')]).toEqual([path, version]);
      }
    expect((await good(all, at('/$metadata', {}, { 'odata-maxversion': '4.0' }))).text).toContain('Version="4.0"');
  });

  it('has only headers for HEAD, and supports gzip', async () => {
    const [gateway = ''] = product.gateways;
    const headers = { AppKey: await createTestKey(product) };
    const [whole, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(`${gateway}${service}/$metadata`, { method, headers })),
    );
    expect(await head?.text()).toBe('');
    for (const name of ['content-type', 'content-encoding', 'odata-version', 'vary'])
      expect([name, head?.headers.get(name)]).toEqual([name, whole?.headers.get(name)]);
    expect(head?.headers.get('content-encoding')).toBe('gzip');
    expect(await whole?.text()).toContain('SALE_entries');
  });
});

describe('a policy along a relationship', () => {
  const id = 'trial.countries-km';
  const own = odataPathOf(id);
  const onCustomers = { record: 'CUSTOMER', rows: 'COUNTRY in caller.countries' };
  const model = { kind: 'KnowledgeModel', id, extends: testModelId };

  it('keeps sales of hidden customers out of every part of a batch, and has to be there', async () => {
    const open = await applyModel(product, { ...model, policies: [onCustomers, { record: 'COLOUR', rows: 'all' }] });
    // Sales have a policy by company, which is one of their own.
    expect(open.status).toBe(200);
    const onSales = { record: 'SALE', rows: 'CUSTOMER.COUNTRY in caller.countries' };
    expect((await applyModel(product, { ...model, policies: [onCustomers, onSales] })).status).toBe(200);
    const attributes = { companies: ['1000', '2000'], countries: ['DE'] };
    const [gateway = ''] = product.gateways;
    const german = createQueryClient(gateway, await createTestKey(product, { attributes }));
    const urls = [
      ...['SALE_entries?$select=SALE_NO', 'SALE_entries/$count', 'SALE_entries(3)', 'CUSTOMER_entries(2)/SALE'],
      ...['SALE_entries?$apply=aggregate(AMOUNT with sum as S)', 'SALE_entries?$select=SALE_NO&$expand=CUSTOMER'],
    ];
    const requests = urls.map((url, place) => ({ id: String(place), method: 'get', url }));
    const headers = { prefer: 'continue-on-error' };
    const { document } = await good(german, { path: `${own}/$batch`, headers, body: { requests } });
    // They come in any order.
    const responses = itemsOf(document, 'responses').toSorted(
      (left, right) => Number(memberOf(left, 'id')) - Number(memberOf(right, 'id')),
    );
    const bodies = responses.map((response) => [
      memberOf(response, 'status'),
      memberOf(memberOf(response, 'body'), 'value') ?? memberOf(response, 'body'),
    ]);
    const numbers = [1, 2, 5].map((SALE_NO) => ({ SALE_NO }));
    const hidden = [404, expect.anything()];
    expect(bodies).toMatchObject([[200, numbers], [200, '3'], hidden, hidden, [200, [{ S: 400 }]], [200, numbers]]);
    expect(JSON.stringify(bodies)).not.toContain('Bob');
  });

  it('is asked for where a record leads to one with a policy and has none', async () => {
    const table = { table: 'sale', identifier: ['NO'], attributes: [{ id: 'NO', column: 'sale_no', type: 'integer' }] };
    const mark = { id: 'MARK', ...table };
    const relationships = [{ from: 'MARK', to: 'SALE', on: { NO: 'SALE_NO' }, cardinality: 'many-to-one' }];
    const { status, document } = await applyModel(product, { ...model, records: [mark], relationships });
    expect({ status, text: JSON.stringify(document) }).toEqual({
      status: 400,
      text: expect.stringMatching(
        /MODEL_POLICY_MISSING.*MARK leads to SALE, which has a policy, and has none of its own/,
      ),
    });
  });
});

describe('a batch', () => {
  const urls = ['SALE_entries?$select=SALE_NO', 'SALE_entries/$count', 'SALE_entries(3)', 'CUSTOMER_entries'];
  const furtherUrls = ['CUSTOMER_entries?$select=BANK_ACCOUNT', '$metadata?$format=json', 'SALE_entries?$top=x'];
  const requests = [...urls, ...furtherUrls].map((url, place) => ({ id: String(place), method: 'get', url }));
  const batch = { ...at('/$batch', {}, { prefer: 'continue-on-error' }), body: { requests } };

  it('answers each part as the request alone, under the policies of its caller', async () => {
    for (const ask of [all, restricted, unprivileged]) {
      const responses = itemsOf((await good(ask, batch)).document, 'responses');
      expect(responses).toHaveLength(requests.length);
      for (const response of responses) {
        const url = requests[Number(memberOf(response, 'id'))]?.url ?? '';
        const alone = await ask({ path: `${service}/${url}` });
        const body = memberOf(response, 'body');
        expect({ url, status: memberOf(response, 'status'), body }).toEqual({
          ...{ url, status: alone.status, body: alone.document ?? alone.text },
        });
      }
    }
    const { text } = await good(restricted, batch);
    expect(text).not.toMatch(/DE11|"SALE_NO":3/);
    const statuses = itemsOf(parseJson(text), 'responses').map((each) => [
      memberOf(each, 'id'),
      memberOf(each, 'status'),
    ]);
    expect(new Map(statuses as [string, number][])).toEqual(
      new Map([...['0', '1', '3', '5'].map((id) => [id, 200] as const), ['2', 404], ['4', 400], ['6', 400]]),
    );
  });

  it('of multipart/mixed has the same answers in the order of its parts', async () => {
    const parts = requests.map(
      ({ url }) => `--b\r\nContent-Type: application/http\r\n\r\nGET ${url} HTTP/1.1\r\n\r\n\r\n`,
    );
    const headers = { ...batch.headers, 'Content-Type': 'multipart/mixed; boundary=b' };
    for (const ask of [all, restricted, unprivileged]) {
      const responses = itemsOf((await good(ask, batch)).document, 'responses');
      const answer = await good(ask, { ...batch, headers, body: `${parts.join('')}--b--\r\n` });
      const [, boundary = ''] = (answer.headers.get('content-type') ?? '').split('boundary=');
      const found = answer.text.split(`--${boundary}`).slice(1, -1);
      expect(found).toHaveLength(requests.length);
      for (const [place, part] of found.entries()) {
        const [, head = '', body = ''] = part.split('\r\n\r\n');
        const alike = responses.find((response) => memberOf(response, 'id') === String(place));
        const written = memberOf(alike, 'body');
        expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${String(memberOf(alike, 'status'))} `));
        expect(typeof written === 'string' ? body.trim() : parseJson(body)).toEqual(written);
      }
    }
  });

  it('with another media type is refused with 415', async () => {
    const { status, document } = await all({ ...batch, headers: { 'Content-Type': 'text/plain' } });
    expect({ status, code: textOf(document, 'errorCode') }).toEqual({
      ...{ status: 415, code: 'GENERAL_MEDIATYPE_UNSUPPORTED' },
    });
  });

  it('answers 404 in each part for a model that is not there', async () => {
    const body = { requests: requests.slice(0, urls.length) };
    const { document } = await good(all, { ...batch, body, path: `${odataPathOf('nobody.km')}/$batch` });
    expect(itemsOf(document, 'responses').map((each) => memberOf(each, 'status'))).toEqual(urls.map(() => 404));
  });
});

describe('policies over OData', () => {
  it('apply to rows in every kind of request', async () => {
    for (const [ask, numbers] of [
      [all, [1, 2, 3, 4, 5]],
      [restricted, [1, 2]],
      [unprivileged, []],
    ] as const) {
      expect(await numbersOf(ask, {})).toEqual(numbers);
      expect(await numbersOf(ask, { $orderby: 'AMOUNT', $filter: "SIZE ne 'x'" })).toHaveLength(numbers.length);
      expect(memberOf((await good(ask, sales({ $count: 'true', $top: '0' }))).document, '@odata.count')).toBe(
        numbers.length,
      );
      expect((await good(ask, at('/SALE_entries/$count'))).text).toBe(String(numbers.length));
      expect((await ask(at('/SALE_entries(3)'))).status).toBe(ask === all ? 200 : 404);
    }
  });

  it('answer the same 404 for a hidden and an unknown entry', async () => {
    const [hidden, nobody] = [await restricted(at('/SALE_entries(3)')), await restricted(at('/SALE_entries(9)'))];
    expect(hidden).toMatchObject({ status: 404 });
    expect(hidden.text.replaceAll('3', '9')).toBe(nobody.text);
  });

  it('apply when a caller follows the next link of another caller', async () => {
    const first = await good(all, sales({ $select: 'SALE_NO' }, { prefer: 'odata.maxpagesize=1' }));
    const { status, document } = await restricted(nextOf(first));
    expect(status === 200 ? valuesIn({ document }) : []).toEqual(status === 200 ? [[2]] : []);
  });

  it('hide properties and everything that reads them', async () => {
    const customers = '/CUSTOMER_entries';
    for (const question of [
      at(''),
      at('/$metadata'),
      at('/$metadata', { $format: 'json' }),
      at(customers, { $format: 'application/json;odata.metadata=full' }),
      at(customers, { $format: 'atom' }),
      at(`${customers}(1)`),
    ])
      expect((await good(restricted, question)).text).not.toMatch(/BANK|RICH|DE11/);
    expect((await good(all, at('/$metadata'))).text).toContain('BANK_ACCOUNT');
    expect(memberNamesOf(memberOf((await good(restricted, at(customers))).document, 'value', 0))).toEqual([
      ...['CUSTOMER_NO', 'NAME', 'COUNTRY'],
    ]);
    for (const [name, question] of [
      ['BANK_ACCOUNT', at(customers, { $select: 'BANK_ACCOUNT' })],
      ['BANK', at(customers, { $select: 'NAME,BANK' })],
      ['BANK', at(customers, { $filter: "BANK eq 'DE'" })],
      ['BANK', sales({ $filter: "CUSTOMER/BANK eq 'DE'" })],
      ['BANK_ACCOUNT', at(customers, { $orderby: 'BANK_ACCOUNT desc' })],
      ['BANK', at(`${customers}/$count`, { $filter: "BANK eq 'DE'" })],
      ['BANK', at(`${customers}(BANK='DE')`)],
      ['RICH', at(customers, { filterid: 'RICH' })],
    ] as const) {
      const { status, text } = await restricted(question);
      expect([question, status]).toEqual([question, 400]);
      // Only the requested name appears, and no other hidden name.
      const others = text.split(/\W+/).filter((word) => word !== name);
      expect(others.join(' ')).not.toMatch(/BANK|RICH/);
    }
  });
});

recordAnswers();
