/** Members of requests that no other spec file sends: each is accepted, and the answer fits the contract. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fillPath, type HttpOperation } from '@tessera/contracts';
import { passedOverSettings } from '@tessera/contracts/agents';
import { recordAnswers } from './compatibility/record-answers.js';
import { documentedOperations } from './compatibility/operation-members.js';
import { sendRequest, createRequestTargetResolver, type RequestOptions, type RequestTarget } from './group-a.js';
import { createQueryClient, validRequestFor, type QueryClient, type QueryRequest } from './group-d.js';
import { memberOf, memberNamesOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { firstElementOf, createTestStorage, writeStorage } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

let product: RunningProduct;
let targetOf: (operation: HttpOperation) => Promise<RequestTarget>;
let queryModel: QueryClient;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestStorage(product);
  targetOf = await createRequestTargetResolver(product);
  await createTestModel(product);
  const key = await createTestKey(product, { furtherScopes: ['sales:all', 'finance:read'] });
  queryModel = createQueryClient(product.gateways[0] ?? '', key);
});

const operationOf = (name: string) => {
  const operation = documentedOperations.find((each) => each.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  return operation;
};

describe('content', () => {
  const selection = { $expandRelated: 'uses', $resources: 'attributes,related,content,children', $select: 'name,uses' };
  const paging = { $page: '1', $pageSize: '2' };
  // Other specs add storages and elements: all of them are on the first page, whoever was first.
  const onOnePage = { $page: '1', $pageSize: '100' };
  const filter = { $filter: "type -eq 'process'" };
  const rows: readonly (readonly [string, RequestOptions])[] = [
    ['content.facets.list', { headers: { 'accept-language': 'de' } }],
    ['content.views.list', { headers: { 'accept-language': 'de' } }],
    ['content.storages.listReadable', { query: onOnePage }],
    ['content.elements.search', { query: { $search: 'order', $facet: 'processes', $culture: '1033', ...onOnePage } }],
    ['content.children.list', { query: { ...selection, ...paging, ...filter } }],
    ['content.elements.list', { query: { ...selection, ...paging, ...filter } }],
    ['content.elements.read', { query: { ...selection, $resources: 'attributes,rootPath' } }],
    ['content.content.list', { query: paging }],
    ['content.attributes.list', { query: { $select: 'name', ...filter } }],
    ['content.relations.list', { query: { $select: 'name,uses', $expandRelated: 'uses', ...filter } }],
    ['content.relations.read', { query: { ...paging, $expandRelated: 'uses', ...filter } }],
    ['content.elements.describe', { headers: { 'accept-language': 'de' } }],
    ['content.versions.list', { query: { $resources: 'attributes', $select: 'name' } }],
    ['content.reporting.facet', { query: { ...selection, ...filter, viewId: 'detail' } }],
    ['content.reporting.element', { query: { ...selection, ...filter, viewId: 'detail' } }],
  ];

  it.each(rows)('%s accepts filters and options', async (name, asked) => {
    const operation = operationOf(name);
    const { status, document } = await sendRequest(product, operation, await targetOf(operation), asked);
    expect({ status, document }).toMatchObject({ status: 200 });
  });

  it.each(['content.children.list', 'content.elements.list'])(
    '%s continues after the page selection key of a page',
    async (name) => {
      const operation = operationOf(name);
      const { path } = await targetOf(operation);
      const parent = path['elementId'];
      const children = [1, 2].map(() => ({
        type: 'process',
        parentId: parent,
        attributes: { name: { 1033: 'More' } },
      }));
      const written = await writeStorage(product, '/facets/processes/views/detail/elements', { elements: children });
      const child = { ...path, elementId: textOf(firstElementOf(written), 'id') };
      const read = await sendRequest(
        product,
        operationOf('content.elements.read'),
        { path: child },
        { query: { $resources: 'rootPath' } },
      );
      expect(memberOf(firstElementOf(read), 'rootPath', 0, 'id')).toBe(parent);
      const first = await sendRequest(product, operation, { path }, { query: { $pageSize: '1' } });
      const $pageSelectionKey = first.headers.get('x-page-selection-key') ?? textOf(first.document, 'pageSelectionKey');
      const second = await sendRequest(product, operation, { path }, { query: { $pageSize: '1', $pageSelectionKey } });
      expect(second.status).toBe(200);
      expect(second.text).not.toBe(first.text);
    },
  );

  it('creates an element with a given key once, and updates it on later writes', async () => {
    const address = '/facets/processes/views/detail/elements?match=key';
    const named = (name: string) => ({
      elements: [{ key: 'matched', type: 'area', attributes: { name: { 1033: name } } }],
    });
    const [made, updated] = [
      await writeStorage(product, address, named('One')),
      await writeStorage(product, address, named('Two')),
    ];
    expect(textOf(firstElementOf(updated), 'id')).toBe(textOf(firstElementOf(made), 'id'));
    expect(memberOf(firstElementOf(updated), 'attributes', 'name', '1033')).toBe('Two');
  });

  it('accepts a page of elements that is written back unchanged', async () => {
    const address = '/facets/processes/views/detail/elements';
    const name = { 1033: 'Read and sent back' };
    await writeStorage(product, address, { elements: [1, 2].map(() => ({ type: 'process', attributes: { name } })) });
    const list = operationOf('content.elements.list');
    const query = { $filter: "name -eq 'Read and sent back'", $pageSize: '1' };
    const read = await sendRequest(product, list, await targetOf(list), { query });
    expect(memberNamesOf(read.document)).toEqual(['count', 'nextUri', 'elements']);
    const sent = read.text.replace(/"createdOn":\{"127":"[^"]*"\}/, '"createdOn":{"127":"2020-01-01T00:00:00"}');
    const { document } = await writeStorage(product, address, parseJson(sent));
    expect(memberOf(document, 'message')).toBe(
      'Ignored, since only the server writes it: elements.0.attributes.createdOn.',
    );
    expect(memberOf(document, 'elements')).toEqual(memberOf(read.document, 'elements'));
  });

  it('changes the state of a version once in spite of warnings', async () => {
    const operation = operationOf('content.transitions.perform');
    const target = await targetOf(operation);
    const change = () => sendRequest(product, operation, target, { query: { ignoreWarnings: 'true' } });
    expect(await change()).toMatchObject({ status: 200 });
    expect(await change()).toMatchObject({ status: 409 });
  });

  it('accepts an element that is written back unchanged, with every member', async () => {
    const operation = operationOf('content.elements.write');
    const { path } = await targetOf(operation);
    const name = { 1033: 'Whole' };
    const created = await writeStorage(product, '/facets/processes/views/detail/elements', {
      elements: [
        {
          ...{
            type: 'process',
            stereotype: null,
            key: `whole-${randomUUID()}x`,
            facetName: 'processes',
            creationId: randomUUID(),
          },
          ...{
            attributes: { name },
            related: { uses: [] },
            parentId: null,
            displayNames: {},
            expandUri: 'x',
            rootPath: [],
          },
          versions: [],
          content: [
            {
              id: randomUUID(),
              type: 'symbol',
              creationId: randomUUID(),
              facetName: 'processes',
              attributes: { name: 'Symbol' },
            },
          ],
        },
      ],
    });
    expect(created).toMatchObject({ status: 200 });
    const element = firstElementOf(created);
    const body = (text: string, relations: 'related' | 'relations'): object => ({
      elements: [
        {
          ...{
            id: memberOf(element, 'id'),
            versionId: memberOf(element, 'versionId'),
            state: memberOf(element, 'state'),
          },
          ...{ attributes: { name: { 1033: text } }, [relations]: {} },
          content: [
            {
              ...{ type: 'symbol', stereotype: null, key: 'symbol', [relations]: {}, displayNames: {}, expandUri: 'x' },
              ...{ state: memberOf(element, 'content', 0, 'state') },
            },
          ],
        },
      ],
    });
    const update = (text: string, etag: string, relations: 'related' | 'relations' = 'related') =>
      sendRequest(product, operation, { path, body: body(text, relations) }, { headers: { 'if-match': etag } });
    expect(await update('Again', '*')).toMatchObject({ status: 200 });
    expect(await update('Once more', '*', 'relations')).toMatchObject({ status: 200 });
    const late = await update('Late', '"old"');
    expect(late).toMatchObject({ status: 412 });
    const faulty = { path, body: { elements: [{ type: 'process', attributes: { nothing: 'x' } }] } };
    expect(await sendRequest(product, operation, faulty)).toMatchObject({ status: 400 });
  });
});

describe('knowledge models', () => {
  const filters = { filters: 'LARGE', filterExpr: 'SALE.AMOUNT gt 1' };
  const search = { searchTerm: 'large', searchPrecision: '100', searchField: 'SALE.SIZE' };
  const paging = { page: '0', pageSize: '2' };
  const whole = { fields: 'SALE.SALE_NO,SALE.SIZE', ...filters, ...search, ...paging, options: 'distinct' };
  const ofRecord = {
    ...{ fields: 'SALE_NO,SIZE', filters: 'LARGE', filterExpr: 'AMOUNT gt 1', ...paging, options: 'distinct' },
    ...{ searchTerm: 'large', searchPrecision: '100', searchField: 'SIZE', sort: '-SALE_NO' },
  };
  const projection = (record: string, more: object = {}): QueryRequest['body'] => ({
    projection: {
      ...{ fields: `${record}SALE_NO,${record}SIZE`, sort: `-${record}SALE_NO`, options: ['distinct'] },
      filters: { kmFilterNames: ['LARGE'], filterExpr: [`${record}AMOUNT gt 1`] },
      pagination: { pageNumber: 0, pageSize: 2 },
      search: { term: 'large', field: `${record}SIZE`, precision: 100 },
      ...more,
    },
  });
  // The parameter decides, whatever is accepted.
  const asJson = { query: { $format: 'json' }, headers: { accept: 'text/csv', prefer: 'evidence' } };
  const sorted = { query: { ...paging, sort: 'name' } };
  const ofItems = {
    ...{ $filter: 'AMOUNT gt @least', '@least': '1', filterid: 'LARGE', $select: 'SALE_NO', $expand: 'CUSTOMER' },
    ...{ $search: '1000', $orderby: 'AMOUNT', $top: '2', $skip: '0', $count: 'true', $format: 'json' },
  };
  const part = { method: 'get', url: 'SALE_entries?$top=1' };
  const parts = [
    { id: '1', ...part, headers: { prefer: 'maxpagesize=1' }, atomicityGroup: 'g' },
    { id: '2', ...part, dependsOn: ['g'] },
    { id: '3', ...part, if: '$1 ne null', body: {} },
  ];
  const rows: readonly (readonly [string, Omit<QueryRequest, 'path'>])[] = [
    ['knowledge.models.list', sorted],
    ['knowledge.records.list', sorted],
    ['knowledge.filters.list', sorted],
    ['knowledge.kpis.list', sorted],
    ['knowledge.records.read', { query: { sort: 'name' } }],
    ['knowledge.models.spec', { query: { curated: 'true' }, headers: { accept: 'application/json' } }],
    ['knowledge.models.data', { ...asJson, query: { ...whole, ...asJson.query } }],
    ['knowledge.models.query', { ...asJson, query: { ...whole, ...asJson.query, kpis: 'REVENUE' } }],
    ['knowledge.models.data', { query: { fields: 'SALE.SOLD_ON:month', kpis: 'REVENUE' } }],
    ['knowledge.records.data', { ...asJson, query: { ...ofRecord, ...asJson.query } }],
    ['knowledge.records.query', { ...asJson, query: { ...ofRecord, ...asJson.query } }],
    [
      'knowledge.records.summary',
      { query: { filters: 'LARGE', filterExpr: 'AMOUNT gt 1', sampleSize: '1', fields: 'SIZE' } },
    ],
    ['knowledge.records.summary', { query: { excludeFields: 'SIZE' } }],
    ['knowledge.models.queryData', { ...asJson, body: projection('SALE.', { kpis: [] }) }],
    ['knowledge.models.postQuery', { ...asJson, body: projection('SALE.', { kpis: ['REVENUE'] }) }],
    ['knowledge.records.queryData', { ...asJson, body: projection('') }],
    ['knowledge.records.postQuery', { ...asJson, body: projection('') }],
    ['knowledge.odata.entries', { query: { $filter: 'AMOUNT gt @least', '@least': '1' } }],
    ['knowledge.odata.count', { query: { $filter: 'AMOUNT gt @least', '@least': '1' } }],
    ['knowledge.odata.entries', { query: { $apply: 'groupby((SIZE),aggregate(REVENUE))' } }],
    ['knowledge.odata.count', { query: { $apply: 'groupby((SIZE))' } }],
    [
      'knowledge.odata.count',
      { query: { filterid: 'LARGE', $format: 'text/plain' }, headers: { accept: 'text/plain' } },
    ],
    ['knowledge.odata.part', { query: ofItems, headers: { prefer: 'maxpagesize=2' } }],
    ['knowledge.odata.entries', { query: ofItems }],
    ['knowledge.odata.link', { query: ofItems }],
    ['knowledge.odata.count', { query: { $search: '1000' } }],
    [
      'knowledge.odata.linkCount',
      { query: { $filter: 'AMOUNT gt @least', '@least': '1', filterid: 'LARGE', $search: '1000' } },
    ],
    ['knowledge.records.query', { query: { options: 'nototal' } }],
    ['knowledge.queries.explainOwn', { body: { record: 'SALE', query: projection('', { kpis: [] }) } }],
    ['knowledge.odata.service', { headers: { accept: 'application/json' } }],
    ['gateway.odata.batch', { headers: { prefer: 'continue-on-error' }, body: { requests: parts } }],
  ];

  it.each(rows)('%s accepts filters and options', async (name, { query, body, headers = {} }) => {
    const { path } = validRequestFor(operationOf(name));
    const { status, text } = await queryModel({
      path,
      headers,
      ...(query && { query }),
      ...(body !== undefined && { body }),
    });
    expect({ status, text }).toMatchObject({ status: 200 });
  });

  it('return all rows of a record at once as CSV when the client accepts it', async () => {
    const path = `/${testModelId}/records/SALE/query`;
    const query = { fields: 'SALE_NO,SIZE', sort: 'SALE_NO' };
    const { document } = await queryModel({ path, query: { ...query, pageSize: '5000' } });
    const { text, headers } = await queryModel({ path, query, headers: { accept: 'text/csv' } });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = memberOf(document, 'content');
    const lines = (Array.isArray(rows) ? rows : []).map(
      (row: unknown) => `${String(memberOf(row, 'SALE_NO'))},${String(memberOf(row, 'SIZE'))}`,
    );
    expect(text).toBe(['SALE_NO,SIZE', ...lines, ''].join('\r\n'));
  });

  it('of the demo show what they extend and the targets of their KPIs', async () => {
    const queryDemo = createQueryClient(product.gateways[0] ?? '', product.environment['DEMO_KEY'] ?? '');
    expect(memberOf((await queryDemo({ path: '/p2p.de-km' })).document, 'extendedKMId')).toBe('p2p.base-km');
    const { text } = await queryDemo({ path: '/p2p.base-km/kpis', query: { pageSize: '100' } });
    expect(text).toContain('"target":');
    const all = 'SALE_NO,CUSTOMER_NO,COMPANY,AMOUNT,SOLD_ON,SIZE,FREE';
    const path = `/${testModelId}/records/SALE/summary`;
    expect(await queryModel({ path, query: { excludeFields: all } })).toMatchObject({ status: 400 });
  });

  it.each([
    ['SORT_UNKNOWN_FIELD', { fields: 'SALE_NO', sort: 'NOTHING' }],
    ['SORT_HAS_OPPOSITE', { fields: 'SALE_NO', sort: 'SALE_NO,-SALE_NO' }],
    ['SORT_IS_EMPTY', { fields: 'SALE_NO', sort: ',' }],
    ['KM_FIELD_NOTFOUND', { fields: 'NOTHING' }],
    ['KM_FILTER_NOTFOUND', { fields: 'SALE_NO', filters: 'NOTHING' }],
    ['KM_FILTER_SYNTAX', { fields: 'SALE_NO', filterExpr: '(' }],
    ['KM_FILTER_TYPE', { fields: 'SALE_NO', filterExpr: "AMOUNT eq 'x'" }],
  ])('reject an invalid query with %s', async (code, query) => {
    expect(await queryModel({ path: `/${testModelId}/records/SALE/data`, query })).toMatchObject({
      status: 400,
      document: { errorCode: code },
    });
  });
});

/** With the key of the demo; `members`: those of the path. */
const send = async (name: string, members: Readonly<Record<string, string>>, more: RequestInit = {}, query = '') => {
  const { http } = operationOf(name);
  const path = fillPath(http, (member) => encodeURIComponent(members[member] ?? ''));
  const response = await fetch(`${product.gateways[0]}${path}${query}`, {
    method: http.method.toUpperCase(),
    ...more,
    headers: { AppKey: product.environment['DEMO_KEY'] ?? '', 'Content-Type': 'application/json', ...more.headers },
  });
  const text = await response.text();
  return { status: response.status, document: text.startsWith('{') ? parseJson(text) : undefined };
};

describe('tools', () => {
  const asset = { asset_id: 'p2p-tools' };

  it('are listed with their assets, and their calls for who made them', async () => {
    expect(await send('tools.assets.list', {}, {}, '?after=a&pageSize=100')).toMatchObject({ status: 200 });
    const { document } = await send('tools.list', asset, {}, '?draft=false');
    expect(memberNamesOf(document)).toEqual(['name', 'instructions', 'version', 'tools']);
    const called = { ...asset, tool_id: 'get-knowledge-model' };
    for (let count = 0; count < 2; count++)
      expect(await send('tools.call', called, { body: '{}' })).toMatchObject({ status: 200 });
    const times = 'from=2026-01-01T00:00:00Z&to=9999-12-31T00:00:00Z';
    const narrowed = `?assetId=p2p-tools&toolId=${called.tool_id}&outcome=ok&${times}&pageSize=1`;
    const first = await send('tools.calls.listOwn', {}, {}, narrowed);
    const next = textOf(first.document, 'next');
    const second = await send('tools.calls.listOwn', {}, {}, `${narrowed}&after=${next}`);
    expect(memberOf(second.document, 'calls', 0, 'toolId')).toBe(called.tool_id);
    expect(await send('tools.list', { asset_id: 'nothing' })).toMatchObject({ status: 404 });
  });
});

describe('agents', () => {
  const agent = { agent_id: 'p2p-analyst' };

  it('are listed with their conversations, which are read in pages and deleted', async () => {
    expect(await send('agents.list', {})).toMatchObject({ status: 200 });
    const key = randomUUID();
    const say = (message: object, headers: Readonly<Record<string, string>> = {}, query = '') =>
      send('agents.converse', agent, { body: JSON.stringify(message), headers }, query);
    const begun = await say({ message: 'What is the maverick rate?' }, { 'idempotency-key': key }, '?draft=false');
    expect(begun).toMatchObject({ status: 200 });
    expect(await say({ message: 'Another one.' }, { 'idempotency-key': key })).toMatchObject({ status: 422 });
    const conversation_id = textOf(begun.document, 'conversationId');
    const json = { accept: 'application/json', prefer: 'evidence' };
    expect(await say({ message: 'And of Valencia?', conversationId: conversation_id }, json)).toMatchObject({
      status: 200,
    });
    await say({ message: 'What is the discount rate?' });
    const after = textOf((await send('agents.conversations.list', agent, {}, '?pageSize=1')).document, 'next');
    expect(await send('agents.conversations.list', agent, {}, `?after=${after}`)).toMatchObject({ status: 200 });
    const turns = '?fromTurn=2&turnsMax=1';
    const named = { ...agent, conversation_id };
    expect(await send('agents.conversations.read', named, {}, turns)).toMatchObject({ status: 200 });
    expect(await send('agents.conversations.delete', named)).toMatchObject({ status: 200 });
    expect(await send('agents.conversations.delete', named)).toMatchObject({ status: 404 });
  });

  it('are asked by the chat completions protocol, with every member that it reads', async () => {
    const said = { role: 'assistant', content: null, name: 'a', refusal: null, annotations: [], audio: null, id: 'm' };
    const messages = [
      {
        ...{ ...said, tool_calls: null, function_call: null, reasoning: '', reasoning_content: '', cache_control: {} },
        reasoning_details: [],
      },
      {
        role: 'user',
        content: [{ type: 'text', text: 'What is the maverick rate?', annotations: [], cache_control: {} }],
      },
    ];
    const answers = {
      ...Object.fromEntries(passedOverSettings.map((name) => [name, 1])),
      ...{
        stream: false,
        stream_options: { include_usage: false, include_obfuscation: false },
        tools: [],
        functions: [],
        tool_choice: 'none',
        n: 1,
      },
      ...{ response_format: { type: 'text', json_schema: null, schema: null }, modalities: ['text'], logprobs: false },
    };
    const complete = (more: object, headers: Readonly<Record<string, string>> = {}, query = '') =>
      send(
        'agents.completions.create',
        agent,
        { body: JSON.stringify({ model: 'p2p-analyst', messages, ...more }), headers },
        query,
      );
    const headers = { 'idempotency-key': randomUUID(), prefer: 'evidence' };
    const begun = await complete(answers, headers, '?draft=false');
    expect(begun).toMatchObject({ status: 200, document: { tessera: { grounding: { outcome: 'verified' } } } });
    const conversation_id = textOf(begun.document, 'metadata', 'conversation_id');
    expect(await complete({ metadata: { conversation_id } })).toMatchObject({ status: 200 });
    const parts = [{ role: 'user', content: [{ type: 'text', text: 'And of Valencia?' }] }];
    expect(await complete({ user: `conversation:${conversation_id}`, messages: parts, temperature: 0 })).toMatchObject({
      status: 200,
    });
    expect(await complete({ n: 2 })).toMatchObject({ status: 400 });
    expect(await send('agents.completions.models', agent, {}, '?draft=false')).toMatchObject({ status: 200 });
    expect(await send('agents.completions.models', { agent_id: 'nobody' })).toMatchObject({ status: 404 });
    const model = { ...agent, model_id: 'p2p-analyst' };
    expect(await send('agents.completions.model', model, {}, '?draft=false')).toMatchObject({ status: 200 });
    expect(await send('agents.completions.model', { ...agent, model_id: 'nobody' })).toMatchObject({ status: 404 });
  });

  it('have tools that can be executed without a conversation', async () => {
    const tool = { ...agent, tool_id: 'get-knowledge-model' };
    expect(await send('agents.tools.spec', agent, {}, '?version=3.0')).toMatchObject({ status: 200 });
    expect(await send('agents.tools.execute', tool, { body: '{}' }, '?draft=false')).toMatchObject({ status: 200 });
    expect(await send('agents.tools.execute', tool, { body: '{"x":1}' })).toMatchObject({ status: 400 });
    const unknown = { ...agent, tool_id: 'nothing' };
    expect(await send('agents.tools.execute', unknown, { body: '{}' })).toMatchObject({ status: 404 });
    expect(await send('agents.conversations.list', { agent_id: 'nobody' })).toMatchObject({ status: 404 });
  });
});

recordAnswers();
