/** Lists and details of models as callers get them, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  listFilters,
  listKpis,
  listModels,
  listRecords,
  readModel,
  readRecord,
  readRecordQuery,
} from '@tessera/contracts/knowledge-models';
import { compileQuery } from '@tessera/knowledge-model';
import { CallerModels } from '../catalog/caller-models.js';
import { parseQueryParameters } from '../queries/parse-query.js';
import { companyModel, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import {
  readJsonAnswer,
  callerContextOf,
  type Json,
  openFixture,
  readFailure,
  type Fixture,
  type TestCaller,
} from '../testing/fixture.js';
import { ListsHandler } from './lists.handler.js';

let fixture: Fixture;
let lists: ListsHandler;

const child = { kind: 'KnowledgeModel', id: 'p2p.de-km', name: 'Ankauf', extends: 'p2p.base-km' } as const;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', companyModel, child);
  await fixture.publish('northgate', { ...companyModel, id: 'sales' });
  lists = new ListsHandler(fixture.catalogs, new CallerModels(fixture.catalogs));
});
afterAll(() => fixture?.end());

const km = { km_id: 'p2p.base-km' };
const as = (who: TestCaller = {}) => callerContextOf('meridian', who);
const askModels = (query: object = {}, team = 'meridian') =>
  lists.listModels(listModels.request.parse(query), callerContextOf(team));
const askRecords = (query: object = {}, who?: TestCaller) =>
  lists.listRecords(listRecords.request.parse({ ...km, ...query }), as(who));
const askKpis = (query: object = {}, who?: TestCaller) =>
  lists.listKpis(listKpis.request.parse({ ...km, ...query }), as(who));
const askFilters = (query: object = {}, who?: TestCaller) =>
  lists.listFilters(listFilters.request.parse({ ...km, ...query }), as(who));
const askRecord = (query: object = {}, who?: TestCaller) =>
  lists.readRecord(readRecord.request.parse({ ...km, record_id: 'PO_ITEM', ...query }), as(who));

const idsWithoutFields = async (): Promise<readonly string[]> => {
  const model = await new CallerModels(fixture.catalogs).find(as(financeCaller).caller, 'p2p.base-km');
  const parsed = parseQueryParameters(readRecordQuery.request.parse({ ...km, record_id: 'PO_ITEM' }), {
    record: 'PO_ITEM',
  });
  if (!model.ok || !parsed.ok) throw new Error('The record cannot be queried.');
  const compiled = compileQuery(model.value.view, parsed.value, { schema: 'p2p' });
  return compiled.ok ? compiled.value.columns.map(({ id }) => id) : [];
};

const texts = (shortDisplayName: string) => ({ description: '', shortDisplayName, internalNote: '' });
const idsIn = (entries: Json): readonly string[] => entries.map(({ id }: { id: string }) => id);

describe('the list of models', () => {
  it('lists the published models of the team by id, each with its last publication', async () => {
    const body = await readJsonAnswer(askModels());
    expect(body).toEqual({
      page: 0,
      pageSize: 50,
      total: 2,
      sort: '',
      content: [
        {
          id: 'p2p.base-km',
          name: 'Purchase to pay',
          published: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
        { id: 'p2p.de-km', name: 'Ankauf', published: expect.any(String) },
      ],
    });
    expect(listModels.reply.schema.parse(body)).toEqual(body);
  });

  it('shows only models of the team, and is empty for a team without models', async () => {
    expect(idsIn((await readJsonAnswer(askModels({}, 'northgate'))).content)).toEqual(['sales']);
    expect(await readJsonAnswer(askModels({}, 'tinyco'))).toEqual({
      page: 0,
      pageSize: 50,
      total: 0,
      sort: '',
      content: [],
    });
  });

  it('shows when a model was published, in UTC', async () => {
    const { content } = await readJsonAnswer(askModels());
    const told = Date.parse(`${content[0].published.replace(' ', 'T')}Z`);
    const published = (await fixture.catalogs.of('meridian')).models.get('p2p.base-km')?.publishedAt ?? '';
    expect(told).toBe(Math.floor(Date.parse(published) / 1000) * 1000);
  });

  it('shows the details of a model, with its base', async () => {
    const ask = (id: string, team = 'meridian') =>
      lists.readModel(readModel.request.parse({ km_id: id }), callerContextOf(team));
    expect(await readJsonAnswer(ask('p2p.base-km'))).toEqual({ id: 'p2p.base-km', name: 'Purchase to pay' });
    expect(await readJsonAnswer(ask('p2p.de-km'))).toEqual({
      id: 'p2p.de-km',
      name: 'Ankauf',
      extendedKMId: 'p2p.base-km',
    });
    expect(await readFailure(ask('sales'))).toEqual({
      code: 'KM_MODEL_NOTFOUND',
      detail: 'There is no knowledge model sales; expected one of p2p.base-km, p2p.de-km.',
    });
    expect((await readFailure(ask('p2p.base-km', 'northgate')))?.detail).not.toContain('Purchase');
  });
});

describe('a page of a list', () => {
  it('has the requested entries and the total', async () => {
    const first = await readJsonAnswer(askRecords({ pageSize: 2 }));
    expect([first.page, first.pageSize, first.total, idsIn(first.content)]).toEqual([
      0,
      2,
      3,
      ['PO_ITEM', 'PURCHASE_ORDER'],
    ]);
    const second = await readJsonAnswer(askRecords({ pageSize: 2, page: 1 }));
    expect([second.page, second.total, idsIn(second.content)]).toEqual([1, 3, ['CURRENCY']]);
    const beyond = await readJsonAnswer(askRecords({ pageSize: 5000, page: 2_000_000_000 }));
    expect([beyond.total, beyond.content]).toEqual([3, []]);
  });

  it.each([
    [undefined, '', ['PO_ITEM', 'PURCHASE_ORDER', 'CURRENCY']],
    ['id', 'id', ['CURRENCY', 'PO_ITEM', 'PURCHASE_ORDER']],
    ['name', 'name', ['CURRENCY', 'PURCHASE_ORDER', 'PO_ITEM']],
    ['+name', '+name', ['CURRENCY', 'PURCHASE_ORDER', 'PO_ITEM']],
    [' name', '+name', ['CURRENCY', 'PURCHASE_ORDER', 'PO_ITEM']],
    ['-name', '-name', ['PO_ITEM', 'PURCHASE_ORDER', 'CURRENCY']],
    ['-internalNote', '-internalNote', ['PO_ITEM', 'CURRENCY', 'PURCHASE_ORDER']],
    ['shortDisplayName', 'shortDisplayName', ['CURRENCY', 'PO_ITEM', 'PURCHASE_ORDER']],
    ['description', 'description', ['CURRENCY', 'PURCHASE_ORDER', 'PO_ITEM']],
  ])('is sorted by %s, echoes %s, ignores case and orders ties by id', async (sort, echo, ids) => {
    const body = await readJsonAnswer(askRecords({ sort }));
    expect([body.sort, idsIn(body.content)]).toEqual([echo, ids]);
  });

  const expected = 'id, name, description, shortDisplayName, internalNote';
  it.each([
    ['', 'SORT_IS_EMPTY', `The sort names nothing; expected one of ${expected}.`],
    ['-', 'SORT_IS_EMPTY', `The sort names nothing; expected one of ${expected}.`],
    [' ', 'SORT_IS_EMPTY', `The sort names nothing; expected one of ${expected}.`],
    ['name,', 'SORT_IS_EMPTY', `The sort names nothing; expected one of ${expected}.`],
    ['name,-name', 'SORT_HAS_OPPOSITE', 'A list is sorted by one member of its entries; this sort names 2.'],
    ['id,name,description', 'SORT_HAS_OPPOSITE', 'A list is sorted by one member of its entries; this sort names 3.'],
    ['-nmae', 'SORT_UNKNOWN_FIELD', 'The entries have no member nmae to sort by. Did you mean name?'],
    ['Name', 'SORT_UNKNOWN_FIELD', 'The entries have no member Name to sort by. Did you mean name?'],
    ['total', 'SORT_UNKNOWN_FIELD', `The entries have no member total to sort by; expected one of ${expected}.`],
    ['--name', 'SORT_UNKNOWN_FIELD', 'The entries have no member -name to sort by. Did you mean name?'],
    [
      "id'; drop table x --",
      'SORT_UNKNOWN_FIELD',
      `The entries have no member id'; drop table x -- to sort by; expected one of ${expected}.`,
    ],
  ])('rejects the sort "%s"', async (sort, code, detail) => {
    expect(await readFailure(askRecords({ sort }))).toEqual({ code, detail });
  });
});

describe('the parts of a model', () => {
  it('are records with their texts', async () => {
    const body = await readJsonAnswer(askRecords());
    expect(body.content[0]).toEqual({
      id: 'PO_ITEM',
      name: 'Order item',
      description: 'One line of an order.',
      shortDisplayName: 'Item',
      internalNote: 'From the purchasing system.',
    });
    expect(body.content[1]).toEqual({
      id: 'PURCHASE_ORDER',
      name: 'order',
      description: '',
      shortDisplayName: 'order',
      internalNote: '',
    });
    expect(listRecords.reply.schema.parse(body)).toEqual(body);
  });

  it('are KPIs with unit, format, direction, target, parameters and records', async () => {
    const body = await readJsonAnswer(askKpis({}, financeCaller));
    expect(idsIn(body.content)).toEqual(['ORDER_VALUE', 'LARGE_RATE', 'ACCOUNTS', 'ACCOUNTS_AGAIN']);
    expect(body.content.slice(0, 2)).toEqual([
      {
        id: 'ORDER_VALUE',
        name: 'Order value',
        description: 'What was ordered.',
        format: ',.0f',
        unit: 'EUR',
        direction: 'Up',
        target: '1000000',
        parameters: [],
        records: ['PO_ITEM'],
      },
      {
        id: 'LARGE_RATE',
        name: 'large items',
        description: '',
        direction: 'None',
        parameters: [{ id: 'limit', name: 'From', value: '100' }],
        records: ['PO_ITEM'],
      },
    ]);
    expect(listKpis.reply.schema.parse(body)).toEqual(body);
    const sorted = await readJsonAnswer(askKpis({ sort: '-target' }, financeCaller));
    expect(idsIn(sorted.content)).toEqual(['ORDER_VALUE', 'ACCOUNTS', 'ACCOUNTS_AGAIN', 'LARGE_RATE']);
  });

  it('are filters', async () => {
    const body = await readJsonAnswer(askFilters({}, financeCaller));
    expect(idsIn(body.content)).toEqual(['LARGE', 'GERMAN', 'EURO', 'HIGH', 'BANKED', 'FOREIGN']);
    expect(body.content[0]).toEqual({ id: 'LARGE', name: 'Large items', description: 'From 100 on.' });
    expect(listFilters.reply.schema.parse(body)).toEqual(body);
  });

  it('include those inherited from the base', async () => {
    expect((await readJsonAnswer(askKpis({ km_id: 'p2p.de-km' }, financeCaller))).total).toBe(4);
  });

  it('are not found for an unknown model, and the nearest name is suggested', async () => {
    for (const ask of [askRecords, askKpis, askFilters, askRecord])
      expect(await readFailure(ask({ km_id: 'p2p.bse-km' }))).toEqual({
        code: 'KM_MODEL_NOTFOUND',
        detail: 'There is no knowledge model p2p.bse-km. Did you mean p2p.base-km?',
      });
  });

  it('leave out KPIs and filters that read a hidden field, and do not count them in the total', async () => {
    const kpis = await readJsonAnswer(askKpis());
    expect([kpis.total, idsIn(kpis.content)]).toEqual([2, ['ORDER_VALUE', 'LARGE_RATE']]);
    const filters = await readJsonAnswer(askFilters({ pageSize: 1 }));
    expect([filters.total, idsIn(filters.content)]).toEqual([4, ['LARGE']]);
    expect(JSON.stringify([kpis, await readJsonAnswer(askFilters()), await readJsonAnswer(askRecords())])).not.toMatch(
      hiddenWordsPattern,
    );
  });
});

describe('a record', () => {
  it('has its fields by kind, in the order of definition', async () => {
    const body = await readJsonAnswer(askRecord({}, financeCaller));
    expect(readRecord.reply.schema.parse(body)).toEqual(body);
    expect({ ...body, fields: [], attributes: [], augmentedAttributes: [] }).toEqual({
      id: 'PO_ITEM',
      name: 'Order item',
      description: 'One line of an order.',
      shortDisplayName: 'Item',
      internalNote: 'From the purchasing system.',
      curated: true,
      identifier: ['ORDER_NO', 'ITEM_NO'],
      fields: [],
      attributes: [],
      augmentedAttributes: [],
      flags: [
        { id: 'OPEN', name: 'Still open', type: 'boolean', filterable: true, sortable: true, ...texts('Still open') },
        { id: 'UNBANKED', name: 'UNBANKED', type: 'boolean', filterable: true, sortable: true, ...texts('UNBANKED') },
      ],
      relationships: [
        { record: 'PURCHASE_ORDER', cardinality: 'many-to-one', fields: [{ from: 'ORDER_NO', to: 'ORDER_NO' }] },
      ],
    });
    expect(body.attributes.map(({ id, type }: Json) => `${id} ${type}`)).toEqual([
      'ORDER_NO string',
      'ITEM_NO integer',
      'AMOUNT float',
      'QTY integer',
      'CITY string',
      'URGENT boolean',
      'DUE date',
      'CUTOFF time',
      'PLANNED datetime',
      'BOOKED timestamp',
      'SERIAL integer',
      'BANK_ACCOUNT string',
      'COMPANY_CODE string',
    ]);
    expect(body.attributes[2]).toEqual({
      id: 'AMOUNT',
      name: 'Net amount',
      type: 'float',
      format: ',.2f',
      unit: 'EUR',
      filterable: true,
      sortable: true,
      ...texts('Net amount'),
    });
    const { shortDisplayName, internalNote } = body.attributes[7];
    expect([shortDisplayName, internalNote]).toEqual(['Latest', 'Column KAPPZEIT.']);
    expect([body.attributes[3].sortable, body.attributes[10].filterable]).toEqual([false, false]);
    expect(body.augmentedAttributes.map(({ id, type }: Json) => `${id} ${type}`)).toEqual([
      'SIZE string',
      'ACCOUNT_COUNTRY string',
    ]);
  });

  it('has its relationships from its side, with the fields that the caller sees', async () => {
    const { relationships } = await readJsonAnswer(askRecord({ record_id: 'PURCHASE_ORDER' }));
    expect(relationships).toEqual([
      { record: 'PO_ITEM', cardinality: 'one-to-many', fields: [{ from: 'ORDER_NO', to: 'ORDER_NO' }] },
    ]);
    const banked = {
      ...companyModel,
      id: 'banked',
      relationships: [
        {
          from: 'PO_ITEM',
          to: 'PURCHASE_ORDER',
          on: { ORDER_NO: 'ORDER_NO', BANK_ACCOUNT: 'COUNTRY' },
          cardinality: 'one-to-one' as const,
        },
        { from: 'PO_ITEM', to: 'PO_ITEM', on: { ORDER_NO: 'ORDER_NO' }, cardinality: 'many-to-many' as const },
      ],
    };
    await fixture.publish('relating', banked);
    const ask = async (who: TestCaller = {}) => {
      const request = readRecord.request.parse({ km_id: 'banked', record_id: 'PO_ITEM' });
      return (await readJsonAnswer(lists.readRecord(request, callerContextOf('relating', who)))).relationships;
    };
    const itself = { record: 'PO_ITEM', cardinality: 'many-to-many', fields: [{ from: 'ORDER_NO', to: 'ORDER_NO' }] };
    const order = { record: 'PURCHASE_ORDER', cardinality: 'one-to-one' };
    const seen = { from: 'ORDER_NO', to: 'ORDER_NO' };
    expect(await ask()).toEqual([{ ...order, fields: [seen] }, itself]);
    expect(await ask(financeCaller)).toEqual([
      { ...order, fields: [seen, { from: 'BANK_ACCOUNT', to: 'COUNTRY' }] },
      itself,
    ]);
  });

  it('lists all its fields in the order of a query that names no field', async () => {
    const body = await readJsonAnswer(askRecord({}, financeCaller));
    expect(idsIn(body.fields)).toEqual(await idsWithoutFields());
    expect(body.fields).toEqual([...body.attributes, ...body.augmentedAttributes, ...body.flags]);
    const sorted = await readJsonAnswer(askRecord({ sort: 'shortDisplayName' }, financeCaller));
    const shortNames = sorted.fields.map(({ shortDisplayName }: Json) => shortDisplayName.toLowerCase());
    expect(shortNames).toEqual(shortNames.toSorted());
  });

  it('sorts each list of fields by the requested sort', async () => {
    const body = await readJsonAnswer(askRecord({ sort: '-type' }, financeCaller));
    expect(idsIn(body.attributes).slice(0, 4)).toEqual(['BOOKED', 'CUTOFF', 'BANK_ACCOUNT', 'CITY']);
    expect(idsIn((await readJsonAnswer(askRecord({ sort: 'name' }, financeCaller))).augmentedAttributes)).toEqual([
      'ACCOUNT_COUNTRY',
      'SIZE',
    ]);
    expect((await readFailure(askRecord({ sort: 'unti' })))?.detail).toBe(
      'The entries have no member unti to sort by. Did you mean unit?',
    );
  });

  it('leaves out fields that are hidden from the caller, and fields that read them', async () => {
    const body = await readJsonAnswer(askRecord());
    expect([body.attributes.length, body.fields.length]).toEqual([12, 14]);
    expect([idsIn(body.augmentedAttributes), idsIn(body.flags)]).toEqual([['SIZE'], ['OPEN']]);
    expect(JSON.stringify(body)).not.toMatch(hiddenWordsPattern);
  });

  it.each([
    ['PO_ITM', 'There is no record PO_ITM in p2p.base-km. Did you mean PO_ITEM?'],
    ['po_item', 'There is no record po_item in p2p.base-km. Did you mean PO_ITEM?'],
    ['INVOICE', 'There is no record INVOICE in p2p.base-km; expected one of PO_ITEM, PURCHASE_ORDER, CURRENCY.'],
  ])('is not found as %s', async (record_id, detail) => {
    expect(await readFailure(askRecord({ record_id }))).toMatchObject({ code: 'KM_RECORD_NOTFOUND', detail });
  });
});
