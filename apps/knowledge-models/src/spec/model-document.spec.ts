import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createCallerView, checkModel } from '@tessera/knowledge-model';
import { companyModel, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import type { Json } from '../testing/fixture.js';
import { createModelDocument } from './model-document.js';

type Asked = { readonly scopes?: readonly string[]; readonly onlyCurated?: boolean };

const documentOf = (definition: KnowledgeModelDefinition, { scopes = [], onlyCurated = false }: Asked = {}): Json => {
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const view = createCallerView(checked, { scopes, attributes: {} });
  return JSON.parse(
    JSON.stringify(createModelDocument(view, { version: 7, publicUrl: 'https://tessera.example', onlyCurated })),
  );
};
const prefix = '/intelligence/api/knowledge-models/p2p.base-km';
const faultsIn = async (document: Json) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  return valid ? [] : errors;
};
const operationIds = ({ paths }: Json): readonly string[] =>
  Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item).map(({ operationId }) => operationId));

describe('the specification of a model', () => {
  const document = documentOf(companyModel, financeCaller);
  const { schemas } = document.components;

  it('is OpenAPI 3.0.3', async () => {
    expect(document.openapi).toBe('3.0.3');
    expect(await faultsIn(document)).toEqual([]);
    expect(document.info).toEqual({
      title: 'Purchase to pay',
      description: 'Orders and what was paid for them.',
      version: '7',
    });
    expect(document.servers).toEqual([{ url: 'https://tessera.example' }]);
  });

  it('has a query operation for each record and one for the KPIs, by parameters and by body', () => {
    expect(Object.keys(document.paths)).toEqual([
      `${prefix}/records/PO_ITEM/query`,
      `${prefix}/records/PURCHASE_ORDER/query`,
      `${prefix}/records/CURRENCY/query`,
      `${prefix}/query`,
    ]);
    expect(operationIds(document)).toEqual([
      'queryPoItem',
      'postQueryPoItem',
      'queryPurchaseOrder',
      'postQueryPurchaseOrder',
      'queryCurrency',
      'postQueryCurrency',
      'queryModel',
      'postQueryModel',
    ]);
    const { get, post } = document.paths[`${prefix}/records/PO_ITEM/query`];
    expect([get.summary, get.description]).toEqual(['Query: Order item', 'One line of an order.']);
    expect(Object.keys(post.responses)).toEqual(['200', '400', '401', '403', '404', '429', '500', '503']);
  });

  it('has no query operation for KPIs when there are none', () => {
    const { kpis: _, filters: __, ...others } = companyModel;
    const plain = documentOf(others);
    expect(Object.keys(plain.paths)).toHaveLength(3);
    expect(JSON.stringify(plain)).not.toMatch(/Model(?:Row|Kpi)|Filter"/);
  });

  it('has the periods of each date, by which KPIs are grouped', () => {
    const names = (date: string) => ['day', 'week', 'month', 'quarter', 'year'].map((grain) => `${date}:${grain}`);
    expect(Object.keys(schemas.PoItemRow.properties).filter((name) => name.includes(':'))).toEqual(
      ['DUE', 'PLANNED', 'BOOKED'].flatMap(names),
    );
    expect(schemas.PoItemRow.properties['BOOKED:month']).toEqual({
      ...{ title: 'BOOKED (month)', description: 'The first day of the month.' },
      ...{ type: 'string', format: 'date', nullable: true },
    });
    expect(schemas.ModelField.enum).toEqual(expect.arrayContaining(names('PO_ITEM.DUE')));
  });

  it('describes each field with type, format, unit and texts', () => {
    const fields = Object.entries(schemas.PoItemRow.properties).filter(([name]) => !name.includes(':'));
    expect(Object.fromEntries(fields)).toEqual({
      ORDER_NO: { title: 'Order', type: 'string' },
      ITEM_NO: { title: 'item', type: 'integer', format: 'int64' },
      AMOUNT: {
        title: 'Net amount',
        description: 'Unit: EUR.',
        type: 'number',
        format: 'double',
        nullable: true,
        'x-unit': 'EUR',
        'x-format': ',.2f',
      },
      QTY: { title: 'QTY', type: 'integer', format: 'int64', nullable: true },
      CITY: { title: 'CITY', description: 'Where it goes.', type: 'string', nullable: true },
      URGENT: { title: 'URGENT', type: 'boolean', nullable: true },
      DUE: { title: 'DUE', type: 'string', format: 'date', nullable: true },
      CUTOFF: { title: 'CUTOFF', type: 'string', format: 'time-local', nullable: true },
      PLANNED: { title: 'PLANNED', type: 'string', format: 'date-time-local', nullable: true },
      BOOKED: { title: 'BOOKED', type: 'string', format: 'date-time', nullable: true },
      SERIAL: { title: 'SERIAL', type: 'string', pattern: '^-?[0-9]+$', nullable: true },
      BANK_ACCOUNT: { title: 'Bank account', type: 'string', nullable: true },
      COMPANY_CODE: { title: 'COMPANY_CODE', type: 'string', nullable: true },
      SIZE: { title: 'Size class', type: 'string' },
      ACCOUNT_COUNTRY: { title: 'ACCOUNT_COUNTRY', type: 'string', nullable: true },
      OPEN: { title: 'Still open', type: 'boolean' },
      UNBANKED: { title: 'UNBANKED', type: 'boolean' },
    });
  });

  it('describes each KPI with unit, direction and target, beside the fields of all records', () => {
    const { properties } = schemas.ModelRow;
    expect(properties.ORDER_VALUE).toEqual({
      title: 'Order value',
      description: 'What was ordered.\n\nUnit: EUR.',
      type: 'number',
      format: 'double',
      nullable: true,
      'x-unit': 'EUR',
      'x-format': ',.0f',
      'x-direction': 'Up',
      'x-target': '1000000',
    });
    expect(properties.ACCOUNTS).toMatchObject({ type: 'integer', format: 'int64' });
    expect(properties['PO_ITEM.ITEM_NO']).toEqual({ title: 'item', type: 'integer', format: 'int64', nullable: true });
    expect(schemas.ModelKpi.enum).toEqual(['ORDER_VALUE', 'LARGE_RATE', 'ACCOUNTS', 'ACCOUNTS_AGAIN']);
    expect(schemas.ModelField.enum).toContain('CURRENCY.CODE');
    expect(schemas.ModelSort.enum).toEqual(expect.arrayContaining(['-ORDER_VALUE', 'PO_ITEM.SIZE']));
  });

  it('lists the ids that parameters accept: sortable and searchable fields, and filters that fit the record', () => {
    const { get } = document.paths[`${prefix}/records/PO_ITEM/query`];
    const parameter = (name: string) => get.parameters.find((each: Json) => each.name === name);
    expect(parameter('fields')).toEqual({
      name: 'fields',
      in: 'query',
      description: expect.any(String),
      schema: { type: 'array', maxItems: 200, items: { $ref: '#/components/schemas/PoItemField' } },
      style: 'form',
      explode: false,
    });
    expect(schemas.PoItemField.enum).toEqual(Object.keys(schemas.PoItemRow.properties));
    expect(schemas.PoItemSort.enum.slice(0, 6)).toEqual([
      'ORDER_NO',
      '-ORDER_NO',
      'ITEM_NO',
      '-ITEM_NO',
      'AMOUNT',
      '-AMOUNT',
    ]);
    expect(schemas.PoItemSort.enum).not.toContain('QTY');
    expect(parameter('searchField').schema.items.enum).toEqual([
      'ORDER_NO',
      'CITY',
      'BANK_ACCOUNT',
      'COMPANY_CODE',
      'SIZE',
      'ACCOUNT_COUNTRY',
    ]);
    expect(schemas.PoItemFilter.enum).toEqual(['LARGE', 'GERMAN', 'BANKED', 'FOREIGN']);
    expect(schemas.CurrencyFilter.enum).toEqual(['EURO']);
    expect(schemas.ModelFilter.enum).toEqual(['LARGE', 'GERMAN', 'EURO', 'HIGH', 'BANKED', 'FOREIGN']);
    expect(parameter('kpis')).toBeUndefined();
  });

  it('accepts in the body what the contract accepts, with the ids of the model', () => {
    const question = schemas.ModelQuestion.properties.projection.properties;
    expect(Object.keys(question).sort()).toEqual([
      'fields',
      'filters',
      'kpis',
      'options',
      'pagination',
      'search',
      'sort',
    ]);
    expect(question.kpis.anyOf).toEqual([
      { type: 'string' },
      { type: 'array', items: { $ref: '#/components/schemas/ModelKpi' } },
    ]);
    expect(question.filters.properties.kmFilterNames.items).toEqual({ $ref: '#/components/schemas/ModelFilter' });
    expect(schemas.CurrencyQuestion.properties.projection.properties.kpis).toBeUndefined();
  });

  it('has both security schemes and the error schema of the query API', () => {
    expect(document.security).toEqual([{ bearer: [] }, { appKey: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      appKey: { type: 'apiKey', in: 'header', name: 'AppKey' },
    });
    expect(document.components.responses.TooManyRequests.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/errorDTO' } },
    });
  });

  it('leaves out fields and KPIs hidden from the caller', async () => {
    const seen = documentOf(companyModel);
    expect(await faultsIn(seen)).toEqual([]);
    expect(JSON.stringify(seen)).not.toMatch(hiddenWordsPattern);
    expect(seen.components.schemas.ModelKpi.enum).toEqual(['ORDER_VALUE', 'LARGE_RATE']);
    expect(seen.components.schemas.PoItemFilter.enum).toEqual(['LARGE', 'GERMAN']);
  });

  it('contains only curated records on request, and only their fields with the KPIs', async () => {
    const curated = documentOf(companyModel, { onlyCurated: true });
    expect(Object.keys(curated.paths)).toEqual([`${prefix}/records/PO_ITEM/query`, `${prefix}/query`]);
    expect(curated.components.schemas.ModelField.enum).not.toContain('PURCHASE_ORDER.COUNTRY');
    expect(curated.components.schemas.ModelField.enum).toContain('PO_ITEM.SIZE');
    expect(JSON.stringify(curated)).not.toMatch(/PurchaseOrder|CURRENCY/);
    expect(await faultsIn(curated)).toEqual([]);
  });
});

describe('the names in a specification', () => {
  const record = (id: string) => ({
    id,
    table: 't',
    identifier: ['ID'],
    attributes: [{ id: 'ID', column: 'id', type: 'integer' as const, sortable: false }],
  });
  const ids = ['PO_ITEM', 'PoItem', 'po-item', 'MODEL', '_', '_1', 'x', 'X', 'ERROR_DTO', 'A', 'A_ROW', 'POItem'];
  const document = documentOf({
    kind: 'KnowledgeModel',
    id: 'p2p.base-km',
    source: { schema: 's' },
    records: ids.map(record),
    kpis: [{ id: 'K', expression: 'count(A.*)' }],
  });

  it('are legal and unique for any ids, also when compared without case', async () => {
    expect(await faultsIn(document)).toEqual([]);
    const names = operationIds(document);
    expect(names).toHaveLength(2 * (ids.length + 1));
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const schemas = Object.keys(document.components.schemas);
    expect(new Set(schemas.map((name) => name.toLowerCase())).size).toBe(schemas.length);
    expect(schemas.filter((name) => name.endsWith('Page'))).toEqual([
      'PoItemPage',
      'PoItem2Page',
      'PoItem3Page',
      'Model2Page',
      'RecordPage',
      'Record1Page',
      'XPage',
      'X2Page',
      'ErrorDtoPage',
      'APage',
      'ARowPage',
      'Poitem4Page',
      'ModelPage',
    ]);
  });

  it('leave out the sort without sortable fields, and the search without text fields', () => {
    const { get } = document.paths[`${prefix}/records/A/query`];
    const names = get.parameters.map((each: Json) => each.name ?? each.$ref.split('/').at(-1));
    expect(names).toEqual(['fields', 'page', 'pageSize', 'filterExpr', 'options']);
  });
});
